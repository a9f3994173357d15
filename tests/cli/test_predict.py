"""gnbayes predict and explain."""

import csv
import gzip
import io
import json
import os

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from patients import patients
from pyarrow import parquet

from gnbayes import GeneralizedNB, load, save


def rows_of(out):
    return list(csv.DictReader(io.StringIO(out)))


def test_predictions_equal_those_of_python(heart, model, run):
    rows = rows_of(run("predict", model, heart, "--keep", "ward nr").out)
    X = patients().drop(columns="disease")
    clf = GeneralizedNB(n_fits=1).fit(X, patients()["disease"])
    assert [float(row["probability of ill"]) for row in rows] == clf.predict_proba(X)[:, 0].tolist()
    assert [row["prediction"] for row in rows] == clf.predict(X).tolist()
    assert [int(row["ward nr"]) for row in rows] == X["ward nr"].tolist()


def test_columns_in_another_order_and_extra_ones(heart, model, run, tmp_path):
    expected = run("predict", model, heart).out
    frame = patients()
    others = frame[frame.columns[::-1]].assign(note="=1+1", admitted="2020-01-01", n="1,5")
    others.to_csv(tmp_path / "t.csv", index=False)
    assert run("predict", model, "t.csv").out == expected
    table = pa.Table.from_pandas(others, preserve_index=False).append_column("scans", pa.array([[1]] * 150))
    parquet.write_table(table, tmp_path / "t.parquet")
    assert run("predict", model, "t.parquet").out == expected


@pytest.mark.slow
def test_reports_and_scores_of_columns_in_another_order_and_extra_ones(model, run, tmp_path):
    frame = patients()
    others = frame[frame.columns[::-1]].assign(note="=1+1", admitted="2020-01-01", n="1,5")
    others.to_csv(tmp_path / "t.csv", index=False)
    parquet.write_table(pa.Table.from_pandas(others, preserve_index=False), tmp_path / "t.parquet")
    run("report", model, "t.parquet", "-o", "r.html", "--positive", "ill", "--bootstrap", 2)
    run("report", model, "t.csv", "-o", "r.html", "--positive", "ill", "--bootstrap", 2)
    run("evaluate", model, "t.parquet")


def test_other_notations_are_understood_and_said(heart, model, run, tmp_path):
    expected = run("predict", model, heart)
    assert expected.err == ""
    patients().to_csv(tmp_path / "t.csv", index=False, sep=";", decimal=",", encoding="utf-16")
    told = run("predict", model, "t.csv")
    assert told.out == expected.out
    assert told.err == "t.csv: UTF-16, semicolons between cells, decimal commas, a header\n"


def test_nothing_is_printed_before_a_failure(model, run, tmp_path):
    patients().drop(columns="age").to_csv(tmp_path / "t.csv", index=False)
    told = run("predict", model, "t.csv", code=1)
    assert told.out == ""
    assert "there is no column 'age'" in told.err
    frame = patients().astype({"age": object})
    frame.loc[3, "age"] = "abc"
    frame.to_csv(tmp_path / "t.csv", index=False)
    told = run("predict", model, "t.csv", code=1)
    assert told.out == ""
    assert (
        "column 'age' of t.csv holds 'abc', which is not a number; if this cell is a missing value, use --missing 'abc'"
        in (told.err)
    )


def test_a_table_without_rows_has_a_header_alone(model, run, tmp_path):
    patients()[:0].to_csv(tmp_path / "t.csv", index=False)
    assert run("predict", model, "t.csv").out == "prediction,probability of ill,probability of well\n"


def test_a_failed_prediction_leaves_the_old_output_and_the_input(heart, model, run, tmp_path):
    (tmp_path / "old.csv").write_text("keep")
    run("predict", model, "nowhere.csv", "-o", "old.csv", code=1)
    assert (tmp_path / "old.csv").read_text() == "keep"
    run("predict", model, heart, "-o", heart)
    assert len(heart.read_text().splitlines()) == 151
    run("predict", model, "-", "-o", "p.csv.gz", stdin=patients().to_csv(index=False).encode())
    assert gzip.decompress((tmp_path / "p.csv.gz").read_bytes()).count(b"\n") == 151


def test_kept_cells_stand_as_they_stood(model, run, tmp_path):
    frame = patients().assign(id=[f"{j:020d}" for j in range(150)], note="1e1")
    frame.to_csv(tmp_path / "t.csv", index=False)
    rows = rows_of(run("predict", model, "t.csv", "--keep", "id", "--keep", "note").out)
    assert [row["id"] for row in rows] == [f"{j:020d}" for j in range(150)]
    assert {row["note"] for row in rows} == {"1e1"}


