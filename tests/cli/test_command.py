"""The installed command, run as a user runs it."""

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from gnbayes import GeneralizedNB, load
from gnbayes.cli.inspect import describe
from gnbayes.model import STRENGTHS

COMMAND = Path(sys.executable).with_name("gnbayes")


def gnbayes(*arguments, stdin=None):
    return subprocess.run(
        [str(COMMAND), *map(str, arguments)], input=stdin, capture_output=True, check=False, timeout=120
    )


def succeed(*arguments, stdin=None):
    run = gnbayes(*arguments, stdin=stdin)
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout.decode()


def fail(*arguments, stdin=None, code=1):
    run = gnbayes(*arguments, stdin=stdin)
    assert run.returncode == code
    assert b"Traceback" not in run.stderr
    return run.stderr.decode()


def table(n=150, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.normal(50, 12, n).round(1),
            "sex": rng.choice(["f", "m"], n),
            "smokes": rng.choice(["true", "false"], n),
        }
    )
    frame["ward nr"] = rng.integers(1, 9, n)
    frame["disease"] = np.where(frame["age"] + 9 * (frame["smokes"] == "true") > 54, "ill", "well")
    frame.loc[::9, "age"] = np.nan
    return frame


@pytest.fixture
def heart(tmp_path):
    table().to_csv(tmp_path / "heart.csv", index=False)
    return tmp_path / "heart.csv"


@pytest.fixture
def model(heart, tmp_path):
    succeed("fit", heart, "--target", "disease", "-o", tmp_path / "heart.gnb.json")
    return tmp_path / "heart.gnb.json"


def test_fit_says_what_it_guessed_and_what_it_learned(heart, tmp_path):
    run = gnbayes("fit", heart, "--target", "disease", "-o", tmp_path / "m.gnb.json")
    said, told = run.stderr.decode(), run.stdout.decode()
    assert "numbers: age, ward nr  (otherwise: --category COLUMN)" in said
    assert "categories: sex, smokes  (otherwise: --number COLUMN)" in said
    for word in (
        "rows      150",
        "classes   ill",
        "weight",
        "naive Bayes",
        "first",
        "order",
        "5-fold cross-validation",
    ):
        assert word in told
    counted_told = succeed("fit", heart, "--target", "disease", "--weighting", "none")
    assert "leave-one-out; tree and intervals fixed" in counted_told
    assert "score" not in succeed("fit", heart, "--target", "disease", "--no-score")
    clf = load(tmp_path / "m.gnb.json")
    assert clf.feature_names_in_.tolist() == ["age", "sex", "smokes", "ward nr"]


def test_every_guess_can_be_overridden(heart, tmp_path):
    succeed(
        *("fit", heart, "--target", "disease", "-o", tmp_path / "m.json", "--category", "ward nr", "--text", "smokes"),
        *(
            "--edges",
            "age=40,60",
            "--drop",
            "sex",
            "--structure",
            "tan",
            "--n-bins",
            3,
            "--alpha",
            0.5,
            "--n-features",
            2,
        ),
    )
    clf = load(tmp_path / "m.json")
    assert [feature.name for feature in clf.features_] == ["age", "smokes", "ward nr"]
    assert clf.features_[0].edges == (40.0, 60.0)
    assert clf.features_[1].categories == ("false", "true")
    assert len(clf.features_[2].categories) == 8
    assert (clf.structure, clf.n_features_, clf.alpha) == ("tan", 2, 0.5)


def test_a_strength_is_chosen_when_asked_for(heart, tmp_path):
    path = tmp_path / "m.json"
    succeed("fit", heart, "--target", "disease", "-o", path, "--structure", "nb", "--alpha", "auto")
    clf = load(path)
    assert clf.alpha == "auto"
    assert clf.alpha_ in STRENGTHS


def test_a_strength_that_was_chosen_is_shown(wdbc):
    clf = GeneralizedNB("nb", weighting=None, n_bins=5, alpha="auto").fit(*wdbc)
    assert clf.alpha_ != 1
    assert f"smoothing additive (alpha {clf.alpha_:g})" in describe(clf)


