"""Columns of noise are not kept, whatever the model."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from gnbayes import GeneralizedNB, GNBSelector, selection_curve


def noise(n_rows, n_columns, seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_rows, n_columns)), rng.integers(0, 2, n_rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        GeneralizedNB("nb"),
        GeneralizedNB(weighting=None),
        GeneralizedNB("nb", weighting=None),
        GeneralizedNB.as_published(),
    ],
)
def test_few_columns_of_noise_are_kept(model):
    kept = [
        GeneralizedNB(**{**model.get_params(), "n_features": "auto"}).fit(*noise(120, 100, seed)).n_features_
        for seed in range(5)
    ]
    assert np.mean(kept) <= 5


def test_all_columns_of_noise_do_not_win_by_saying_least():
    """The model of all columns is nearly that of the class shares, and loses less than the one of the best column."""
    X, y = noise(120, 100, 5)
    curve = selection_curve(GeneralizedNB("nb"), X, y, scoring=["accuracy", "neg_log_loss"])
    assert curve.best("neg_log_loss") == 100
    assert not curve.has_learned
    for rule in (curve.within_noise, curve.one_standard_error):
        assert rule("neg_log_loss") == rule("accuracy") == 1
    assert GeneralizedNB("nb", n_features="auto").fit(X, y).n_features_ == 1
    assert GNBSelector(GeneralizedNB("nb"), n_features="few").fit(X, y).n_features_ == 1


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_dealing_of_rows_does_not_matter_for_noise(n_classes):
    kept = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(120, 100)), rng.integers(0, n_classes, 120)
        folds = StratifiedKFold(5, shuffle=True, random_state=seed)
        kept.append(selection_curve(GeneralizedNB("nb"), X, y, cv=folds).within_noise("neg_log_loss"))
    assert np.mean(kept) <= 5


@pytest.mark.parametrize(
    ("rule", "name"), [("auto", "within_noise"), pytest.param("few", "one_standard_error", marks=pytest.mark.slow)]
)
def test_a_counted_model_has_the_number_of_the_curve(wdbc, rule, name):
    X, y = wdbc[0][:, :12], wdbc[1]
    for model in (GeneralizedNB(weighting=None), GeneralizedNB.as_published()):
        number = getattr(selection_curve(model, X, y, scoring="neg_log_loss"), name)("neg_log_loss")
        assert GeneralizedNB(**{**model.get_params(), "n_features": rule}).fit(X, y).n_features_ == number
