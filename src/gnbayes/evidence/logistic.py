"""Logistic regression by maximum likelihood, with the covariance of its coefficients; and a spline basis for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit

_MOST_STEPS = 60
# Beyond this log-odds ratio per unit of a scaled column, the rows are taken as separated: there is no maximum.
_LARGEST = 50.0


@dataclass(frozen=True, eq=False)
class LogisticFit:
    """A fitted logistic regression.

    Parameters
    ----------
    coefficients : ndarray of shape (p,)
    covariance : ndarray of shape (p, p)
        Inverse of the observed information; with clusters, the sandwich estimate of Liang and Zeger (1986).
    """

    coefficients: NDArray[np.float64]
    covariance: NDArray[np.float64]

    def standard_error(self, at: int) -> float:
        """Standard error of a coefficient."""
        return float(np.sqrt(self.covariance[at, at]))


def fit_logistic(
    design: NDArray[np.float64],
    is_event: NDArray[np.bool_],
    offset: NDArray[np.float64] | float = 0.0,
    clusters: NDArray[np.intp] | None = None,
) -> LogisticFit | None:
    """Maximum-likelihood fit of logit P(event) = offset + design @ coefficients, by Newton steps.

    Parameters
    ----------
    design : ndarray of shape (n, p)
    is_event : ndarray of shape (n,)
    offset : ndarray of shape (n,) or float, default=0
        Added with a coefficient of 1.
    clusters : ndarray of shape (n,), optional
        Rows of the same number are not independent of each other.

    Returns
    -------
    fit : LogisticFit or None
        None if there is no maximum, because the columns separate the events from the other rows or are linearly
        dependent; and if there is a single cluster.
    """
    scale = np.maximum(np.abs(design).max(axis=0), 1e-300)
    columns, sign = design / scale, np.where(is_event, 1.0, -1.0)
    coefficients = np.zeros(design.shape[1])
    loss = -log_expit(sign * (offset + columns @ coefficients)).sum()
    for _ in range(_MOST_STEPS):
        share = expit(offset + columns @ coefficients)
        information = columns.T @ (columns * (share * (1 - share))[:, None])
        step = _solve(information, columns.T @ (is_event - share))
        if step is None:
            return None
        coefficients, next_loss = _stepped(columns, sign, offset, coefficients, step, loss)
        if np.abs(coefficients).max() > _LARGEST * max(1.0, float(scale.max())):
            return None
        is_done = loss - next_loss <= 1e-12 * (1 + abs(loss)) and np.abs(step).max() < 1e-8
        loss = next_loss
        if is_done:
            fit = _finished(columns, offset, coefficients, scale)
            return fit if clusters is None else _for_clusters(fit, design, is_event, clusters, offset)
    return None


def logit(share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-odds; probabilities are kept 1e-10 away from 0 and 1."""
    kept = np.clip(share, 1e-10, 1 - 1e-10)
    return np.log(kept) - np.log1p(-kept)


def spline_basis(x: NDArray[np.float64], knots: NDArray[np.float64]) -> NDArray[np.float64]:
    """Restricted cubic spline basis, linear beyond the outer knots (Stone and Koo 1985; Harrell's form and scale).

    Parameters
    ----------
    x : ndarray of shape (n,)
    knots : ndarray of shape (m,)
        Increasing, at least three.

    Returns
    -------
    basis : ndarray of shape (n, m - 1)
        The first column is x.
    """
    last, before = knots[-1], knots[-2]

    def cube(knot: float) -> NDArray[np.float64]:
        return np.maximum(x - knot, 0.0) ** 3

    columns = [x]
    for knot in knots[:-2]:
        bent = (
            cube(knot) - cube(before) * (last - knot) / (last - before) + cube(last) * (before - knot) / (last - before)
        )
        columns.append(bent / (last - knots[0]) ** 2)
    return np.stack(columns, axis=1)


def _solve(information: NDArray[np.float64], gradient: NDArray[np.float64]) -> NDArray[np.float64] | None:
    if not np.isfinite(information).all() or np.linalg.cond(information) > 1e14:
        return None
    return np.asarray(np.linalg.solve(information, gradient), dtype=np.float64)


def _stepped(
    columns: NDArray[np.float64],
    sign: NDArray[np.float64],
    offset: NDArray[np.float64] | float,
    coefficients: NDArray[np.float64],
    step: NDArray[np.float64],
    loss: float,
) -> tuple[NDArray[np.float64], float]:
    """The Newton step, halved until it does not increase the loss."""
    for _ in range(40):
        tried = coefficients + step
        next_loss = float(-log_expit(sign * (offset + columns @ tried)).sum())
        if next_loss <= loss + 1e-12 * (1 + abs(loss)):
            return tried, next_loss
        step = step / 2
    return coefficients, loss


def _finished(
    columns: NDArray[np.float64],
    offset: NDArray[np.float64] | float,
    coefficients: NDArray[np.float64],
    scale: NDArray[np.float64],
) -> LogisticFit:
    share = expit(offset + columns @ coefficients)
    information = columns.T @ (columns * (share * (1 - share))[:, None])
    return LogisticFit(coefficients / scale, np.linalg.inv(information) / np.outer(scale, scale))


def _for_clusters(
    fit: LogisticFit,
    design: NDArray[np.float64],
    is_event: NDArray[np.bool_],
    clusters: NDArray[np.intp],
    offset: NDArray[np.float64] | float,
) -> LogisticFit | None:
    """The same fit with the covariance that sums of scores over clusters have; None of a single cluster."""
    scores = design * (is_event - expit(offset + design @ fit.coefficients))[:, None]
    _, codes = np.unique(clusters, return_inverse=True)
    sums = np.stack([np.bincount(codes, column) for column in scores.T], axis=1)
    m = len(sums)
    if m < 2:
        return None
    return LogisticFit(fit.coefficients, m / (m - 1) * fit.covariance @ (sums.T @ sums) @ fit.covariance)
