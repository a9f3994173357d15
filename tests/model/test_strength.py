from dataclasses import replace

import numpy as np
import pytest
from fitting import build
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import coded_rows

from gnbayes.counting import CodedRows, count
from gnbayes.model import STRENGTHS, build_joint, choose_strength, strength
from gnbayes.structure import gnb_o, naive


def chosen(rows, learn, smoothing, prior=None):
    model = build(rows, learn)
    parts = (model.tree, count(rows), rows)
    return choose_strength(*parts, smoothing, prior)


def losses_of_refits(rows, learn, smoothing, alpha, prior):
    """Mean log-loss of the first 1, 2, ... features when each row is scored by a model that was fitted without it."""
    model = build(rows, learn)
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    total = np.zeros(rows.codes.shape[1])
    for i in range(rows.n_rows):
        rest = weights.copy()
        rest[i] = max(rest[i] - 1, 0)
        counts = count(replace(rows, weights=rest))
        refitted = build_joint(model.tree, counts, smoothing, alpha, prior)
        joint = np.exp(refitted.prefix_log_joint(rows.codes[[i]])[0])
        own = joint[:, rows.labels[i]] / np.maximum(joint.sum(axis=1), 1e-300)
        total -= weights[i] * np.log(np.maximum(own, np.finfo(float).eps))
    return total / weights.sum()


@pytest.mark.parametrize("learn", [gnb_o, naive])
@pytest.mark.parametrize("smoothing", ["additive", "backoff"])
@settings(max_examples=20)
@given(rows=coded_rows(min_rows=3, max_rows=10, min_classes=2, max_features=3), data=st.data())
@pytest.mark.slow
def test_the_best_of_real_refits_without_each_row(learn, smoothing, rows, data):
    if data.draw(st.booleans()):
        rows = replace(rows, weights=np.array([data.draw(st.sampled_from([1.0, 2.0, 3.0])) for _ in rows.labels]))
    prior = np.full(rows.n_classes, 1 / rows.n_classes) if data.draw(st.booleans()) else None
    losses = {alpha: losses_of_refits(rows, learn, smoothing, alpha, prior) for alpha in STRENGTHS}
    loss = {alpha: of[-1] for alpha, of in losses.items()}
    assert loss[chosen(rows, learn, smoothing, prior)] == pytest.approx(min(loss.values()), rel=1e-9, abs=1e-12)


def test_of_equally_good_ones_the_one_nearest_to_1():
    rows = CodedRows(np.zeros((8, 2), dtype=np.uint8), np.arange(8) % 2, np.ones(2), 2)
    assert chosen(rows, naive, "additive") == 1.0


def noisy_rows(n, n_values=4, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(2, size=n)
    codes = (rng.integers(n_values, size=(n, 6)) + labels[:, None] * rng.integers(2, size=(n, 6))) % n_values
    return CodedRows(codes, labels, np.full(6, n_values), 2)


def test_many_rows_are_thinned_out_whatever_their_order(monkeypatch):
    rows = noisy_rows(600)
    monkeypatch.setattr(strength, "MAX_LEFT_OUT", 200)
    few = strength._at_most(200, rows)
    assert 190 <= few.weights.sum() <= 210
    order = np.random.default_rng(1).permutation(600)
    shuffled = replace(rows, codes=rows.codes[order], labels=rows.labels[order])
    again = strength._at_most(200, shuffled)
    np.testing.assert_array_equal(few.codes, again.codes)
    np.testing.assert_array_equal(few.labels, again.labels)
    assert chosen(rows, gnb_o, "backoff") == chosen(shuffled, gnb_o, "backoff")


def test_rows_of_few_kinds_are_all_left_out_however_many_they_are(monkeypatch):
    rows = noisy_rows(600, n_values=2)
    expected = chosen(rows, gnb_o, "additive")
    monkeypatch.setattr(strength, "MAX_LEFT_OUT", 150)
    assert strength._at_most(150, rows).weights.sum() == 600
    assert chosen(rows, gnb_o, "additive") == expected
