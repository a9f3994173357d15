import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import get_scorer, roc_auc_score

from gnbayes.selection.scores import Prediction, _Frozen, default_scoring, make_score, roc_auc

NAMES = {
    2: [
        *default_scoring(2),
        "precision_macro",
        "f1_weighted",
        "neg_brier_score",
        "matthews_corrcoef",
        "average_precision",
    ],
    4: [*default_scoring(4), "matthews_corrcoef", "roc_auc_ovo", "f1_micro", "cohen_kappa"],
}
NAMES[4].remove("cohen_kappa")


def prediction(k, seed, n=80, positive=None):
    rng = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    joint = np.round(rng.normal(size=(n, k)), 1) + 1.2 * np.eye(k)[labels]  # rounded: ties
    return Prediction(joint, labels, np.arange(k), k - 1 if positive is None else positive)


@pytest.mark.parametrize(("k", "name"), [(k, name) for k, names in NAMES.items() for name in names])
@pytest.mark.parametrize("seed", range(3))
def test_every_score_equals_scikit_learn(k, name, seed):
    said = prediction(k, seed)
    theirs = get_scorer(name)(_Frozen(said), np.empty((80, 0)), said.classes[said.labels])
    assert make_score(name, k)(said) == pytest.approx(theirs, rel=1e-12, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=40))
def test_area_under_the_curve_with_ties(rows):
    score, positive = np.array([s for s, _ in rows], dtype=float), np.array([p for _, p in rows])
    if positive.all() or not positive.any():
        assert np.isnan(roc_auc(score, positive))
    else:
        assert roc_auc(score, positive) == pytest.approx(roc_auc_score(positive, score), abs=1e-12)


def test_a_class_that_is_never_said_counts_as_scikit_learn_counts_it():
    said = Prediction(np.array([[1.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([0, 1, 1]), np.arange(3), 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in ("precision_macro", "recall_weighted", "f1_macro", "balanced_accuracy"):
            theirs = get_scorer(name)(_Frozen(said), np.empty((3, 0)), said.labels)
            assert make_score(name, 3)(said) == pytest.approx(theirs)


def test_the_positive_class_can_be_the_first():
    said, other = prediction(2, 0, positive=0), prediction(2, 0, positive=1)
    assert make_score("recall", 2)(said) != make_score("recall", 2)(other)
    assert make_score("roc_auc", 2)(said) == pytest.approx(make_score("roc_auc", 2)(other), abs=0.01)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("f1", "'f1' is for two classes; use f1_macro or f1_weighted for 3"),
        ("roc_auc", "'roc_auc' is for two classes; use roc_auc_ovr or roc_auc_ovr_weighted for 3"),
        ("best", "'best' is not a valid scoring value"),
    ],
)
def test_names_that_do_not_fit(name, message):
    with pytest.raises(ValueError, match=message):
        make_score(name, 3)
