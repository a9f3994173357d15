"""The work of the driver of a cluster, independent of the engine that moves rows and messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial, reduce
from numbers import Integral
from operator import add
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, Counts, n_cells
from gnbayes.estimator import GeneralizedNB
from gnbayes.progress import show_note
from gnbayes.scale.batch_counts import Plan, Tally, coded_rows, count_rows, make_plan
from gnbayes.scale.batches import read_batch
from gnbayes.scale.blocks import join_blocks, pair_blocks, split_pairs
from gnbayes.scale.column_summary import Limits
from gnbayes.scale.final_fit import fit_tally, tree_of_blocks
from gnbayes.scale.refinement import Found, Refinement, find_refinement, refine
from gnbayes.scale.table_summary import TableSummary, limits_for, summarize
from gnbayes.structure import Tree

# Number of jobs done in one pass over the rows, which is also the number of messages that a worker holds at a time.
JOBS_AT_ONCE = 8
_BYTES_OF_CELL = 8

Value = TypeVar("Value")


class Engine(Protocol):
    """Access to rows stored in many places, and a way to combine their results."""

    def gather(
        self,
        prepare: Callable[[Any], Any],
        work: Callable[[Any, Any], Any],
        jobs: Sequence[Any],
        merge: Callable[[Any, Any], Any],
    ) -> list[Any]:
        """The results for all rows, one value per job; None if there are no rows.

        Parameters
        ----------
        prepare : callable
            Called with a batch of at least one row.
        work : callable
            Called with a prepared batch and a job; returns a value and has no side effects.
        jobs : sequence
        merge : callable
            Combines two values, in any order.
        """

    def keep(self, prepare: Callable[[Any], Any]) -> AbstractContextManager[Engine]:
        """The same rows, prepared and kept on the workers, in memory or on disk, until the block is left.

        Parameters
        ----------
        prepare : callable
            As in `gather`; its results replace the batches.
        """


@dataclass(eq=False)
class KeptCodes:
    """Coded rows on the workers of an engine, a `RowSource`.

    Parameters
    ----------
    engine : Engine
        Its batches are coded rows.

    Attributes
    ----------
    n_passes : int
        Number of passes over the rows.
    """

    engine: Engine
    n_passes: int = 0

    def add_up(self, work: Callable[[CodedRows], Any]) -> Any:
        """The sum of the results for all rows, added up by the workers; one pass over the rows."""
        self.n_passes += 1
        (value,) = self.engine.gather(_as_it_is, _do, [work], add)
        return value


def fit_on(engine: Engine, clf: GeneralizedNB, columns: Sequence[Any], target: str, max_bytes: int) -> GeneralizedNB:
    """Fit a classifier to rows stored elsewhere.

    Parameters
    ----------
    engine : Engine
    clf : GeneralizedNB
    columns : sequence
        All columns of the frame.
    target : str
    max_bytes : int
        Maximum size of a message.
    """
    if not isinstance(max_bytes, Integral) or max_bytes < 1:
        raise ValueError(f"max_bytes must be a whole number of at least 1, got {max_bytes!r} instead.")
    features = [name for name in columns if name != target]
    summary = _summary(engine, features, target, limits_for(clf), max_bytes)
    plan = make_plan(clf, summary, target)
    n_bytes = _BYTES_OF_CELL * n_cells(plan.cardinalities, plan.n_classes)
    if plan.has_pairs and n_bytes > max_bytes:
        return _fit_in_blocks(engine, clf, plan, max_bytes)
    return _fit_from(engine, clf, plan, _tally(engine, plan))


def check_frame(frame: Any, kind: str, attribute: str, target: str) -> None:
    """Refuse anything that is not a frame of the engine or has no column of classes."""
    if not hasattr(frame, attribute):
        found = f"{type(frame).__module__.split('.')[0]}.{type(frame).__name__}"
        raise TypeError(f"frame must be a {kind}, got {found} instead; use clf.fit for rows in memory.")
    if target not in frame.columns:
        raise ValueError(f"target {target!r} is not a column of frame; it has {', '.join(map(repr, frame.columns))}.")


def merge_present(merge: Callable[[Value, Value], Value], values: Iterable[Value | None]) -> Value | None:
    """All values that are present, merged into one; None if there are none, as with empty partitions."""
    present = [value for value in values if value is not None]
    return reduce(merge, present) if present else None


def _summary(engine: Engine, features: Sequence[Any], target: str, limits: Limits, max_bytes: int) -> TableSummary:
    """The summary of all rows, from those of groups of columns whose messages are not too large."""
    n_columns = max(1, len(features))
    # With the usual size of messages, a column has as many numbers as in `fit`; one column has half of the memory.
    exact_bytes = min(limits.exact_bytes, max_bytes * max(2, n_columns))
    limits = replace(limits, exact_bytes=exact_bytes, n_columns=n_columns)
    # The number of classes is not known yet.
    width = max(1, max_bytes // limits.bytes_of_column(n_columns, 2))
    groups = [features[start : start + width] for start in range(0, len(features), width)]
    work = partial(_summarize, target=target, limits=limits)
    parts = list(_gathered(engine, _as_it_is, work, groups, TableSummary.merge))
    if not parts or parts[0] is None:
        raise ValueError("frame has no rows or no columns besides the target; there is nothing to learn from.")
    keys = tuple(key for part in parts for key in part.keys)
    has_names = all(part.has_names for part in parts)
    columns = tuple(column for part in parts for column in part.columns)
    summary = replace(parts[0], keys=keys, has_names=has_names, columns=columns)
    while (refinement := find_refinement(summary)) is not None:
        names = list(refinement.ranges)
        jobs = [refinement.of_columns(names[start : start + width]) for start in range(0, len(names), width)]
        for found in _gathered(engine, _as_it_is, partial(_find, target=target), jobs, refinement.merge):
            summary = refine(summary, found)
    return summary


def _fit_in_blocks(engine: Engine, clf: GeneralizedNB, plan: Plan, max_bytes: int) -> GeneralizedNB:
    """Fit from counts of pairs that are too large for one message."""
    tally = _tally(engine, replace(plan, has_pairs=False))
    blocks = pair_blocks(plan.cardinalities, plan.n_classes, max_bytes)
    counted = _blocks(engine, plan, tally.counts, blocks)
    if not plan.is_wide:
        whole = replace(tally, counts=join_blocks(tally.counts, counted))
        return _fit_from(engine, clf, plan, whole)
    tree = tree_of_blocks(clf, plan, tally.counts, counted)
    edges = split_pairs(tree.edges, plan.cardinalities, plan.n_classes, max_bytes)
    cells = [block.cells for block in _blocks(engine, plan, tally.counts, edges)]
    counts = replace(tally.counts, pairs=tree.edges, cells=np.concatenate(cells))
    return _fit_from(engine, clf, plan, replace(tally, counts=counts), tree)


def _fit_from(engine: Engine, clf: GeneralizedNB, plan: Plan, tally: Tally, tree: Tree | None = None) -> GeneralizedNB:
    """The last step: from counts, or for a weighted model by passes over all rows, whose codes stay on the workers."""
    if not plan.needs_rows:
        return fit_tally(clf, plan, tally, tree)
    with engine.keep(partial(_coded, plan=plan)) as kept:
        rows = KeptCodes(kept)
        fit_tally(clf, plan, tally, tree, rows)
    show_note(f"weights were learned in {rows.n_passes} passes over the rows", clf.verbose)
    return clf


def _tally(engine: Engine, plan: Plan) -> Tally:
    """All counts that the plan requires."""
    (tally,) = engine.gather(partial(_coded, plan=plan), partial(_count, plan=plan), [None], add)
    return tally


def _blocks(engine: Engine, plan: Plan, values: Counts, blocks: Sequence[NDArray[np.intp]]) -> Iterator[Counts]:
    """Counts of blocks of pairs; only cells are sent."""
    small = np.min_scalar_type(len(plan.features))
    jobs = [block.astype(small) for block in blocks]
    cells = _gathered(engine, partial(_coded, plan=plan), partial(_count_cells, plan=plan), jobs, add)
    return (replace(values, pairs=block, cells=part) for block, part in zip(blocks, cells, strict=True))


def _gathered(
    engine: Engine,
    prepare: Callable[[Any], Any],
    work: Callable[[Any, Any], Any],
    jobs: Sequence[Any],
    merge: Callable[[Any, Any], Any],
) -> Iterator[Any]:
    """One value per job, several jobs in each pass over the rows."""
    for start in range(0, len(jobs), JOBS_AT_ONCE):
        yield from engine.gather(prepare, work, jobs[start : start + JOBS_AT_ONCE], merge)


def _as_it_is(batch: Any) -> Any:
    return batch


def _do(rows: CodedRows, work: Callable[[CodedRows], Any]) -> Any:
    return work(rows)


def _summarize(batch: Any, names: list[Any], target: str, limits: Limits) -> TableSummary:
    return summarize(batch, target, limits, names=names)


def _find(batch: Any, refinement: Refinement, target: str) -> Found:
    return refinement.find(*read_batch(batch, target, list(refinement.ranges)))


def _coded(batch: Any, plan: Plan) -> CodedRows:
    return coded_rows(plan, *read_batch(batch, plan.target, plan.keys))


def _count(rows: CodedRows, _: None, plan: Plan) -> Tally:
    return count_rows(plan, rows)


def _count_cells(rows: CodedRows, pairs: NDArray[Any], plan: Plan) -> NDArray[Any]:
    return count_rows(plan, rows, pairs.astype(np.intp)).counts.cells
