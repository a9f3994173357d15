import numpy as np

from gnbayes.encoding._column_summary import summarize

COLUMNS = np.array([[2.0, np.nan], [1.0, np.nan], [2.0, np.nan], [np.nan, np.nan], [-0.0, np.nan]])


def test_distinct_values_and_how_often():
    (first, has_missing), (second, all_missing) = summarize(COLUMNS)
    assert first.values.tolist() == [0.0, 1.0, 2.0]
    assert not np.signbit(first.values[0])
    assert first.counts.tolist() == [[1], [1], [2]]
    assert (has_missing, all_missing) == (True, True)
    assert (len(second.values), second.counts.shape) == (0, (0, 1))


def test_counts_by_class_and_weight():
    labels, weights = np.array([0, 1, 1, 0, 0]), np.array([1.0, 2.0, 0.5, 9.0, 3.0])
    (first, _), (second, _) = summarize(COLUMNS, labels, 2, weights)
    assert first.counts.tolist() == [[3, 0], [0, 2], [1, 0.5]]
    assert second.counts.shape == (0, 2)
    (unlabelled, _), _ = summarize(COLUMNS, weights=weights)
    assert unlabelled.counts.tolist() == [[3], [2], [1.5]]


def test_counts_of_groups_of_values():
    rng = np.random.default_rng(0)
    column, labels = rng.choice([-0.0, 0.0, 1.0, 2.5, 7.0, np.nan], (200, 1)), rng.integers(0, 3, 200)
    [(found, _)] = summarize(column, labels, 3)
    [(expected, _)] = summarize(column, labels, 3, weights=np.ones(200))
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.counts, expected.counts)
    np.testing.assert_array_equal(found.totals, expected.totals)
    starts = np.array([0, 1, 3])
    np.testing.assert_array_equal(found.group_counts(starts), expected.group_counts(starts))
    np.testing.assert_array_equal(found.group_counts(starts), np.add.reduceat(expected.counts, starts, axis=0))


def test_a_class_without_rows_and_a_column_without_numbers():
    [(found, _), (empty, has_missing)] = summarize(COLUMNS, np.array([0, 0, 2, 0, 2]), 3)
    assert found.counts.tolist() == [[0, 0, 1], [1, 0, 0], [1, 0, 1]]
    assert (empty.counts.shape, has_missing) == ((0, 3), True)
