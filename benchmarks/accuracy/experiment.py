"""One classifier on one split of one table: the same splits for all, everything learned from the training part."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
from datasets import Table, load
from limited import TIME_LIMIT, Outcome, fit_and_predict
from metrics import aligned, scores
from registry import FIRST_SPLIT, Classifier
from results import DONE, Key, Row, exceeded
from settings import settings_hash
from splits import stratified_splits


@dataclass(frozen=True)
class Step:
    """One result to be had."""

    table: str
    split: int
    classifier: Classifier
    settings: str

    @property
    def key(self) -> Key:
        """The key of its row."""
        return self.table, self.split, self.classifier.name, self.settings


def plan(tables: list[str], classifiers: list[Classifier], splits: Iterable[int], package: Path) -> list[Step]:
    """All results to be had: split by split, and table by table within a split."""
    hashes = {classifier.name: settings_hash(classifier, package) for classifier in classifiers}
    return [
        Step(table, split, classifier, hashes[classifier.name])
        for split in splits
        for table in tables
        for classifier in classifiers
        if split == FIRST_SPLIT or not classifier.slow
    ]


def run(step: Step, limit: float) -> Row:
    """Fit, predict and score."""
    module, table = _ready(step.classifier), _load(step.table)
    train, test = list(stratified_splits(table.y, step.split))[-1]
    X_train, X_test = (table.X.iloc[rows].reset_index(drop=True) for rows in (train, test))
    y_train = np.unique(table.y[train], return_inverse=True)[1]
    fit = functools.partial(module.fit, X_train, y_train, **step.classifier.arguments)
    outcome = fit_and_predict(fit, lambda model: module.predict_proba(model, X_test), limit)
    if outcome.status == TIME_LIMIT:
        return row_of(step, exceeded(limit), {})
    return row_of(step, *_score(outcome, table, np.unique(table.y[train]), test))


def row_of(step: Step, status: str, numbers: dict[str, float]) -> Row:
    """The row of a step."""
    rounded = {name: round(number, 6) for name, number in numbers.items()}
    return {
        **dict(zip(("table", "split", "classifier", "settings"), step.key, strict=True)),
        "status": status,
    } | rounded


def reason_to_skip(classifier: Classifier) -> str | None:
    """Why a classifier cannot run here; nothing where it can."""
    try:
        module = classifier.module()
    except ImportError as error:
        return str(error)
    return module.unavailable() if hasattr(module, "unavailable") else None


def _score(outcome: Outcome, table: Table, classes: np.ndarray, test: np.ndarray) -> tuple[str, dict[str, float]]:
    if outcome.proba is None:
        return outcome.status, {}
    try:
        proba = aligned(outcome.proba, classes, table.n_classes)
    except ArithmeticError as error:
        return f"ArithmeticError: {error}", {}
    times = {"fit_seconds": outcome.fit_seconds, "predict_seconds": outcome.predict_seconds}
    return DONE, scores(table.y[test], proba) | times


@functools.lru_cache(1)
def _load(name: str) -> Table:
    return load(name)


_warm: set[str] = set()


def _ready(classifier: Classifier) -> ModuleType:
    """The classifier's file, after a first small fit that loads what is loaded at the first call."""
    module = classifier.module()
    if classifier.file not in _warm:
        _warm.add(classifier.file)
        X = pd.DataFrame({"number": [1.0, 2.0, 3.0, np.nan] * 10, "text": ["a", "b", "b", None, "a"] * 8})
        module.predict_proba(module.fit(X, np.arange(40) % 2), X)
    return module
