from dataclasses import replace

import numpy as np
import pytest
from fitting import build
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import coded_rows

from gnbayes.counting import CodedRows, count
from gnbayes.model import STRENGTHS, build_joint, choose_strength, held_out, leave_one_out_losses, strength
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
    few = held_out._at_most(200, rows)
    assert 190 <= few.weights.sum() <= 210
    order = np.random.default_rng(1).permutation(600)
    shuffled = replace(rows, codes=rows.codes[order], labels=rows.labels[order])
    again = held_out._at_most(200, shuffled)
    np.testing.assert_array_equal(few.codes, again.codes)
    np.testing.assert_array_equal(few.labels, again.labels)
    assert chosen(rows, gnb_o, "backoff") == chosen(shuffled, gnb_o, "backoff")


def test_rows_of_few_kinds_are_all_left_out_however_many_they_are(monkeypatch):
    rows = noisy_rows(600, n_values=2)
    expected = chosen(rows, gnb_o, "additive")
    monkeypatch.setattr(strength, "MAX_LEFT_OUT", 150)
    assert held_out._at_most(150, rows).weights.sum() == 600
    assert chosen(rows, gnb_o, "additive") == expected


def with_groups(n_groups, n_each, seed=0):
    """Rows that are nearly copies of each other within a group, whose class says nothing of other groups."""
    rng = np.random.default_rng(seed)
    base, label = rng.integers(4, size=(n_groups, 5)), rng.integers(2, size=n_groups)
    codes = np.repeat(base, n_each, axis=0)
    changed = rng.random(codes.shape) < 0.1
    codes[changed] = rng.integers(4, size=changed.sum())
    groups = np.repeat(rng.permutation(n_groups), n_each)
    return CodedRows(codes, np.repeat(label, n_each), np.full(5, 4), 2, groups=groups)


def losses_of_refits_without_groups(rows, learn, smoothing, alpha):
    """Mean log-loss of the first 1, 2, ... features when each row is scored by a model without its whole group."""
    model, total = build(rows, learn), np.zeros(rows.codes.shape[1])
    for i in range(rows.n_rows):
        rest = rows.groups != rows.groups[i]
        counts = count(replace(rows, codes=rows.codes[rest], labels=rows.labels[rest], groups=None))
        joint = np.exp(build_joint(model.tree, counts, smoothing, alpha, None).prefix_log_joint(rows.codes[[i]])[0])
        total -= np.log(np.maximum(joint[:, rows.labels[i]] / joint.sum(axis=1), np.finfo(float).eps))
    return total / rows.n_rows


@pytest.mark.parametrize("smoothing", ["additive", pytest.param("backoff", marks=pytest.mark.slow)])
@pytest.mark.parametrize("learn", [pytest.param(gnb_o, marks=pytest.mark.slow), naive])
def test_up_to_20_groups_are_left_out_one_by_one(learn, smoothing):
    rows = with_groups(15, 3)
    losses = {alpha: losses_of_refits_without_groups(rows, learn, smoothing, alpha) for alpha in STRENGTHS}
    found = held_out.hold_out(build(rows, learn).tree, count(rows), rows)
    for alpha, expected in losses.items():
        prefixes = found.prefixes(smoothing, alpha, None)
        np.testing.assert_allclose(leave_one_out_losses(prefixes, found.rows), expected, rtol=1e-12)
    loss = {alpha: of[-1] for alpha, of in losses.items()}
    assert loss[chosen(rows, learn, smoothing)] == pytest.approx(min(loss.values()))


def test_groups_that_repeat_their_rows_ask_for_more_smoothing():
    rows = with_groups(40, 8)
    assert chosen(rows, gnb_o, "additive") >= 30
    assert chosen(replace(rows, groups=None), gnb_o, "additive") <= 3


def test_neither_the_order_of_rows_nor_the_names_of_groups_matter():
    rows = with_groups(40, 5)
    order = np.random.default_rng(1).permutation(rows.n_rows)
    moved = replace(rows, codes=rows.codes[order], labels=rows.labels[order], groups=rows.groups[order])
    named = replace(rows, groups=7 + 3 * rows.groups)
    expected = held_out.hold_out(build(rows, gnb_o).tree, count(rows), rows)
    losses = leave_one_out_losses(expected.prefixes("additive", 1.0, None), expected.rows)
    assert len(expected.folds) == 20
    for other in (moved, named):
        found = held_out.hold_out(build(other, gnb_o).tree, count(other), other)
        again = leave_one_out_losses(found.prefixes("additive", 1.0, None), found.rows)
        np.testing.assert_allclose(again, losses, rtol=1e-12)


def test_many_rows_of_groups_are_thinned_out(monkeypatch):
    rows = with_groups(60, 10)
    monkeypatch.setattr(strength, "MAX_LEFT_OUT", 150)
    found = held_out.hold_out(build(rows, gnb_o).tree, count(rows), rows, 150)
    assert 140 <= found.rows.weights.sum() <= 160
    assert sorted(np.concatenate([index for index, _ in found.folds])) == list(range(found.rows.n_rows))
    assert chosen(rows, gnb_o, "additive") >= 30
