"""Sketches that were merged."""

from __future__ import annotations

import numpy as np
import pytest

from gnbayes.scale.distinct_numbers import merge, numbers_of, sketched
from gnbayes.scale.rank_sketch import rank_error


@pytest.mark.parametrize("n_parts", [1, 2, 3, 8])
def test_the_points_of_merged_sketches_stand_for_all_rows_at_their_ranks(n_parts):
    column = np.random.default_rng(0).normal(size=20_000)
    parts = [sketched(numbers_of(part), 4000) for part in np.array_split(column, n_parts)]
    values, counts = merge(parts, 4000).points
    assert counts.sum() == len(column)
    ranks = np.searchsorted(np.sort(column), values, side="right")
    assert np.abs(np.cumsum(counts) - ranks).max() <= 3 * rank_error(4000) * len(column)