def test_a_strength_that_is_no_number(heart, tmp_path):
    run = gnbayes("fit", heart, "--target", "disease", "-o", tmp_path / "m.json", "--alpha", "much")
    assert run.returncode == 2
    assert "argument --alpha: must be a number or 'auto', got 'much'" in run.stderr.decode()


def test_predictions_equal_those_of_python(heart, model):
    rows = list(csv.DictReader(io.StringIO(succeed("predict", model, heart, "--keep", "ward nr"))))
    frame = table()
    frame["smokes"] = frame["smokes"] == "true"
    clf = GeneralizedNB().fit(frame.drop(columns="disease"), frame["disease"])
    proba = clf.predict_proba(frame.drop(columns="disease"))
    assert [float(row["probability of ill"]) for row in rows] == proba[:, 0].tolist()
    assert [row["prediction"] for row in rows] == clf.predict(frame.drop(columns="disease")).tolist()
    assert [int(row["ward nr"]) for row in rows] == frame["ward nr"].tolist()


@pytest.mark.parametrize("kind", ["csv.gz", "tsv", "parquet", "feather", "-"])
def test_all_kinds_of_files_give_the_same_predictions(kind, heart, model, tmp_path):
    expected = succeed("predict", model, heart)
    path, stdin = tmp_path / f"t.{kind}", None
    frame = table()
    arrow = pa.Table.from_pandas(frame.assign(smokes=frame["smokes"] == "true"), preserve_index=False)
    if kind == "csv.gz":
        path.write_bytes(gzip.compress(heart.read_bytes()))
    elif kind == "tsv":
        frame.to_csv(path, index=False, sep="\t")
    elif kind == "parquet":
        parquet.write_table(arrow, path)
    elif kind == "feather":
        feather.write_feather(arrow, path, compression="uncompressed")
    else:
        path, stdin = "-", heart.read_bytes()
    assert succeed("predict", model, path, stdin=stdin) == expected


def test_explain_select_inspect_and_info(heart, model, tmp_path):
    text = succeed("explain", model, heart, "--rows", 2, "--top", 2)
    assert text.startswith("row 1: well against ill: odds x ")
    lines = succeed("explain", model, heart, "--rows", 3, "--json").splitlines()
    assert len(lines) == 3
    assert set(json.loads(lines[0])["probability"]) == {"ill", "well"}
    curve = succeed("select", heart, "--target", "disease", "--cv", 3, "--plot", tmp_path / "curve.png")
    assert "best by neg_log_loss:" in curve
    assert (tmp_path / "curve.png").read_bytes()[:4] == b"\x89PNG"
    assert "of the weight" in succeed("inspect", model)
    assert "scikit-learn" in succeed("info")


@pytest.mark.parametrize("kind", ["bif", "xmlbif", "onnx", "dot", "picture"])
def test_export(kind, heart, tmp_path):
    model = tmp_path / "m.gnb.json"
    succeed("fit", heart, "--target", "disease", "--weighting", "none", "-o", model)
    path = tmp_path / ("m.png" if kind == "picture" else "m.out")
    succeed("export", model, "--to", kind, "-o", path)
    assert path.stat().st_size > 100


ODD = {
    "byte order mark": (lambda text: b"\xef\xbb\xbf" + text.encode(), []),
    "carriage returns": (lambda text: text.replace("\n", "\r\n").encode(), []),
    "quotes and commas": (lambda text: text.replace("sex", '"sex, of ""birth"""').encode(), []),
    "latin-1": (lambda text: text.replace("sex", "Größe").encode("latin-1"), ["--encoding", "latin-1"]),
    "empty column": (lambda text: _with_column(text, "nothing", "").encode(), []),
}


def _with_column(text, name, value):
    first, *rest = text.strip().split("\n")
    return "\n".join([f"{name},{first}", *(f"{value},{line}" for line in rest)]) + "\n"


