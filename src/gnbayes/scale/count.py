"""Pass two: batches become counts that add up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, Counts, count_pairs, count_values
from gnbayes.encoding import Feature, Table, Texts, encode
from gnbayes.estimator import GeneralizedNB, settings_of
from gnbayes.model import WEIGHTINGS, coarse_rows
from gnbayes.pipeline import is_wide
from gnbayes.scale.batches import Labels, read_batch
from gnbayes.scale.sample import RowSample, sample_rows
from gnbayes.scale.summary import TableSummary

# Rows that weights are learned from, as in fit.
SAMPLE_ROWS = 100_000
# Largest message of counts.
MAX_BYTES = 2**26
_BYTES_OF_CELL = 8


@dataclass(frozen=True, eq=False)
class Plan:
    """All that a worker has to know to count a batch; small, and can be pickled.

    Parameters
    ----------
    features : tuple of Feature
    classes : ndarray of shape (k,)
    keys : tuple
        Columns of the features, as their frame has them.
    target : str, optional
        The column of the classes; None for batches that are pairs (X, y).
    has_names : bool
    is_coarse : bool
        Whether pairs are counted by coarse codes, as for weights.
    has_pairs : bool
        Whether there are pairs to be counted: not for naive Bayes.
    is_wide : bool
        Whether the tables of all pairs are too large to keep; they are counted in blocks, and then those of the tree.
    sample_rows : int
        Rows to keep for weights; 0 for none.
    n_threads : int
    """

    features: tuple[Feature, ...]
    classes: NDArray[Any]
    keys: tuple[Any, ...]
    target: str | None
    has_names: bool = True
    is_coarse: bool = False
    has_pairs: bool = True
    is_wide: bool = False
    sample_rows: int = 0
    n_threads: int = 1

    @property
    def cardinalities(self) -> NDArray[np.intp]:
        """Number of values of each feature as they are counted, shape (d,)."""
        sizes = [feature.coarse_cardinality if self.is_coarse else feature.cardinality for feature in self.features]
        return np.array(sizes, dtype=np.intp)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts, and the sample of rows where one is asked for; ``a + b`` is that of the two tables stacked."""

    counts: Counts
    sample: RowSample | None = None

    def __add__(self, other: Tally) -> Tally:
        if self.sample is None or other.sample is None:
            return Tally(self.counts + other.counts)
        return Tally(self.counts + other.counts, self.sample + other.sample)


def make_plan(
    clf: GeneralizedNB, summary: TableSummary, target: str | None, *, sample_rows: int = SAMPLE_ROWS, n_threads: int = 1
) -> Plan:
    """What to count for a classifier, from the summary of all batches.

    Parameters
    ----------
    clf : GeneralizedNB
        Not fitted; its parameters are checked here.
    summary : TableSummary
    target : str, optional
    sample_rows : int
        Rows to keep where `clf` learns weights.
    n_threads : int
    """
    if not summary.n_rows:
        raise ValueError("there are no rows to learn from.")
    settings = settings_of(clf, summary.classes, len(summary.columns))
    has_weights = WEIGHTINGS[settings.weighting].needs_rows
    plan = Plan(
        tuple(summary.features(clf)),
        summary.classes,
        summary.keys,
        target,
        summary.has_names,
        is_coarse=has_weights,
        has_pairs=settings.structure != "nb",
        sample_rows=sample_rows if has_weights else 0,
        n_threads=n_threads,
    )
    return replace(plan, is_wide=is_wide(settings, plan.cardinalities, plan.n_classes))


def count(plan: Plan, batch: Any, pairs: NDArray[np.intp] | None = None) -> Tally:
    """Count one batch of rows.

    Parameters
    ----------
    plan : Plan
    batch : data frame, pyarrow.RecordBatch, or pair (X, y)
    pairs : ndarray of shape (m, 2), optional
        Pairs (i, j), i < j, in increasing order, to be counted. By default all of them, or none for naive Bayes and for
        a table that is too wide. With pairs given there is no sample of rows.
    """
    return count_rows(plan, coded_rows(plan, *read_batch(batch, plan.target, plan.keys, plan.n_threads)), pairs)


def count_rows(plan: Plan, rows: CodedRows, pairs: NDArray[np.intp] | None = None) -> Tally:
    """The same for rows that are coded."""
    coarse = coarse_rows(list(plan.features), rows) if plan.is_coarse else rows
    values = count_values(coarse)
    if pairs is not None:
        return Tally(count_block(values, coarse, pairs))
    sample = sample_rows(rows, plan.sample_rows) if plan.sample_rows else None
    return Tally(count_pairs(values, coarse) if plan.has_pairs and not plan.is_wide else values, sample)


def coded_rows(plan: Plan, table: Table, labels: Labels) -> CodedRows:
    """Rows by the codes of the features; an error for values that these do not have."""
    codes = encode(table, plan.features)
    cardinalities = np.array([feature.cardinality for feature in plan.features], dtype=np.intp)
    if len(codes):
        too_large = np.flatnonzero(codes.max(axis=0) >= cardinalities)
        if len(too_large):
            _refuse_value(table, int(too_large[0]), codes, plan.features)
    return CodedRows(codes, _label_codes(labels, plan), cardinalities, plan.n_classes, None, plan.n_threads)


