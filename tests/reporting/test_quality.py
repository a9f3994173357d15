"""What a look at the columns finds."""

import numpy as np
import pandas as pd
from classifiers import counted

from gnbayes import GeneralizedNB
from gnbayes.reporting.fields import all_limits
from gnbayes.reporting.given import read_given
from gnbayes.reporting.quality import inspect_columns
from gnbayes.reporting.subject import make_subject


def inspected(clf, other=None, dictionary=None):
    subject = make_subject(clf, dictionary, clf.classes_.tolist()[0])
    return inspect_columns(clf, subject, read_given(clf, other, None, None), all_limits(clf, subject, None))


def table(n=60):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"plain": rng.integers(0, 3, n), "gaps": rng.integers(0, 3, n).astype(float)})
    frame.loc[:9, "gaps"] = np.nan
    frame["constant"] = 1
    frame["copy"] = frame["plain"] * 10
    frame["empty"] = np.nan
    frame["text"] = rng.choice(["a", "b"], n)
    return frame, (frame["plain"] > 0).astype(int)


def test_findings():
    frame, y = table()
    clf = counted().fit(frame, y)
    found = inspected(clf)
    columns = {column["name"]: column for column in found["columns"]}
    assert list(columns) == ["gaps", "constant", "copy", "empty"] or "plain" in columns
    assert columns["gaps"]["missing"] == 10
    assert columns["constant"]["isConstant"]
    assert columns["empty"]["isConstant"]
    assert columns["empty"]["missing"] == 60
    pair = {(name, column["sameAs"]) for name, column in columns.items() if column["sameAs"]}
    assert pair in ({("copy", "plain")}, {("plain", "copy")})
    assert found["checked"] == 6
    assert found["rowsHere"] is None
    assert columns["gaps"]["unseenHere"] is None


def test_other_rows():
    frame, y = table()
    clf = counted().fit(frame, y)
    other = frame[:20].copy()
    other.loc[:4, "text"] = "c"
    other["plain"] = other["plain"].astype(float)
    other.loc[:2, "plain"] = np.nan
    columns = {column["name"]: column for column in inspected(clf, other)["columns"]}
    assert columns["text"]["unseenHere"] == 5
    assert columns["plain"]["missingHere"] == 3
    assert columns["gaps"]["missingHere"] == 10


def test_nothing_found():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    assert inspected(counted().fit(X, X[:, 0] > 0))["columns"] == []


def test_columns_that_are_not_used_say_so():
    frame, y = table()
    clf = counted(n_features=1).fit(frame, y)
    columns = {column["name"]: column for column in inspected(clf)["columns"]}
    assert not columns["gaps"]["isUsed"]


def test_gaps_are_counted_in_fine_and_coarse_intervals(binary, weighted):
    for clf, frame, _ in (binary, weighted):
        found = {column["name"]: column["missing"] for column in inspected(clf)["columns"]}
        assert found == {"marker": frame["marker"].isna().sum(), "ward": frame["ward"].isna().sum()}


def test_a_column_without_values_is_called_so():
    frame = pd.DataFrame({"empty": np.nan, "constant": 1.0, "a": np.arange(20.0)})
    for weighting in (None, "discriminative"):
        clf = GeneralizedNB(weighting=weighting).fit(frame, np.arange(20) % 2)
        found = {column["name"]: column for column in inspected(clf)["columns"]}
        assert (found["empty"]["isEmpty"], found["empty"]["missing"]) == (True, 20)
        assert (found["constant"]["isEmpty"], found["constant"]["isConstant"]) == (False, True)


def test_impossible_values_of_the_rows_given():
    frame = pd.DataFrame({"pressure": np.linspace(90, 200, 60)})
    clf = counted().fit(frame, np.arange(60) % 2)
    limits = {"columns": {"pressure": {"lowest": 40, "highest": 300, "label": "Blood pressure"}}}
    other = pd.DataFrame({"pressure": [-20.0, 120.0, 301.0, np.nan, 300.0]})
    [column] = inspected(clf, other, limits)["columns"]
    assert (column["name"], column["impossibleHere"], column["missingHere"]) == ("Blood pressure", 2, 1)
    [column] = inspected(clf, other)["columns"]
    assert column["impossibleHere"] == 0