@pytest.mark.parametrize(("change", "options"), ODD.values(), ids=ODD.keys())
def test_odd_files_work(change, options, heart, tmp_path):
    path = tmp_path / "odd name, with 'quotes'.csv"
    path.write_bytes(change(heart.read_text()))
    succeed("fit", path, "--target", "disease", "-o", tmp_path / "m.json", *options)
    assert len(succeed("predict", tmp_path / "m.json", path, *options).splitlines()) == 151


BAD = {
    "no such target": (None, ["--target", "diseese"], "there is no column 'diseese'; did you mean 'disease'?"),
    "no such column": (None, ["--target", "disease", "--drop", "Age"], "there is no column 'Age'; did you mean 'age'?"),
    "no rows": (lambda text: text.split("\n")[0] + "\n", [], "has no rows below its header"),
    "nothing": (lambda _: "", [], "is empty; its first line must name the columns"),
    "one row": (lambda text: "\n".join(text.split("\n")[:2]) + "\n", [], "y holds only one class"),
    "one class": (lambda text: text.replace("ill", "well"), [], "y holds only one class, 'well'"),
    "double name": (lambda text: text.replace("sex", "age"), [], "has more than one column named 'age'; rename them"),
    "no name": (lambda text: text.replace("sex", ""), [], "has a column without a name (column 2)"),
    "bad bytes": (lambda text: text.replace("sex", "s\udcff"), [], "is not in the encoding utf-8; give another one"),
    "ragged": (lambda text: text + "1,2\n", [], "Expected 5 columns, got 2"),
    "fractions": (None, ["--target", "age"], "column 'age' holds fractions; a target needs classes"),
    "bad edges": (None, ["--target", "disease", "--edges", "age=a"], "must be a column and numbers, such as age=40,60"),
}


@pytest.mark.parametrize(("change", "options", "message"), BAD.values(), ids=BAD.keys())
def test_mistakes_get_one_sentence(change, options, message, heart, tmp_path):
    text = heart.read_text()
    path = tmp_path / "t.csv"
    path.write_bytes((change(text) if change else text).encode("utf-8", "surrogateescape"))
    error = fail("fit", path, *(options or ["--target", "disease"]), "-o", tmp_path / "m.json")
    assert message in error
    assert not (tmp_path / "m.json").exists()


def test_files_that_are_not_there_or_not_models(heart, model, tmp_path):
    assert "there is no file 'nowhere.csv'" in fail("fit", "nowhere.csv", "--target", "a")
    assert "there is no file 'nowhere.json'" in fail("inspect", "nowhere.json")
    assert "heart.csv is not JSON, or damaged" in fail("inspect", heart)
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and then nothing")
    assert "cannot be read" in fail("predict", model, tmp_path / "broken.parquet")
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(heart.read_bytes())[:-20])
    assert "cannot be read" in fail("predict", model, tmp_path / "cut.csv.gz")


def test_a_column_that_the_model_needs(heart, model, tmp_path):
    table().drop(columns="age").to_csv(tmp_path / "t.csv", index=False)
    assert "there is no column 'age'" in fail("predict", model, tmp_path / "t.csv")
    heart.write_text(heart.read_text().replace("\n", "\nabc,f,true,1,ill\n", 1))
    assert "age" in fail("predict", model, heart)


def test_a_failed_prediction_leaves_the_old_output_and_the_input(heart, model, tmp_path):
    (tmp_path / "old.csv").write_text("keep")
    fail("predict", model, "nowhere.csv", "-o", tmp_path / "old.csv")
    assert (tmp_path / "old.csv").read_text() == "keep"
    succeed("predict", model, heart, "-o", heart)
    assert len(heart.read_text().splitlines()) == 151
    succeed("predict", model, "-", "-o", tmp_path / "p.csv.gz", stdin=table().to_csv(index=False).encode())
    assert gzip.decompress((tmp_path / "p.csv.gz").read_bytes()).count(b"\n") == 151


