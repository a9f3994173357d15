"""Check a dictionary against the model it describes: everything it names must exist and fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gnbayes.dictionary.entries import Column, Dictionary
from gnbayes.dictionary.failure import DictionaryError, listed, nearest


@dataclass(frozen=True)
class Known:
    """A column as a model knows it.

    Parameters
    ----------
    name : str
    kind : {"number", "choice"}
    values : tuple of str
        Texts of the values of a choice.
    means : tuple of float
        Mean of the training values in each bin of a numeric column.
    edges : tuple of float
        Edges between the bins.

    Examples
    --------
    >>> from gnbayes.dictionary import Known
    >>> Known("sex", "choice", values=("f", "m")).values
    ('f', 'm')
    """

    name: str
    kind: Literal["number", "choice"]
    values: tuple[str, ...] = ()
    means: tuple[float, ...] = ()
    edges: tuple[float, ...] = ()


def check_columns(dictionary: Dictionary, known: Sequence[Known]) -> None:
    """Raise an error that names the first description that does not fit the columns.

    Parameters
    ----------
    dictionary : Dictionary
    known : sequence of Known
        All columns that the model was fitted on.

    Examples
    --------
    >>> from gnbayes.dictionary import DictionaryError, Known, check_columns, read_dictionary
    >>> try:
    ...     check_columns(read_dictionary({"columns": {"aeg": {"unit": "years"}}}), [Known("age", "number")])
    ... except DictionaryError as error:
    ...     print(error)
    the dictionary describes column 'aeg', which the model does not have; did you mean 'age'?
    """
    by_name = {column.name: column for column in known}
    unknown = [name for name in dictionary.columns if name not in by_name]
    if len(unknown) == 1:
        hint = nearest(unknown[0], by_name)
        raise DictionaryError(f"the dictionary describes column {unknown[0]!r}, which the model does not have; {hint}")
    if unknown:
        raise DictionaryError(
            f"the dictionary describes columns that the model does not have: {listed(unknown)}; remove or rename them."
        )
    for name, column in dictionary.columns.items():
        if by_name[name].kind == "choice":
            _check_choice(column, by_name[name])
        else:
            _check_number(column, by_name[name])


def match_codes(codes: Mapping[str, str], values: Sequence[str]) -> dict[int, str]:
    """Names by the position of the value they belong to; codes that are not values are omitted.

    Texts that represent the same number, or differ only in case, are equal.

    Examples
    --------
    >>> from gnbayes.dictionary.matching import match_codes
    >>> match_codes({"0.0": "no", "TRUE": "yes"}, ["0", "true"])
    {0: 'no', 1: 'yes'}
    """
    positions = {_normal(value): at for at, value in reversed(list(enumerate(values)))}
    exact = {value: at for at, value in enumerate(values)}
    found = {exact.get(code, positions.get(_normal(code))): name for code, name in codes.items()}
    return {at: name for at, name in found.items() if at is not None}


def name_classes(dictionary: Dictionary, classes: Sequence[str]) -> list[str]:
    """Names of the classes, from the dictionary where it has them.

    Parameters
    ----------
    dictionary : Dictionary
    classes : sequence of str
        Texts of the model's classes.

    Examples
    --------
    >>> from gnbayes.dictionary import name_classes, read_dictionary
    >>> name_classes(read_dictionary({"target": {"labels": {"0": "well", "1": "ill"}}}), ["0", "1"])
    ['well', 'ill']
    """
    labels = dictionary.target.labels
    for code in labels:
        if not match_codes({code: ""}, classes):
            raise DictionaryError(f"target: labels names the class {code!r}; the classes are {listed(classes)}.")
    names = match_codes(labels, classes)
    return [names.get(at, text) for at, text in enumerate(classes)]


def find_event(dictionary: Dictionary, classes: Sequence[str]) -> int | None:
    """Position of the class that is the event; None if the dictionary does not specify it.

    Examples
    --------
    >>> from gnbayes.dictionary import find_event, read_dictionary
    >>> find_event(read_dictionary({"target": {"event": "ill"}}), ["ill", "well"])
    0
    """
    event = dictionary.target.event
    if not event:
        return None
    names = name_classes(dictionary, classes)
    found = match_codes({event: ""}, classes) or match_codes({event: ""}, names)
    if not found:
        raise DictionaryError(f"target: event is {event!r}, which is not a class; the classes are {listed(classes)}.")
    return next(iter(found))


def code_intervals(column: Column, edges: Sequence[float]) -> list[int]:
    """Position of the bin that each code of a numeric column falls into.

    Examples
    --------
    >>> from gnbayes.dictionary import Column, code_intervals
    >>> code_intervals(Column("stage", codes={"1": "early", "4": "late"}), [2.5])
    [0, 1]
    """
    return [sum(edge <= float(code) for edge in edges) for code in column.codes]


def _check_choice(column: Column, known: Known) -> None:
    where = f"column {column.name!r}"
    for entry in ("unit", "lowest", "highest", "decimals"):
        if getattr(column, entry) not in (None, ""):
            raise DictionaryError(
                f"{where} has {entry}, but the model treats it as categorical ({listed(known.values, 4)}); remove it."
            )
    for code in column.codes:
        if not match_codes({code: ""}, known.values):
            raise DictionaryError(
                f"{where}: codes names {code!r}, which did not occur in training; the values there were "
                f"{listed(known.values)}."
            )


def _check_number(column: Column, known: Known) -> None:
    where = f"column {column.name!r}"
    for code in column.codes:
        if not _is_number(code):
            raise DictionaryError(f"{where}: codes names {code!r}, but the column holds numbers.")
    if not known.means:
        return
    if column.codes:
        covered = set(code_intervals(column, known.edges))
        left = [mean for at, mean in enumerate(known.means) if at not in covered]
        if left:
            raise DictionaryError(
                f"{where}: codes omits values that occurred in training, around {left[0]:g}; name all of them."
            )
    low, high = min(known.means), max(known.means)
    for entry, bound, mean in (("lowest", column.lowest, low), ("highest", column.highest, high)):
        if bound is not None and (mean < bound if entry == "lowest" else mean > bound):
            raise DictionaryError(
                f"{where}: {entry} is {bound:g}, but training has values around {mean:.4g}; is it in another unit?"
            )


def _normal(text: str) -> Any:
    return float(text) if _is_number(text) else text.casefold()


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.strip().lower() not in ("nan", "inf", "-inf", "infinity", "-infinity")
