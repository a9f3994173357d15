"""A site: it keeps its rows and answers questions with sums over them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, count_values
from gnbayes.model.fitting.layout import Layout
from gnbayes.model.fitting.repeats import copies_together
from gnbayes.model.fitting.rows import DistinctRows, distinct_rows
from gnbayes.model.fitting.sums import FittingRows, Kind, sum_over_rows
from gnbayes.scale import Plan
from gnbayes.scale.batch_counts import coded_rows, count_block
from gnbayes.scale.batches import read_batch
from gnbayes.sites.rounds.question_file import question_id
from gnbayes.sites.rounds.questions import Answer, CountQuestion, Question, SumQuestion, Wholes, whole_parts
from gnbayes.sites.rounds.tables import all_cells
from gnbayes.sites.site_features import SiteFeatures

# No honest question has larger scores; they could make a sum reveal the rows with one combination of values.
_LARGEST_SCORE = 50.0


class RoundSite:
    """The rows of a site; calling the object with a question returns the answer.

    Parameters
    ----------
    name : str
        Name of the site; unique, and the same in all rounds.
    features : SiteFeatures
        Must be the same at all sites.
    batches : iterable of data frames or pyarrow.RecordBatches
        Tables with the columns of the features and the target.
    n_threads : int, default=1

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for, summarize
    >>> from gnbayes.sites import propose_features
    >>> from gnbayes.sites.rounds import RoundSite, next_question
    >>> table, clf = load_iris(as_frame=True).frame, GeneralizedNB()
    >>> features = propose_features(summarize(table, "target", limits_for(clf)), "target", clf)
    >>> site = RoundSite("a", features, [table])
    >>> answer = site(next_question(clf, features, []))
    >>> answer.sites, sorted(answer.numbers)
    (('a',), ['pairs', 'values'])
    """

    def __init__(self, name: str, features: SiteFeatures, batches: Iterable[Any], n_threads: int = 1) -> None:
        if not name:
            raise ValueError("a site needs a name that distinguishes its answers from those of others.")
        self.name, self.features = name, features
        self._rows = _read(features, batches, n_threads)

    def __call__(self, question: Question) -> Answer:
        """Answer a question: sums over the rows of this site."""
        if question.fingerprint != self.features.fingerprint:
            raise ValueError("the question was made with other Features; use the Features file that it was made with.")
        numbers = self._counts(question) if isinstance(question, CountQuestion) else self._sums(question)
        return Answer(question_id(question), (self.name,), numbers)

    def _counts(self, question: CountQuestion) -> dict[str, Wholes]:
        """Number of rows of every value, and of every requested pair of values."""
        rows = self._rows
        codes = np.empty(rows.codes.shape, dtype=np.uint32, order="F")
        for j, own in enumerate(question.maps):
            codes[:, j] = own[rows.codes[:, j]]
        sizes = np.array([int(own.max()) + 1 for own in question.maps], dtype=np.intp)
        joined = replace(rows, codes=codes, cardinalities=sizes)
        pairs = count_block(count_values(joined), joined, question.pairs).cells[: None if len(question.pairs) else 0]
        return {"values": count_values(rows).singles.ravel(), "pairs": pairs}

    def _sums(self, question: SumQuestion) -> dict[str, Wholes]:
        """Log-loss, gradient and curvature of every problem."""
        if not np.abs(question.scores).max() <= _LARGEST_SCORE:
            raise ValueError(
                f"the question has scores beyond {_LARGEST_SCORE:g}, by which sums could single out rows; it does not "
                "come from gnbayes rounds: do not answer it."
            )
        distinct = _distinct(self._rows, sorted({j for table in question.tables for j in table.features}))
        rows = _fitting_rows(self._rows, distinct, all_cells(question.tables))
        if question.scores.shape[0] != rows.cells.n_cells + 1 or question.scores.shape[2] != rows.n_columns:
            raise ValueError("the scores of the question do not fit its tables; ask the coordinator for it again.")
        held_out = _held_out(distinct, question)
        own = np.ascontiguousarray(distinct.weights[:, None] - held_out)
        tables, base = question.scores[1:], question.scores[0]
        left_out = sum_over_rows(Kind.LOSSES, rows, held_out, tables, base)
        losses = {"held_out": whole_parts(left_out.losses)}
        if question.only_losses:
            return losses | {"losses": whole_parts(sum_over_rows(Kind.LOSSES, rows, own, tables, base).losses)}
        kinds = (Kind.GRADIENT, Kind.CURVATURE)
        found = [sum_over_rows(kind, rows, own, tables, base) for kind in kinds]
        numbers = {
            kind.name.lower(): whole_parts(np.concatenate([sums.total[None], sums.cells]))
            for kind, sums in zip(kinds, found, strict=True)
        }
        return numbers | losses | {"losses": whole_parts(found[0].losses)}


def _read(features: SiteFeatures, batches: Iterable[Any], n_threads: int) -> CodedRows:
    """Encode the rows of all batches by fine codes."""
    plan = Plan(features.features, features.classes, features.names, features.target, n_threads=n_threads)
    parts = [coded_rows(plan, *read_batch(batch, features.target, features.names, n_threads)) for batch in batches]
    if not sum(part.n_rows for part in parts):
        raise ValueError("there are no rows to answer the question from.")
    codes, labels = (np.concatenate([getattr(part, name) for part in parts]) for name in ("codes", "labels"))
    return CodedRows(codes, labels, features.cardinalities, len(features.classes), None, n_threads)


def _distinct(rows: CodedRows, used: list[int]) -> DistinctRows:
    """Distinct rows by the features in `used`; duplicates that always have the same class stay in one part."""
    codes = rows.codes[:, used]
    found = distinct_rows(codes, rows.labels, None, rows.n_classes)
    return copies_together(codes, found)


def _fitting_rows(rows: CodedRows, distinct: DistinctRows, layout: Layout) -> FittingRows:
    cells = layout.cells_of(rows.codes[distinct.index])
    return FittingRows(cells, distinct.labels, distinct.weights, rows.n_classes, rows.n_threads)


def _held_out(distinct: DistinctRows, question: SumQuestion) -> NDArray[np.float64]:
    """Weights of each problem's held-out rows, zero for its other rows, shape (n, b)."""
    out = np.zeros((len(distinct), len(question.held_out)))
    parts = distinct.fold_weights(question.n_parts)
    for problem, part in enumerate(question.held_out):
        if part is not None:
            out[:, problem] = parts[:, part]
    return out
