"""One rival on one table: the same splits for all, everything learned from the training part."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import pandas as pd
from datasets import Entry, Table, load
from limited import TIME_LIMIT, Outcome, fit_and_predict
from metrics import aligned, scores
from registry import Rival
from results import DONE, Key, Row
from splits import Rows, capped, stratified_splits


@dataclass(frozen=True)
class Step:
    """Some splits of a table, for one rival."""

    entry: Entry
    rival: Rival
    splits: tuple[int, ...]


def plan(entries: list[Entry], rivals: list[Rival], repeats: int, done: set[Key]) -> list[Step]:
    """What there is still to do, table by table."""
    steps = []
    for entry in entries:
        for rival in rivals:
            splits = tuple(r for r in range(repeats) if (entry.name, r, rival.name) not in done)
            if splits:
                steps.append(Step(entry, rival, splits))
    return steps


def run(step: Step, limit: float) -> Iterator[Row]:
    """One row a split. After a fit that exceeds the limit the other splits of the table are not tried."""
    module, table = _ready(step.rival), _load(step.entry.name)
    parts = list(stratified_splits(table.y, max(step.splits) + 1))
    given_up = False
    for split in step.splits:
        train, test = parts[split]
        train = capped(train, table.y, step.rival.max_rows, split)
        outcome = Outcome(TIME_LIMIT) if given_up else _measure(module, step.rival, table, train, test, limit)
        given_up = outcome.status == TIME_LIMIT
        yield _row(step, split, table, train, test, outcome)


def reason_to_skip(rival: Rival) -> str | None:
    """Why a rival cannot run here; nothing where it can."""
    try:
        module = rival.module()
    except ImportError as error:
        return str(error)
    return module.unavailable() if hasattr(module, "unavailable") else None


def _measure(module: ModuleType, rival: Rival, table: Table, train: Rows, test: Rows, limit: float) -> Outcome:
    X_train, X_test = (table.X.iloc[rows].reset_index(drop=True) for rows in (train, test))
    y_train = np.unique(table.y[train], return_inverse=True)[1]
    fit = functools.partial(module.fit, X_train, y_train, **rival.arguments)
    return fit_and_predict(fit, lambda model: module.predict_proba(model, X_test), limit)


def _row(step: Step, split: int, table: Table, train: Rows, test: Rows, outcome: Outcome) -> Row:
    status, found = outcome.status, {}
    if outcome.proba is not None:
        try:
            proba = aligned(outcome.proba, np.unique(table.y[train]), table.n_classes)
            found = scores(table.y[test], proba)
            found |= {"fit_seconds": outcome.fit_seconds, "predict_seconds": outcome.predict_seconds}
        except ArithmeticError as error:
            status = f"ArithmeticError: {error}"
    return {
        "table": table.name,
        "split": split,
        "rival": step.rival.name,
        "status": DONE if found else status,
        **{name: round(number, 6) for name, number in found.items()},
        "size": step.entry.size,
        "rows": len(table.X),
        "columns": table.X.shape[1],
        "classes": table.n_classes,
        "training_rows": len(train),
    }


@functools.lru_cache(1)
def _load(name: str) -> Table:
    return load(name)


_warm: set[str] = set()


def _ready(rival: Rival) -> ModuleType:
    """The rival's file, after a first small fit that loads what is loaded at the first call."""
    module = rival.module()
    if rival.file not in _warm:
        _warm.add(rival.file)
        X = pd.DataFrame({"number": [1.0, 2.0, 3.0, np.nan] * 10, "text": ["a", "b", "b", None, "a"] * 8})
        module.predict_proba(module.fit(X, np.arange(40) % 2), X)
    return module
