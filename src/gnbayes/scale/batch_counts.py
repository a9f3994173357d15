"""The second pass: batches become additive counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counted_tree import is_wide
from gnbayes.counting import CodedRows, Counts, count_pairs, count_values
from gnbayes.encoding import Feature, Table, Texts, encode
from gnbayes.estimator import GeneralizedNB
from gnbayes.learned_elsewhere import settings_of
from gnbayes.model import WEIGHTINGS, coarse_rows
from gnbayes.scale.batches import Labels, read_batch
from gnbayes.scale.table_summary import TableSummary


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything a worker needs to count a batch; small, and picklable.

    Parameters
    ----------
    features : tuple of Feature
    classes : ndarray of shape (k,)
    keys : tuple
        Columns of the features, as named in their frame.
    target : str, optional
        The column of the classes; None for batches that are pairs (X, y).
    has_names : bool
    is_coarse : bool
        Whether pairs are counted in coarse codes, as for weights.
    has_pairs : bool
        Whether pairs are counted; not for naive Bayes.
    is_wide : bool
        Whether the tables of all pairs are too large to keep; they are counted in blocks, and then those of the tree.
    needs_rows : bool
        Whether the rows are needed beyond their counts, for weights.
    n_threads : int

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import make_plan, summarize
    >>> table = load_iris(as_frame=True).frame
    >>> clf = GeneralizedNB(weighting=None, n_bins=5)
    >>> plan = make_plan(clf, summarize(table, "target"), "target")
    >>> plan.target, plan.n_classes, plan.needs_rows
    ('target', 3, False)
    """

    features: tuple[Feature, ...]
    classes: NDArray[Any]
    keys: tuple[Any, ...]
    target: str | None
    has_names: bool = True
    is_coarse: bool = False
    has_pairs: bool = True
    is_wide: bool = False
    needs_rows: bool = False
    n_threads: int = 1

    @property
    def cardinalities(self) -> NDArray[np.intp]:
        """Number of values of each feature in counts, shape (d,)."""
        sizes = [feature.coarse_cardinality if self.is_coarse else feature.cardinality for feature in self.features]
        return np.array(sizes, dtype=np.intp)

    @property
    def fine_cardinalities(self) -> NDArray[np.intp]:
        """Number of codes of each feature, shape (d,)."""
        return np.array([feature.cardinality for feature in self.features], dtype=np.intp)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)


@dataclass(frozen=True, eq=False)
class Tally:
    """The counts of a batch; ``a + b`` is the tally of the two tables stacked.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import count_batch, make_plan, summarize
    >>> table = load_iris(as_frame=True).frame
    >>> clf = GeneralizedNB(weighting=None, n_bins=5)
    >>> plan = make_plan(clf, summarize(table, "target"), "target")
    >>> (count_batch(plan, table[:70]) + count_batch(plan, table[70:])).counts.n
    150
    """

    counts: Counts

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.counts + other.counts)


def make_plan(clf: GeneralizedNB, summary: TableSummary, target: str | None, *, n_threads: int = 1) -> Plan:
    """What to count for a classifier, from the summary of all batches.

    Parameters
    ----------
    clf : GeneralizedNB
        Not fitted; its parameters are checked here.
    summary : TableSummary
    target : str, optional
    n_threads : int

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import make_plan, summarize
    >>> table = load_iris(as_frame=True).frame
    >>> plan = make_plan(GeneralizedNB(weighting=None, n_bins=3), summarize(table, "target"), "target")
    >>> plan.cardinalities.tolist(), plan.has_pairs
    ([3, 3, 3, 3], True)
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
        needs_rows=has_weights,
        n_threads=n_threads,
    )
    return replace(plan, is_wide=is_wide(settings, plan.cardinalities, plan.n_classes))


def count_batch(plan: Plan, batch: Any, pairs: NDArray[np.intp] | None = None) -> Tally:
    """Count one batch of rows.

    Parameters
    ----------
    plan : Plan
    batch : data frame, pyarrow.RecordBatch, or pair (X, y)
    pairs : ndarray of shape (m, 2), optional
        Pairs (i, j), i < j, in increasing order, to count. By default all of them, or none for naive Bayes and for a
        table that is too wide.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import count_batch, make_plan, summarize
    >>> table = load_iris(as_frame=True).frame
    >>> clf = GeneralizedNB(weighting=None, n_bins=5)
    >>> plan = make_plan(clf, summarize(table, "target"), "target")
    >>> count_batch(plan, table[:70]).counts.classes.tolist()
    [50, 20, 0]
    """
    return count_rows(plan, coded_rows(plan, *read_batch(batch, plan.target, plan.keys, plan.n_threads)), pairs)


def count_rows(plan: Plan, rows: CodedRows, pairs: NDArray[np.intp] | None = None) -> Tally:
    """The same for encoded rows."""
    coarse = coarse_rows(list(plan.features), rows) if plan.is_coarse else rows
    values = count_values(coarse)
    if pairs is not None:
        return Tally(count_block(values, coarse, pairs))
    return Tally(count_pairs(values, coarse) if plan.has_pairs and not plan.is_wide else values)


def coded_rows(plan: Plan, table: Table, labels: Labels) -> CodedRows:
    """Encoded rows; raises an error for values that the features do not have."""
    codes = encode(table, plan.features)
    cardinalities = plan.fine_cardinalities
    if len(codes):
        too_large = np.flatnonzero(codes.max(axis=0) >= cardinalities)
        if len(too_large):
            _refuse_value(table, int(too_large[0]), codes, plan.features)
    return CodedRows(codes, _label_codes(labels, plan), cardinalities, plan.n_classes, None, plan.n_threads)


def count_block(values: Counts, rows: CodedRows, pairs: NDArray[np.intp]) -> Counts:
    """Counts of chosen pairs; with bits if they are a large part of all pairs of their features."""
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
            f"the target holds {_plain(stranger)!r}, which is not one of the classes {', '.join(map(repr, place))}; "
            "the features must come from all rows."
        )
    return codes


def _refuse_value(table: Table, j: int, codes: NDArray[Any], features: Sequence[Feature]) -> None:
    feature = features[j]
    row = int(np.argmax(codes[:, j] >= feature.cardinality))
    if codes[row, j] == feature.missing_code:
        what = "a missing value, and had none when the features were learned"
    else:
        what = f"{_plain(table.columns[j][row])!r}, which is not among the values of its feature"
    raise ValueError(
        f"column {feature.name!r} holds {what}; learn the features from all rows, of all sites if there are several."
    )


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
