import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnbayes.counting import CodedRows
from gnbayes.model import TermSpec, forward_steps
from gnbayes.model.fitting.layout import make_layout
from gnbayes.model.fitting.objective import Objective
from gnbayes.model.fitting.sums import FittingRows
from gnbayes.model.forward import first_copies, per_price
from gnbayes.model.newton import PENALTIES, newton_gains, walk_steps


def table(seed=0, n=600):
    """Two columns that matter, a copy of the first under other names, and noise."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (n, 5)).astype(np.uint8)
    codes[:, 2] = np.array([2, 0, 1])[codes[:, 0]]
    labels = (codes[:, 0] + codes[:, 1] + rng.normal(0, 0.7, n) > 2).astype(np.intp)
    return codes, labels


def singles(d, v=3, penalty="free"):
    return [TermSpec((j,), (np.arange(v),), penalty, (False,)) for j in range(d)]


def rows_of(codes, labels, weights=None):
    return CodedRows(codes, labels, np.full(codes.shape[1], 3), 2, weights)


def test_a_copy_comes_last():
    for seed in range(5):
        order = forward_steps(singles(5), rows_of(*table(seed))).order.tolist()
        assert sorted(order) == [0, 1, 2, 3, 4]
        assert {order[0], order[1]} in ({0, 1}, {1, 2})
        assert order[-1] in (0, 2)


def test_the_order_begins_in_the_same_way_for_any_number():
    rows = rows_of(*table())
    whole = forward_steps(singles(5), rows).order
    for n in range(1, 4):
        np.testing.assert_array_equal(forward_steps(singles(5), rows, n).order[:n], whole[:n])


def test_the_order_of_rows_does_not_matter_nor_do_whole_weights():
    codes, labels = table()
    shuffled = np.random.default_rng(1).permutation(len(labels))
    first = forward_steps(singles(5), rows_of(codes, labels))
    second = forward_steps(singles(5), rows_of(codes[shuffled], labels[shuffled]))
    np.testing.assert_array_equal(first.order, second.order)
    np.testing.assert_array_equal(first.losses, second.losses)
    weights = np.random.default_rng(2).integers(1, 3, len(labels))
    weighted = forward_steps(singles(5), rows_of(codes, labels, weights.astype(float)))
    repeated = forward_steps(singles(5), rows_of(np.repeat(codes, weights, axis=0), np.repeat(labels, weights)))
    np.testing.assert_array_equal(weighted.losses, repeated.losses)


def test_a_pair_that_matters_only_together_is_found():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (800, 6)).astype(np.uint8)
    labels = (codes[:, 1] ^ codes[:, 4] ^ (rng.random(800) < 0.1)).astype(np.intp)
    both = tuple(np.arange(2) for _ in range(2))
    specs = [*singles(6, 2), TermSpec((1, 4), both, "free", (False, False))]
    rows = CodedRows(codes, labels, np.full(6, 2), 2)
    found = forward_steps(specs, rows)
    at = max(found.order.tolist().index(1), found.order.tolist().index(4))
    assert found.losses[min(at, len(found.losses) - 1)] < 0.45 or at >= len(found.losses)


def test_what_is_dear_waits():
    codes, labels = table()
    cheap = forward_steps(singles(5), rows_of(codes, labels)).order
    costs = np.ones(5)
    costs[cheap[0]] = 50.0
    assert forward_steps(singles(5), rows_of(codes, labels), costs=costs).order[0] != cheap[0]


@pytest.mark.parametrize(("gain", "price", "expected"), [(2.0, 4.0, 0.5), (-2.0, 4.0, -8.0), (0.0, 3.0, 0.0)])
def test_gain_for_a_price(gain, price, expected):
    assert per_price(gain, price) == expected


def test_copies_under_other_names():
    assert first_copies(table()[0]) == [0, 1, 0, 3, 4]


@given(st.integers(1, 7), st.floats(0.01, 100), st.integers(0, 100))
@settings(max_examples=40, deadline=None)
def test_a_step_along_a_walk_solves_the_tridiagonal_system(v, between, seed):
    rng = np.random.default_rng(seed)
    slope, bend = rng.normal(size=(2, v, 1, 1)), rng.random((2, v, 1, 1)) + 0.1
    difference = np.diff(np.eye(v), axis=0)
    penalties = np.array([between, 3 * between])
    for penalty, steps in zip(penalties, walk_steps(slope, bend, penalties[:, None, None, None]), strict=True):
        for g, h, step in zip(slope[..., 0, 0], bend[..., 0, 0], steps[..., 0, 0], strict=True):
            matrix = np.diag(h) + penalty * difference.T @ difference
            np.testing.assert_allclose(step, np.linalg.solve(matrix, -g), rtol=1e-6, atol=1e-9)


def test_gains_are_those_of_a_newton_step_to_second_order():
    """The literal twin for free tables at the start: cells of trained rows give the step, held-out ones the gain."""
    codes, labels = table(n=90)
    layout, cells = make_layout(singles(5), codes)
    objective = Objective(layout, FittingRows(cells, labels, np.ones(90), 2))
    held_out = (np.arange(90) % 3 == 0).astype(float)[:, None]
    gains, penalties = newton_gains(objective, objective.zeros(), 1 - held_out, held_out)
    p = 1 / (1 + np.exp(-objective.base[0]))
    for j in range(5):
        best = -np.inf
        for penalty in PENALTIES:
            gain = 0.0
            for value in range(3):
                inside = codes[:, j] == value
                train, test = inside & (held_out[:, 0] == 0), inside & (held_out[:, 0] == 1)
                step = -(p - labels[train]).sum() / (p * (1 - p) * train.sum() + penalty / 2)
                gain -= (p - labels[test]).sum() * step + 0.5 * p * (1 - p) * test.sum() * step**2
            best = max(best, gain)
        assert gains[j] == pytest.approx(best, rel=1e-6)
    assert set(penalties) <= set(PENALTIES)
