"""Rounds of boosting: how many, and their sum."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import for_each, limit_threads, native
from gnbayes.model.boosting.codes import TreeCodes
from gnbayes.model.boosting.trees import Growth, Trees, grow_trees
from gnbayes.model.fitting import DistinctRows, team_of
from gnbayes.progress import Progress, silent

Array = NDArray[np.float64]
Bits = NDArray[np.uint8]
# Rounds between evaluations of held-out rows, most rounds, and rounds without a gain after which boosting stops.
_STEP, _MOST_ROUNDS, _PATIENCE = 10, 600, 40
# After this many rounds, boosting stops if its log-loss is more than this many times that of the other fit.
_FAIR_ROUNDS, _HOPELESS = 100, 2.0
# Fitting to all rows allows for slightly more rounds than fitting without the held-out ones.
_MORE_ROUNDS = 1.1
# Resolutions of the trees take turns; trees of depth three have four turns.
_TURNS = (0, 1, 2, 2, 2, 2)
# Share of the rows used in each round.
_SHARE = 0.7
_SEED = 20241117


@dataclass(frozen=True, eq=False)
class Boosted:
    """The result of boosting.

    Parameters
    ----------
    trees : Trees
    base : ndarray of shape (c,)
        Initial scores.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import distinct_rows
    >>> from gnbayes.model.boosting import DrawnRows, boost
    >>> from gnbayes.model.boosting.codes import tree_codes
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 4, (200, 2)).astype(np.uint8)
    >>> rows = distinct_rows(codes, (codes[:, 0] > 1).astype(np.intp), None, 2)
    >>> same = [np.arange(4)] * 2
    >>> resolution = tree_codes(codes[rows.index], same, [True, True], [False, False], [(0, 1)])
    >>> found = boost([resolution] * 3, rows, 10, 2, DrawnRows(len(rows)))
    >>> found.base.shape, sorted(set(found.trees.turns.tolist()))
    ((1,), [0, 1, 2])
    """

    trees: Trees
    base: Array


@dataclass(frozen=True)
class DrawnRows:
    """Which rows each round looks at, the same ones in all folds.

    Parameters
    ----------
    n_rows : int
    most : int, optional
        Most rows of a round, about. By default seven tenths of all.

    Examples
    --------
    >>> from gnbayes.model.boosting import DrawnRows
    >>> DrawnRows(100).rounds(0, 2).shape
    (2, 13)
    """

    n_rows: int
    most: int | None = None

    def rounds(self, first: int, stop: int, team: Any = None) -> Bits:
        """The rows of some rounds, as bits, lowest first, shape (stop - first, number of bytes); drawn by a team."""
        share = _SHARE if self.most is None else min(_SHARE, self.most / self.n_rows)
        below, out = round(share * 256), np.zeros((stop - first, -(-self.n_rows // 8)), dtype=np.uint8)
        if native is not None:
            native.draw_rows(_SEED, first, stop - first, self.n_rows, below, team, out)
            return out
        for at in range(first, stop):
            words = np.random.PCG64((_SEED, at)).random_raw(-(-self.n_rows // 8)).astype("<u8", copy=False)
            out[at - first] = np.packbits(words.view(np.uint8)[: self.n_rows] < below, bitorder="little")
        return out


@dataclass(eq=False)
class Run:
    """Boosting on some of the rows, round after round; resolutions take turns.

    Parameters
    ----------
    resolutions : sequence of TreeCodes
        One per depth of trees.
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,)
    base : ndarray of shape (c,)
    depths : tuple of int, default=(1, 2, 3)
        Depth of the trees of each resolution.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import distinct_rows
    >>> from gnbayes.model.boosting import DrawnRows, Run, base_scores
    >>> from gnbayes.model.boosting.codes import tree_codes
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 4, (200, 2)).astype(np.uint8)
    >>> rows = distinct_rows(codes, (codes[:, 0] > 1).astype(np.intp), None, 2)
    >>> same = [np.arange(4)] * 2
    >>> resolution = tree_codes(codes[rows.index], same, [True, True], [False, False], [(0, 1)])
    >>> run = Run([resolution] * 3, rows.labels, rows.weights, base_scores(rows, 2))
    >>> before = run.losses().sum()
    >>> trees = run.advance(DrawnRows(len(rows)).rounds(0, 4))
    >>> bool(run.losses().sum() < before)
    True
    """

    resolutions: Sequence[TreeCodes]
    labels: NDArray[np.int64]
    weights: Array
    base: Array
    depths: tuple[int, ...] = (1, 2, 3)

    def __post_init__(self) -> None:
        self.scores = np.tile(self.base, (len(self.labels), 1))
        self.n_rounds = 0
        self._growths = [Growth(depth) for depth in self.depths]
        self._turns = np.array(_TURNS if len(self.depths) > 1 else (0,), dtype=np.int32)

    def advance(self, drawn: Bits, team: Any = None) -> Trees:
        """Run more rounds, each on the rows drawn for it, as given by `DrawnRows`, with the help of a team."""
        turns = self._turns[np.arange(self.n_rounds, self.n_rounds + len(drawn)) % len(self._turns)]
        self.n_rounds += len(drawn)
        how = self.resolutions, self._growths, turns, drawn
        return grow_trees(*how, self.labels, self.weights, self.scores, team)

    def losses(self, some: NDArray[np.bool_] | None = None) -> Array:
        """Log-loss of each row, shape (n,); 0 for rows outside `some`, if given."""
        rows = np.flatnonzero(np.ones(len(self.labels), dtype=bool) if some is None else some)
        scores, labels, out = self.scores[rows], self.labels[rows], np.zeros(len(self.labels))
        if scores.shape[1] == 1:
            out[rows] = np.logaddexp(0.0, np.where(labels == 1, -1.0, 1.0) * scores[:, 0])
        else:
            out[rows] = np.logaddexp.reduce(scores, axis=1) - scores[np.arange(len(labels)), labels]
        return out


class _Best(NamedTuple):
    """The lowest held-out log-loss so far, after how many rounds it was reached, and the scores of all rows then."""

    loss: float
    n_rounds: int
    scores: Array


def choose_rounds(
    resolutions: Sequence[TreeCodes],
    rows: DistinctRows,
    held_out: Array,
    n_classes: int,
    drawn: DrawnRows,
    *,
    to_beat: Future[float] | None = None,
    n_threads: int = 1,
    progress: Progress = silent,
) -> tuple[int, Array]:
    """The number of rounds with the lowest held-out log-loss.

    Parameters
    ----------
    resolutions : sequence of TreeCodes
        Codes for trees of depth one, two and three.
    rows : DistinctRows
        In the order of the codes.
    held_out : ndarray of shape (n, f)
        Held-out weight of each row in each fold.
    n_classes : int
    drawn : DrawnRows
    to_beat : Future, optional
        Held-out log-loss of another fit, which may still be running. Boosting ends after 100 rounds if its own is twice
        as large then.
    n_threads : int, default=1
        Number of folds that run in parallel.
    progress : callable

    Returns
    -------
    n_rounds : int
    scores : ndarray of shape (n, f, c)
        Scores of all rows after that many rounds, by trees grown without the held-out rows of each fold.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import distinct_rows
    >>> from gnbayes.model.boosting import DrawnRows, choose_rounds
    >>> from gnbayes.model.boosting.codes import tree_codes
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 4, (200, 2)).astype(np.uint8)
    >>> rows = distinct_rows(codes, (codes[:, 0] > 1).astype(np.intp), None, 2)
    >>> same = [np.arange(4)] * 2
    >>> resolution = tree_codes(codes[rows.index], same, [True, True], [False, False], [(0, 1)])
    >>> n_rounds, scores = choose_rounds([resolution] * 3, rows, rows.fold_weights(2), 2, DrawnRows(len(rows)))
    >>> n_rounds > 0, scores.shape == (len(rows), 2, 1)
    (True, True)
    """
    base, labels = base_scores(rows, n_classes), rows.labels.astype(np.int64)
    runs = [Run(resolutions, labels, rows.weights - own, base) for own in held_out.T]
    n_threads = limit_threads(n_threads, len(runs) * _STEP * resolutions[0].codes.size)
    best, fair = _Best(np.inf, 0, np.zeros(0)), None
    for n_rounds in range(0, _MOST_ROUNDS + 1, _STEP):
        loss = float(sum((own * run.losses(own > 0)).sum() for own, run in zip(held_out.T, runs, strict=True)))
        if loss < best.loss or not n_rounds:
            best = _Best(loss, n_rounds, np.stack([run.scores for run in runs], axis=1))
        fair = best if n_rounds == _FAIR_ROUNDS else fair
        if n_rounds - best.n_rounds >= _PATIENCE or (to_beat is not None and to_beat.done() and _loses(fair, to_beat)):
            break
        progress(0.8 * n_rounds / (n_rounds + _MOST_ROUNDS / 4))
        for_each(partial(_advance, drawn.rounds(n_rounds, n_rounds + _STEP)), runs, n_threads)
    # Results must not depend on whether the other fit finished in time.
    if fair is not None and to_beat is not None and _loses(fair, to_beat):
        best = fair
    return best.n_rounds, best.scores


def _loses(fair: _Best | None, to_beat: Future[float]) -> bool:
    """Whether the loss after a fair number of rounds is hopeless, compared with that of the other fit."""
    return fair is not None and fair.loss > _HOPELESS * to_beat.result()


def _advance(drawn: Bits, run: Run) -> None:
    run.advance(drawn)


def boost(
    resolutions: Sequence[TreeCodes],
    rows: DistinctRows,
    n_rounds: int,
    n_classes: int,
    drawn: DrawnRows,
    n_threads: int = 1,
    progress: Progress = silent,
) -> Boosted:
    """Boost small trees for a tenth more rounds than was best without the held-out rows.

    Parameters
    ----------
    resolutions : sequence of TreeCodes
    rows : DistinctRows
        In the order of the codes.
    n_rounds : int
    n_classes : int
    drawn : DrawnRows
    n_threads : int, default=1
        Threads that share the rows of each round, if there are enough of them.
    progress : callable

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import distinct_rows
    >>> from gnbayes.model.boosting import DrawnRows, boost
    >>> from gnbayes.model.boosting.codes import tree_codes
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 4, (200, 2)).astype(np.uint8)
    >>> rows = distinct_rows(codes, (codes[:, 0] > 1).astype(np.intp), None, 2)
    >>> same = [np.arange(4)] * 2
    >>> resolution = tree_codes(codes[rows.index], same, [True, True], [False, False], [(0, 1)])
    >>> len(boost([resolution] * 3, rows, 10, 2, DrawnRows(len(rows))).trees)
    11
    """
    base = base_scores(rows, n_classes)
    run = Run(resolutions, rows.labels.astype(np.int64), rows.weights, base)
    n_rounds = int(n_rounds * _MORE_ROUNDS)
    with team_of(limit_threads(n_threads, n_rounds * resolutions[0].codes.size)) as team:
        trees = run.advance(drawn.rounds(0, n_rounds, team), team)
    progress(1.0)
    return Boosted(trees, base)


def base_scores(rows: DistinctRows, n_classes: int) -> Array:
    """Log shares of the classes, slightly smoothed: the initial scores, shape (c,).

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import distinct_rows
    >>> from gnbayes.model.boosting import base_scores
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 4, (200, 2)).astype(np.uint8)
    >>> rows = distinct_rows(codes, (codes[:, 0] > 1).astype(np.intp), None, 2)
    >>> base_scores(rows, 2).shape
    (1,)
    """
    shares = np.bincount(rows.labels, rows.weights, minlength=n_classes) + 0.5
    logs = np.log(shares / shares.sum())
    return logs[1:] - logs[:1] if n_classes == 2 else logs - logs.mean()
