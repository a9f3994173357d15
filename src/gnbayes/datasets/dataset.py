"""A table with a class for every row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows, their classes, and metadata.

    Parameters
    ----------
    name : str
    data : pandas.DataFrame of shape (n, d)
        One column per feature; missing values are NaN.
    target : ndarray of str of shape (n,)
        Class of each row.
    positive : str
        The positive class in the paper.
    groups : ndarray of str of shape (n,) or None
        The person of each row, if there are several rows per person.
    description : str

    Examples
    --------
    >>> from gnbayes.datasets import load_wdbc
    >>> wdbc = load_wdbc()
    >>> wdbc.name, wdbc.data.shape, wdbc.positive
    ('wdbc', (569, 30), 'malignant')
    """

    name: str
    data: Any
    target: NDArray[Any]
    positive: str
    groups: NDArray[Any] | None
    description: str
