"""Small cells set to 0 before counts leave a site."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gnbayes.sites.site_counts import Privacy, SiteCounts, check_untouched


def suppress(counts: SiteCounts, threshold: int) -> SiteCounts:
    """Set cells of fewer rows than a threshold to 0.

    Totals are not kept: they follow from the tables, each of which now misses other rows, and are brought to agreement
    when counts are merged. So the model is not that of all rows. It is no proof of privacy either: tables of the same
    rows can be compared with each other. For that use `add_noise`.

    Parameters
    ----------
    counts : SiteCounts
    threshold : int
        From 2.
    """
    if not isinstance(threshold, int | np.integer) or threshold < 2:
        raise ValueError(f"threshold must be a whole number from 2, got {threshold!r} instead.")
    check_untouched(counts)
    cells = np.where(counts.cells < threshold, 0, counts.cells)
    return replace(counts, cells=cells, privacy=Privacy(suppressed_below=int(threshold)))
