"""The results: a CSV with one row for each table, split and rival, written as they come. Standard library only."""

import csv
from pathlib import Path
from typing import Any

METRICS = ("log_loss", "brier", "auc", "accuracy", "ece")
DONE = "done"
_FLOATS = (*METRICS, "fit_seconds", "predict_seconds")
_WHOLE = ("split", "rows", "columns", "classes", "training_rows")
COLUMNS = ("table", "split", "rival", "status", *_FLOATS, "size", "rows", "columns", "classes", "training_rows")

Row = dict[str, Any]
Key = tuple[str, int, str]


def read(path: Path) -> list[Row]:
    """All rows, numbers as numbers; nothing where there is no file. A last line that was cut off is left out."""
    if not path.exists():
        return []
    text = path.read_text()
    complete = text[: text.rfind("\n") + 1]
    return [{name: _typed(name, cell) for name, cell in row.items()} for row in csv.DictReader(complete.splitlines())]


def write(path: Path, rows: list[Row]) -> None:
    """Put these rows in place of the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    with new.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    new.replace(path)


def append(path: Path, row: Row) -> None:
    """Add one row to a file that `write` has made."""
    with path.open("a", newline="") as file:
        csv.DictWriter(file, COLUMNS, lineterminator="\n").writerow(row)


def key(row: Row) -> Key:
    """What a row is the result of."""
    return row["table"], row["split"], row["rival"]


def _typed(name: str, cell: str) -> Any:
    if name in _WHOLE:
        return int(cell)
    return float(cell or "nan") if name in _FLOATS else cell
