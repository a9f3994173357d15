"""class_weight multiplies the weights of rows, as in scikit-learn."""

import re

import numpy as np
import pandas as pd
import pytest
from classifiers import counted, weighted
from sklearn.linear_model import LogisticRegression
from sklearn.utils.class_weight import compute_sample_weight

from gnbayes import GeneralizedNB, load, save, selection_curve
from gnbayes.scale import fit_batches

# Weights of classes become weights of rows, which are tested on both paths elsewhere.
pytestmark = pytest.mark.once

CLASSIFIERS = [counted("gnb-o"), counted("nb", smoothing="backoff"), weighted()]


@pytest.fixture(scope="module")
def rare():
    """A table in which one class of three is rare."""
    rng = np.random.default_rng(0)
    y = rng.choice(["a", "b", "c"], 400, p=[0.7, 0.25, 0.05])
    return rng.normal(size=(400, 3)) + (y == "c")[:, None] + 0.5 * (y == "b")[:, None], y


@pytest.mark.parametrize("class_weight", ["balanced", {"c": 5}, {"a": 0.5, "b": 1, "c": 3.25}])
@pytest.mark.parametrize("clf", CLASSIFIERS)
def test_equals_the_sample_weights_of_scikit_learn(rare, clf, class_weight):
    X, y = rare
    by_class = clf.set_params(class_weight=class_weight).fit(X, y).predict_proba(X)
    by_row = clf.set_params(class_weight=None).fit(X, y, compute_sample_weight(class_weight, y)).predict_proba(X)
    np.testing.assert_allclose(by_class, by_row, rtol=1e-9)


def test_multiplies_sample_weights(rare):
    X, y = rare
    weights = np.random.default_rng(1).integers(1, 4, len(y))
    both = counted(class_weight={"c": 3}).fit(X, y, weights)
    np.testing.assert_array_equal(
        both.counts_.classes, counted().fit(X, y, weights * np.where(y == "c", 3, 1)).counts_.classes
    )


def test_balanced_classes_weigh_the_same(rare):
    X, y = rare
    weights = np.random.default_rng(1).integers(1, 3, len(y))
    clf = counted(class_weight="balanced").fit(X, y, weights)
    np.testing.assert_allclose(clf.counts_.classes, clf.counts_.classes.mean(), rtol=1e-8)


def test_a_class_whose_rows_have_no_weight_is_left_out_of_the_balance(rare):
    X, y = rare
    clf = counted(class_weight="balanced").fit(X, y, np.where(y == "c", 0, 1))
    assert clf.counts_.classes[2] == 0
    assert clf.counts_.classes[0] == pytest.approx(clf.counts_.classes[1])


def test_moves_predictions_as_it_does_in_logistic_regression(rare):
    X, y = rare
    for clf in (weighted(), LogisticRegression()):
        plain = clf.set_params(class_weight=None).fit(X, y).predict_proba(X)[:, 2].mean()
        balanced = clf.set_params(class_weight="balanced").fit(X, y).predict_proba(X)[:, 2].mean()
        assert balanced > 2 * plain


def test_batches_take_a_mapping(rare):
    X, y = rare
    edges = {f"x{j}": [-0.5, 0.5, 1.5] for j in range(3)}
    clf = counted(discretizer=edges, class_weight={"c": 4})
    for rows in (slice(0, 150), slice(150, 400)):
        clf.partial_fit(X[rows], y[rows], classes=["a", "b", "c"])
    whole = counted(discretizer=edges, class_weight={"c": 4}).fit(X, y)
    np.testing.assert_array_equal(clf.predict_proba(X), whole.predict_proba(X))


@pytest.mark.slow
def test_leave_one_out_takes_the_whole_weight_of_a_row(rare):
    X, y = rare[0][:60], np.where(rare[1][:60] == "a", "a", "b")
    edges = {f"x{j}": [0.0, 1.0] for j in range(3)}
    clf = counted("nb", discretizer=edges, class_weight={"b": 3})
    curve = selection_curve(clf, X, y, cv="loo", scoring=["neg_log_loss"])
    losses = []
    for row in range(60):
        rest = np.arange(60) != row
        proba = clf.fit(X[rest], y[rest]).predict_proba(X[[row]])[0]
        losses.append(-np.log(proba[list(clf.classes_).index(y[row])]))
    assert -curve.mean("neg_log_loss")[-1] == pytest.approx(np.mean(losses), rel=1e-9)


@pytest.mark.parametrize(("given", "loaded"), [("balanced", "balanced"), ({"c": 5}, {"a": 1.0, "b": 1.0, "c": 5.0})])
@pytest.mark.parametrize("clf", CLASSIFIERS)
def test_a_model_file_keeps_it(rare, clf, given, loaded, tmp_path):
    X, y = rare
    save(clf.set_params(class_weight=given).fit(X, y), tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert again.class_weight == loaded
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))


def test_a_file_without_it_is_as_before(rare, tmp_path):
    save(counted().fit(*rare), tmp_path / "model.json")
    assert "class_weight" not in (tmp_path / "model.json").read_text(encoding="utf-8")
    assert load(tmp_path / "model.json").class_weight is None


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ({"d": 2}, "class_weight has a weight for 'd', which is not a class of y; the classes are ['a', 'b', 'c']."),
        ({"a": 0}, "class_weight must hold positive numbers, got 0 for class 'a' instead."),
        ({"a": np.inf}, "class_weight must hold positive numbers, got inf for class 'a' instead."),
        ({"a": "2"}, "class_weight must hold positive numbers, got '2' for class 'a' instead."),
    ],
)
def test_what_is_refused(rare, class_weight, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        counted(class_weight=class_weight).fit(*rare)


def test_other_names_are_refused(rare):
    with pytest.raises(ValueError, match="The 'class_weight' parameter of GeneralizedNB must be"):
        GeneralizedNB(class_weight="equal").fit(*rare)


def test_balanced_needs_all_rows(rare):
    message = (
        "class_weight='balanced' needs all rows at once, which partial_fit does not have; give the weight of every"
    )
    with pytest.raises(ValueError, match=message):
        counted(class_weight="balanced").partial_fit(*rare, classes=["a", "b", "c"])


def test_counts_of_files_have_no_class_weight(rare, tmp_path):
    X, y = rare
    pd.DataFrame(X, columns=list("uvw")).assign(y=y).to_parquet(tmp_path / "rows.parquet")
    message = re.escape(
        "class_weight must be None when a model is learned from counts, got {'c': 2} instead; fit on rows"
    )
    with pytest.raises(ValueError, match=message):
        fit_batches(counted(class_weight={"c": 2}), tmp_path, target="y")
