"""A bound on the rows per person, so that privacy protects persons rather than single rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import narwhals as nw

from gnbayes.scale.batches import as_frame


@dataclass(frozen=True)
class Persons:
    """The persons who are protected, and how many rows of each may count.

    Parameters
    ----------
    column : str
        Column that identifies the person of each row; it is read, but never released.
    most_rows : int, default=1
        Number of rows per person that count: the first ones. The others are left out.

    Examples
    --------
    >>> import pandas as pd
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import Persons, count_site, propose_features
    >>> visits = pd.DataFrame({"who": [1, 1, 2], "age": [30, 31, 50], "y": ["ill", "ill", "well"]})
    >>> features = propose_features(summarize(visits.drop(columns="who"), "y"), "y")
    >>> int(count_site(features, [visits], "columns", persons=Persons("who")).cells.sum())  # rows of age
    2
    """

    column: str
    most_rows: int = 1

    def __post_init__(self) -> None:
        if self.most_rows < 1:
            raise ValueError(f"most_rows must be a whole number from 1, got {self.most_rows!r} instead.")


def first_rows(batches: Iterable[Any], persons: Persons) -> Iterator[Any]:
    """Reduce batches to the first rows of every person.

    Whether a row is kept depends only on the rows of the same person, so removing one person does not affect the
    others.

    Examples
    --------
    >>> import pandas as pd
    >>> from gnbayes.sites.persons import Persons, first_rows
    >>> visits = pd.DataFrame({"patient": ["p", "q", "p"], "age": [40, 50, 41]})
    >>> [batch["age"].tolist() for batch in first_rows([visits[:2], visits[2:]], Persons("patient"))]
    [[40, 50], []]
    """
    seen: Counter[Any] = Counter()
    for batch in batches:
        frame = nw.from_native(as_frame(batch), eager_only=True)
        if persons.column not in frame.columns:
            raise ValueError(f"there is no column {persons.column!r}, which should identify the person of each row.")
        if frame[persons.column].is_null().any():
            raise ValueError(f"column {persons.column!r} has missing values, and every row needs a person.")
        stays = []
        for person in frame[persons.column].to_list():
            if person != person:  # NaN, which pandas uses for missing values
                raise ValueError(f"column {persons.column!r} has missing values, and every row needs a person.")
            seen[person] += 1
            stays.append(seen[person] <= persons.most_rows)
        yield frame.filter(stays).to_native()
