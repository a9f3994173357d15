"""What the driver of a cluster does, whichever engine moves the rows and the messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts, n_cells
from gnbayes.counting.counts import value_offsets
from gnbayes.estimator import GeneralizedNB
from gnbayes.scale.count import Plan, Tally, make_plan, pair_blocks, split_pairs
from gnbayes.scale.finish import finish, tree_of_blocks
from gnbayes.scale.summary import Limits, TableSummary, limits_for

# Blocks of pairs that are counted in one pass over the rows; a worker holds as many messages at the same time.
_BLOCKS_AT_ONCE = 8
_BYTES_OF_CELL = 8
# Number, label and weight of a row in a sample.
_BYTES_OF_ROW = 24

Pairs = NDArray[np.intp] | None
Value = TypeVar("Value")


class Engine(Protocol):
    """Something that has rows in many places, and can bring summaries and counts of them together."""

    def summarize(self, limits: Limits) -> TableSummary | None:
        """The summary of all rows; None where there are no rows."""

    def count(self, plan: Plan, jobs: Sequence[Pairs]) -> list[Tally]:
        """What was counted in all rows, one Tally a job: chosen pairs, or None for all that the plan asks for."""


def fit_on(engine: Engine, clf: GeneralizedNB, target: str, max_bytes: int) -> GeneralizedNB:
    """Fit a classifier on rows that are elsewhere; no message has more than `max_bytes` of numbers or counts."""
    summary = engine.summarize(limits_for(clf, max_bytes))
    if summary is None:
        raise ValueError("frame has no rows; there is nothing to learn from.")
    plan = make_plan(clf, summary, target)
    if plan.sample_rows:
        # The counts and the sample of rows are one message.
        max_bytes //= 2
        row_bytes = _BYTES_OF_ROW + len(plan.features) * _code_bytes(plan)
        plan = replace(plan, sample_rows=min(plan.sample_rows, max_bytes // row_bytes))
    n_bytes = _BYTES_OF_CELL * n_cells(plan.cardinalities, plan.n_classes)
    if n_bytes <= max_bytes or not plan.has_pairs:
        (tally,) = engine.count(plan, [None])
        return finish(clf, plan, tally)
    return _fit_in_blocks(engine, clf, plan, max_bytes)


def check_frame(frame: Any, kind: str, attribute: str, target: str) -> None:
    """Refuse what is no frame of an engine, or has no column of classes."""
    if not hasattr(frame, attribute):
        found = f"{type(frame).__module__.split('.')[0]}.{type(frame).__name__}"
        raise TypeError(f"frame must be a {kind}, got {found} instead; use clf.fit for rows in memory.")
    if target not in frame.columns:
        raise ValueError(f"target {target!r} is not a column of frame; it has {', '.join(map(repr, frame.columns))}.")


def together(merge: Callable[[Value, Value], Value], values: Iterable[Value | None]) -> Value | None:
    """All values that are there as one; None where there are none, as of empty partitions."""
    present = [value for value in values if value is not None]
    return reduce(merge, present) if present else None


def _fit_in_blocks(engine: Engine, clf: GeneralizedNB, plan: Plan, max_bytes: int) -> GeneralizedNB:
    """The same for counts that are too large for one message."""
    (values,) = engine.count(replace(plan, has_pairs=False), [None])
    blocks = pair_blocks(plan.cardinalities, plan.n_classes, max_bytes)
    counted = _counted(engine, plan, blocks)
    if not plan.is_wide:
        return finish(clf, plan, replace(values, counts=_all_pairs(values.counts, counted)))
    tree = tree_of_blocks(clf, plan, values.counts, counted)
    edges = split_pairs(tree.edges, plan.cardinalities, plan.n_classes, max_bytes)
    cells = [counts.cells for counts in _counted(engine, plan, edges)]
    counts = replace(values.counts, pairs=tree.edges, cells=np.concatenate(cells))
    return finish(clf, plan, replace(values, counts=counts), tree)


def _counted(engine: Engine, plan: Plan, blocks: Sequence[NDArray[np.intp]]) -> Iterator[Counts]:
    """Counts of blocks of pairs, some of them in each pass over the rows."""
    for start in range(0, len(blocks), _BLOCKS_AT_ONCE):
        for tally in engine.count(plan, blocks[start : start + _BLOCKS_AT_ONCE]):
            yield tally.counts


def _all_pairs(values: Counts, blocks: Iterable[Counts]) -> Counts:
    """Counts of all pairs from counts of blocks of them."""
    at = value_offsets(values.cardinalities)
    cells = np.zeros((values.n_classes, at[-1], at[-1]), dtype=values.singles.dtype)
    for block in blocks:
        for i, j in [] if block.pairs is None else block.pairs.tolist():
            cells[:, at[i] : at[i + 1], at[j] : at[j + 1]] = block.pair(i, j).transpose(2, 0, 1)
    return replace(values, pairs=None, cells=cells)


def _code_bytes(plan: Plan) -> int:
    """Bytes of a code."""
    return np.min_scalar_type(max(feature.cardinality for feature in plan.features)).itemsize
