"""Sketches are within their error, and depend on nothing but the numbers and how they were merged."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.scale.distinct_numbers import check_sketch
from gnbayes.scale.rank_sketch import RankSketch, rank_error

TABLES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "half zero": lambda rng, n: np.where(rng.random(n) < 0.5, 0.0, rng.lognormal(sigma=3, size=n)),
    "increasing": lambda rng, n: np.sort(rng.random(n)),
    "few values": lambda rng, n: rng.integers(0, 50, n).astype(float),
}


def sketch_of(numbers, k=200):
    return RankSketch(k, ()).add(numbers)


def largest_error(sketch, numbers):
    """Of 99 quantiles, as a share of the numbers."""
    ordered, wanted = np.sort(numbers), np.arange(1, 100) / 100
    values, counts = sketch.points
    found = values[np.searchsorted(np.cumsum(counts), wanted * counts.sum())]
    low, high = (np.searchsorted(ordered, found, side=side) / len(numbers) for side in ("left", "right"))
    return np.maximum(np.maximum(low - wanted, wanted - high), 0).max()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("n_parts", [1, 7, 400])
def test_ranks_are_within_the_error_however_numbers_come(name, n_parts):
    numbers = TABLES[name](np.random.default_rng(0), 100_000)
    one_by_one = reduce(RankSketch.add, np.array_split(numbers, n_parts), RankSketch(200, ()))
    merged = reduce(RankSketch.merge, map(sketch_of, np.array_split(numbers, n_parts)))
    for sketch in (one_by_one, merged):
        assert sketch.n == len(numbers)
        assert sum(map(len, sketch.levels)) < 4 * 200
        assert largest_error(sketch, numbers) < rank_error(200)


@given(seed=st.integers(0, 10**6), sizes=st.tuples(st.integers(0, 3000), st.integers(0, 3000)), k=st.integers(8, 300))
def test_merging_is_commutative_and_keeps_the_number_of_rows(seed, sizes, k):
    rng = np.random.default_rng(seed)
    first, second = (sketch_of(rng.normal(size=size), k) for size in sizes)
    assert first.merge(second).to_bytes() == second.merge(first).to_bytes()
    assert first.merge(second).points[1].sum() == sum(sizes)


def test_the_same_numbers_in_any_order_give_the_same_sketch():
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=50_000)
    assert sketch_of(numbers).to_bytes() == sketch_of(rng.permutation(numbers)).to_bytes()


def test_few_numbers_are_all_there():
    values, counts = RankSketch(200, ()).add_counted(np.array([1.0, 2.0, 5.0]), np.array([3, 1, 1000])).points
    assert values.tolist() == [1.0, 2.0, 5.0]
    assert counts.tolist() == [3, 1, 1000]


def test_bytes_give_the_sketch_back():
    sketch = sketch_of(np.random.default_rng(0).normal(size=10_000))
    again = RankSketch.from_bytes(sketch.to_bytes())
    assert again.to_bytes() == sketch.to_bytes()
    assert again.add(np.ones(5)).to_bytes() == sketch.add(np.ones(5)).to_bytes()


@pytest.mark.parametrize("damage", ["empty", "head", "short", "long", "levels", "order", "nan", "none"])
def test_other_bytes_are_refused(damage):
    data = sketch_of(np.arange(1000.0)).to_bytes()
    falling, nan = (np.array(pair).tobytes() for pair in ([2.0, 1.0], [1.0, np.nan]))
    head = b"gnbr" + np.array([200, 1, 2], dtype="<u4").tobytes()
    damaged = {
        "empty": b"",
        "head": b"kll " + data[4:],
        "short": data[:-1],
        "long": data + b"12345678",
        "levels": data[:8] + b"\xff" * 4 + data[12:],
        "order": head + falling,
        "nan": head + nan,
        "none": RankSketch(200, ()).to_bytes(),
    }[damage]
    assert check_sketch(data)
    assert not check_sketch(damaged)
