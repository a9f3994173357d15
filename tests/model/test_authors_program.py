"""The rule of the program that the paper's authors published: its results on WDBC, and its rule written out."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import train_test_split
from twins import repaired_joint

from gnbayes import GeneralizedNB

RESULTS = Path(os.environ.get("GNBAYES_DATA", "")) / ".." / "paper" / "authors_program_wdbc.json"


def by_codes(structure):
    """The classifier of the paper with every zero repaired, on columns that are cut already."""
    return GeneralizedNB.as_published(structure, smoothing="repair", categorical_features=range(30))


@pytest.fixture(scope="module")
def results():
    if not RESULTS.is_file():
        pytest.skip("the results of the authors' program are not beside the folder that GNBAYES_DATA names")
    return json.loads(RESULTS.read_text())


@pytest.mark.parametrize("number", range(4))
def test_trees_joint_probabilities_and_predictions_are_the_programs(results, number):
    run = results["runs"][number]
    codes = np.array([[int(code) for code in line] for line in results["codes"]])
    y, test = np.array(results["classes"]), np.array(run["test_rows"])
    train = np.setdiff1d(np.arange(len(y)), test)
    clf = by_codes({"GNBA": "gnb-a", "GNBO": "gnb-o"}[run["algorithm"]]).fit(codes[train], y[train])
    edges = {frozenset(edge) for edge in enumerate(clf.tree_.mother.tolist()) if edge[1] >= 0}
    assert edges == {frozenset(triplet) for triplet in run["triplets"]}
    joint = np.exp(clf.predict_joint_log_proba(codes[test]))
    np.testing.assert_allclose(joint, np.column_stack([run["joint_benign"], run["joint_malignant"]]), rtol=1e-9, atol=0)
    np.testing.assert_array_equal(clf.predict(codes[test]), run["predictions"])


@pytest.fixture(scope="module")
def cut_wdbc(wdbc):
    """WDBC as the program prepares it: linear quantiles of all rows, class 1 malignant, 15 % for the test."""
    X, y = wdbc
    cuts = np.quantile(X, [0.2, 0.4, 0.6, 0.8], axis=0)
    codes = np.stack([np.searchsorted(cut, x, side="right") for cut, x in zip(cuts.T, X.T, strict=True)], axis=1)
    return train_test_split(codes, 1 - y, test_size=0.15, random_state=20)


@pytest.mark.parametrize("structure", ["gnb-a", "gnb-o", "tan", "nb"])
def test_equals_the_rule_written_out(cut_wdbc, structure):
    train, test, y_train, _ = cut_wdbc
    clf = by_codes(structure).fit(train, y_train)
    rows = test[::10]
    mother = clf.tree_.mother.tolist()
    expected = [[repaired_joint(train, y_train, mother, row, y) for y in (0, 1)] for row in rows]
    np.testing.assert_allclose(np.exp(clf.predict_joint_log_proba(rows)), expected, rtol=1e-12, atol=0)


# Codes of three test rows, and P(benign, x) and P(malignant, x) by GNB-A, to all digits of a float. By the text's rule
# two of the six are 0.
GOLDEN = {
    "030043221423214444440200232213": (8.611536639894919e-13, 1.298545163399139e-19),
    "323300120011120000003433012210": (1.9279005994808212e-13, 1.6352372030055796e-15),
    "444434444243442342334444344444": (7.9488427648166e-22, 7.791547624650306e-10),
}


def test_joint_probabilities_of_three_rows(cut_wdbc):
    train, test, y_train, _ = cut_wdbc
    rows = np.array([[int(code) for code in line] for line in GOLDEN])
    np.testing.assert_array_equal(test[:3], rows)
    joint = np.exp(by_codes("gnb-a").fit(train, y_train).predict_joint_log_proba(rows))
    np.testing.assert_allclose(joint, list(GOLDEN.values()), rtol=1e-12, atol=0)
    by_text = by_codes("gnb-a").set_params(smoothing="paper").fit(train, y_train)
    is_zero = np.isneginf(by_text.predict_joint_log_proba(rows))
    np.testing.assert_array_equal(is_zero, [[False, True], [False, False], [True, False]])
