"""Rows in which features are absent: sum them out exactly, on the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from gnbayes.model.parameters import Tables
from gnbayes.structure import Tree


def contributions_with_absent(
    codes: NDArray[Any], is_absent: NDArray[np.bool_], tables: Tables, tree: Tree
) -> NDArray[np.float64]:
    """What each feature adds to the log joint when features join in the order of the tree.

    A present feature adds log P(x_j | y, the present features before it), with everything absent summed out; an absent
    one adds 0. The sum over the features is the log of P(present features | y).

    Parameters
    ----------
    codes : ndarray of shape (n, d)
    is_absent : ndarray of shape (n, d)
    tables : tuple of ndarray of shape (v_mother, v_j, k)
    tree : Tree

    Returns
    -------
    contributions : ndarray of shape (n, d, k)

    Notes
    -----
    An absent feature collects the messages of its daughters, log P(present below it | its value, y). When a feature
    joins below a chain of absent ancestors, its message changes theirs, up to the first ancestor that is present or the
    root; the change there is what the feature adds.
    """
    n, d = codes.shape
    out = np.zeros((n, d, tables[0].shape[2]))
    collected = [np.zeros((0, 0, 0))] * d
    for j in tree.order.tolist():
        v = tables[j].shape[1]
        if is_absent[:, j].any():
            collected[j] = np.zeros((n, v, out.shape[2]))
        rows = np.flatnonzero(~is_absent[:, j])
        mother = int(tree.mother[j])
        if mother < 0:
            out[rows, j] = tables[j][0, codes[rows, j]]
            continue
        below = is_absent[rows, mother]
        direct, indirect = rows[~below], rows[below]
        out[direct, j] = tables[j][codes[direct, mother], codes[direct, j]]
        if len(indirect):
            message = tables[j][:, codes[indirect, j]].transpose(1, 0, 2)
            _send_up(mother, indirect, message, codes, is_absent, tables, tree, collected, out[:, j])
    return out


def _send_up(
    node: int,
    rows: NDArray[np.intp],
    message: NDArray[np.float64],
    codes: NDArray[Any],
    is_absent: NDArray[np.bool_],
    tables: Tables,
    tree: Tree,
    collected: list[NDArray[np.float64]],
    out: NDArray[np.float64],
) -> None:
    """Add `message`, shape (rows, values of node, k), to an absent node, and what that changes above it to `out`."""
    while len(rows):
        before = collected[node][rows]
        after = before + message
        collected[node][rows] = after
        table, mother = tables[node], int(tree.mother[node])
        if mother < 0:
            out[rows] = logsumexp(table + after, axis=1) - logsumexp(table + before, axis=1)
            return
        is_open = is_absent[rows, mother]
        closed = rows[~is_open]
        given = table[codes[closed, mother]]
        out[closed] = logsumexp(given + after[~is_open], axis=1) - logsumexp(given + before[~is_open], axis=1)
        after, before = after[is_open, None], before[is_open, None]
        message = logsumexp(table + after, axis=2) - logsumexp(table + before, axis=2)
        rows, node = rows[is_open], mother
