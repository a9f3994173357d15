"""The number of features: means and standard errors of held-out losses, and rules that select a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Differences of at most _NOISE standard errors count as noise, those of more than _CLEAR as clear: many numbers are
# compared, and one in a hundred is that much better by chance.
_NOISE, _CLEAR = 1.0, 2.5


@dataclass(frozen=True, eq=False)
class Means:
    """Mean losses for several numbers of features.

    Parameters
    ----------
    mean : ndarray of shape (m,)
        Mean over the splits.
    errors : ndarray of shape (m,)
        Their standard errors.
    paired : ndarray of shape (m,)
        Standard errors of the difference from the best number, paired by row or by split.
    to_all : ndarray of shape (m,), optional
        Standard errors of the difference from the last number, all features, if fewer are to be used only if they are
        clearly better. This is meant for wide tables, where the best of many numbers may be best by chance.
    has_learned : bool, default=True
        Whether there is evidence that any of the models has learned anything, as `evidence_of` finds it.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.prefixes import means_of_splits
    >>> means = means_of_splits(np.array([[0.5, 0.3, 0.31], [0.4, 0.2, 0.22]]))
    >>> means.mean.round(3).tolist(), means.best
    ([0.45, 0.25, 0.265], 1)
    """

    mean: Array
    errors: Array
    paired: Array
    to_all: Array | None = None
    has_learned: bool = True

    @property
    def best(self) -> int:
        """Position of the lowest mean; the first if there are several."""
        return int(np.nanargmin(self.mean))

    def at(self, rule: str) -> int:
        """Position of the number that a rule selects.

        Parameters
        ----------
        rule : {"best", "auto", "few"}
            "best": the lowest mean. "auto": the fewest features within noise of it, that is, one standard error of the
            difference; if `to_all` is given, of those that are better than all features by 2.5 standard errors of
            that difference, or else all features. "few": the fewest features within one standard error of the lowest
            mean. If nothing has been learned, the last two are the fewest of all: the lowest mean is then that of the
            model that says least, which may have any number of features.

        Examples
        --------
        >>> import numpy as np
        >>> from gnbayes.prefixes import means_of_rows
        >>> losses = np.random.default_rng(0).normal(1, 0.5, (100, 1)) + np.array([0.5, 0.03, 0.01, 0.0])
        >>> means = means_of_rows([losses], [np.ones(100)])
        >>> [means.at(rule) for rule in ("best", "auto", "few")]
        [3, 3, 1]
        """
        if rule != "best" and not self.has_learned:
            return 0
        above, best = self.mean - self.mean[self.best], self.best
        # Differences due to rounding alone count as ties.
        noise = 1e-12 + _NOISE * self.paired
        limits = {"best": 0.0, "auto": noise, "few": np.maximum(noise, 1e-12 + self.errors[best])}
        may_be = above <= limits[rule]
        if rule == "auto" and self.to_all is not None:
            # The difference of all features from themselves is 0.
            may_be &= self.mean - self.mean[-1] <= 1e-12 - _CLEAR * self.to_all
            return int(np.argmax(may_be)) if may_be.any() else len(may_be) - 1
        return int(np.argmax(may_be))


def means_of_rows(
    losses: Sequence[Array],
    weights: Sequence[Array],
    groups: Sequence[NDArray[np.intp] | None] = (),
    *,
    is_wide: bool = False,
) -> Means:
    """Means and standard errors from the losses of single rows.

    Parameters
    ----------
    losses : sequence of ndarray of shape (n, m)
        One array per split.
    weights : sequence of ndarray of shape (n,)
    groups : sequence of ndarray of shape (n,), optional
        Rows of the same number are not independent of each other.
    is_wide : bool, default=False
        Whether to give `to_all`.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.prefixes import means_of_rows
    >>> means_of_rows([np.array([[0.5, 0.3], [0.4, 0.2]])], [np.ones(2)]).mean.round(3).tolist()
    [0.45, 0.25]
    """
    mean = np.mean([np.average(part, axis=0, weights=own) for part, own in zip(losses, weights, strict=True)], axis=0)
    rows, share = np.concatenate(losses), np.concatenate(weights)
    best = int(np.argmin(mean))
    known = [part for part in groups if part is not None]
    group = np.concatenate(known) if known else None
    to_all = standard_errors(rows - rows[:, [-1]], share, group) if is_wide else None
    paired = standard_errors(rows - rows[:, [best]], share, group)
    return Means(mean, standard_errors(rows, share, group), paired, to_all)


def means_of_splits(losses: Array, *, is_wide: bool = False) -> Means:
    """Means and standard errors from the losses of whole splits, shape (n_splits, m); one split has no errors.

    `is_wide` as in `means_of_rows`.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.prefixes import means_of_splits
    >>> means_of_splits(np.array([[0.5, 0.3], [0.4, 0.2]])).mean.round(3).tolist()
    [0.45, 0.25]
    """
    mean, n = losses.mean(axis=0), len(losses)
    if n < 2:
        return Means(mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan))
    places = [int(np.nanargmin(mean)), *([-1] if is_wide else [])]
    parts = [losses, *(losses - losses[:, [at]] for at in places)]
    return Means(mean, *(part.std(axis=0, ddof=1) / np.sqrt(n) for part in parts))


def standard_errors(rows: Array, weights: Array, groups: NDArray[np.intp] | None) -> Array:
    """Standard errors of weighted means over rows, shape (m,); deviations of a group are summed first.

    Parameters
    ----------
    rows : ndarray of shape (n, m)
    weights : ndarray of shape (n,)
    groups : ndarray of shape (n,), optional

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.prefixes.number import standard_errors
    >>> standard_errors(np.array([[0.0], [2.0]]), np.ones(2), None).tolist()
    [1.0]
    """
    share = weights / weights.sum()
    if groups is not None:
        _, codes = np.unique(groups, return_inverse=True)
        n_groups = int(codes.max()) + 1
        sums = np.zeros((n_groups, rows.shape[1]))
        np.add.at(sums, codes, share[:, None] * (rows - share @ rows))
        return np.asarray(np.sqrt(n_groups / max(n_groups - 1, 1) * (sums**2).sum(axis=0)))
    variance = share @ (rows - share @ rows) ** 2
    return np.asarray(np.sqrt(variance / max(1 / (share**2).sum() - 1, 1.0)))
