"""The summary is plain data, and wrong arguments get a sentence."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from gnbayes import GeneralizedNB
from gnbayes.reporting.summarize import summarize


@pytest.mark.slow
def test_the_summary_is_plain_json(binary, many_classes, weighted, weighted_many):
    for clf, frame, labels in (binary, many_classes, weighted, weighted_many):
        summary = summarize(clf, frame, labels, rows=2, bootstrap=0, pos_label="ill")
        assert json.loads(json.dumps(summary, allow_nan=False)) == summary


def test_facts(binary):
    clf, _, labels = binary
    facts = summarize(clf, pos_label="ill")["facts"]
    assert facts["rows"] == 400
    assert facts["classRows"] == [(labels == "ill").sum(), (labels == "well").sum()]
    assert facts["weight"] == clf.weight_
    naive = GeneralizedNB("nb", n_bins=5, weighting=None).fit(*binary[1:]).weight_
    assert facts["naiveWeight"] == pytest.approx(naive)


def test_titles(binary, many_classes):
    assert summarize(binary[0], pos_label="ill")["title"] == "ill or well"
    assert summarize(many_classes[0])["title"] == "ill, very ill, well or worst"
    assert summarize(binary[0], title="Heart", pos_label="ill")["title"] == "Heart"
    named = {"page": {"title": "Falls"}, "target": {"event": "ill"}}
    assert summarize(binary[0], dictionary=named)["title"] == "Falls"
    assert summarize(binary[0], dictionary=named, title="Heart")["title"] == "Heart"


def test_the_name_of_y_names_the_classes():
    X = np.arange(12.0)[:, None]
    y = pd.Series([0, 1] * 6, name="target")
    clf = GeneralizedNB(weighting=None).fit(X, y)
    assert summarize(clf, X, y, bootstrap=0)["classes"] == ["target = 0", "target = 1"]


def test_what_is_not_asked_is_not_in_the_rows(binary):
    clf, frame, labels = binary
    hidden = {"columns": {"age": {"asked": False}}, "target": {"event": "ill"}}
    summary = summarize(clf, frame, labels, rows=2, bootstrap=0, dictionary=hidden)
    at = [clf.features_[j].name for j in clf.tree_.order].index("age")
    assert [row["values"][at] for row in summary["rows"]] == [None, None]
    assert at not in [field["feature"] for field in summary["fields"]]


def test_rows_are_values_codes_and_gaps(binary):
    clf, frame, labels = binary
    odd = frame[:3].astype(object)
    odd.loc[0, "ward"] = "moon"
    odd.loc[1, "ward"] = None
    odd.loc[2, "marker"] = np.nan
    odd = odd.infer_objects()
    rows = summarize(clf, odd, labels[:3], rows=3, pos_label="ill")["rows"]
    names = [clf.features_[j].name for j in clf.tree_.order]
    ward, age, marker = (names.index(name) for name in ("ward", "age", "marker"))
    assert [row["values"][ward] for row in rows][:2] == [-1, None]
    assert rows[2]["values"][marker] is None
    assert [row["values"][age] for row in rows] == frame["age"][:3].tolist()
    assert [row["number"] for row in rows] == [1, 2, 3]
    assert rows[0]["class"] == int(labels[0] == "well")
    assert summarize(clf, odd, rows=[2], pos_label="ill")["rows"][0]["class"] is None


def test_no_rows_by_default(binary):
    clf, frame, labels = binary
    assert summarize(clf, frame, labels, bootstrap=0, pos_label="ill")["rows"] == []
    assert len(summarize(clf, frame, labels, rows=10_000, bootstrap=0, pos_label="ill")["rows"]) == 400


def test_a_table_without_classes_has_quality_but_no_scores(binary):
    clf, frame, _ = binary
    summary = summarize(clf, frame[:10], pos_label="ill")
    assert summary["evaluation"] is None
    assert summary["quality"]["rowsHere"] == 10


@pytest.mark.slow
def test_weighted_rows(binary):
    _, frame, labels = binary
    weights = np.random.default_rng(0).random(len(frame))
    clf = GeneralizedNB(interactions="tree").fit(frame, labels, sample_weight=weights)
    summary = summarize(clf, frame, labels, pos_label="ill", bootstrap=2)
    assert summary["evaluation"]["seen"] == len(frame)
    assert summary["facts"]["rows"] == pytest.approx(len(frame))
    json.dumps(summary, allow_nan=False)


def test_one_feature_and_no_value_at_all():
    clf = GeneralizedNB().fit(pd.DataFrame({"a": [np.nan] * 6}), [0, 1] * 3)
    summary = summarize(clf)
    assert summary["model"]["sizes"] == [1]
    assert summary["model"]["features"][0]["values"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y": [0]}, "y is given without X; give the table that it belongs to, or neither"),
        ({"rows": 3}, "rows=3 asks for rows of X, but X is not given; give X, or leave rows out"),
        ({"pos_label": "dead"}, "pos_label 'dead' is not a class; the classes are"),
        ({"pos_label": None}, "which class is the event whose risk the page shows, 'ill' or 'well'"),
        ({"bootstrap": 1}, "bootstrap must be a number of refits from 2, 0 for none, or None, got 1 instead"),
        ({"bootstrap": True}, "bootstrap must be a number of refits from 2, 0 for none, or None, got True instead"),
        ({"by": "sex"}, "by needs rows whose classes are known; give X and y, or leave by out"),
    ],
)
def test_wrong_arguments(arguments, message, binary):
    with pytest.raises(ValueError, match=message):
        summarize(binary[0], **{"pos_label": "ill", **arguments})


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (-1, "rows must be a number of rows from 0, or positions of rows, got -1 instead"),
        (True, "rows must be a number of rows from 0, or positions of rows, got True instead"),
        ("all", "rows must be a number of rows from 0, or positions of rows, got 'all' instead"),
        ([400], "rows must be positions from 0 to 399, the rows of X, got 400 instead"),
        ([1.5], "rows must be positions from 0 to 399, the rows of X, got 1.5 instead"),
    ],
)
def test_wrong_rows(rows, message, binary):
    clf, frame, labels = binary
    with pytest.raises(ValueError, match=message):
        summarize(clf, frame, labels, rows=rows, bootstrap=0, pos_label="ill")


def test_parts_of_many_classes_need_an_event(many_classes):
    clf, frame, labels = many_classes
    with pytest.raises(ValueError, match="by needs to know which class is the event; give pos_label, or event in the"):
        summarize(clf, frame, labels, by="sex", bootstrap=0)


def test_other_estimators_are_refused(binary):
    clf, frame, labels = binary
    with pytest.raises(TypeError, match="clf must be a fitted GeneralizedNB, got Pipeline instead; pass its last step"):
        summarize(make_pipeline(clf).fit(frame, labels))
    with pytest.raises(NotFittedError):
        summarize(GeneralizedNB())
