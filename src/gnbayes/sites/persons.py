"""A bound on the rows that one person adds, so that privacy holds for persons and not only for rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import narwhals as nw

from gnbayes.scale.batches import as_frame


@dataclass(frozen=True)
class Persons:
    """Who is protected.

    Parameters
    ----------
    column : str
        Identifies the person of each row; it is read, and never released.
    most_rows : int, default=1
        Rows of one person that count: the first ones; the others are left out.

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
    """Batches with the first rows of every person alone.

    Whether a row stays depends on the rows of the same person only, so that leaving out one person leaves all others as
    they are.

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
            if person != person:  # not a number, which pandas has for missing
                raise ValueError(f"column {persons.column!r} has missing values, and every row needs a person.")
            seen[person] += 1
            stays.append(seen[person] <= persons.most_rows)
        yield frame.filter(stays).to_native()
