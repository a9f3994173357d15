"""The counts file: what a site gives away instead of rows."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from gnbayes.documents import need, part
from gnbayes.scale.features_file import build_features, describe_features
from gnbayes.scale.privacy import MECHANISM, Privacy
from gnbayes.scale.site_files import read_site_file, write_site_file
from gnbayes.scale.sites import SiteCounts, shapes_of, tables_of

# Rows below which a cell is called small.
_FEW_ROWS = 5
_LARGEST = 2**53


def save_counts(counts: SiteCounts, path: str | os.PathLike[str]) -> None:
    """Write a counts file.

    Parameters
    ----------
    counts : SiteCounts
    path : path
    """
    write_site_file(path, "counts", describe_counts(counts))


def load_counts(path: str | os.PathLike[str]) -> SiteCounts:
    """Read a counts file.

    Parameters
    ----------
    path : path

    Raises
    ------
    SiteFileError
        For every file that is not a whole and sound counts file.
    """
    return read_site_file(path, "counts", build_counts)


def describe_counts(counts: SiteCounts) -> dict[str, Any]:
    """Counts as dicts, lists, text and numbers."""
    privacy = counts.privacy
    return {
        "reveals": reveals(counts),
        "fingerprint": counts.features.fingerprint,
        "features": describe_features(counts.features),
        "privacy": {
            "suppressed_below": privacy.suppressed_below,
            "epsilon": privacy.epsilon,
            "sensitivity": privacy.sensitivity,
            "mechanism": None if privacy.epsilon is None else MECHANISM,
            "seed": privacy.seed,
        },
        "has_pairs": counts.has_pairs,
        "tables": [
            {"features": list(features), "counts": table.ravel().tolist()}
            for features, table in zip(counts.tables, counts.split(), strict=True)
        ],
    }


def reveals(counts: SiteCounts) -> str:
    """What a reader of the counts learns, in words."""
    privacy, cells = counts.privacy, counts.cells
    what = "pair of columns" if len(counts.tables[0]) == 2 else "column"
    text = f"For every {what} and every class the number of rows with each value: {len(cells)} cells. "
    if privacy.epsilon is not None:
        text += (
            f"Every cell has {MECHANISM} noise of scale {privacy.sensitivity}/{privacy.epsilon}: the cells are "
            f"{privacy.epsilon}-differentially private for single rows, added or removed; features and classes are not "
            "covered. "
        )
        if privacy.seed is not None:
            text += f"The noise comes from the seed {privacy.seed} and can be taken off again: no privacy at all. "
        return text + "No rows."
    if privacy.suppressed_below is not None:
        text += (
            f"Cells of fewer than {privacy.suppressed_below} rows are written as 0; some of them may follow from other "
            "tables. "
        )
    above = cells[cells > 0]
    few = int((above < _FEW_ROWS).sum())
    text += f"The smallest cell above 0 counts {int(above.min()) if len(above) else 0}. "
    if few:
        text += (
            f"{few} cells count 1 to {_FEW_ROWS - 1}: who knows such a row well may recognise it, and learn its class "
            "and values. "
        )
    return text + "No rows."


def build_counts(content: dict[str, Any]) -> SiteCounts:
    """The counts that a document describes, checked."""
    features = build_features(part(content, "features", dict, "counts"))
    need(content.get("fingerprint") == features.fingerprint, "counts.fingerprint", "must be that of the features")
    has_pairs = part(content, "has_pairs", bool, "counts")
    privacy = _privacy(part(content, "privacy", dict, "counts"), len(tables_of(len(features.features), has_pairs)))
    described = part(content, "tables", list, "counts")
    wanted = tables_of(len(features.features), has_pairs)
    need(len(described) == len(wanted), "counts.tables", "must be one for each pair, or each column")
    cells: list[int] = []
    for table, names, shape in zip(described, wanted, shapes_of(features, has_pairs), strict=True):
        where = f"tables of {list(names)}"
        need(isinstance(table, dict) and table.get("features") == list(names), where, "must be there, in order")
        numbers = part(table, "counts", list, where)
        need(len(numbers) == int(np.prod(shape)), where, f"must have {int(np.prod(shape))} cells")
        need(all(type(number) is int and abs(number) < _LARGEST for number in numbers), where, "must be whole numbers")
        need(privacy.epsilon is not None or min(numbers) >= 0, where, "must not be below 0")
        cells += numbers
    counts = SiteCounts(features, has_pairs, np.array(cells, dtype=np.int64), privacy)
    if privacy.is_exact:
        _check_totals(counts)
    return counts


def _privacy(described: dict[str, Any], n_tables: int) -> Privacy:
    below, epsilon, seed = (described.get(key) for key in ("suppressed_below", "epsilon", "seed"))
    need(below is None or (type(below) is int and below >= 2), "privacy.suppressed_below", "must be null or from 2")
    need(epsilon is None or type(epsilon) is str, "privacy.epsilon", "must be null or text")
    need(below is None or epsilon is None, "privacy", "must be one or the other")
    need(seed is None or type(seed) is int, "privacy.seed", "must be null or a whole number")
    sensitivity = n_tables if epsilon is not None else None
    need(described.get("sensitivity") == sensitivity, "privacy.sensitivity", "must be the number of tables")
    need(described.get("mechanism") == (MECHANISM if epsilon else None), "privacy.mechanism", f"must be {MECHANISM!r}")
    return Privacy(below, epsilon, sensitivity, seed)


def _check_totals(counts: SiteCounts) -> None:
    """Tables of the same rows have the same totals, of each feature and so of each class."""
    known: dict[int, Any] = {}
    for features, table in zip(counts.tables, counts.split(), strict=True):
        for axis, j in enumerate(features):
            own = table if len(features) == 1 else table.sum(axis=1 - axis)
            same = np.array_equal(known.setdefault(j, own), own)
            need(same, "counts.tables", f"must agree on the rows of each value of column {j}")
    totals = {tuple(table.sum(axis=0).tolist()) for table in known.values()}
    need(len(totals) == 1, "counts.tables", "must agree on the rows of each class")
