"""gnbayes fit."""

import json
import os
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from patients import patients
from pyarrow import parquet

from gnbayes import GeneralizedNB, load
from gnbayes.model import STRENGTHS


def test_it_says_what_a_person_wants_to_know(heart, run):
    told = run("fit", heart, "--target", "disease", "--drop", "sex", "--n-fits", 1, "-o", "m.gnb.json")
    assert "heart.csv: 150 rows, 5 columns; UTF-8, commas between cells, decimal points, a header\n" in told.err
    assert "written to m.gnb.json" in told.err
    for line in (
        r"rows        150",
        r"classes     ill \d+\.\d%, well \d+\.\d%",
        r"numbers     2: age, ward nr  \(otherwise: --category COLUMN\)",
        r"categories  1: smokes  \(otherwise: --number COLUMN\)",
        r"missing     1 column: age 11\.3%",
        r"left out    sex \(--drop\)",
        r"model       gnb-o, weighting discriminative, 3 of 3 features",
        r"            numbers cut into \d+ to \d+ bins",
        r"score       accuracy 0\.\d{3} \(0\.\d{3} to [01]\.\d{3}\); most frequent class 0\.\d{3}",
        r"            log-loss 0\.\d{3} \(0\.\d{3} to 0\.\d{3}\); prior alone 0\.\d{3}",
        r"            5-fold cross-validation: bins, tree and weights learned again without the held-out rows",
        r"important   \S.* +\d+\.\d%",
        r"next        gnbayes predict m.gnb.json NEW_TABLE",
        r"            gnbayes evaluate m.gnb.json NEW_TABLE --new-rows",
        r"            gnbayes report m.gnb.json .*heart.csv --positive CLASS -o m.html",
    ):
        assert re.search(f"^{line}$", told.out, re.MULTILINE), line
    assert load("m.gnb.json").feature_names_in_.tolist() == ["age", "smokes", "ward nr"]


def test_the_most_important_features_come_first(heart, run):
    told = json.loads(
        run("fit", heart, "--target", "disease", "--no-score", "--n-fits", 1, "--json", "-o", "m.json").out
    )
    clf = load("m.json")
    shares = dict(zip(clf.feature_names_in_, clf.feature_importances_, strict=True))
    listed = told["model"]["important"]
    assert [one["feature"] for one in listed] == sorted(shares, key=lambda name: -shares[name])
    assert all(one["importance"] == pytest.approx(shares[one["feature"]]) for one in listed)


def test_only_ten_features_are_listed(run, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 14)), columns=[f"x{j}" for j in range(14)]).assign(
        y=rng.integers(0, 2, 80)
    )
    frame.to_csv(tmp_path / "t.csv", index=False)
    out = run("fit", "t.csv", "--target", "y", "--no-score", "--weighting", "none").out
    assert len(re.findall(r"x\d+ +\d+\.\d+%", out)) == 10
    assert "and 4 more  (gnbayes inspect)" in out
    assert "use -o FILE.gnb.json to save the model" in out


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--weighting", "none"), ("--weighting", "none", "--n-features", "auto"), ()])
def test_noise_gets_no_good_score(options, run, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(100, 200)), columns=[f"x{j}" for j in range(200)])
    frame.assign(y=rng.integers(0, 2, 100)).to_csv(tmp_path / "t.csv", index=False)
    told = run("fit", "t.csv", "--target", "y", *options)
    found = json.loads(run("fit", "t.csv", "--target", "y", *options, "--json").out)["score"]
    assert found["accuracy"]["low"] < 0.5 < found["accuracy"]["high"]
    assert found["log_loss"]["gain"]["low"] <= 0
    assert "not clearly better than the prior: there may be nothing to learn here" in told.out


