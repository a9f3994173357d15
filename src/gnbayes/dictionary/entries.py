"""The content of a data dictionary (columns, target and page) as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType

NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Column:
    """The description of one column. Empty text and None mean "not specified".

    Parameters
    ----------
    name : str
        Name in the table.
    label : str
        Name for readers.
    unit : str
        Unit of the numbers in the table.
    second_unit : str
        Another unit in which people may measure it.
    factor : float, optional
        How many of the first unit make one of the second: 38.67 for cholesterol in mg/dL, with mmol/L as second unit.
    description : str
        How it is measured, in a sentence.
    group : str
        Heading under which it is asked.
    order : float, optional
        Position among the columns; columns without one come last, in the order of the table.
    codes : mapping of str to str
        Names of the table's codes: ``{"0": "no", "1": "yes"}``.
    lowest, highest : float, optional
        Smallest and largest possible value, in the first unit.
    decimals : int, optional
        Meaningful number of digits after the decimal point.
    asked : bool
        Whether the calculator asks for it; if not, it stays unknown.

    Examples
    --------
    >>> from gnbayes.dictionary import Column
    >>> chol = Column("chol", label="Cholesterol", unit="mg/dL", second_unit="mmol/L", factor=38.67)
    >>> chol.label, chol.asked
    ('Cholesterol', True)
    """

    name: str
    label: str = ""
    unit: str = ""
    second_unit: str = ""
    factor: float | None = None
    description: str = ""
    group: str = ""
    order: float | None = None
    codes: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    lowest: float | None = None
    highest: float | None = None
    decimals: int | None = None
    asked: bool = True


@dataclass(frozen=True)
class Target:
    """The description of the target.

    Parameters
    ----------
    column : str
        Name in the table.
    label : str
        Name for readers.
    labels : mapping of str to str
        Names of the classes.
    event : str
        The class whose risk is predicted, as in the table or by its name.
    meaning : str
        The meaning of the event in one sentence: how and when it is determined.

    Examples
    --------
    >>> from gnbayes.dictionary import Target
    >>> Target(column="fall", labels={"0": "no fall", "1": "fall"}, event="1").labels["1"]
    'fall'
    """

    column: str = ""
    label: str = ""
    labels: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    event: str = ""
    meaning: str = ""


@dataclass(frozen=True)
class PageText:
    """What a page should say about the model.

    Parameters
    ----------
    title, authors, date, version, contact : str
        Title of the page; authors, date, version and contact of the model.
    source, period : str
        Where and when the training rows were collected.
    population : str
        The people the model is intended for.
    intended_use, not_for : str
        What the model is intended for, and what it must not be used for.

    Examples
    --------
    >>> from gnbayes.dictionary import PageText
    >>> PageText(title="Falls in wards", population="adults").population
    'adults'
    """

    title: str = ""
    authors: str = ""
    date: str = ""
    version: str = ""
    contact: str = ""
    source: str = ""
    period: str = ""
    population: str = ""
    intended_use: str = ""
    not_for: str = ""


@dataclass(frozen=True)
class Dictionary:
    """A data dictionary.

    Parameters
    ----------
    columns : mapping of str to Column
        Descriptions by column name, in the order of the dictionary.
    target : Target
    page : PageText

    Examples
    --------
    >>> from gnbayes.dictionary import read_dictionary
    >>> heart = read_dictionary({"columns": {"chol": {"label": "Cholesterol", "unit": "mg/dL", "lowest": 50}}})
    >>> heart.columns["chol"].label
    'Cholesterol'
    """

    columns: Mapping[str, Column] = field(default_factory=lambda: MappingProxyType({}))
    target: Target = field(default_factory=Target)
    page: PageText = field(default_factory=PageText)

    def column(self, name: str) -> Column:
        """The description of a column; only its name if it is not described."""
        return self.columns.get(name) or Column(name)


def entry_names(part: type[Column | Target | PageText]) -> list[str]:
    """Names of the entries of a part."""
    return [entry.name for entry in fields(part) if entry.name != "name"]
