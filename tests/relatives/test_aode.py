import math
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import coded_rows

from gnbayes import AODE, GeneralizedNB
from gnbayes.counting import count
from gnbayes.relatives import aode
from gnbayes.relatives.aode import one_dependence_models


def literal(rows, values, y, alpha, prior, min_count):
    """P(x, y) straight from the rows, by the formulas of the paper; `values` has None for an absent feature."""
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    known = [j for j, value in enumerate(values) if value is not None]
    is_y = rows.labels == y

    def n(*conditions):
        return weights[np.logical_and.reduce(conditions)].sum() if conditions else weights.sum()

    def has(j):
        return rows.codes[:, j] == values[j]

    def alone(j):
        return (n(is_y, has(j)) + alpha) / (n(is_y) + alpha * rows.cardinalities[j])

    mothers = [i for i in known if n(has(i)) > min_count - 1]
    k, total = rows.n_classes, 0.0
    if not mothers:
        start = (n(is_y) + alpha) / (n() + alpha * k) if prior is None else prior[y]
        return start * math.prod(alone(j) for j in known)
    for i in mothers:
        if prior is None:
            product_of_all = (n(is_y, has(i)) + alpha) / (n() + alpha * k * rows.cardinalities[i])
        else:
            product_of_all = prior[y] * alone(i)
        for j in known:
            if j != i:
                product_of_all *= (n(is_y, has(i), has(j)) + alpha) / (n(is_y, has(i)) + alpha * rows.cardinalities[j])
        total += product_of_all
    return total / len(mothers)


@given(rows=coded_rows(min_classes=2), data=st.data())
def test_equals_the_formulas(rows, data):
    if data.draw(st.booleans()):
        rows = replace(rows, weights=np.array([data.draw(st.sampled_from([1.0, 2.0, 0.5])) for _ in rows.labels]))
    alpha = data.draw(st.floats(0.1, 3))
    prior = np.arange(rows.n_classes) / np.arange(rows.n_classes).sum() if data.draw(st.booleans()) else None
    min_count = data.draw(st.integers(1, 12))
    models = one_dependence_models(count(rows), alpha, prior, min_count)
    codes = np.array([[data.draw(st.integers(0, v + 1)) for v in rows.cardinalities] for _ in range(5)])
    values = [[None if c >= v else c for c, v in zip(row, rows.cardinalities, strict=True)] for row in codes.tolist()]
    expected = [[literal(rows, row, y, alpha, prior, min_count) for y in range(rows.n_classes)] for row in values]
    np.testing.assert_allclose(np.exp(models.log_joint(codes)), expected, rtol=1e-10)


def test_is_a_distribution(random_codes):
    codes, y = random_codes
    clf = AODE(categorical_features=range(4)).fit(codes[:, :4], y)
    everything = np.array(list(product(*(range(codes[:, j].max() + 1) for j in range(4)))))
    assert np.exp(clf.predict_joint_log_proba(everything)).sum() == pytest.approx(1.0)


def test_rows_without_a_mother_get_naive_bayes(random_codes):
    codes, y = random_codes
    prior = (np.bincount(y) + 2.0) / (len(y) + 3 * 2.0)
    ours = AODE(alpha=2.0, min_count=len(y) + 1, categorical_features=range(7)).fit(codes, y)
    naive = GeneralizedNB("nb", weighting=None, n_bins=5, alpha=2.0, class_prior=prior, categorical_features=range(7))
    np.testing.assert_allclose(ours.predict_proba(codes), naive.fit(codes, y).predict_proba(codes), rtol=1e-10)


def test_small_weights_leave_every_value_a_mother(random_codes):
    codes, y = random_codes
    plain = AODE(alpha=1.0, categorical_features=range(7)).fit(codes, y)
    light = AODE(alpha=1.0, categorical_features=range(7)).fit(codes, y, sample_weight=np.full(len(y), 2**-10))
    np.testing.assert_allclose(light.predict_proba(codes), plain.predict_proba(codes), rtol=1e-9)


def test_blocks_do_not_change_the_result(random_codes, monkeypatch):
    codes, y = random_codes
    clf = AODE(categorical_features=range(7)).fit(codes, y)
    expected = clf.predict_proba(codes)
    monkeypatch.setattr(aode, "_BLOCK_VALUES", 100)
    np.testing.assert_allclose(clf.predict_proba(codes), expected, rtol=1e-12)


def test_too_many_values_to_keep_all_pairs():
    frame = pd.DataFrame({"visit": [f"v{i}" for i in range(5000)], "sex": ["f", "m"] * 2500})
    message = (
        r"AODE keeps the counts of all pairs of values, 50040008 cells here, at most 33554432; column "
        r"'visit' has the most values \(5000\): merge rare values, drop columns, or use AveragedTAN\."
    )
    with pytest.raises(ValueError, match=message):
        AODE().fit(frame, [0, 1] * 2500)


@pytest.mark.parametrize("min_count", [0, 1.5])
def test_min_count_is_a_whole_number(min_count):
    with pytest.raises(ValueError, match="The 'min_count' parameter of AODE must be an int in the range"):
        AODE(min_count=min_count).fit([[0], [1]], [0, 1])