def test_kept_cells_stand_as_they_stood(model, tmp_path):
    table().assign(id=[f"{j:020d}" for j in range(150)], note="1e1").to_csv(tmp_path / "t.csv", index=False)
    rows = list(
        csv.DictReader(io.StringIO(succeed("predict", model, tmp_path / "t.csv", "--keep", "id", "--keep", "note")))
    )
    assert [row["id"] for row in rows] == [f"{j:020d}" for j in range(150)]
    assert {row["note"] for row in rows} == {"1e1"}


def test_semicolons_and_decimal_commas(heart, model, tmp_path):
    table().to_csv(tmp_path / "t.csv", index=False, sep=";", decimal=",")
    assert "say so with --separator ';'" in fail("fit", tmp_path / "t.csv", "--target", "disease")
    options = ("--separator", ";", "--decimal", ",")
    assert succeed("predict", model, tmp_path / "t.csv", *options) == succeed("predict", model, heart)


def test_parquet_that_holds_more_than_single_values(tmp_path):
    parquet.write_table(pa.table({"x": [[1], [2]], "y": ["a", "b"]}), tmp_path / "t.parquet")
    assert "column 'x' holds list" in fail("fit", tmp_path / "t.parquet", "--target", "y")
    twice = pa.Table.from_arrays([pa.array([1, 2]), pa.array([1, 2]), pa.array(["a", "b"])], names=["x", "x", "y"])
    parquet.write_table(twice, tmp_path / "t.parquet")
    assert "more than one column named 'x'" in fail("fit", tmp_path / "t.parquet", "--target", "y")


def test_columns_dropped_twice_and_the_target(heart):
    run = gnbayes("fit", heart, "--target", "disease", "--drop", "age", "--drop", "age", "--no-score")
    assert b"150 rows, 3 columns" in run.stderr
    assert "is the target and cannot be dropped" in fail("fit", heart, "--target", "disease", "--drop", "disease")


def test_wrong_calls_have_their_own_exit_code():
    assert "usage: gnbayes" in fail("fit", code=2)
    assert "usage: gnbayes" in fail("dance", code=2)
    assert "must be a whole number from 1, got '-3'" in fail("explain", "m", "t", "--rows", "-3", code=2)
    assert "must be 'loo' or a number of splits from 2" in fail("select", "t", "--target", "y", "--cv", "x", code=2)


def test_a_reader_that_has_seen_enough(model, tmp_path):
    pd.concat([table()] * 200).to_csv(tmp_path / "long.csv", index=False)
    run = subprocess.run(
        f"'{COMMAND}' predict '{model}' '{tmp_path / 'long.csv'}' | head -n 2",
        shell=True, capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert run.stdout.count(b"\n") == 2
    assert run.stderr == b""


def test_paper_leaves_out_what_it_cannot_get(tmp_path, monkeypatch):
    monkeypatch.setenv("GNBAYES_DATA", str(tmp_path))
    run = gnbayes("paper", "--repeats", 2, "--honest-repeats", 2)
    assert run.returncode == 0, run.stderr.decode()
    assert b"gnbayes: heart is left out: " in run.stderr
    assert b"wdbc" in run.stdout
    assert "repeats and honest_repeats must be at least 2" in fail("paper", "--repeats", 0)


def test_weighted_models_go_through_all_verbs(heart, tmp_path):
    model = tmp_path / "m.gnb.json"
    options = ("--target", "disease")
    fitted = succeed("fit", heart, *options, "-o", model)
    assert "structure gnb-o, 4 of 4 features, weighting discriminative" in fitted
    assert "structure gnb-o, weighting discriminative" in succeed("inspect", model)
    rows = list(csv.DictReader(io.StringIO(succeed("predict", model, heart))))
    frame = table()
    hits = np.mean([row["prediction"] == label for row, label in zip(rows, frame["disease"], strict=True)])
    assert hits > 0.85
    assert "odds" in succeed("explain", model, heart, "--rows", "1")
    succeed("export", model, "--to", "onnx", "-o", tmp_path / "m.onnx")
    message = fail("export", model, "--to", "bif", "-o", tmp_path / "m.bif")
    assert "fit with weighting=None, or use to_onnx" in message
    assert "best by" in succeed("select", heart, *options)
