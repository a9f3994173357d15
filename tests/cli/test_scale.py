"""Folders, and sites that share counts alone, from the command line."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from gnbayes import GeneralizedNB, load
from gnbayes.sites import load_counts, load_features, load_ledger, load_tree, release_id

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
        assert "5-fold cross-validation: bins, tree and weights learned again" in out
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

    @pytest.mark.slow
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
            assert "The file contains no rows." in run(
                "count", f"{name}.csv", "--features", "f.json", "-o", f"{name}.counts"
            )
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

    def test_features_that_hold_no_numbers_of_rows(self, run, hospitals):
        for name in "ab":
            agreed = ("--edges", "age=40,60", "--category", "ward nr", "--middles", "-o", f"{name}.json")
            run("features", f"{name}.csv", "--target", "disease", *agreed)
        ages = [load_features(f"{name}.json").features[0] for name in "ab"]
        assert ages[0] == ages[1]
        assert ages[0].means[1:] == (50.0, 60.0)

    def test_noise_and_small_cells(self, run, hospitals):
        run("features", "a.csv", "--target", "disease", "-o", "f.json")
        assert "fewer than 5 rows are written as 0" in run(
            "count", "a.csv", "--features", "f.json", "-o", "s", "--suppress", 5
        )
        noise = ("--epsilon", 2, "--ledger", "ledger.json", "--budget", 3)
        assert "2-differentially private" in run("count", "a.csv", "--features", "f.json", "-o", "n", *noise)
        assert load_counts("s").privacy.suppressed_below == 5
        assert load_counts("n").privacy.epsilon == "2"
        out = run("merge", "s", "n")
        assert "model       gnb-o, counted probabilities" in out
        assert "noise       epsilon at most 2 per release" in out
        assert "of the rows, averaged over the model's tables" in out
        out = run("count", "a.csv", "--features", "f.json", "-o", "singles", "--no-pairs")
        assert "for every column and every class" in out
        assert "model       nb" in run("merge", "singles", "--structure", "nb")

    def test_two_steps_with_a_ledger(self, run, hospitals):
        run("features", "a.csv", "--target", "disease", "-o", "f.json")
        for name in "ab":
            begin = ("--ledger", f"{name}.ledger", "--budget", 2)
            run("count", f"{name}.csv", "--features", "f.json", "--survey", "--epsilon", 1, *begin, "-o", f"{name}.1")
        out = run("merge", "a.1", "b.1", "--write-tree", "tree.json")
        assert load_tree("tree.json").chosen_from == tuple(release_id(load_counts(f"{name}.1")) for name in "ab")
        assert len(out.splitlines()) == len(load_tree("tree.json").tables)
        for name in "ab":
            step = ("--tree", "tree.json", "--epsilon", "0.9", "--ledger", f"{name}.ledger")
            run("count", f"{name}.csv", "--features", "f.json", *step, "-o", f"{name}.2")
            assert float(load_ledger(f"{name}.ledger").left) == pytest.approx(0.1)
            message = run("count", f"{name}.csv", "--features", "f.json", *step, "-o", f"{name}.3", code=1)
            assert "epsilon 0.9 is more than the 0.1 that is left of the budget of 2" in message
        assert "releases    4" in run("merge", "a.1", "b.1", "a.2", "b.2", "-o", "m.gnb.json")
        assert np.isfinite(load("m.gnb.json").predict_proba(hospitals.drop(columns="disease"))).all()
        message = run("merge", "a.1", "b.1", "a.2", code=1)
        assert "every site must take part in every step" in message
        assert "are the same release" in run("merge", "a.1", "b.1", "a.1", code=1)

    def test_json(self, run, hospitals):
        run("features", "a.csv", "--target", "disease", "-o", "f.json")
        noise = ("--epsilon", "0.5", "--ledger", "ledger.json", "--budget", 2)
        count = ("count", "a.csv", "--features", "f.json", "--survey", *noise, "-o", "a.1", "--json")
        told = json.loads(run(*count))
        assert told["release"] == release_id(load_counts("a.1"))
        assert told["budget_left"] == 1.5
        assert "0.5-differentially private" in told["reveals"]
        told = json.loads(run("merge", "a.1", "--write-tree", "t", "--epsilon", 1, "--json"))
        assert told["output"] == "t"
        names = load_features("f.json").names
        assert told["tables"] == [[names[j] for j in table] for table in load_tree("t").tables]
        told = json.loads(run("merge", "a.1", "--structure", "nb", "--json"))
        assert told["merged"]["n_releases"] == 1
        assert told["merged"]["epsilon"] == "0.5"
        assert told["model"]["structure"] == "nb"

    def test_a_file_that_cannot_be_written_spends_nothing(self, run, hospitals, tmp_path):
        run("features", "a.csv", "--target", "disease", "-o", "f.json")
        noise = ("--epsilon", 1, "--ledger", "ledger.json", "--budget", 2)
        message = run("count", "a.csv", "--features", "f.json", *noise, "-o", "nowhere/a.counts", code=1)
        assert "'nowhere/a.counts' cannot be written" in message
        assert not (tmp_path / "ledger.json").exists()

    def test_persons_of_other_files(self, run, hospitals, tmp_path):
        visits = hospitals[:70].assign(patient=np.arange(70) // 2)
        visits.to_parquet(tmp_path / "visits.parquet", index=False)
        run("features", "visits.parquet", "--target", "disease", "--drop", "patient", "-o", "f.json")
        run("count", "visits.parquet", "--features", "f.json", "--person", "patient", "-o", "first")
        assert load_counts("first").split()[0, 1].sum() == 35

    def test_persons(self, run, hospitals, tmp_path):
        visits = hospitals[:70].assign(patient=np.arange(70) // 2)
        visits.to_csv(tmp_path / "visits.csv", index=False)
        run("features", "visits.csv", "--target", "disease", "--drop", "patient", "-o", "f.json")
        run("count", "visits.csv", "--features", "f.json", "--person", "patient", "-o", "first")
        assert load_counts("first").split()[0, 1].sum() == 35
        begin = ("--ledger", "l", "--budget", 2, "--epsilon", 1)
        persons = ("--person", "patient", "--rows-per-person", 2)
        out = run("count", "visits.csv", "--features", "f.json", *persons, *begin, "-o", "noisy")
        assert "private for one person (column 'patient', at most 2 rows counted), added or removed" in out
        again = ("--epsilon", 1, "--ledger", "l")
        message = run("count", "visits.csv", "--features", "f.json", *again, "-o", "rows", code=1)
        assert "this ledger protects persons (column 'patient', at most 2 rows each)" in message

    def test_what_goes_together(self, run, hospitals):
        run("features", "a.csv", "--target", "disease", "-o", "f.json")
        count = ("count", "a.csv", "--features", "f.json", "-o", "x")
        for arguments, message in [
            (("--epsilon", 1), "--epsilon needs --ledger FILE"),
            (("--epsilon", 1, "--ledger", "l"), "there is no ledger 'l'; begin it with --budget E"),
            (("--ledger", "l"), "--ledger and --budget need --epsilon"),
            (("--survey",), "--survey needs --epsilon"),
            (("--rows-per-person", 2), "--rows-per-person needs --person COLUMN"),
            (("--person", "sex"), "--person 'sex' is one of the model's columns; make the Features without it"),
            (("--person", "patient"), "there is no column 'patient'"),
            (("--suppress", 1), "--suppress must be a whole number from 2, got 1"),
        ]:
            assert message in run(*count, *arguments, code=1)
        run(*count)
        assert "--epsilon needs --write-tree" in run("merge", "x", "--epsilon", 1, code=1)
        assert "choose one: a model with -o FILE" in run("merge", "x", "--write-tree", "t", "-o", "m", code=1)

    def test_mistakes(self, run, hospitals, tmp_path):
        run("features", "a.csv", "--target", "disease", "-o", "f.json")
        run("features", "b.csv", "--target", "disease", "-o", "g.json")
        run("count", "a.csv", "--features", "f.json", "-o", "a.counts")
        run("count", "b.csv", "--features", "g.json", "-o", "b.counts")
        assert "were made with other Features" in run("merge", "a.counts", "b.counts", code=1)
        whole = (tmp_path / "a.counts").read_text()
        (tmp_path / "a.counts").write_text(whole[:-100])
        assert "a.counts is not JSON, or damaged" in run("merge", "a.counts", code=1)
        assert "there is no file 'nowhere.counts'." in run("merge", "nowhere.counts", code=1)
        assert "f.json is not a gnbayes counts file" in run("merge", "f.json", code=1)
        assert "cannot be combined" in run(
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
        assert "column 'sex' holds 'x', which is not among the values" in run(
            "count", "a.csv", "--features", "f.json", "-o", "x", code=1
        )


class TestRounds:
    @pytest.mark.slow
    def test_three_hospitals_get_a_model_with_weights(self, run, hospitals, tmp_path):
        for name in "abc":
            run("features", f"{name}.csv", "--target", "disease", "--weighted", "--summary", f"{name}.summary")
        summaries = [f"{name}.summary" for name in "abc"]
        run("features", "--merge", *summaries, "--target", "disease", "--weighted", "-o", "f.json")
        answers, ask = [], ("--features", "f.json", "--question", "question.json", "-o", "m.gnb.json")
        for number in range(1, 20):
            out = run("rounds", *answers, *ask)
            if "every site answers" not in out:
                break
            assert f"round {number}: every site answers question.json" in out
            for name in "abc":
                answer = f"{name}{number}.answer"
                site = ("--features", "f.json", "--question", "question.json", "--site", name, "-o", answer)
                assert "The file contains no rows." in run("answer", f"{name}.csv", *site)
                answers.append(answer)
        assert number in (14, 18)
        assert "model       gnb-o, weighting discriminative" in out
        X = hospitals.drop(columns="disease")
        pooled = GeneralizedNB().fit(X, hospitals["disease"])
        assert np.abs(load("m.gnb.json").predict_proba(X) - pooled.predict_proba(X)).mean() < 0.05
        message = run("rounds", *answers, answers[0], *ask, code=1)
        assert "site 'a' has answered twice; its rows would count twice" in message

    def test_json(self, run, hospitals):
        run("features", "a.csv", "--target", "disease", "--weighted", "-o", "f.json")
        ask = ("--features", "f.json", "--question", "q.json", "-o", "m.gnb.json", "--json")
        assert json.loads(run("rounds", *ask)) == {"round": 1, "question": "q.json", "output": None}
        site = ("--features", "f.json", "--question", "q.json", "--site", "a", "-o", "a.answer", "--json")
        told = json.loads(run("answer", "a.csv", *site))
        assert (told["round"], told["output"]) == (1, "a.answer")
        assert "There is no noise in them." in told["reveals"]

    def test_a_question_that_is_none(self, run, hospitals):
        run("features", "a.csv", "--target", "disease", "--weighted", "-o", "f.json")
        site = ("--features", "f.json", "--question", "f.json", "--site", "a", "-o", "a.answer")
        assert "f.json is not a gnbayes question file" in run("answer", "a.csv", *site, code=1)