def test_formulas_are_escaped_on_request(run, tmp_path):
    frame = patients(40).assign(disease=lambda f: f["disease"].map({"ill": "=ill()", "well": "@well"}))
    clf = GeneralizedNB("nb", weighting=None).fit(frame[["age", "sex"]], frame["disease"])
    save(clf, tmp_path / "m.json")
    link = '=HYPERLINK("http://x")'
    frame.assign(note=link, change="-3", **{"+sum": "x"}).to_csv(tmp_path / "t.csv", index=False)
    keep = ("--keep", "note", "--keep", "change", "--keep", "+sum", "--keep", "age")
    plain = list(csv.reader(io.StringIO(run("predict", "m.json", "t.csv", *keep).out)))
    assert plain[0][4:] == ["prediction", "probability of =ill()", "probability of @well"]
    assert plain[1][0] == link
    escaped = list(csv.reader(io.StringIO(run("predict", "m.json", "t.csv", *keep, "--escape-formulas").out)))
    assert escaped[0][2] == "'+sum"
    assert escaped[1][:3] == ["'" + link, "'-3", "x"]
    assert {row[4] for row in escaped[1:]} <= {"'=ill()", "'@well"}
    assert [row[5:] for row in escaped[1:]] == [row[5:] for row in plain[1:]]
    assert [row[3] for row in escaped] == [row[3] for row in plain]


def test_json_lines(heart, model, run):
    lines = [json.loads(line) for line in run("predict", model, heart, "--json", "--keep", "sex").out.splitlines()]
    rows = rows_of(run("predict", model, heart, "--keep", "sex").out)
    assert [line["kept"]["sex"] for line in lines] == [row["sex"] for row in rows]
    assert [line["prediction"] for line in lines] == [row["prediction"] for row in rows]
    assert [line["probability"]["ill"] for line in lines] == [float(row["probability of ill"]) for row in rows]


def test_outputs_that_cannot_be_written(heart, model, run, tmp_path):
    os.symlink(tmp_path / "loop", tmp_path / "loop")
    assert "it is a link that leads back to itself" in run("predict", model, heart, "-o", "loop", code=1).err


def test_a_model_without_names(run, tmp_path):
    X, y = np.random.default_rng(0).normal(size=(50, 2)), np.arange(50) % 2
    clf = GeneralizedNB("nb", weighting=None).fit(X, y)
    save(clf, tmp_path / "m.json")
    pd.DataFrame(X[:, ::-1], columns=["x1", "x0"]).to_csv(tmp_path / "t.csv", index=False)
    rows = rows_of(run("predict", "m.json", "t.csv").out)
    assert [float(row["probability of 1"]) for row in rows] == clf.predict_proba(X)[:, 1].tolist()


def test_explanations(heart, model, run):
    text = run("explain", model, heart, "--rows", 2, "--top", 2).out
    assert text.startswith("row 1: ")
    assert "\nrow 2: " in text
    assert text.count("  ...") == 2
    assert len(run("explain", model, heart, "--json").out.splitlines()) == 5


@pytest.mark.parametrize("top", [1, 3, 99])
def test_json_of_the_top_features_sums_to_the_whole(top, heart, model, run):
    clf, frame = load(model), patients()
    lines = run("explain", model, heart, "--rows", 3, "--json", "--top", top).out.splitlines()
    explanation = clf.explain(frame.drop(columns="disease")[:3])
    n_terms = len(explanation.terms)
    for number, line in enumerate(lines):
        row = json.loads(line)
        assert row["row"] == number + 1
        assert len(row["terms"]) == min(top, n_terms)
        assert row["others"]["terms"] == n_terms - min(top, n_terms)
        for y, label in enumerate(clf.classes_):
            parts = [part["score"][label] for part in row["terms"]]
            total = row["base"][label] + sum(parts) + row["others"]["score"][label]
            assert total == pytest.approx(explanation.scores[number, y])


def test_unknown_columns_are_averaged(heart, model, run):
    clf, frame = load(model), patients().drop(columns="disease")
    lines = run("predict", model, heart, "--unknown", "age", "--json").out.splitlines()
    expected = clf.predict_proba(frame, unknown=["age"])
    for line, row in zip(lines, expected, strict=True):
        assert list(json.loads(line)["probability"].values()) == pytest.approx(row.tolist())
    assert "unknown features, averaged" in run("explain", model, heart, "--unknown", "age", "--rows", 1).out
    assert "names 'agee', which is not a column" in run("predict", model, heart, "--unknown", "agee", code=1).err


def test_files_that_are_not_there_or_not_models(heart, model, run, tmp_path):
    assert "there is no file 'nowhere.csv'" in run("fit", "nowhere.csv", "--target", "a", code=1).err
    assert "there is no file 'nowhere.json'" in run("inspect", "nowhere.json", code=1).err
    assert "heart.csv is not JSON, or damaged" in run("inspect", heart, code=1).err
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and then nothing")
    assert "cannot be read" in run("predict", model, "broken.parquet", code=1).err
