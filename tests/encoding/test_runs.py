import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.encoding import LEAST_NUMBERS, QuantileDiscretizer, digits_to_drop, most_numbers, ordered_keys, run_starts
from gnbayes.encoding._column_summary import summarize, summarizers

NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: number + 0.0)


def runs_twin(rows, most):
    """Runs of (key, ...) rows, in order; those of too many rows are divided again."""

    def divided(some):
        n = next(n for n in range(64) if len({row[0] >> n for row in some}) <= most)
        runs = {}
        for row in sorted(some):
            runs.setdefault(row[0] >> n, []).append(row)
        return list(runs.values())

    runs, weight = divided(rows), sum(row[-1] for row in rows)
    while True:
        is_heavy = [
            sum(row[-1] for row in run) * min(500, max(1, most // 8)) > weight and run[0][0] != run[-1][0]
            for run in runs
        ]
        heavy = [row for run, is_one in zip(runs, is_heavy, strict=True) if is_one for row in run]
        if not heavy:
            return runs
        runs = sorted([run for run, is_one in zip(runs, is_heavy, strict=True) if not is_one] + divided(heavy))


def keys_of(numbers):
    return ordered_keys(np.unique(np.array(numbers, dtype=float)))


@given(st.lists(NUMBERS, min_size=1))
def test_keys_are_ordered_as_the_numbers_are(numbers):
    column = np.array(numbers)
    assert np.array_equal(np.argsort(ordered_keys(column), kind="stable"), np.argsort(column, kind="stable"))
    assert len(set(ordered_keys(column).tolist())) == len(set(numbers))


@given(st.lists(NUMBERS, min_size=1, max_size=40), st.integers(2, 12), st.integers(0, 60))
def test_no_more_digits_are_dropped_than_necessary(numbers, most, at_least):
    keys = keys_of(numbers)
    different = [len({key >> n for key in keys.tolist()}) for n in range(64)]
    expected = next(n for n in range(64) if n >= at_least and (different[n] <= most or len(keys) <= most))
    assert digits_to_drop(keys, most, at_least) == expected


@given(st.lists(NUMBERS, min_size=1, max_size=40), st.integers(0, 63))
def test_runs_begin_where_keys_without_the_dropped_digits_change(numbers, n):
    keys = keys_of(numbers)
    rounded = [key >> n for key in keys.tolist()]
    assert run_starts(keys, n).tolist() == [rounded.index(key) for key in dict.fromkeys(rounded)]


def test_memory_is_divided_among_columns_and_classes():
    assert most_numbers(10, 2, 320_000_000) == 1_000_000
    assert most_numbers(10, 8, 320_000_000) == 400_000
    assert most_numbers(10, 2, 0) == LEAST_NUMBERS


class TestSummary:
    RNG = np.random.default_rng(0)
    DENSE = 1000 + RNG.normal(size=1000) / 1e6
    COLUMN = np.concatenate([RNG.normal(size=2000), DENSE, [np.nan, 0.0, -0.0, -0.0], np.full(90, 7.5)])
    LABELS = RNG.integers(0, 3, len(COLUMN))

    def summarized(self, most, weights=None):
        (find,) = summarizers(self.COLUMN[:, None], self.LABELS, 3, weights, most=most)
        return find()

    @pytest.mark.parametrize("weights", [None, RNG.integers(1, 9, len(COLUMN)) / 8], ids=["rows", "weights"])
    @pytest.mark.parametrize("most", [30, 400])
    def test_of_runs(self, most, weights):
        found, has_missing = self.summarized(most, weights)
        present = ~np.isnan(self.COLUMN)
        column, labels = self.COLUMN[present] + 0.0, self.LABELS[present]
        own = np.ones(len(column)) if weights is None else weights[present]
        rows = zip(ordered_keys(column).tolist(), column.tolist(), labels.tolist(), own.tolist(), strict=True)
        runs = runs_twin(list(rows), most)
        firsts, lasts = np.array([(run[0][1], run[-1][1]) for run in runs]).T
        counts = [[sum(row[-1] for row in run if row[2] == c) for c in range(3)] for run in runs]
        assert has_missing
        assert most / 2 < len(runs) <= 2 * most
        assert found.values.tolist() == firsts.tolist()
        assert found.lasts.tolist() == lasts.tolist()
        np.testing.assert_array_equal(found.counts, counts)
        np.testing.assert_array_equal(found.totals, np.sum(counts, axis=1))
        np.testing.assert_array_equal(
            found.group_counts(np.array([0, 7])), [np.sum(counts[:7], axis=0), np.sum(counts[7:], axis=0)]
        )
        np.testing.assert_array_equal(found.middles(np.arange(1, len(runs))), lasts[:-1] / 2 + firsts[1:] / 2)
        np.testing.assert_array_equal(found.representatives, firsts / 2 + lasts / 2)

    def test_as_many_numbers_as_there_may_be_are_kept(self):
        [(exact, _)] = summarize(self.COLUMN[:, None], self.LABELS, 3)
        found, _ = self.summarized(len(exact.values))
        assert found.lasts is found.values
        np.testing.assert_array_equal(found.values, exact.values)


def test_cuts_between_runs_are_near_the_quantiles(monkeypatch):
    monkeypatch.setattr("gnbayes.encoding.discretizers._base.most_numbers", lambda *_: LEAST_NUMBERS)
    rng = np.random.default_rng(0)
    column = rng.normal(size=200_000)
    (edges,) = QuantileDiscretizer(10).fit(column[:, None]).bin_edges_
    ranks = np.searchsorted(np.sort(column), edges) / len(column)
    assert np.abs(ranks - np.arange(1, 10) / 10).max() < 0.003
    assert set(edges) < set(column)
