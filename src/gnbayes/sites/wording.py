"""Texts in a counts file that say what its reader learns."""

from __future__ import annotations

from gnbayes.sites.privacy import MECHANISM
from gnbayes.sites.site_counts import SiteCounts

# A cell with fewer rows than this is called small.
_FEW_ROWS = 5
_TABLES = {
    "pairs": "The number of rows with each pair of values, for every pair of columns and every class",
    "columns": "The number of rows with each value, for every column and every class",
    "survey": (
        "The number of rows with each value, for every column and every class, and for every pair of columns one "
        "number that says how strongly they depend on each other"
    ),
    "tree": "The number of rows with each value or pair of values, for chosen columns and pairs and every class",
}


def reveals(counts: SiteCounts) -> str:
    """What a reader of the counts learns.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import count_site, propose_features, reveals
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> print(reveals(count_site(features, [table], "columns")).split(". ")[0])
    The number of rows with each value, for every column and every class: 60 numbers
    """
    text = f"{_TABLES[counts.what]}: {len(counts.cells) + len(counts.dependences)} numbers. "
    if counts.privacy.epsilon is not None:
        return text + _of_noise(counts) + "The file contains no rows."
    return text + _of_cells(counts) + "The file contains no rows."


def _of_noise(counts: SiteCounts) -> str:
    privacy, persons = counts.privacy, counts.persons
    whom = "one row, added or removed"
    if persons is not None:
        rows = "1 row" if persons.most_rows == 1 else f"{persons.most_rows} rows"
        whom = f"one person (column {persons.column!r}, at most {rows} counted), added or removed"
    scales = ", ".join(f"{part.scale} ({part.name})" for part in privacy.parts)
    text = (
        f"Every number has {MECHANISM} noise of scale {scales}. This makes the release "
        f"{privacy.epsilon}-differentially private for {whom}. The Features and classes are not covered. "
    )
    if privacy.seed is not None:
        text += (
            f"The noise was drawn from the seed {privacy.seed}, so anyone can subtract it: there is no privacy at all. "
        )
    return text


def _of_cells(counts: SiteCounts) -> str:
    cells, below = counts.cells, counts.privacy.suppressed_below
    text = ""
    if below is not None:
        text += f"Cells of fewer than {below} rows are written as 0; some of them can be worked out from other tables. "
    above = cells[cells > 0]
    few = int((above < _FEW_ROWS).sum())
    text += f"The smallest cell above 0 counts {int(above.min())}. " if len(above) else "All cells are 0. "
    if few:
        text += (
            f"{few} cells count 1 to {_FEW_ROWS - 1} rows: someone who knows a person in such a cell may recognize "
            "them, and learn their class and other values. "
        )
    return text