def test_classes_that_are_told_apart_with_probabilities_that_are_too_extreme(run, tmp_path):
    """One good feature, copied thirty times: naive Bayes counts it thirty times."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 2, 200), rng.integers(0, 2, 200)
    x = np.where(rng.random(200) < 0.75, y, x)
    frame = pd.DataFrame({f"x{j}": x for j in range(30)}).assign(y=y)
    frame.to_csv(tmp_path / "t.csv", index=False)
    out = run("fit", "t.csv", "--target", "y", "--structure", "nb", "--weighting", "none").out
    assert "it separates the classes, but its probabilities are too extreme: not clearly better than the prior" in out


def test_groups_are_kept_together(run, tmp_path):
    rng = np.random.default_rng(0)
    people, labels = rng.normal(size=(30, 5)), rng.integers(0, 2, 30)
    frame = pd.DataFrame(np.repeat(people, 8, axis=0) + 0.05 * rng.normal(size=(240, 5)), columns=list("abcde"))
    frame["person"], frame["y"] = np.repeat([f"p{j}" for j in range(30)], 8), np.repeat(labels, 8)
    frame.to_csv(tmp_path / "t.csv", index=False)
    learning = ("--target", "y", "--weighting", "none", "--n-bins", 5, "--json")
    apart = json.loads(run("fit", "t.csv", *learning, "--drop", "person").out)["score"]
    together = json.loads(run("fit", "t.csv", *learning, "--group", "person").out)
    assert apart["accuracy"]["low"] > 0.8
    assert together["score"]["accuracy"]["low"] < 0.5 < together["score"]["accuracy"]["high"]
    assert "groups kept together" in together["score"]["method"]
    assert together["columns"]["left_out"] == {"person": "the groups"}
    out = run("fit", "t.csv", *learning[:-1], "--group", "person", "-o", "m.json", "--no-score").out
    assert "gnbayes report m.json t.csv --group person --positive CLASS -o m.html" in out
    assert {one["feature"] for one in together["model"]["important"]} == set("abcde")


def test_above_20_000_rows_one_fold_is_held_out_and_it_is_said(run, tmp_path):
    patients(20_001).to_csv(tmp_path / "t.csv", index=False)
    out = run("fit", "t.csv", "--target", "disease", "--weighting", "none").out
    assert "4001 of 20001 rows held out once, to save time: bins, tree and weights learned again" in out


def test_no_score(heart, run, tmp_path):
    assert "score" not in run("fit", heart, "--target", "disease", "--no-score", "--weighting", "none").out
    (tmp_path / "t.csv").write_text("a,y\n1,x\n2,z\n")
    assert "score       none: there are too few rows" in run("fit", "t.csv", "--target", "y").out


def test_a_class_of_one_row(run, tmp_path):
    frame = patients()
    frame.loc[5, "disease"] = "dead"
    frame.to_csv(tmp_path / "t.csv", index=False)
    out = run("fit", "t.csv", "--target", "disease", "--weighting", "none").out
    assert "1 rows are not scored: their class does not occur in the other rows" in out


def test_rows_without_a_class_are_left_out_and_counted(run, tmp_path):
    frame = patients()
    frame.loc[:4, "disease"] = None
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert (
        "rows        145; 5 more without a class are left out"
        in run("fit", "t.csv", "--target", "disease", "--no-score", "--weighting", "none").out
    )


def test_every_guess_can_be_overridden(heart, run):
    run(
        *("fit", heart, "--target", "disease", "-o", "m.json", "--category", "ward nr", "--text", "smokes"),
        *("--edges", "age=40,60", "--drop", "sex", "--structure", "tan", "--n-bins", 3, "--alpha", 0.5),
        *("--n-features", 2, "--no-score"),
    )
    clf = load("m.json")
    assert [feature.name for feature in clf.features_] == ["age", "smokes", "ward nr"]
    assert clf.features_[0].edges == (40.0, 60.0)
    assert clf.features_[1].categories == ("no", "yes")
    assert len(clf.features_[2].categories) == 8
    assert (clf.structure, clf.n_features_, clf.alpha) == ("tan", 2, 0.5)


@pytest.mark.slow
def test_the_model_is_that_of_python(heart, run):
    run("fit", heart, "--target", "disease", "--no-score", "-o", "m.json")
    frame = patients()
    X = frame.drop(columns="disease")
    expected = GeneralizedNB().fit(X, frame["disease"]).predict_proba(X)
    assert np.array_equal(load("m.json").predict_proba(X), expected)


def test_a_strength_is_chosen_when_asked_for(heart, run):
    run("fit", heart, "--target", "disease", "-o", "m.json", "--structure", "nb", "--alpha", "auto", "--no-score")
    clf = load("m.json")
    assert clf.alpha == "auto"
    assert clf.alpha_ in STRENGTHS


def test_decimal_commas_do_not_become_categories(run, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 13)).round(3), columns=[f"x{j}" for j in range(13)])
    frame.assign(y=rng.choice(["a", "b"], 60)).to_csv(tmp_path / "t.csv", index=False, sep=";", decimal=",")
    told = run("fit", "t.csv", "--target", "y", "--no-score", "--weighting", "none")
    assert "semicolons between cells, decimal commas, a header" in told.err
    assert "numbers     13: " in told.out
    assert "categories" not in told.out


def test_two_notations_in_one_table_are_not_silent(run, tmp_path):
    rows = [f"{j}.5;{j},5;{'ab'[j % 2]}" for j in range(40)]
    (tmp_path / "t.csv").write_text("\n".join(["p;q;y", *rows]))
    told = run("fit", "t.csv", "--target", "y", "--no-score", "--weighting", "none")
    assert (
        "gnbayes: warning: column 'q' is read as text, although it contains numbers in another notation, such as '0,5'"
        "; specify the decimal sign (--decimal), remove thousands separators, or keep it as text (--text)." in told.err
    )
    assert (
        "notation" not in run("fit", "t.csv", "--target", "y", "--no-score", "--weighting", "none", "--text", "q").err
    )


def test_numbers_with_odd_cells_are_not_silent(run, tmp_path):
    rows = [f"{'<5' if j % 10 == 0 else j},{'ab'[j % 2]}" for j in range(40)]
    (tmp_path / "t.csv").write_text("\n".join(["p,y", *rows]))
    told = run("fit", "t.csv", "--target", "y", "--no-score", "--weighting", "none")
    assert "column 'p' is read as text, although nearly all of its cells are numbers; the others are '<5';" in told.err
    assert (
        "numbers     1: p"
        in run("fit", "t.csv", "--target", "y", "--no-score", "--weighting", "none", "--missing", "<5").out
    )


def test_numbers_that_are_text_in_json(run, tmp_path):
    lines = [json.dumps({"p": str(j), "y": "ab"[j % 2]}) for j in range(30)]
    (tmp_path / "t.jsonl").write_text("\n".join(lines))
    assert (
        "column 'p' contains numbers as text; read it as numbers (--number)"
        in run("fit", "t.jsonl", "--target", "y", "--no-score", "--weighting", "none").err
    )
    assert (
        "numbers     1: p"
        in run("fit", "t.jsonl", "--target", "y", "--no-score", "--weighting", "none", "--number", "p").out
    )


def identifiers(run, tmp_path, **columns):
    n = len(next(iter(columns.values())))
    pd.DataFrame(columns | {"y": ["a", "b"] * (n // 2)}).to_csv(tmp_path / "t.csv", index=False)
    err = run("fit", "t.csv", "--target", "y", "--no-score", "--weighting", "none").err
    return re.findall(r"column '(.*?)' has a different value in nearly every row; is it an identifier\?", err)


def test_what_is_an_identifier(run, tmp_path):
    rng = np.random.default_rng(0)
    found = identifiers(
        run,
        tmp_path,
        row=list(range(100)),
        credit_amount=(rng.permutation(100_000)[:100]).tolist(),
        patient_id=(rng.permutation(100_000)[:100]).tolist(),
        patientID=(rng.permutation(100_000)[:100]).tolist(),
        paid=(rng.permutation(100_000)[:100]).tolist(),
        code=[f"P{j:04}" for j in rng.permutation(100)],
        weight=rng.normal(size=100).tolist(),
        sex=["f", "m"] * 50,
    )
    assert found == ["row", "patient_id", "patientID", "code"]


def test_at_most_ten_warnings_of_a_kind(run, tmp_path):
    columns = {f"g{j}": list(range(j, 60 + j)) for j in range(57)}
    pd.DataFrame(columns | {"y": ["a", "b"] * 30}).to_csv(tmp_path / "t.csv", index=False)
    err = run("fit", "t.csv", "--target", "y", "--no-score", "--weighting", "none").err
    assert err.count("is it an identifier?") == 10
    assert "gnbayes: warning: 47 more warnings of this kind are not shown." in err


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (None, ["--target", "diseese"], "there is no column 'diseese'; did you mean 'disease'?"),
        (None, ["--target", "disease", "--drop", "Age"], "there is no column 'Age'; did you mean 'age'?"),
        (None, ["--target", "disease", "--group", "patient"], "there is no column 'patient'"),
        (None, ["--target", "disease", "--category", "wrd nr"], "there is no column 'wrd nr'; did you mean 'ward nr'?"),
        (None, ["--target", "disease", "--drop", "disease"], "is the target and cannot be dropped"),
        (None, ["--target", "disease", "--group", "disease"], "is the target and cannot be the group, too"),
        (None, ["--target", "age"], "column 'age' holds fractions; a target needs classes"),
        (None, ["--target", "disease", "--edges", "age=a"], "must be a column and numbers, such as age=40,60"),
        (None, ["--target", "disease", "--edges", "agee=1"], "there is no column 'agee'; did you mean 'age'?"),
        (None, ["--target", "disease", "--edges", "age=1", "--bins", "mdlp"], "--edges needs --bins quantile"),
        (None, ["--target", "disease", "--number", "sex"], "column 'sex' of "),
        (lambda text: "\n".join(text.split("\n")[:2]) + "\n", [], "y holds only one class"),
        (lambda text: text.replace("ill", "well"), [], "y holds only one class, 'well'"),
        (lambda text: text.replace(",ill", ",").replace(",well", ","), [], "column 'disease' has no values"),
    ],
)
def test_mistakes_get_one_sentence(change, options, message, heart, run, tmp_path):
    if change:
        heart.write_text(change(heart.read_text()))
    err = run("fit", heart, *(options or ["--target", "disease"]), "-o", "m.json", code=1).err
    assert message in err
    assert not (tmp_path / "m.json").exists()


def test_a_target_that_names_the_rows(run, tmp_path):
    pd.DataFrame({"x": range(60), "name": [f"n{j}" for j in range(60)]}).to_csv(tmp_path / "t.csv", index=False)
    assert (
        "column 'name' has 60 different values in 60 rows; a target needs classes"
        in run("fit", "t.csv", "--target", "name", code=1).err
    )


def test_a_target_of_many_numbers(run, tmp_path):
    pd.DataFrame({"x": range(300), "age": [20 + j % 60 for j in range(300)]}).to_csv(tmp_path / "t.csv", index=False)
    err = run("fit", "t.csv", "--target", "age", "--no-score", "--weighting", "none").err
    assert (
        "column 'age' contains numbers, each of which is treated as a class: 60 classes. Is it the right target?" in err
    )


def test_dates_give_the_way_out(run, tmp_path):
    patients().assign(admitted="2020-01-02").to_csv(tmp_path / "t.csv", index=False)
    err = run("fit", "t.csv", "--target", "disease", code=1).err
    assert "columns with dates or times: 'admitted'; drop them (--drop admitted), read them as text (--text COLU" in err
    run("fit", "t.csv", "--target", "disease", "--drop", "admitted", "--no-score", "--weighting", "none")
    run("fit", "t.csv", "--target", "disease", "--text", "admitted", "--no-score", "--weighting", "none")


def test_columns_that_hold_more_than_single_values(run, tmp_path):
    table = pa.table({"x": [[1], [2]] * 20, "z": list(range(40)), "y": ["a", "b"] * 20})
    parquet.write_table(table, tmp_path / "t.parquet")
    err = run("fit", "t.parquet", "--target", "y", code=1).err
    assert "column 'x' holds list<element: int64>, not single values; drop it (--drop x)" in err
    run("fit", "t.parquet", "--target", "y", "--drop", "x", "--no-score", "--weighting", "none")


def test_a_table_without_a_header(run, tmp_path):
    patients().to_csv(tmp_path / "t.csv", index=False, header=False)
    told = run("fit", "t.csv", "--target", "column 5", "--no-score", "--weighting", "none")
    assert "no header" in told.err
    assert "rows        150" in told.out
    wrong = run("fit", "t.csv", "--target", "column 5", "--header", code=1)
    assert "there is no column 'column 5'" in wrong.err


def test_cells_with_spaces_between_them(run, tmp_path):
    patients().to_csv(tmp_path / "t.csv", index=False, sep=" ")
    assert "t.csv has a single column, 'age sex smokes" in run("fit", "t.csv", "--target", "disease", code=1).err
    assert (
        "rows        150"
        in run("fit", "t.csv", "--target", "disease", "--separator", " ", "--no-score", "--weighting", "none").out
    )


def test_an_index_without_a_name(run, tmp_path):
    patients().to_csv(tmp_path / "t.csv")
    assert (
        "column 'column 1' has a different value in nearly every row"
        in run("fit", "t.csv", "--target", "disease", "--no-score", "--weighting", "none").err
    )
    assert (
        "left out    column 1 (--drop)"
        in run("fit", "t.csv", "--target", "disease", "--no-score", "--weighting", "none", "--drop", "column 1").out
    )


def test_a_column_with_nothing_in_it(run, tmp_path):
    frame = patients().assign(nothing=np.nan, same="x", marked=None)
    frame.loc[:9, "marked"] = "yes"  # missing elsewhere, which is a value, too
    frame.to_csv(tmp_path / "t.csv", index=False)
    out = run("fit", "t.csv", "--target", "disease", "--no-score", "--weighting", "none").out
    assert "constant    2: nothing, same; nothing to learn" in out


def test_outputs_that_cannot_be_written(heart, run, tmp_path):
    os.symlink(tmp_path / "b", tmp_path / "a")
    os.symlink(tmp_path / "a", tmp_path / "b")
    options = ("fit", heart, "--target", "disease", "-o")
    assert "it is a link that leads back to itself" in run(*options, "a", code=1).err
    assert "it is a folder, or its folder does not exist" in run(*options, tmp_path, code=1).err
    assert "it is a folder, or its folder does not exist" in run(*options, "no/m.json", code=1).err


def test_standard_input(run):
    text = patients().to_csv(index=False, sep="\t").encode("utf-16")
    told = run("fit", "-", "--target", "disease", "--no-score", "--weighting", "none", stdin=text)
    assert "standard input: 150 rows, 5 columns; UTF-16, tabs between cells" in told.err


def test_only_a_file_like_a_database_takes_a_query(heart, run):
    err = run("fit", heart, "--target", "disease", "--query", "SELECT 1", code=1).err
    assert "--query is for SQLite and DuckDB files" in err
