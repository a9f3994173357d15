"""Columns of noise are not kept, whatever the model."""

import numpy as np
import pytest

from gnbayes import GeneralizedNB, selection_curve


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


@pytest.mark.parametrize(
    ("rule", "name"), [("auto", "within_noise"), pytest.param("few", "one_standard_error", marks=pytest.mark.slow)]
)
def test_a_counted_model_has_the_number_of_the_curve(wdbc, rule, name):
    X, y = wdbc[0][:, :12], wdbc[1]
    for model in (GeneralizedNB(weighting=None), GeneralizedNB.as_published()):
        number = getattr(selection_curve(model, X, y, scoring="neg_log_loss"), name)("neg_log_loss")
        assert GeneralizedNB(**{**model.get_params(), "n_features": rule}).fit(X, y).n_features_ == number
