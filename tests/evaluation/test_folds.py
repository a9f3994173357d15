import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from gnbayes import GeneralizedNB
from gnbayes.evaluation import cross_validate, make_folds, score


def table(n=200, d=4, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, d)) + y[:, None], y


def test_the_probabilities_are_those_of_scikit_learn():
    X, y = table()
    clf = LogisticRegression()
    found = cross_validate(clf, X, y)
    expected = cross_val_predict(clf, X, y, cv=StratifiedKFold(5, shuffle=True, random_state=0), method="predict_proba")
    loss = score(found.predictions).log_loss.value
    assert loss == pytest.approx(log_loss(y, expected))
    assert (found.n_folds, found.n_fits, found.n_train, found.n_unscored) == (5, 5, 160, 0)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, lambda X: pa.Table.from_pandas(pd.DataFrame(X))])
def test_frames_give_the_same_as_arrays(make):
    X, y = table()
    named = {f"x{j}": X[:, j] for j in range(4)}
    clf = GeneralizedNB("nb", weighting=None)
    expected = cross_validate(clf, X, y).predictions.proba
    assert (cross_validate(clf, make(pd.DataFrame(named)), y).predictions.proba == expected).all()


@pytest.mark.slow
def test_noise_is_not_flattered():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 200)), rng.integers(0, 2, 100)
    for clf in (GeneralizedNB(weighting=None), GeneralizedNB("nb", weighting=None, n_features="auto")):
        found = score(cross_validate(clf, X, y).predictions)
        assert found.accuracy.low < 0.5 < found.accuracy.high
        assert found.auroc["1"].low < 0.5 < found.auroc["1"].high
        assert found.gain.value < 0


def test_groups_are_never_on_both_sides():
    y = np.tile([0, 1], 60)
    groups = np.repeat(np.arange(30), 4)
    for train, test in make_folds(y, groups):
        assert not set(groups[train]) & set(groups[test])
    assert sorted(np.concatenate([test for _, test in make_folds(y, groups)])) == list(range(120))


def test_groups_take_the_flattery_away():
    """Each person has a fingerprint of features and a random class: rows of the same person give it away."""
    rng = np.random.default_rng(0)
    people, labels = rng.normal(size=(30, 5)), rng.integers(0, 2, 30)
    X = np.repeat(people, 8, axis=0) + 0.05 * rng.normal(size=(240, 5))
    y, groups = np.repeat(labels, 8), np.repeat(np.arange(30), 8)
    clf = GeneralizedNB(weighting=None, n_bins=5)
    apart = score(cross_validate(clf, X, y).predictions)
    together = score(cross_validate(clf, X, y, groups).predictions)
    assert apart.accuracy.low > 0.8
    assert together.accuracy.low < 0.5 < together.accuracy.high


def test_above_the_limit_one_fold_is_held_out():
    X, y = table(n=500)
    found = cross_validate(LogisticRegression(), X, y, most_rows=499)
    assert (found.n_folds, found.n_fits, found.n_train, len(found.predictions.labels)) == (5, 1, 400, 100)


def test_a_class_that_the_other_rows_lack_is_not_scored():
    X, y = table(n=50)
    y[7] = 2
    found = cross_validate(GeneralizedNB("nb", weighting=None), X, y)
    assert found.n_unscored == 1
    assert found.predictions.proba.shape == (49, 3)


def test_two_rows_of_a_class_are_in_different_folds():
    y = np.array([0] * 48 + [1] * 2)
    assert all(set(y[train]) == {0, 1} for train, _ in make_folds(y))


def test_too_few_rows():
    X, y = table(n=2)
    assert cross_validate(LogisticRegression(), X, np.array([0, 1])) is None
    assert make_folds(np.array([0, 1, 0]), groups=["a", "a", "a"]) == []
    assert cross_validate(LogisticRegression(), X, y, groups=["a", "a"]) is None


def test_missing_groups_are_one_group():
    folds = make_folds(np.tile([0, 1], 10), groups=[None] * 4 + [float("nan")] * 4 + ["a"] * 6 + ["b"] * 6)
    assert len(folds) == 3


class TakesGroups(ClassifierMixin, BaseEstimator):
    """A classifier that wants to know the groups."""

    seen = []  # noqa: RUF012

    def fit(self, X, y, groups=None):
        self.classes_ = np.unique(y)
        TakesGroups.seen.append(groups)
        return self

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


def test_a_classifier_that_takes_groups_is_told_of_them():
    X, y = table(n=40)
    TakesGroups.seen.clear()
    cross_validate(TakesGroups(), X, y, groups=np.repeat(np.arange(10), 4).tolist())
    assert [len(groups) for groups in TakesGroups.seen] == [32] * 5
    TakesGroups.seen.clear()
    cross_validate(TakesGroups(), X, y)
    assert TakesGroups.seen == [None] * 5


def test_progress_ends_at_one():
    X, y = table(n=40)
    shares = []
    cross_validate(LogisticRegression(), X, y, progress=shares.append)
    assert shares == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
