"""The results: a CSV with one row for each table, split and classifier, added as they come. Standard library only."""

import csv
import fcntl
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

METRICS = ("log_loss", "brier", "auc", "accuracy", "ece")
DONE = "done"
TIMES = ("fit_seconds", "predict_seconds")
COLUMNS = ("table", "split", "classifier", "settings", "status", *METRICS, *TIMES)

_EXCEEDED = "more than {:g} s"

Row = dict[str, Any]
Key = tuple[str, int, str, str]


def read(path: Path) -> list[Row]:
    """All rows, numbers as numbers; of equal keys the last; nothing where there is no file."""
    if not path.exists():
        return []
    lines = csv.DictReader(path.read_text().splitlines())
    rows = [{name: _typed(name, cell) for name, cell in line.items()} for line in lines]
    return list({key(row): row for row in rows}.values())


def append(path: Path, row: Row) -> None:
    """Add one row, in one piece; several processes may do so at a time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _locked(path), path.open("a") as file:
        file.write(("" if file.tell() else ",".join(COLUMNS) + "\n") + _line(row))


def tidy(path: Path, order: Iterable[str]) -> None:
    """Put the rows in the order of these tables; of one table, split and classifier the last is kept."""
    place = {name: at for at, name in enumerate(order)}
    with _locked(path):
        kept = {(row["table"], row["split"], row["classifier"]): row for row in read(path)}
        rows = sorted(kept.values(), key=lambda row: (place[row["table"]], row["split"], row["classifier"]))
        new = path.with_suffix(".new")
        new.write_text(",".join(COLUMNS) + "\n" + "".join(map(_line, rows)))
        new.replace(path)


def key(row: Row) -> Key:
    """What a row is the result of."""
    return row["table"], row["split"], row["classifier"], row["settings"]


def exceeded(limit: float) -> str:
    """The status of a fit that was ended at a limit in seconds."""
    return _EXCEEDED.format(limit)


def stands(row: Row, limit: float) -> bool:
    """Whether a result needs no other try: it is done, or exceeded a limit at least as large as this one."""
    return row["status"] == DONE or exceeds(row, limit)


def exceeds(row: Row, limit: float) -> bool:
    """Whether a fit is known to exceed this limit."""
    words = row["status"].split()
    return row["status"].startswith(_EXCEEDED.partition("{")[0]) and float(words[2]) >= limit


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = path.with_suffix(".lock")
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _line(row: Row) -> str:
    text = io.StringIO()
    csv.DictWriter(text, COLUMNS, lineterminator="\n").writerow({name: _shown(row.get(name, "")) for name in COLUMNS})
    return text.getvalue()


def _shown(value: Any) -> Any:
    return "" if value != value else value


def _typed(name: str, cell: str) -> Any:
    if name == "split":
        return int(cell)
    return float(cell or "nan") if name in (*METRICS, *TIMES) else cell
