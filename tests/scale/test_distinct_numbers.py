"""Numbers of a column that were merged."""

from __future__ import annotations

from functools import reduce

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.scale.distinct_numbers import NO_NUMBERS, merge, numbers_of

NUMBERS = st.one_of(
    st.sampled_from([-2.5, -0.0, 0.0, 1.0, 1e300, 7.0, np.nan]), st.floats(-9, 9).map(lambda number: round(number, 2))
)
ROWS = st.lists(st.tuples(NUMBERS, st.sampled_from("ab")), max_size=30)


def numbers(rows):
    column, labels = np.array([number for number, _ in rows], dtype=float), np.array([label for _, label in rows])
    return numbers_of(column, {label: labels == label for label in dict.fromkeys(labels.tolist())})


def contents(found):
    rows = {label: own.tolist() for label, own in found.rows.items() if own.any()}
    return found.firsts.tolist(), found.lasts.tolist(), rows, found.n_dropped


@given(st.lists(ROWS, min_size=1, max_size=5), st.sampled_from([2, 5, 20, None]), st.randoms())
def test_division_and_order_of_rows_do_not_matter(parts, most, random):
    whole = [row for part in parts for row in part]
    expected = contents(merge([numbers(whole)], most))
    summaries = [merge([numbers(part)], most) for part in parts]
    assert contents(merge(summaries, most)) == expected
    random.shuffle(summaries)
    assert contents(reduce(lambda a, b: merge([b, a], most), summaries, NO_NUMBERS)) == expected


@given(st.lists(ROWS, min_size=1, max_size=4))
def test_numbers_and_their_rows(parts):
    merged = merge(map(numbers, parts))
    rows = [(number + 0.0, label) for part in parts for number, label in part if number == number]
    values = sorted({number for number, _ in rows})
    assert merged.firsts.tolist() == merged.lasts.tolist() == values
    assert merged.counts("ab").tolist() == [[rows.count((value, label)) for label in "ab"] for value in values]
    assert merged.totals.tolist() == [sum(number == value for number, _ in rows) for value in values]
    assert not np.signbit(merged.firsts[merged.firsts == 0]).any()
    assert merged.is_exact
