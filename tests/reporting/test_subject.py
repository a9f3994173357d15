"""Columns, classes and questions under the names that people know them by."""

import pickle

import numpy as np
import pandas as pd
import pytest
from classifiers import counted

from gnbayes import load, save
from gnbayes.dictionary import DictionaryError
from gnbayes.evidence import evaluate
from gnbayes.reporting.fields import all_limits, describe_fields
from gnbayes.reporting.given import read_given
from gnbayes.reporting.subject import make_subject


@pytest.fixture(scope="module")
def heart():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    frame = pd.DataFrame(
        {
            "age": rng.integers(30, 80, 200).astype(float),
            "chol": rng.normal(240, 40, 200).round() + 20 * y,
            "sex": rng.integers(0, 2, 200),
            "cp": rng.integers(1, 5, 200).astype(float) + 0 * y,
        }
    )
    return counted(n_bins=3).fit(frame, y), frame, y


def fields_of(clf, dictionary, importance=None, table=None):
    subject = make_subject(clf, dictionary, None)
    importance = importance or [1.0 / (1 + at) for at in range(len(clf.tree_.order))]
    fields = describe_fields(clf, subject, importance, all_limits(clf, subject, table))
    names = [clf.features_[j].name for j in clf.tree_.order]
    return {names[field["feature"]]: field for field in fields}


def test_classes_that_say_little_carry_the_name_of_the_target(heart):
    clf, frame, y = heart
    assert make_subject(clf, None, None, "num").classes == ["num = 0", "num = 1"]
    assert make_subject(clf, None, None).classes == ["class = 0", "class = 1"]
    assert make_subject(clf, None, None, "num").title == "num: 0 or 1"
    labelled = {"target": {"labels": {0: "healthy", 1: "ill"}, "event": 1, "label": "Heart disease"}}
    subject = make_subject(clf, labelled, None)
    assert (subject.classes, subject.target, subject.title) == (["healthy", "ill"], "Heart disease", "healthy or ill")
    answers = counted().fit(frame, np.where(y, "yes", "no"))
    assert make_subject(answers, None, None, "disease").classes == ["disease = no", "disease = yes"]


def test_a_title_of_many_classes_is_short():
    clf = counted().fit(np.arange(24.0)[:, None], np.repeat(list("abcdef"), 4))
    assert make_subject(clf, None, None).title == "a, b, c or 3 others"


def test_labels_that_look_alike_are_numbered():
    clf = counted().fit(pd.DataFrame({"a": [1.0, 2.0] * 9, "b": [1.0, 3.0] * 9}), [0, 1] * 9)
    assert make_subject(clf, {"columns": {"a": {"label": "b "}, "b": {"label": "c"}}}, None).names == ["b", "c"]
    with pytest.raises(DictionaryError, match="columns 'a' and 'b' have the same label 'x'"):
        make_subject(clf, {"columns": {"a": {"label": "x"}, "b": {"label": "x"}}}, None)


def test_without_a_dictionary_the_most_important_comes_first(heart):
    clf = heart[0]
    names = [clf.features_[j].name for j in clf.tree_.order]
    found = fields_of(clf, None, [0.1, 0.4, 0.3, 0.2])
    assert list(found) == [names[at] for at in (1, 2, 3, 0)]
    assert all(field["isFirst"] for field in found.values())


def test_order_groups_and_what_is_not_asked(heart):
    clf = heart[0]
    columns = {
        "cp": {"group": "Complaints", "codes": {1: "typical", 2: "atypical", 3: "other", 4: "none"}},
        "chol": {"group": "Laboratory", "unit": "mg/dL", "second_unit": "mmol/L", "factor": 38.67, "decimals": 0},
        "age": {"order": 1, "group": "Person", "unit": "years", "description": "At entry"},
        "sex": {"asked": "no"},
    }
    found = fields_of(clf, {"columns": columns})
    assert list(found) == ["age", "cp", "chol"]
    assert found["cp"]["options"] == [
        {"value": 1.0, "name": "typical"},
        {"value": 2.0, "name": "atypical"},
        {"value": 3.0, "name": "other"},
        {"value": 4.0, "name": "none"},
    ]
    assert found["cp"]["limits"] is None
    assert (found["chol"]["secondUnit"], found["chol"]["factor"], found["chol"]["decimals"]) == ("mmol/L", 38.67, 0)
    assert (found["age"]["description"], found["age"]["group"]) == ("At entry", "Person")
    groups = {"sex": {"group": "A"}, "age": {}, "cp": {"group": "B"}, "chol": {"group": "A"}}
    assert list(fields_of(clf, {"columns": groups})) == ["sex", "chol", "cp", "age"]


def test_limits_come_from_training_rows_where_they_are_there(heart):
    clf, frame, y = heart
    table = read_given(clf, frame, y, None).training
    found = fields_of(clf, {"columns": {"age": {"lowest": 0, "highest": 120}}}, table=table)
    age = found["age"]["limits"]
    assert (age["lowest"], age["highest"], age["low"], age["high"], age["isExact"]) == (0, 120, 30, 79, True)
    assert not fields_of(clf, None)["age"]["limits"]["isExact"]
    assert read_given(pickle.loads(pickle.dumps(clf)), frame[1:], y[1:], None).training is None


def test_of_many_questions_the_ten_that_matter_come_first():
    rng = np.random.default_rng(0)
    for n, first in ((16, 16), (17, 10), (30, 10)):
        clf = counted().fit(rng.normal(size=(60, n)), np.arange(60) % 2)
        importance = rng.random(n).tolist()
        found = list(fields_of(clf, None, importance).values())
        chosen = [field["feature"] for field in found if field["isFirst"]]
        assert chosen == np.argsort(-np.array(importance))[:first].tolist()
        assert len(found) == n


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((None, [0], None), "y is given without X; give the table that it belongs to, or neither"),
        ((None, None, [0]), "groups is given without X; give the table that it belongs to, or neither"),
        ((np.zeros((2, 1)), [0, 1], [1]), r"groups must be one value per row of X, 2, got the shape \(1,\) instead"),
    ],
)
def test_wrong_rows(arguments, message):
    clf = counted().fit(np.arange(8.0)[:, None], [0, 1] * 4)
    with pytest.raises(ValueError, match=message):
        read_given(clf, *arguments)


def test_training_rows_of_groups_are_not_scored_without_their_groups(tmp_path):
    X, y, groups = np.arange(40.0)[:, None], (np.arange(40) > 19).astype(int), np.repeat(np.arange(10), 4)
    clf = counted().fit(X, y, groups=groups)
    save(clf, tmp_path / "m.json", evaluation=evaluate(clf, X, y, groups))
    for model in (clf, pickle.loads(pickle.dumps(clf)), load(tmp_path / "m.json")):
        with pytest.raises(ValueError, match="the model was fitted with groups, and the table contains training rows"):
            read_given(model, X, y, None)
        assert read_given(model, X, y, groups).is_seen.all()
        assert not read_given(model, X[:4] + 39, y[:4], None).is_seen.any()
    assert read_given(clf.fit(X, y), X, y, None).is_seen.all()


def test_groups_are_numbered():
    clf = counted().fit(np.arange(8.0)[:, None], [0, 1] * 4)
    given = read_given(clf, np.zeros((3, 1)), None, ["b", "a", "b"])
    assert given.groups.tolist() == [1, 0, 1]
    mixed = np.array([1, "a", None], dtype=object)
    assert len(set(read_given(clf, np.zeros((3, 1)), None, mixed).groups.tolist())) == 3
