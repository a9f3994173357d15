"""gnbayes evaluate."""

import json

import numpy as np
import pandas as pd
import pytest
from patients import patients
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score

from gnbayes import load

CAUTION = "valid only for rows not used in training"


@pytest.fixture
def new(tmp_path):
    """A table of other patients."""
    frame = patients(200, seed=1)
    frame.to_csv(tmp_path / "new.csv", index=False)
    return frame


def test_the_scores_are_those_of_scikit_learn(model, new, run):
    found = json.loads(run("evaluate", model, "new.csv", "--json").out)
    clf = load(model)
    proba = clf.predict_proba(new.drop(columns="disease"))
    assert found["rows"] == 200
    assert found["accuracy"]["value"] == accuracy_score(new["disease"], clf.predict(new.drop(columns="disease")))
    assert found["log_loss"]["value"] == pytest.approx(log_loss(new["disease"], proba, labels=clf.classes_))
    assert found["auroc"]["well"]["value"] == pytest.approx(roc_auc_score(new["disease"] == "well", proba[:, 1]))
    prior = np.tile(clf.counts_.classes / clf.counts_.n, (200, 1))
    assert found["log_loss"]["prior"] == pytest.approx(log_loss(new["disease"], prior, labels=clf.classes_))
    assert found["target"] == "disease"


def test_the_caution_stands_with_the_scores_until_it_is_stated_otherwise(model, new, run):
    told = run("evaluate", model, "new.csv", "--by", "sex")
    assert told.out.startswith(f"Scores of 200 rows with 95 % intervals, {CAUTION}\naccuracy ")
    assert f"\nBy sex, {CAUTION}\n" in told.out
    assert json.loads(run("evaluate", model, "new.csv", "--json").out)["validity"] == CAUTION
    stated = run("evaluate", model, "new.csv", "--new-rows")
    assert CAUTION not in stated.out
    assert "for rows not used in training, as stated by --new-rows" in stated.out
    assert "--new-rows" in json.loads(run("evaluate", model, "new.csv", "--json", "--new-rows").out)["validity"]


def test_the_training_table_is_recognised(model, heart, run):
    for options in ((), ("--new-rows",)):
        told = run("evaluate", model, heart, "--target", "disease", *options)
        assert "intervals, of the training rows themselves and so too optimistic\n" in told.out
        assert "this is the training table, which says little about new rows; gnbayes report cross-val" in told.err


def test_the_page_of_scores(model, new, run):
    told = run("evaluate", model, "new.csv")
    assert told.err == "using column 'disease' for the classes  (otherwise: --target COLUMN)\n"
    for words in (
        "log-loss    0.",
        "; prior alone 0.",
        "Brier score 0.",
        "Probability of well\nAUROC       0.",
        "calibration error (ECE) 0.",
        "calibration intercept ",
        "calibration slope ",
        "Rows by true class (down) and predicted class (across)",
        "recall",
    ):
        assert words in told.out
    assert "Probability of ill\n" in run("evaluate", model, "new.csv", "--positive", "ill").out


def test_by_group(model, new, run):
    found = json.loads(run("evaluate", model, "new.csv", "--by", "sex", "--json").out)
    assert found["by"] == "sex"
    assert set(found["groups"]) == {"f", "m"}
    for sex, scores in found["groups"].items():
        part = new[new["sex"] == sex]
        assert scores["rows"] == len(part)
        predicted = load(model).predict(part.drop(columns="disease"))
        assert scores["accuracy"]["value"] == accuracy_score(part["disease"], predicted)
    out = run("evaluate", model, "new.csv", "--by", "ward nr").out
    assert out.count("few rows") == sum(new["ward nr"].value_counts() < 30)
    many = run("evaluate", model, "new.csv", "--by", "age").out
    assert "smaller groups (--json)" in many


def test_groups_widen_the_intervals(model, new, run, tmp_path):
    pd.concat([new.assign(person=np.arange(200))] * 4).to_csv(tmp_path / "copies.csv", index=False)
    widths = []
    for options in ((), ("--group", "person")):
        found = json.loads(run("evaluate", model, "copies.csv", "--json", "--target", "disease", *options).out)
        widths.append(found["accuracy"]["high"] - found["accuracy"]["low"])
    assert widths[1] == pytest.approx(2 * widths[0], rel=0.1)


def test_three_classes(run, tmp_path):
    frame = patients(300)
    frame["disease"] = np.where(frame["age"].fillna(0) > 60, "old", frame["disease"])
    frame[:200].to_csv(tmp_path / "t.csv", index=False)
    frame[200:].to_csv(tmp_path / "new.csv", index=False)
    run("fit", "t.csv", "--target", "disease", "--no-score", "--weighting", "none", "-o", "m.json")
    found = json.loads(run("evaluate", "m.json", "new.csv", "--json").out)
    assert set(found["auroc"]) == set(found["calibration"]) == {"ill", "old", "well"}
    assert np.sum(found["confusion"]["rows_are_true_classes"]) == 100
    assert run("evaluate", "m.json", "new.csv").out.count("Probability of ") == 3
    assert (
        "--positive is for two classes; the model has 3"
        in run("evaluate", "m.json", "new.csv", "--positive", "old", code=1).err
    )


def test_classes_that_are_numbers_or_true_and_false(run, tmp_path):
    for classes in (["1", "0"], ["true", "false"]):
        frame = patients()
        frame["disease"] = frame["disease"].map({"ill": classes[0], "well": classes[1]})
        frame.to_csv(tmp_path / "t.csv", index=False)
        run("fit", "t.csv", "--target", "disease", "--no-score", "--weighting", "none", "-o", "m.json")
        found = json.loads(run("evaluate", "m.json", "t.csv", "--target", "disease", "--json").out)
        assert found["accuracy"]["value"] > 0.8


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--target", "diseas"], "there is no column 'diseas'; did you mean 'disease'?"),
        (
            ["--target", "sex"],
            "column 'sex' holds 'f', which is not a class of the model; its classes are 'ill', 'well'.",
        ),
        (["--by", "sexx"], "there is no column 'sexx'; did you mean 'sex'?"),
        (["--group", "sexx"], "there is no column 'sexx'; did you mean 'sex'?"),
        (["--positive", "il"], "there is no class 'il'; did you mean 'ill'?"),
    ],
)
def test_mistakes(options, sentence, model, new, run):
    assert sentence in run("evaluate", model, "new.csv", *options, code=1).err


def test_a_table_without_classes(model, new, run, tmp_path):
    new.drop(columns="disease").to_csv(tmp_path / "none.csv", index=False)
    told = run("evaluate", model, "none.csv", code=1)
    assert "the table has no classes to compare with; name their column with --target" in told.err


def test_rows_without_a_class_are_left_out(model, new, run, tmp_path):
    new.loc[:9, "disease"] = None
    new.to_csv(tmp_path / "gaps.csv", index=False)
    told = run("evaluate", model, "gaps.csv", "--target", "disease", "--json")
    assert "10 rows without 'disease' are left out" in told.err
    assert json.loads(told.out)["rows"] == 190
