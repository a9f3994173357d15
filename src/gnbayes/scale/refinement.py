"""Runs of many rows are divided in one more pass over the rows; few columns have any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Table, are_heavy
from gnbayes.scale.batches import Labels
from gnbayes.scale.distinct_numbers import Numbers, merge, numbers_of, with_divided
from gnbayes.scale.table_summary import TableSummary, groups_of

# Numbers of columns, by name.
Found = dict[Any, Numbers]


@dataclass(frozen=True, eq=False)
class Refinement:
    """What a further pass over the rows looks at.

    Parameters
    ----------
    ranges : dict of {name of column: pair of ndarray}
        The smallest and the largest number of each run that is to be divided.
    most : int
        Largest number of runs that those of a column become.
    by_class : bool
        Whether the rows of each class are counted separately.
    """

    ranges: Mapping[Any, tuple[NDArray[np.float64], NDArray[np.float64]]]
    most: int
    by_class: bool

    def of_columns(self, names: list[Any]) -> Refinement:
        """The same for some of the columns."""
        return replace(self, ranges={name: self.ranges[name] for name in names})

    def find(self, table: Table, labels: Labels) -> Found:
        """The numbers of a batch in the ranges, for each column."""
        groups, positions = groups_of(labels, self.by_class), {key: j for j, key in enumerate(table.keys)}
        found = {}
        for name, (firsts, lasts) in self.ranges.items():
            j = positions[name]
            if table.kinds[j] in ("number", "bool"):
                column = table.columns[j]
                # NaN comes after the last one, and lies in no range.
                at = np.maximum(np.searchsorted(firsts, column, side="right") - 1, 0)
                is_inside = (column >= firsts[at]) & (column <= lasts[at])
                found[name] = merge([numbers_of(np.where(is_inside, column, np.nan), groups)], self.most)
        return found

    def merge(self, mine: Found, theirs: Found) -> Found:
        """The numbers of two batches."""
        names = dict.fromkeys([*mine, *theirs])
        return {name: merge([found[name] for found in (mine, theirs) if name in found], self.most) for name in names}


def find_refinement(summary: TableSummary) -> Refinement | None:
    """The runs of a summary that are to be divided; None if there are none."""
    most = summary.limits.most_numbers(len(summary.keys), len(summary.labels))
    ranges = {}
    for name, column in zip(summary.keys, summary.columns, strict=True):
        numbers = column.numbers
        if not numbers.is_exact:
            heavy = are_heavy(numbers.firsts, numbers.lasts, numbers.totals, most)
            if heavy.any():
                ranges[name] = numbers.firsts[heavy], numbers.lasts[heavy]
    return Refinement(ranges, most, summary.limits.by_class) if ranges else None


def refine(summary: TableSummary, found: Found) -> TableSummary:
    """The summary with the runs into which others were divided."""
    columns = [
        replace(column, numbers=with_divided(column.numbers, found[name])) if name in found else column
        for name, column in zip(summary.keys, summary.columns, strict=True)
    ]
    return replace(summary, columns=tuple(columns))
