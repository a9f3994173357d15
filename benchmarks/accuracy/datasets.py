"""The tables of the benchmark: 54 of the suite and the five of the paper, from the folder that GNBAYES_DATA names.

Text columns are text, numbers are floats, as `suite/schema.json` says; missing values stay missing. The paper's five
are as `gnbayes.datasets` loads them.
"""

import functools
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gnbayes.datasets import fetch_diabetes, fetch_heart, fetch_parkinsons, fetch_thyroid, load_wdbc

SIZES = ("small", "medium", "wide", "large")
_SMALL_ROWS = 2_000
_MEDIUM_ROWS = 50_000
_WIDE_COLUMNS = 500
# Known without loading: the list of tables must cost nothing.
_PAPER: dict[str, tuple[int, int, Callable[[], Any]]] = {
    "wdbc": (569, 30, load_wdbc),
    "heart": (303, 13, fetch_heart),
    "diabetes": (520, 16, fetch_diabetes),
    "thyroid": (3772, 21, fetch_thyroid),
    "parkinsons": (195, 22, fetch_parkinsons),
}


@dataclass(frozen=True)
class Entry:
    """A table that can be loaded: name, shape."""

    name: str
    rows: int
    columns: int

    @property
    def size(self) -> str:
        """One of `SIZES`: wide above 500 columns, else by rows: up to 2,000, up to 50,000, more."""
        if self.columns > _WIDE_COLUMNS:
            return "wide"
        if self.rows > _MEDIUM_ROWS:
            return "large"
        return "medium" if self.rows > _SMALL_ROWS else "small"


@dataclass(frozen=True, eq=False)
class Table:
    """Rows (n, d) with text and gaps, and the class (n,) of each row as a number below `n_classes`."""

    name: str
    X: pd.DataFrame
    y: NDArray[np.intp]
    n_classes: int


def catalogue() -> list[Entry]:
    """All 59 tables: by size, and within a size by the number of cells."""
    suite = [Entry(name, facts["rows"], facts["attrs"]) for name, facts in _schema().items()]
    paper = [Entry(name, rows, columns) for name, (rows, columns, _) in _PAPER.items()]
    return sorted(suite + paper, key=lambda e: (SIZES.index(e.size), e.rows * e.columns))


def load(name: str) -> Table:
    """The table of this name."""
    if name in _PAPER:
        dataset = _PAPER[name][2]()
        return _table(name, dataset.data, dataset.target)
    frame = _read_suite(name)
    target = frame.pop("target")
    return _table(name, frame, target.to_numpy(dtype=object))


def _table(name: str, X: pd.DataFrame, target: NDArray[Any]) -> Table:
    classes, y = np.unique(target.astype(str), return_inverse=True)
    return Table(name, X, y.astype(np.intp), len(classes))


def _read_suite(name: str) -> pd.DataFrame:
    facts = _schema()[name]
    types = {**dict.fromkeys(facts["continuous"], float), **dict.fromkeys(facts["categorical"], str), "target": str}
    path = _folder() / "suite" / facts["file"]
    return pd.read_csv(path, keep_default_na=False, na_values=[""], dtype=types)


@functools.cache
def _schema() -> dict[str, Any]:
    return json.loads((_folder() / "suite" / "schema.json").read_text())


def _folder() -> Path:
    folder = os.environ.get("GNBAYES_DATA")
    if not folder or not (Path(folder) / "suite" / "schema.json").is_file():
        raise SystemExit(f"GNBAYES_DATA must name the folder that holds suite/schema.json and paper/, got {folder!r}")
    return Path(folder)
