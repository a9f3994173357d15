"""Tables of all sites combined: sums of cells and their variances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.sites.site_counts import SiteCounts, Table
from gnbayes.sites.suppression import filled

Array = NDArray[np.float64]
# A variance of 0 would have infinite weight.
LEAST_VARIANCE = 1e-6


@dataclass(frozen=True, eq=False)
class Measured:
    """Cells of a table with the variance of each.

    Parameters
    ----------
    cells : ndarray of shape (..., k)
    variance : ndarray of the same shape
        Variance due to noise or suppressed cells, without that of sampling the rows.
    """

    cells: Array
    variance: Array

    def margin(self, axis: int) -> Measured:
        """The sum over one axis."""
        return Measured(self.cells.sum(axis=axis), self.variance.sum(axis=axis))

    @property
    def classes(self) -> Measured:
        """The sum over all values, by class."""
        k = self.cells.shape[-1]
        return Measured(self.cells.reshape(-1, k).sum(axis=0), self.variance.reshape(-1, k).sum(axis=0))


def merge_sites(sites: Sequence[SiteCounts]) -> dict[Table, Measured]:
    """For each table that all sites have, the sum over their releases in one step."""
    first, *others = map(_measured, sites)
    for other in others:
        first = {
            table: Measured(found.cells + other[table].cells, found.variance + other[table].variance)
            for table, found in first.items()
            if table in other
        }
    return first


def merge_steps(steps: Sequence[Mapping[Table, Measured]]) -> dict[Table, Measured]:
    """Combine measurements of the same rows in several steps; a table measured more than once is averaged."""
    tables = dict.fromkeys(table for step in steps for table in step)
    return {table: weighted_mean([step[table] for step in steps if table in step]) for table in tables}


def weighted_mean(parts: Sequence[Measured]) -> Measured:
    """Mean of measurements of the same numbers, weighted by their precision."""
    if len(parts) == 1:
        return Measured(parts[0].cells, np.maximum(parts[0].variance, LEAST_VARIANCE))
    weights = [1.0 / np.maximum(part.variance, LEAST_VARIANCE) for part in parts]
    total = np.sum(weights, axis=0)
    cells = np.sum([part.cells * weight for part, weight in zip(parts, weights, strict=True)], axis=0)
    return Measured(cells / total, 1.0 / total)


def _measured(site: SiteCounts) -> dict[Table, Measured]:
    if site.privacy.suppressed_below is not None:
        return {table: Measured(*parts) for table, parts in filled(site).items()}
    return {
        table: Measured(
            cells.astype(np.float64),
            np.broadcast_to(site.privacy.variance("tables" if table else "classes"), cells.shape),
        )
        for table, cells in site.split().items()
    }
