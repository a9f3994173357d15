"""The rows passed to `report`, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Table, check_table, check_target, encode, label_indices
from gnbayes.estimator import GeneralizedNB
from gnbayes.evaluation import group_codes
from gnbayes.reporting.scoring import Rows, seen_rows


@dataclass(frozen=True, eq=False)
class Given:
    """Rows passed together with a model.

    Parameters
    ----------
    X : array-like or data frame of shape (n, d)
        As passed by the user.
    table : Table
        The same by columns.
    codes : ndarray of shape (n, d)
        Codes of the model.
    labels : ndarray of shape (n,), optional
        Index of each row's class.
    groups : ndarray of shape (n,), optional
        Number of each row's group.
    is_seen : ndarray of shape (n,)
        Whether the model was fitted to a row; all False without classes.
    """

    X: Any
    table: Table
    codes: NDArray[Any]
    labels: NDArray[np.intp] | None
    groups: NDArray[np.intp] | None
    is_seen: NDArray[np.bool_]

    @property
    def rows(self) -> Rows | None:
        """The rows with their classes; None without classes."""
        return None if self.labels is None else Rows(self.X, self.labels, self.groups)

    @property
    def training(self) -> Table | None:
        """The training rows, if the rows are the training rows."""
        return self.table if len(self.is_seen) and self.is_seen.all() else None


def read_given(clf: GeneralizedNB, X: Any, y: Any, groups: Any) -> Given | None:
    """Check the rows; None if none were passed.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    X, y, groups
        As in `report`.
    """
    if X is None:
        for name, value in (("y", y), ("groups", groups)):
            if value is not None:
                raise ValueError(f"{name} is given without X; give the table that it belongs to, or neither.")
        return None
    table = check_table(clf, X, reset=False)
    codes = encode(table, clf.features_)
    labels = None if y is None else label_indices(check_target(y, len(codes)), clf.classes_)
    is_seen = np.zeros(len(codes), dtype=bool) if labels is None else seen_rows(clf, codes, labels)
    if groups is None and clf.has_groups and is_seen.any():
        raise ValueError(
            "the model was fitted with groups, and the table contains training rows; give their groups, too, with "
            "groups= or --group COLUMN, so that rows of a group stay together in cross-validation."
        )
    return Given(X, table, codes, labels, _group_numbers(groups, len(codes)), is_seen)


def _group_numbers(groups: Any, n_rows: int) -> NDArray[np.intp] | None:
    if groups is None:
        return None
    values = np.asarray(groups)
    if values.shape != (n_rows,):
        raise ValueError(f"groups must be one value per row of X, {n_rows}, got the shape {values.shape} instead.")
    return group_codes(values)
