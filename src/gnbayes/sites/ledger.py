"""The ledger of a site: how much of its privacy budget its releases have spent.

The epsilons of releases from the same rows add up. A site states its budget once and keeps the ledger next to its data.
Every noisy release is entered before it leaves; one that would exceed the budget is refused.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from gnbayes.documents import DocumentError, need, part
from gnbayes.scale.exchange_files import read_site_file, write_site_file
from gnbayes.sites.counts_file import release_id
from gnbayes.sites.noise import add_noise
from gnbayes.sites.persons import Persons
from gnbayes.sites.privacy import exact_epsilon
from gnbayes.sites.site_counts import SiteCounts


@dataclass(frozen=True)
class Entry:
    """One release.

    Parameters
    ----------
    release : str
        Its id.
    what : str
    epsilon : str
    time : str
        In UTC.
    """

    release: str
    what: str
    epsilon: str
    time: str


@dataclass(frozen=True)
class Ledger:
    """The budget of a site and the releases that have spent it.

    Parameters
    ----------
    site : str
        A random name that appears in all its releases.
    budget : str
        The maximum that may be spent in total, as a decimal number.
    persons : Persons, optional
        Who is protected, the same in all releases; None for single rows.
    entries : tuple of Entry

    Examples
    --------
    >>> from gnbayes.sites.ledger import Entry, Ledger
    >>> ledger = Ledger("a", "2", None, (Entry("1f", "survey", "0.5", "2025-01-01T00:00:00Z"),))
    >>> str(ledger.left)
    '3/2'
    """

    site: str
    budget: str
    persons: Persons | None = None
    entries: tuple[Entry, ...] = ()

    @property
    def left(self) -> Fraction:
        """What is left of the budget."""
        return Fraction(self.budget) - sum(Fraction(entry.epsilon) for entry in self.entries)

    def check(self, epsilon: str, persons: Persons | None) -> None:
        """Raise an error for a release that would exceed the budget or protects another unit."""
        if persons != self.persons:
            raise ValueError(
                f"this ledger protects {_whom(self.persons)}, and the release would protect {_whom(persons)}; their "
                "epsilons do not add up, so protect the same unit in every release."
            )
        if exact_epsilon(epsilon) > self.left:
            raise ValueError(
                f"epsilon {epsilon} is more than the {float(self.left):g} that is left of the budget of {self.budget}; "
                "spend less, or release nothing more."
            )


def begin_ledger(path: str | os.PathLike[str], budget: str | float, persons: Persons | None = None) -> Ledger:
    """Begin the ledger of a site; raise an error if there is one already.

    Parameters
    ----------
    path : path
    budget : decimal number
        The maximum that releases may spend in total; it cannot be changed later.
    persons : Persons, optional
        Who is protected.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from gnbayes.sites import begin_ledger
    >>> with TemporaryDirectory() as folder:
    ...     ledger = begin_ledger(f"{folder}/site.ledger", budget="2")
    >>> float(ledger.left)
    2.0
    """
    exact_epsilon(budget)
    with _locked(Path(path)):
        if Path(path).exists():
            raise ValueError(
                f"{str(path)!r} already exists, and its budget cannot be changed; use it without stating a budget."
            )
        ledger = Ledger(secrets.token_hex(16), str(budget), persons)
        write_site_file(path, "ledger", _describe(ledger))
    return ledger


def load_ledger(path: str | os.PathLike[str]) -> Ledger:
    """Read a ledger; raise SiteFileError if it is incomplete or invalid.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from gnbayes.sites import begin_ledger, load_ledger
    >>> with TemporaryDirectory() as folder:
    ...     begun = begin_ledger(f"{folder}/site.ledger", budget="2")
    ...     print(load_ledger(f"{folder}/site.ledger") == begun)
    True
    """
    if not Path(path).exists():
        raise ValueError(f"there is no ledger {str(path)!r}; begin one by stating a budget.")
    return read_site_file(path, "ledger", _build)


def release(counts: SiteCounts, epsilon: str | float, ledger: str | os.PathLike[str]) -> SiteCounts:
    """Add noise to counts, and enter the release in the site's ledger before returning it.

    Parameters
    ----------
    counts : SiteCounts
        Exact counts.
    epsilon : decimal number
    ledger : path
        Path of a ledger written by `begin_ledger`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import begin_ledger, count_site, load_ledger, propose_features, release
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> with TemporaryDirectory() as folder:
    ...     _ = begin_ledger(f"{folder}/site.ledger", budget="2")
    ...     counts = release(count_site(features, [table], "columns"), "0.5", f"{folder}/site.ledger")
    ...     print(counts.privacy.epsilon, float(load_ledger(f"{folder}/site.ledger").left))
    0.5 1.5
    """
    exact_epsilon(epsilon)
    with _locked(Path(ledger)):
        so_far = load_ledger(ledger)
        so_far.check(str(epsilon), counts.persons)
        noisy = add_noise(replace(counts, site=so_far.site), str(epsilon))
        time = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        entry = Entry(release_id(noisy), noisy.what, str(epsilon), time)
        # The ledger comes first: an interruption can then waste budget, but never release counts that are not entered.
        write_site_file(ledger, "ledger", _describe(replace(so_far, entries=(*so_far.entries, entry))))
    return noisy


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other processes from spending the same budget at the same time."""
    lock = path.with_name(path.name + ".lock")
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        raise ValueError(
            f"{lock.name!r} exists: a release is under way, or one was interrupted; if none is running, delete it."
        ) from None
    try:
        yield
    finally:
        lock.unlink()


def _whom(persons: Persons | None) -> str:
    if persons is None:
        return "single rows"
    rows = "1 row" if persons.most_rows == 1 else f"{persons.most_rows} rows"
    return f"persons (column {persons.column!r}, at most {rows} each)"


def _describe(ledger: Ledger) -> dict[str, Any]:
    persons = ledger.persons
    return {
        "site": ledger.site,
        "budget": ledger.budget,
        "persons": None if persons is None else {"column": persons.column, "most_rows": persons.most_rows},
        "releases": [vars(entry) for entry in ledger.entries],
    }


def _build(content: dict[str, Any]) -> Ledger:
    persons, entries = content.get("persons"), part(content, "releases", list, "ledger")
    if persons is not None:
        need(isinstance(persons, dict), "ledger.persons", "must be null or an object")
        column, rows = part(persons, "column", str, "persons"), part(persons, "most_rows", int, "persons")
        need(rows >= 1, "persons.most_rows", "must be at least 1")
        persons = Persons(column, rows)
    for entry in entries:
        need(isinstance(entry, dict), "ledger.releases", "must be objects")
        need(
            sorted(entry) == ["epsilon", "release", "time", "what"],
            "ledger.releases",
            "must each have the keys epsilon, release, time and what",
        )
        need(all(type(text) is str for text in entry.values()), "ledger.releases", "must hold text")
        _check_epsilon(entry["epsilon"])
    budget = _check_epsilon(part(content, "budget", str, "ledger"))
    return Ledger(part(content, "site", str, "ledger"), budget, persons, tuple(Entry(**entry) for entry in entries))


def _check_epsilon(text: str) -> str:
    try:
        exact_epsilon(text)
    except ValueError:
        raise DocumentError("ledger must have numbers from 1e-6 to 1e6 as budget and epsilon") from None
    return text
