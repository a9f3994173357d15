"""Fit a classifier to more rows than fit into memory: one pass for the features, one for the counts."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence, Sized
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.encoding import NUMBER_BYTES
from gnbayes.estimator import GeneralizedNB
from gnbayes.kernels import threads_of
from gnbayes.progress import Progress, progress_line, show_note
from gnbayes.scale.batch_counts import Plan, Tally, coded_rows, count_rows, make_plan
from gnbayes.scale.batches import read_batch
from gnbayes.scale.blocks import pair_blocks
from gnbayes.scale.code_cache import CodeCache
from gnbayes.scale.column_summary import DEFAULT_LIMITS, Limits
from gnbayes.scale.files import BATCH_ROWS, Files, is_files, open_files
from gnbayes.scale.final_fit import fit_tally, tree_of_blocks
from gnbayes.scale.only_run import only_run
from gnbayes.scale.refinement import Found, find_refinement, refine
from gnbayes.scale.resume_state import ResumableCodes, load_state, save_state
from gnbayes.scale.table_summary import TableSummary, has_names_of, limits_for, summarize_table

# Memory for the pair tables counted in one pass, if there are too many to keep.
_BLOCK_BYTES = 2**28
_SECONDS_BETWEEN_STATES = 60.0


def fit_batches(
    clf: GeneralizedNB,
    source: Any,
    target: str | None = None,
    *,
    columns: Sequence[str] | None = None,
    row_filter: Any = None,
    batch_rows: int = BATCH_ROWS,
    resume: str | os.PathLike[str] | None = None,
    exact_bytes: int = NUMBER_BYTES,
    cache: str | os.PathLike[str] | None = None,
) -> GeneralizedNB:
    """Fit a classifier to files, or to batches of rows, in memory that does not grow with the number of rows.

    The first pass learns the features, the second counts. The result is that of `fit` on all rows, bit for bit,
    regardless of the size and order of the batches. With weights, the second pass writes the codes of all rows to a
    temporary file, about one byte per value, and the tables are fitted in about twenty passes over it.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted in place. ``verbose=1`` shows progress.
    source : path, list of paths, pyarrow.dataset.FileSystemDataset, or iterable of batches
        A file or folder of Parquet, Feather or CSV; or data frames, pyarrow.RecordBatches, or pairs (X, y) with
        ``target=None``. Batches are iterated over at least twice: a list works, a generator does not.
    target : str, optional
        The column of the classes.
    columns : sequence of str, optional
        Columns to use; all but the target by default. Other columns of files are not read.
    row_filter : pyarrow.compute.Expression, optional
        Rows of files to use, such as ``pyarrow.compute.field("year") >= 2015``.
    batch_rows : int, default=131072
        Rows of files that are read at a time.
    resume : path, optional
        File for the state of the first pass over files: written every minute and when interrupted, so that the next
        call with the same files continues from there. The codes of the second pass are kept next to it, in two files
        that end in ".codes" and ".codes.json", until the classifier is fitted: files that were read before an
        interruption are not read again, except in a further pass that divides runs of many rows.
    exact_bytes : int, default=134217728
        Memory for the different numbers of all columns together, divided evenly, with room for at least 4096 numbers
        of each column. In a column with more of them, nearly equal numbers are counted together, and bins consist of
        such runs of numbers, as in `fit`; with another value, cuts may differ from those of `fit`.
    cache : path, optional
        Folder for the file of codes; the system's temporary folder, or that of `resume`, by default. It takes about
        ``n_rows * (n_columns + 1)`` bytes, and is removed at the end.

    Returns
    -------
    clf : GeneralizedNB
        The same object, fitted.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import fit_batches
    >>> iris = load_iris(as_frame=True).frame
    >>> batches = [iris[:70], iris[70:]]
    >>> clf = fit_batches(GeneralizedNB(weighting=None), batches, "target")
    >>> one = GeneralizedNB(weighting=None).fit(iris.drop(columns="target"), iris["target"])
    >>> bool((clf.predict_proba(iris.drop(columns="target")) == one.predict_proba(iris.drop(columns="target"))).all())
    True
    """
    limits = limits_for(clf, exact_bytes)
    reader = _reader(source, target, columns, row_filter, batch_rows)
    n_threads = threads_of(clf.n_jobs)
    with ExitStack() as held:
        summary = _summarize(reader, limits, resume, clf.verbose, n_threads, held)
        plan = make_plan(clf, summary, target, n_threads=n_threads)
        kept = _kept_codes(reader, plan, resume, cache)
        if kept is not None:
            held.enter_context(only_run(kept.path))
        codes = held.enter_context(CodeCache(plan.fine_cardinalities, plan.n_classes, cache, n_threads, kept))
        return _learn(clf, reader, plan, codes, summary.n_rows, is_kept=kept is not None)


def summarize_batches(
    source: Any,
    target: str | None = None,
    limits: Limits | None = None,
    *,
    columns: Sequence[str] | None = None,
    row_filter: Any = None,
    batch_rows: int = BATCH_ROWS,
    resume: str | os.PathLike[str] | None = None,
    verbose: int = 0,
) -> TableSummary:
    """The first pass of `fit_batches` only: the summary of files, or of batches of rows.

    Parameters
    ----------
    source, target, columns, row_filter, batch_rows, resume
        As in `fit_batches`.
    limits : Limits, optional
        From `limits_for`.
    verbose : int

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize_batches
    >>> table = load_iris(as_frame=True).frame
    >>> summary = summarize_batches([table[:70], table[70:]], "target")
    >>> summary.n_rows, summary.names[:2]
    (150, ('sepal length (cm)', 'sepal width (cm)'))
    """
    reader = _reader(source, target, columns, row_filter, batch_rows)
    with ExitStack() as held:
        return _summarize(reader, limits or DEFAULT_LIMITS, resume, verbose, 1, held)


def _learn(
    clf: GeneralizedNB, reader: Files | _Batches, plan: Plan, codes: CodeCache, n_rows: int, *, is_kept: bool
) -> GeneralizedNB:
    """The second pass, and those over the codes."""
    # If a run may be resumed, codes are worth their disk space even if counts would be enough.
    source = codes if plan.needs_rows or is_kept else None
    if source is not None:
        show_note(source.make_room(n_rows), clf.verbose)
    tally = _count(reader, plan, None, progress_line("counting", clf.verbose), source)
    rows = codes if plan.needs_rows else None
    if not plan.is_wide:
        return fit_tally(clf, plan, tally, rows=rows)
    tree = tree_of_blocks(clf, plan, tally.counts, _blocks(reader, plan, source, clf.verbose))
    edges = _count_again(reader, plan, tree.edges, source, progress_line("counting the tree", clf.verbose))
    return fit_tally(clf, plan, edges, tree, rows)


@dataclass(frozen=True, eq=False)
class _Batches:
    """Batches that are not files."""

    source: Iterable[Any]
    target: str | None
    columns: tuple[str, ...] | None

    @property
    def n_units(self) -> int:
        """Number of batches, if known."""
        return len(self.source) if isinstance(self.source, Sized) else 0

    def batches(self, first_unit: int = 0) -> Iterator[tuple[Any, int | None]]:
        """All batches, each with the number of batches so far."""
        yield from ((batch, at) for at, batch in enumerate(self.source, 1))


def _reader(
    source: Any, target: str | None, columns: Sequence[str] | None, row_filter: Any, batch_rows: int
) -> Files | _Batches:
    if is_files(source):
        if target is None:
            raise ValueError("target must name the column of the classes, as source is files.")
        return open_files(source, target, columns, row_filter, batch_rows)
    if not isinstance(source, Iterable) or isinstance(source, Iterator) or hasattr(source, "columns"):
        raise TypeError(
            f"source must be files or batches that can be iterated over twice, such as a list of data frames, got "
            f"{type(source).__name__} instead."
        )
    if row_filter is not None:
        raise ValueError("row_filter is for files; leave the rows out of other batches beforehand.")
    return _Batches(source, target, None if columns is None else tuple(columns))


def _summarize(
    reader: Files | _Batches,
    limits: Limits,
    resume: str | os.PathLike[str] | None,
    verbose: int,
    n_threads: int,
    held: ExitStack,
) -> TableSummary:
    """The first pass, continued from where it was interrupted; no other run can use its state until `held` ends."""
    if resume is not None and not isinstance(reader, Files):
        raise ValueError("resume is for files; other batches cannot be recognized as the same.")
    if resume is not None:
        held.enter_context(only_run(Path(resume)))
    identity = reader.identity() if isinstance(reader, Files) and resume is not None else {}
    n_done, summary = (0, None) if resume is None else load_state(Path(resume), identity, limits)
    whole, saved_at = (n_done, summary), time.monotonic()
    progress = progress_line("learning features", verbose)
    try:
        for batch, n_units in reader.batches(n_done):
            table, labels = read_batch(batch, reader.target, reader.columns, n_threads)
            if summary is None or table.n_rows:
                has_names = has_names_of(batch, reader.target, table)
                part = summarize_table(table, labels, limits, has_names=has_names)
                summary = part if summary is None else summary.merge(part)
            if n_units is not None:
                whole = (n_units, summary)
                _show(progress, n_units, reader.n_units)
            if resume is not None and time.monotonic() - saved_at > _SECONDS_BETWEEN_STATES:
                save_state(Path(resume), identity, *whole)
                saved_at = time.monotonic()
    finally:
        if resume is not None and whole[0] > n_done:
            save_state(Path(resume), identity, *whole)
    if summary is None:
        raise ValueError("there are no rows to learn from: source has no batches.")
    progress(1.0)
    return _refined(summary, reader, verbose, n_threads)


def _refined(summary: TableSummary, reader: Files | _Batches, verbose: int, n_threads: int) -> TableSummary:
    """The summary after further passes, if numbers of columns are so dense in places that runs have to be divided."""
    while (refinement := find_refinement(summary)) is not None:
        names, found = list(refinement.ranges), Found()
        progress = progress_line(f"learning features, {len(names)} of them again", verbose)
        some = replace(reader, columns=tuple(names)) if isinstance(reader, Files) else reader
        # Arrays have no names.
        read = names if reader.target is not None else summary.keys
        for batch, n_units in some.batches():
            table, labels = read_batch(batch, reader.target, read, n_threads)
            found = refinement.merge(found, refinement.find(table, labels))
            if n_units is not None:
                _show(progress, n_units, reader.n_units)
        progress(1.0)
        summary = refine(summary, found)
    return summary


def _kept_codes(
    reader: Files | _Batches, plan: Plan, resume: str | os.PathLike[str] | None, cache: str | os.PathLike[str] | None
) -> ResumableCodes | None:
    """Where codes are kept during an interruption, for a run that may be resumed."""
    if resume is None or not isinstance(reader, Files):
        return None
    content = (reader.identity(), plan.features, plan.classes.tolist(), plan.keys, plan.target)
    return ResumableCodes.beside(Path(resume), cache, *content)


def _count(
    reader: Files | _Batches,
    plan: Plan,
    pairs: NDArray[np.intp] | None,
    progress: Progress,
    codes: CodeCache | None = None,
) -> Tally:
    """The second pass; the codes of all rows are cached on disk, and rows already cached are not read again."""

    def tallies() -> Iterator[Tally]:
        n_done, saved_at = 0 if codes is None else codes.n_done, time.monotonic()
        if codes is not None and codes.n_bytes:
            yield codes.add_up(lambda rows: count_rows(plan, rows, pairs))
        if n_done and n_done == reader.n_units:
            return
        for batch, n_units in reader.batches(n_done):
            rows = coded_rows(plan, *read_batch(batch, plan.target, plan.keys, plan.n_threads))
            if codes is not None:
                codes.append(rows)
            yield count_rows(plan, rows, pairs)
            if n_units is not None:
                _show(progress, n_units, reader.n_units)
                is_time = n_units == reader.n_units or time.monotonic() - saved_at > _SECONDS_BETWEEN_STATES
                if codes is not None and is_time:
                    codes.save(n_units)
                    saved_at = time.monotonic()

    tally = reduce(add, tallies())
    progress(1.0)
    return tally


def _count_again(
    reader: Files | _Batches, plan: Plan, pairs: NDArray[np.intp], codes: CodeCache | None, progress: Progress
) -> Tally:
    """Count pairs in a further pass: over the cached codes if there are any, otherwise over the batches."""
    if codes is None:
        return _count(reader, plan, pairs, progress)
    tally: Tally = codes.add_up(lambda rows: count_rows(plan, rows, pairs))
    progress(1.0)
    return tally


def _show(progress: Progress, n_done: int, n_units: int) -> None:
    """Show the share done, if known; the end is shown once, by the caller."""
    if n_done != n_units:
        progress(n_done / n_units if n_units else 0.0)


def _blocks(reader: Files | _Batches, plan: Plan, codes: CodeCache | None, verbose: int) -> Iterator[Counts]:
    """Counts of all pairs, one block per pass."""
    blocks = pair_blocks(plan.cardinalities, plan.n_classes, _BLOCK_BYTES)
    for at, block in enumerate(blocks, 1):
        title = f"counting pairs, part {at} of {len(blocks)}"
        yield _count_again(reader, plan, block, codes, progress_line(title, verbose)).counts
