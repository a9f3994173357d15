"""What a reader of a counts file learns, in words that stand in the file itself."""

from __future__ import annotations

from gnbayes.sites.privacy import MECHANISM
from gnbayes.sites.site_counts import SiteCounts

# Rows below which a cell is called small.
_FEW_ROWS = 5
_TABLES = {
    "pairs": "For every pair of columns and every class the number of rows with each pair of values",
    "columns": "For every column and every class the number of rows with each value",
    "survey": (
        "For every column and every class the number of rows with each value, and for every pair of columns one number "
        "that says how much they depend on each other"
    ),
    "tree": "For chosen columns and pairs and every class the number of rows with each value or pair of values",
}


def reveals(counts: SiteCounts) -> str:
    """What a reader of the counts learns."""
    text = f"{_TABLES[counts.what]}: {len(counts.cells) + len(counts.dependences)} numbers. "
    if counts.privacy.epsilon is not None:
        return text + _of_noise(counts) + "No rows."
    return text + _of_cells(counts) + "No rows."


def _of_noise(counts: SiteCounts) -> str:
    privacy, persons = counts.privacy, counts.persons
    whom = "one row, added or removed"
    if persons is not None:
        whom = f"one person (column {persons.column!r}, at most {persons.most_rows} rows counted), added or removed"
    scales = ", ".join(f"{part.scale} ({part.name})" for part in privacy.parts)
    text = (
        f"Every number has {MECHANISM} noise of scale {scales}: the numbers are {privacy.epsilon}-differentially "
        f"private for {whom}; features and classes are not covered. "
    )
    if privacy.seed is not None:
        text += f"The noise comes from the seed {privacy.seed} and can be taken off again: no privacy at all. "
    return text


def _of_cells(counts: SiteCounts) -> str:
    cells, below = counts.cells, counts.privacy.suppressed_below
    text = ""
    if below is not None:
        text += f"Cells of fewer than {below} rows are written as 0; some of them may follow from other tables. "
    above = cells[cells > 0]
    few = int((above < _FEW_ROWS).sum())
    text += f"The smallest cell above 0 counts {int(above.min()) if len(above) else 0}. "
    if few:
        text += (
            f"{few} cells count 1 to {_FEW_ROWS - 1}: who knows such a row well may recognise it, and learn its class "
            "and values. "
        )
    return text
