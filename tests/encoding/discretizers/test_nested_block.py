"""Bins of many columns at once are those of the columns one by one."""

import numpy as np
import pytest

from gnbayes.encoding import NestedDiscretizer
from gnbayes.encoding.discretizers import _nested_block
from gnbayes.kernels import native

ROUNDINGS = (0, 1, 3, 8)


def columns(n, k, seed):
    """Columns of all kinds: distinct and equal numbers, frequent ones, changes of the class, few values, missing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    y[:k] = np.arange(k)
    parts = [np.round(rng.normal(size=n) * 2 + shift * y, at) for at in ROUNDINGS for shift in (0.0, 1.0, 3.0)]
    frequent = np.where(rng.random(n) < 0.5, 0.0, parts[-1])
    several = np.where(rng.random(n) < 0.6, rng.integers(-1, 2, n), parts[-1])
    missing = np.where(rng.random(n) < 0.1, np.nan, parts[-2])
    tiny = np.nextafter(1.0, 2.0) * rng.integers(1, 3, n) + np.finfo(float).eps * rng.integers(0, 4, n)
    parts += [frequent, several, missing, tiny, 1e300 * frequent, -0.0 * several, rng.exponential(size=n) ** 6]
    parts += [np.ones(n), y * 1.0, np.arange(n) * 1.0, np.sort(parts[0])]
    return np.stack(parts, axis=1), y


def one_by_one(discretizer, X, y, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(_nested_block, "native", None)
        return discretizer.fit(X, y).features_


@pytest.mark.parametrize("n", [4, 11, 40, 102, 300, 999, 1001])
@pytest.mark.parametrize("k", [2, 3, 7, 8])
def test_bins_are_those_of_the_columns_one_by_one(n, k, monkeypatch):
    if n < k:
        pytest.skip("every class has a row")
    X, y = columns(n, k, seed=n + k)
    for n_bins, n_coarse in [(2, 2), (5, 5), (10, 5), (40, 8)]:
        discretizer = NestedDiscretizer(n_bins, n_coarse)
        assert discretizer.fit(X, y).features_ == one_by_one(discretizer, X, y, monkeypatch)


def test_few_columns_at_a_time_make_no_difference(monkeypatch):
    X, y = columns(60, 3, seed=0)
    expected = NestedDiscretizer(6, 5).fit(X, y).features_
    monkeypatch.setattr(_nested_block, "_VALUES_AT_ONCE", 150)
    assert NestedDiscretizer(6, 5).fit(X, y).features_ == expected


@pytest.mark.skipif(native is None, reason="of the C kernels")
def test_columns_without_missing_values_are_found_at_once():
    X, y = columns(60, 2, seed=1)
    found = list(_nested_block.features_of_block([str(j) for j in range(X.shape[1])], X, y, 2, (6, 5)))
    is_simple = [np.isnan(column).any() or len(np.unique(column)) < 3 for column in X.T]
    assert [feature is None for feature in found] == is_simple


@pytest.mark.skipif(native is None, reason="of the C kernels")
def test_the_kernel_refuses_classes_that_are_not_there():
    column, labels, wide = np.zeros((1, 3)), np.full((1, 3), 2, dtype=np.uint8), np.zeros((1, 3))
    tables = (np.zeros((4, 4)), np.zeros(4), np.zeros(3))
    out = (np.zeros(1, dtype=np.int64), wide, wide.copy(), np.zeros((1, 3), dtype=np.int64))
    with pytest.raises(ValueError, match="no such class"):
        native.column_bins(column, labels, 1, 3, 2, 2, 2, *tables, *out)
    with pytest.raises(ValueError, match="no rows, classes or bins"):
        native.column_bins(column, labels, 1, 0, 2, 2, 2, *tables, *out)