def count_block(values: Counts, rows: CodedRows, pairs: NDArray[np.intp]) -> Counts:
    """Counts of chosen pairs; by bits where they are a good part of all pairs of their features."""
    if not len(pairs):
        return values
    features = np.unique(pairs)
    if len(pairs) * 4 < len(features) * (len(features) - 1) / 2:
        return count_pairs(values, rows, pairs)
    part = replace(rows, codes=rows.codes[:, features], cardinalities=rows.cardinalities[features])
    counts = count_pairs(count_values(part), part)
    places = np.searchsorted(features, pairs).tolist()
    cells = [np.ascontiguousarray(counts.pair(i, j)).ravel() for i, j in places]
    return replace(values, pairs=pairs, cells=np.concatenate(cells))


def pair_blocks(cardinalities: NDArray[np.intp], n_classes: int, max_bytes: int = MAX_BYTES) -> list[NDArray[np.intp]]:
    """All pairs in blocks, so that the counts of no block take more than `max_bytes`.

    Parameters
    ----------
    cardinalities : ndarray of shape (d,)
    n_classes : int
    max_bytes : int

    Returns
    -------
    blocks : list of ndarray of shape (m, 2)
        Pairs (i, j), i < j, each in increasing order; a block holds pairs of two groups of features.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.scale import pair_blocks
    >>> [block.tolist() for block in pair_blocks(np.array([2, 2, 2]), n_classes=2, max_bytes=256)]
    [[[0, 1]], [[0, 2], [1, 2]]]
    """
    most = max_bytes // (_BYTES_OF_CELL * n_classes)
    groups = _groups(cardinalities, int(np.sqrt(most)))
    blocks: list[NDArray[np.intp]] = []
    for g, left in enumerate(groups):
        for right in groups[g:]:
            pairs = np.array([(i, j) for i in left for j in right if i < j], dtype=np.intp).reshape(-1, 2)
            blocks += split_pairs(pairs, cardinalities, n_classes, max_bytes)
    return blocks


def join_blocks(values: Counts, blocks: Iterable[Counts]) -> Counts:
    """Counts of all pairs from the blocks that together hold every pair once; `values` gives the rest."""
    n_values = int(values.offsets[-1])
    cells = np.zeros((values.n_classes, n_values, n_values), dtype=values.singles.dtype)
    counts = replace(values, pairs=None, cells=cells)
    for block in blocks:
        for i, j in [] if block.pairs is None else block.pairs.tolist():
            counts.pair(i, j)[:] = block.pair(i, j)
    return counts


def _groups(cardinalities: NDArray[np.intp], most: int) -> list[range]:
    """Features that follow each other, with at most so many values in all, or a single one."""
    starts, total = [0], 0
    for j, size in enumerate(cardinalities.tolist()):
        if total and total + size > most:
            starts.append(j)
            total = 0
        total += size
    return [range(start, stop) for start, stop in pairwise([*starts, len(cardinalities)])]


def split_pairs(
    pairs: NDArray[np.intp], cardinalities: NDArray[np.intp], n_classes: int, max_bytes: int
) -> list[NDArray[np.intp]]:
    """Pairs in pieces, so that the counts of no piece take more than `max_bytes`; arguments as in `pair_blocks`."""
    most = max_bytes // (_BYTES_OF_CELL * n_classes)
    sizes = cardinalities[pairs].prod(axis=1)
    if len(pairs) and sizes.max() > most:
        i, j = pairs[np.argmax(sizes)].tolist()
        raise ValueError(
            f"the counts of columns {i} and {j} alone have {sizes.max()} cells a class, and max_bytes allows {most}; "
            "raise max_bytes, join rare values, or use structure='nb'."
        )
    pieces, start, total = [], 0, 0
    for at, size in enumerate(sizes.tolist()):
        if total + size > most:
            pieces.append(pairs[start:at])
            start, total = at, 0
        total += size
    return [*pieces, pairs[start:]] if len(pairs) else []


def _label_codes(labels: Labels, plan: Plan) -> NDArray[np.intp]:
    place = {label: at for at, label in enumerate(plan.classes.tolist())}
    if isinstance(labels, Texts):
        codes = labels.codes(place, -1, -1)
    elif labels.dtype.kind in "OUS":
        codes = np.fromiter((place.get(label, -1) for label in labels.tolist()), dtype=np.intp, count=len(labels))
    else:
        at = np.minimum(np.searchsorted(plan.classes, labels), len(plan.classes) - 1)
        codes = np.where(plan.classes[at] == labels, at, -1)
    if (codes < 0).any():
        row = int(np.argmin(codes))
        stranger = (labels.objects if isinstance(labels, Texts) else labels)[row]
        raise ValueError(
            f"the target holds {_plain(stranger)!r}, which is none of the classes {', '.join(map(repr, place))}; the "
            "features must come from all rows."
        )
    return codes


def _refuse_value(table: Table, j: int, codes: NDArray[Any], features: Sequence[Feature]) -> None:
    feature = features[j]
    row = int(np.argmax(codes[:, j] >= feature.cardinality))
    if codes[row, j] == feature.missing_code:
        what = "a missing value, and had none when the features were learned"
    else:
        what = f"{_plain(table.columns[j][row])!r}, which is none of the values that the features have"
    raise ValueError(
        f"column {feature.name!r} holds {what}; learn the features from all rows, or of several sites from all of them."
    )


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
