"""monotonic_cst: the score is monotone along a feature whatever the others are, on all values."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.isotonic import isotonic_regression
from sklearn.metrics import log_loss

from gnbayes import GeneralizedNB, load, save
from gnbayes.model.monotone import _isotonic


def table(n=500, seed=0):
    """Risk grows with age and with dose, more so with both; noise makes it look otherwise here and there."""
    rng = np.random.default_rng(seed)
    age, dose, third = rng.normal(size=(3, n))
    frame = pd.DataFrame({"age": age, "dose": dose, "third": third, "sex": rng.choice(["f", "m"], n)})
    frame.loc[rng.random(n) < 0.05, "dose"] = np.nan
    score = age + 0.5 * np.nan_to_num(dose) + 0.4 * age * np.nan_to_num(dose) * (frame["sex"] == "f")
    return frame, (score + rng.logistic(size=n) > 0).astype(int).to_numpy()


@pytest.mark.parametrize(
    "parameters",
    [{"n_fits": 1}, pytest.param({"n_fits": 3}, marks=[pytest.mark.slow, pytest.mark.once]), {"interactions": "tree"}],
)
@pytest.mark.parametrize("signs", [{"age": 1}, {"age": 1, "dose": 1}, {"dose": -1}, [1, 0, -1, 0]])
def test_scores_are_monotone_for_all_values(parameters, signs):
    clf = GeneralizedNB(monotonic_cst=signs, **parameters).fit(*table())
    assert any(len(term.features) > 1 and 0 in term.features for term in clf.terms_) or "age" not in signs
    sizes = [feature.cardinality for feature in clf.features_]
    rng = np.random.default_rng(0)
    others = np.stack([rng.integers(0, size, 3000) for size in sizes], axis=1)
    given = signs if isinstance(signs, dict) else dict(zip(range(4), signs, strict=True))
    names = [feature.name for feature in clf.features_]
    for name, sign in given.items():
        j = names.index(name) if isinstance(name, str) else name
        scores = []
        for value in range(clf.features_[j].n_values):
            codes = others.copy()
            codes[:, j] = value
            of_row = clf.model_.scores(codes.astype(np.uint32))
            scores.append(of_row[:, 1] - of_row[:, 0])
        if sign:
            assert (sign * np.diff(scores, axis=0)).min() >= -1e-9


@pytest.mark.slow
@pytest.mark.once
def test_what_is_monotone_already_costs_little():
    X, y = table()
    new, labels = table(4000, seed=1)
    free, held = (GeneralizedNB(monotonic_cst=signs).fit(X, y) for signs in (None, {"age": 1}))
    losses = [log_loss(labels, clf.predict_proba(new)) for clf in (free, held)]
    assert losses[1] < 1.02 * losses[0]


def test_isotonic_regression():
    rng = np.random.default_rng(0)
    for _, n in itertools.product(range(20), (1, 2, 30)):
        values, weights = rng.normal(size=n), rng.random(n) + 0.1
        np.testing.assert_allclose(_isotonic(values, weights), isotonic_regression(values, sample_weight=weights))


def test_files_keep_it(tmp_path):
    X, y = table(200)
    clf = GeneralizedNB(monotonic_cst={"age": 1, "dose": 0}, n_fits=1).fit(X, y)
    save(clf, tmp_path / "m.json")
    assert load(tmp_path / "m.json").monotonic_cst == {"age": 1}


BAD = [
    ({"height": 1}, r"monotonic_cst names 'height', which is no column of X; columns are 'age', 'dose'"),
    ({"sex": 1}, r"monotonic_cst must not name a column of categories, which have no order, got 'sex'; give 0"),
    ({"age": 2}, r"monotonic_cst must be -1, 0 or 1 for each column, got 2 instead"),
    ([1, 0], r"monotonic_cst must have one entry per column, 4, got 2 instead"),
]


@pytest.mark.parametrize(("signs", "message"), BAD)
def test_bad_input(signs, message):
    with pytest.raises(ValueError, match=message):
        GeneralizedNB(monotonic_cst=signs).fit(*table(80))


def test_two_classes_and_learned_tables():
    X, y = table(90)
    with pytest.raises(ValueError, match=r"monotonic_cst needs two classes, got 3 instead"):
        GeneralizedNB(monotonic_cst={"age": 1}).fit(X, np.arange(90) % 3)
    with pytest.raises(ValueError, match=r"monotonic_cst changes learned tables, and weighting=None counts them"):
        GeneralizedNB(monotonic_cst={"age": 1}, weighting=None).fit(X, y)
