"""The counts file: what a site gives away instead of rows."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

import numpy as np

from gnbayes.documents import checksum, need, part
from gnbayes.scale.exchange_files import read_site_file, write_site_file
from gnbayes.sites.dependence import surveyed_pairs
from gnbayes.sites.features_file import build_features
from gnbayes.sites.persons import Persons
from gnbayes.sites.privacy import MECHANISM, NoisePart, Privacy, noise_parts
from gnbayes.sites.site_counts import SiteCounts, Table, shapes_of, tables_of
from gnbayes.sites.site_features import SiteFeatures, describe_features
from gnbayes.sites.wording import reveals

_LARGEST = 2**53


def save_counts(counts: SiteCounts, path: str | os.PathLike[str]) -> None:
    """Write a counts file.

    Parameters
    ----------
    counts : SiteCounts
    path : path

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import count_site, load_counts, propose_features, save_counts
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> counts = count_site(features, [table], "columns")
    >>> with TemporaryDirectory() as folder:
    ...     save_counts(counts, f"{folder}/a.counts")
    ...     print(bool((load_counts(f"{folder}/a.counts").cells == counts.cells).all()))
    True
    """
    write_site_file(path, "counts", describe_counts(counts))


def load_counts(path: str | os.PathLike[str]) -> SiteCounts:
    """Read a counts file.

    Parameters
    ----------
    path : path

    Raises
    ------
    SiteFileError
        If the file is not a complete and valid counts file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import count_site, load_counts, propose_features, save_counts
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> with TemporaryDirectory() as folder:
    ...     save_counts(count_site(features, [table], "columns"), f"{folder}/a.counts")
    ...     counts = load_counts(f"{folder}/a.counts")
    >>> counts.what, counts.features.fingerprint == features.fingerprint
    ('columns', True)
    """
    return read_site_file(path, "counts", build_counts)


def release_id(counts: SiteCounts) -> str:
    """The id of a release: the checksum of its file, hence unique.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import count_site, propose_features, release_id
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> counts = count_site(features, [table], "columns")
    >>> release_id(counts) == release_id(count_site(features, [table[:70], table[70:]], "columns"))
    True
    """
    return checksum(describe_counts(counts))


def describe_counts(counts: SiteCounts) -> dict[str, Any]:
    """Return counts as a document of dicts, lists, strings and numbers."""
    persons = counts.persons
    return {
        "reveals": counts.words or reveals(counts),
        "site": counts.site,
        "what": counts.what,
        "fingerprint": counts.features.fingerprint,
        "features": describe_features(counts.features),
        "privacy": _describe_privacy(counts.privacy),
        "rows_per_person": None if persons is None else {"person": persons.column, "rows": persons.most_rows},
        "tables": [
            {"features": list(features), "counts": table.ravel().tolist()} for features, table in counts.split().items()
        ],
        "dependences": counts.dependences.tolist(),
    }


def _describe_privacy(privacy: Privacy) -> dict[str, Any]:
    return {
        "suppressed_below": privacy.suppressed_below,
        "epsilon": privacy.epsilon,
        "mechanism": None if privacy.epsilon is None else MECHANISM,
        "parts": [
            {"of": noise.name, "epsilon": str(noise.epsilon), "sensitivity": noise.sensitivity}
            for noise in privacy.parts
        ],
        "seed": privacy.seed,
    }


def build_counts(content: dict[str, Any]) -> SiteCounts:
    """Build counts from a document, and check them."""
    features = build_features(part(content, "features", dict, "counts"))
    need(content.get("fingerprint") == features.fingerprint, "counts.fingerprint", "must be that of the features")
    site = content.get("site")
    need(site is None or (type(site) is str and bool(site)), "counts.site", "must be null or text")
    what: Any = part(content, "what", str, "counts")
    need(what in ("pairs", "columns", "survey", "tree"), "counts.what", "must be pairs, columns, survey or tree")
    persons = _persons(content.get("rows_per_person"))
    described = part(content, "tables", list, "counts")
    tables = _tables(described, what, len(features.features))
    surveyed = surveyed_pairs(features.cardinalities) if what == "survey" else []
    dependences = part(content, "dependences", list, "counts")
    need(len(dependences) == len(surveyed), "counts.dependences", f"must be {len(surveyed)} numbers")
    need(_are_whole(dependences), "counts.dependences", "must be whole numbers below 2**53")
    privacy = _privacy(part(content, "privacy", dict, "counts"), what, tables, len(surveyed), persons)
    need((() in tables) == (what != "tree" and privacy.epsilon is not None) or what == "tree", *_CLASSES_RULE)
    cells = _cells(described, features, tables, may_be_negative=privacy.epsilon is not None)
    words = part(content, "reveals", str, "counts")
    wholes = np.array(dependences, dtype=np.int64)
    counts = SiteCounts(features, what, tables, cells, wholes, privacy, persons, site, words)
    if privacy.is_exact:
        _check_totals(counts)
    return counts


_CLASSES_RULE = ("counts.tables", "must include that of the classes if and only if there is noise")


def _tables(described: list[Any], what: Any, n_features: int) -> tuple[Table, ...]:
    """Features of the tables: those that `what` requires, or for a tree any tables in order."""
    for table in described:
        is_sound = isinstance(table, dict) and isinstance(table.get("features"), list)
        need(is_sound and all(type(j) is int for j in table["features"]), "counts.tables", "must name their features")
    tables = tuple(tuple(table["features"]) for table in described)
    inner = tables[1:] if tables[:1] == ((),) else tables
    if what != "tree":
        rule = "must be one per pair in order, or one per column"
        need(inner == tables_of(what, n_features), "counts.tables", rule)
        return tables
    check_tables(tables, n_features)
    return tables


def check_tables(tables: tuple[Table, ...], n_features: int) -> None:
    """Check the tables of a tree: distinct, in order, and of existing features."""
    need(bool(tables) and list(tables) == sorted(set(tables)), "tables", "must be different and in order")
    for table in tables:
        is_sound = len(table) <= 2 and list(table) == sorted(set(table)) and set(table) <= set(range(n_features))
        need(is_sound, f"table {list(table)}", "must be of at most two features, in order")


def _cells(
    described: list[Any], features: SiteFeatures, tables: tuple[Table, ...], *, may_be_negative: bool
) -> np.ndarray[Any, np.dtype[np.int64]]:
    cells: list[int] = []
    for table, names, shape in zip(described, tables, shapes_of(features, tables), strict=True):
        where = _named(features, names)
        numbers = part(table, "counts", list, where)
        need(len(numbers) == int(np.prod(shape)), where, f"must have {int(np.prod(shape))} cells")
        need(_are_whole(numbers), where, "must hold whole numbers below 2**53")
        need(may_be_negative or min(numbers) >= 0, where, "must not hold numbers below 0")
        cells += numbers
    return np.array(cells, dtype=np.int64)


def _named(features: SiteFeatures, table: Table) -> str:
    """Name a table by its columns, for messages."""
    return f"the table of {' and '.join(repr(features.names[j]) for j in table) or 'the classes'}"


def _are_whole(numbers: list[Any]) -> bool:
    return all(type(number) is int and abs(number) < _LARGEST for number in numbers)


def _persons(described: Any) -> Persons | None:
    if described is None:
        return None
    need(isinstance(described, dict), "counts.rows_per_person", "must be null or an object")
    column, rows = part(described, "person", str, "rows_per_person"), part(described, "rows", int, "rows_per_person")
    need(rows >= 1, "rows_per_person.rows", "must be at least 1")
    return Persons(column, rows)


def _privacy(
    described: dict[str, Any], what: str, tables: tuple[Table, ...], n_dependences: int, persons: Persons | None
) -> Privacy:
    below, epsilon, seed = (described.get(key) for key in ("suppressed_below", "epsilon", "seed"))
    need(below is None or (type(below) is int and below >= 2), "privacy.suppressed_below", "must be null or at least 2")
    need(epsilon is None or type(epsilon) is str, "privacy.epsilon", "must be null or text")
    need(below is None or epsilon is None, "privacy", "must be suppression or noise, not both")
    need(seed is None or type(seed) is int, "privacy.seed", "must be null or a whole number")
    need(described.get("mechanism") == (MECHANISM if epsilon else None), "privacy.mechanism", f"must be {MECHANISM!r}")
    parts = tuple(_noise_part(noise) for noise in part(described, "parts", list, "privacy"))
    need(bool(parts) == (epsilon is not None), "privacy.parts", "must be given if and only if epsilon is")
    if epsilon is not None:
        _check_parts(parts, epsilon, what, tables, n_dependences, persons)
    return Privacy(below, epsilon, parts, seed)


def _check_parts(
    parts: tuple[NoisePart, ...],
    epsilon: str,
    what: str,
    tables: tuple[Table, ...],
    n_dependences: int,
    persons: Persons | None,
) -> None:
    """Check that the parts spend epsilon in total, and that their sensitivities are those of their numbers."""
    need(sum(noise.epsilon for noise in parts) == _fraction(epsilon), "privacy.parts", "must add up to epsilon")
    wanted = noise_parts(
        what,
        sum(1 for table in tables if table),
        n_dependences,
        Fraction(1),
        1 if persons is None else persons.most_rows,
        with_classes=() in tables,
    )
    found, right = ([(noise.name, noise.sensitivity) for noise in each] for each in (parts, wanted))
    need(found == right, "privacy.parts", f"must have the sensitivities {dict(right)}")


def _noise_part(described: Any) -> NoisePart:
    need(isinstance(described, dict), "privacy.parts", "must be objects")
    where = "privacy.parts"
    epsilon, sensitivity = part(described, "epsilon", str, where), part(described, "sensitivity", int, where)
    need(sensitivity >= 1, f"{where}.sensitivity", "must be at least 1")
    return NoisePart(part(described, "of", str, where), _fraction(epsilon), sensitivity)


def _fraction(text: str) -> Fraction:
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        number = Fraction(0)
    need(0 < number < 10**9, "privacy.epsilon", "must be a number above 0")
    return number


def _check_totals(counts: SiteCounts) -> None:
    """Check that tables of the same rows have the same totals for each feature, and hence for each class."""
    known: dict[int, Any] = {}
    totals = set()
    for features, table in counts.split().items():
        totals.add(tuple(table.reshape(-1, table.shape[-1]).sum(axis=0).tolist()))
        for axis, j in enumerate(features):
            own = table if len(features) == 1 else table.sum(axis=1 - axis)
            same = np.array_equal(known.setdefault(j, own), own)
            need(same, "counts.tables", f"must agree on the rows of each value of {counts.features.names[j]!r}")
    need(len(totals) == 1, "counts.tables", "must agree on the rows of each class")
