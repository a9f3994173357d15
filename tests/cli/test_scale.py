"""Folders, and sites that share counts alone, from the command line."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from gnbayes import GeneralizedNB, load
from gnbayes.sites import load_counts, load_features

LEARNING = ("--structure", "gnb-o", "--n-bins", 4, "--weighting", "none")


def table(n=240):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.normal(50, 12, n).round(1), "sex": rng.choice(["f", "m"], n)})
    frame["ward nr"] = rng.integers(1, 9, n)
    frame["disease"] = np.where(frame["age"] + rng.normal(size=n) > 50, "ill", "well")
    frame.loc[::9, "age"] = np.nan
    return frame


def one_fit(frame, **parameters):
    clf = GeneralizedNB(weighting=None, n_bins=4, structure="gnb-o", **parameters)
    return clf.fit(frame.drop(columns="disease"), frame["disease"])


@pytest.fixture
def run(run):
    """What the command printed, or what it said of an error."""

    def command(*arguments, code=0):
        told = run(*arguments, code=code)
        return told.out if code == 0 else told.err

    return command


@pytest.fixture
def hospitals(tmp_path):
    """Three sites with rows of the same table."""
    frame = table()
    for name, part in zip("abc", (frame[:70], frame[70:150], frame[150:]), strict=True):
        part.to_csv(tmp_path / f"{name}.csv", index=False)
    return frame


class TestFit:
    def test_a_folder_gives_the_model_of_one_fit(self, run, tmp_path):
        frame = table()
        (tmp_path / "data").mkdir()
        frame.loc[3, "disease"] = None  # such rows are left out
        for at in (0, 100, 200):
            part = pa.Table.from_pandas(frame[at : at + 100], preserve_index=False)
            parquet.write_table(part, tmp_path / "data" / f"{at}.parquet")
        out = run(
            "fit", "data", "--target", "disease", "--drop", "sex", *LEARNING, "-o", "m.gnb.json", "--resume", "state"
        )
        assert "rows        239; 1 more without a class are left out" in out
        assert "numbers     2: age, ward nr  (otherwise: --category COLUMN)" in out
        assert "left out    sex (--drop)" in out
        assert "5-fold cross-validation: bins, tree and weights learned anew" in out
        frame = frame.dropna(subset="disease").drop(columns="sex")
        X = frame.drop(columns="disease")
        assert np.array_equal(load("m.gnb.json").predict_proba(X), one_fit(frame).predict_proba(X))
        assert (tmp_path / "state").exists()

    def test_a_folder_of_text(self, run, tmp_path, hospitals):
        (tmp_path / "data").mkdir()
        for name in "abc":
            text = (tmp_path / f"{name}.csv").read_text().replace(",", ";")
            (tmp_path / "data" / f"{name}.csv").write_text(text)
        run("fit", "data", "--target", "disease", *LEARNING, "-o", "m.gnb.json")
        X = hospitals.drop(columns="disease")
        assert np.array_equal(load("m.gnb.json").predict_proba(X), one_fit(hospitals).predict_proba(X))

    def test_a_folder_of_text_as_spreadsheets_write_it(self, run, tmp_path, hospitals):
        (tmp_path / "data").mkdir()
        hospitals[:100].to_csv(tmp_path / "data" / "1.csv", index=False, sep=";", decimal=",", encoding="utf-16")
        hospitals[100:].to_csv(tmp_path / "data" / "2.csv", index=False, sep=";", decimal=",", encoding="utf-16")
        run("fit", "data", "--target", "disease", *LEARNING, "-o", "m.gnb.json")
        X = hospitals.drop(columns="disease")
        assert np.array_equal(load("m.gnb.json").predict_proba(X), one_fit(hospitals).predict_proba(X))

    def test_whole_numbers_beyond_fractions_are_refused_as_in_a_single_file(self, run, tmp_path):
        (tmp_path / "data").mkdir()
        frame = table().assign(id=np.arange(240) + 2**53 + 1)
        frame.to_csv(tmp_path / "one.csv", index=False)
        frame[:100].to_csv(tmp_path / "data" / "1.csv", index=False)
        frame[100:].to_csv(tmp_path / "data" / "2.csv", index=False)
        sentence = "column 'id' holds whole numbers beyond 2**53"
        assert sentence in run("fit", "one.csv", "--target", "disease", code=1)
        assert sentence in run("fit", "data", "--target", "disease", code=1)

    def test_whole_numbers_that_become_fractions_in_a_later_file(self, run, tmp_path):
        (tmp_path / "data").mkdir()
        frame = table()
        frame["ward nr"] = frame["ward nr"].astype(float)
        frame.loc[200, "ward nr"] = 2.5
        frame[:100].astype({"ward nr": int}).to_csv(tmp_path / "data" / "1.csv", index=False)
        frame[100:].to_csv(tmp_path / "data" / "2.csv", index=False)
        run("fit", "data", "--target", "disease", *LEARNING, "-o", "m.gnb.json")
        X = frame.drop(columns="disease")
        assert np.array_equal(load("m.gnb.json").predict_proba(X), one_fit(frame).predict_proba(X))

    def test_whole_numbers_that_become_fractions_far_down(self, run, tmp_path):
        (tmp_path / "data").mkdir()
        lines = [f"{j % 7},{'ab'[j % 2]}" for j in range(700_000)]
        (tmp_path / "data" / "1.csv").write_text("\n".join(["x,y", *lines, "2.5,a"]) + "\n")
        out = run("fit", "data", "--target", "y", "--structure", "nb", "--weighting", "none", "--no-score")
        assert "rows        700001" in out
        assert "numbers     1: x" in out

    def test_a_large_folder_is_scored_on_a_sample(self, run, tmp_path, monkeypatch):
        monkeypatch.setattr("gnbayes.cli.fit_files.SAMPLE_ROWS", 150)
        (tmp_path / "data").mkdir()
        table(1000).to_parquet(tmp_path / "data" / "1.parquet")
        told = json.loads(run("fit", "data", "--target", "disease", *LEARNING, "--json"))
        assert told["model"]["rows"] == 1000
        assert 100 < told["score"]["rows"] < 200
        assert f"of a sample of {told['score']['rows']} of 1000 rows" in told["score"]["method"]
        assert told["score"]["accuracy"]["value"] > 0.8

    def test_groups_of_a_folder(self, run, tmp_path):
        (tmp_path / "data").mkdir()
        table().assign(person=np.repeat(np.arange(60), 4)).to_parquet(tmp_path / "data" / "1.parquet")
        out = run("fit", "data", "--target", "disease", "--group", "person", *LEARNING)
        assert "left out    person (the groups)" in out
        assert "groups kept together" in out

    def test_mistakes(self, run, tmp_path, hospitals):
        (tmp_path / "data").mkdir()
        assert "is a folder without files" in run("fit", "data", "--target", "disease", code=1)
        hospitals.to_parquet(tmp_path / "data" / "a.parquet")
        assert "there is no column 'desease'; did you mean 'disease'?" in run(
            "fit", "data", "--target", "desease", code=1
        )
        (tmp_path / "text").mkdir()
        hospitals.to_csv(tmp_path / "text" / "a.csv", index=False, header=False)
        assert "has no header; files of a folder need one" in run("fit", "text", "--target", "disease", code=1)
        message = run("fit", "data", "--target", "disease", "--text", "ward nr", code=1)
        assert "--text and --number are for text files" in message


class TestSites:
    def test_three_hospitals_get_the_model_of_all_rows(self, run, hospitals):
        for name in "abc":
            run("features", f"{name}.csv", "--target", "disease", "--summary", f"{name}.summary")
        out = run(
            "features",
            "--merge",
            "a.summary",
            "b.summary",
            "c.summary",
            "--target",
            "disease",
            "--n-bins",
            4,
            "-o",
            "f.json",
        )
        assert "3 features, 2 classes" in out
        for name in "abc":
            assert "No rows." in run("count", f"{name}.csv", "--features", "f.json", "-o", f"{name}.counts")
        assert "rows        240" in run(
            "merge", "a.counts", "b.counts", "c.counts", "-o", "m.gnb.json", "--structure", "gnb-o"
        )
        X = hospitals.drop(columns="disease")
        assert np.array_equal(load("m.gnb.json").predict_proba(X), one_fit(hospitals).predict_proba(X))

    def test_a_hospital_with_a_folder(self, run, hospitals, tmp_path):
        (tmp_path / "data").mkdir()
        hospitals[:100].to_parquet(tmp_path / "data" / "1.parquet")
        hospitals[100:].to_parquet(tmp_path / "data" / "2.parquet")
        hospitals.to_csv(tmp_path / "all.csv", index=False)
        run("features", "data", "--target", "disease", "-o", "f.json")
        run("count", "data", "--features", "f.json", "-o", "a.counts")
        run("count", "all.csv", "--features", "f.json", "-o", "b.counts")
        assert (tmp_path / "a.counts").read_bytes() == (tmp_path / "b.counts").read_bytes()

    def test_one_hospital_proposes_edges(self, run, hospitals):
        run("features", "a.csv", "--target", "disease", "--edges", "age=40,60", "--category", "ward nr", "-o", "f.json")
        features = load_features("f.json").features
        assert features[0].edges == (40.0, 60.0)
        assert features[2].kind == "category"

    def test_noise_and_small_cells(self, run, hospitals):
        run("features", "a.csv", "--target", "disease", "-o", "f.json")
        assert "fewer than 5 rows are written as 0" in run(
            "count", "a.csv", "--features", "f.json", "-o", "s", "--suppress", 5
        )
        assert "2-differentially private" in run("count", "a.csv", "--features", "f.json", "-o", "n", "--epsilon", 2)
        assert load_counts("s").privacy.suppressed_below == 5
        assert load_counts("n").privacy.epsilon == "2"
        assert "model       gnb-o, counted probabilities" in run("merge", "s", "n")
        out = run("count", "a.csv", "--features", "f.json", "-o", "singles", "--no-pairs")
        assert "For every column and every class" in out
        assert "model       nb" in run("merge", "singles", "--structure", "nb")

    def test_mistakes(self, run, hospitals, tmp_path):
        run("features", "a.csv", "--target", "disease", "-o", "f.json")
        run("features", "b.csv", "--target", "disease", "-o", "g.json")
        run("count", "a.csv", "--features", "f.json", "-o", "a.counts")
        run("count", "b.csv", "--features", "g.json", "-o", "b.counts")
        assert "were made with other Features" in run("merge", "a.counts", "b.counts", code=1)
        whole = (tmp_path / "a.counts").read_text()
        (tmp_path / "a.counts").write_text(whole[:-100])
        assert "a.counts is not JSON, or damaged" in run("merge", "a.counts", code=1)
        assert "f.json is not a gnbayes counts file" in run("merge", "f.json", code=1)
        assert "do not go together" in run(
            "count", "a.csv", "--features", "f.json", "-o", "x", "--suppress", 5, "--epsilon", 1, code=1
        )
        assert "--epsilon: must be a number from 1e-6 to 1e6, got 'much'" in run(
            "count", "a.csv", "--features", "f.json", "-o", "x", "--epsilon", "much", code=2
        )
        assert "give either a table, or summaries" in run("features", "--target", "disease", "-o", "x", code=1)
        assert "say what to write" in run("features", "a.csv", "--target", "disease", code=1)
        assert "there is no column 'desease'" in run("features", "a.csv", "--target", "desease", "-o", "x", code=1)
        strange = (tmp_path / "a.csv").read_text().replace(",f,", ",x,", 1)
        (tmp_path / "a.csv").write_text(strange)
        assert "column 'sex' holds 'x', which is none of the values" in run(
            "count", "a.csv", "--features", "f.json", "-o", "x", code=1
        )
