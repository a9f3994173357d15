"""Rows with absent features: exact marginals on the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.parameters import Tables
from gnbayes.structure import Tree


def log_joint_with_absent(
    codes: NDArray[Any],
    is_absent: NDArray[np.bool_],
    tables: Tables,
    tree: Tree,
    log_prior: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Log joint of the present features, by one pass of messages from the leaves to the root, shape (n, k).

    Parameters
    ----------
    codes : ndarray of shape (n, d)
    is_absent : ndarray of shape (n, d)
    tables : tuple of ndarray of shape (v_mother, v_j, k)
    tree : Tree
    log_prior : ndarray of shape (k,)
    """
    total = np.tile(log_prior, (len(codes), 1))
    inbox = _Inbox(is_absent, tables)
    for j in tree.order[::-1].tolist():
        table, mother = tables[j], int(tree.mother[j])
        rows = np.flatnonzero(~is_absent[:, j])
        if mother < 0:
            total[rows] += table[0, codes[rows, j]]
            rows, box = inbox.take(j)
            total[rows] += log_product(table, box)[:, 0]
            continue
        is_open = is_absent[rows, mother]
        direct, indirect = rows[~is_open], rows[is_open]
        total[direct] += table[codes[direct, mother], codes[direct, j]]
        inbox.add(mother, indirect, table[:, codes[indirect, j]].transpose(1, 0, 2))
        rows, box = inbox.take(j)
        is_open = is_absent[rows, mother]
        total[rows[~is_open]] += _log_sum(table[codes[rows[~is_open], mother]], box[~is_open])
        inbox.add(mother, rows[is_open], log_product(table, box[is_open]))
    return total


class _Inbox:
    """Messages that absent features have received from their children: log P(present below | value, y)."""

    def __init__(self, is_absent: NDArray[np.bool_], tables: Tables) -> None:
        self._is_absent, self._tables = is_absent, tables
        self._boxes: dict[int, tuple[NDArray[np.intp], NDArray[np.float64]]] = {}

    def add(self, feature: int, rows: NDArray[np.intp], message: NDArray[np.float64]) -> None:
        """Add a message, shape (rows, values of the feature, k), for some of the rows where the feature is absent."""
        if not len(rows):
            return
        if feature not in self._boxes:
            absent = np.flatnonzero(self._is_absent[:, feature])
            self._boxes[feature] = absent, np.zeros((len(absent), *self._tables[feature].shape[1:]))
        absent, box = self._boxes[feature]
        box[np.searchsorted(absent, rows)] += message

    def take(self, feature: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The rows in which a feature has received messages, and their sums."""
        empty = np.zeros((0, *self._tables[feature].shape[1:]))
        return self._boxes.pop(feature, (np.zeros(0, dtype=np.intp), empty))


def log_product(table: NDArray[np.float64], box: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum a feature out: log of sum_x P(x | x_mother, y) exp(box), shape (rows, values of the parent, k)."""
    scale = box.max(axis=1, keepdims=True)
    return np.log(np.einsum("mvk,nvk->nmk", np.exp(table), np.exp(box - scale))) + scale


def _log_sum(given: NDArray[np.float64], box: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same for one value of the parent per row: `given` has shape (rows, values, k)."""
    return np.logaddexp.reduce(given + box, axis=1)


def contributions_with_absent(
    codes: NDArray[Any], is_absent: NDArray[np.bool_], tables: Tables, tree: Tree
) -> NDArray[np.float64]:
    """Contribution of each feature to the log joint when features join in the order of the tree.

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
    An absent feature collects the messages of its children, log P(present below it | its value, y). When a feature
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
    """Add `message`, shape (rows, values of node, k), to an absent node, and the resulting changes above it to
    `out`.
    """
    while len(rows):
        before = collected[node][rows]
        after = before + message
        collected[node][rows] = after
        table, mother = tables[node], int(tree.mother[node])
        if mother < 0:
            out[rows] = (log_product(table, after) - log_product(table, before))[:, 0]
            return
        is_open = is_absent[rows, mother]
        closed = rows[~is_open]
        given = table[codes[closed, mother]]
        out[closed] = _log_sum(given, after[~is_open]) - _log_sum(given, before[~is_open])
        message = log_product(table, after[is_open]) - log_product(table, before[is_open])
        rows, node = rows[is_open], mother
