"""The whole experiment in one call, and its results."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path

from gnbayes.datasets import Dataset, fetch_diabetes, fetch_heart, fetch_parkinsons, fetch_thyroid, load_wdbc
from gnbayes.progress import Progress, part_of, silent
from gnbayes.reproduction.figures import save_figures
from gnbayes.reproduction.guesses import try_guesses
from gnbayes.reproduction.page import write_page
from gnbayes.reproduction.prepare import Prepared, as_numbers
from gnbayes.reproduction.protocol import Measured, honest_protocol, paper_protocol
from gnbayes.reproduction.results import Row, summarize

LOADERS: dict[str, Callable[[], Dataset]] = {
    "wdbc": load_wdbc,
    "heart": fetch_heart,
    "diabetes": fetch_diabetes,
    "thyroid": fetch_thyroid,
    "parkinsons": fetch_parkinsons,
}


@dataclass(frozen=True, eq=False)
class Reproduction:
    """The results of the paper's experiment, reproduced.

    Parameters
    ----------
    measured : tuple of Measured
        Every classifier on every data set, in both protocols.
    repeats : int
        Number of splits of the paper's protocol that correspond to its experiment; the others show the effect of
        chance.
    guesses : tuple of Row
        Alternatives tried where neither reading gives the paper's numbers; see `try_guesses`.
    missing : dict of {str: str}
        Data sets that were not available, and why.

    Examples
    --------
    >>> from gnbayes.reproduction import Reproduction
    >>> Reproduction((), 20, (), {"heart": "not downloaded"}).missing
    {'heart': 'not downloaded'}
    """

    measured: tuple[Measured, ...]
    repeats: int
    guesses: tuple[Row, ...]
    missing: dict[str, str]

    @cached_property
    def rows(self) -> list[Row]:
        """Means and standard deviations, one row per score; the paper's protocol with `repeats` splits and with all."""
        paper = [one for one in self.measured if one.protocol == "paper"]
        parts = [one.first(self.repeats) for one in paper if len(one.n_features()) > self.repeats]
        return [*(row for one in (*parts, *self.measured) for row in summarize(one)), *self.guesses]

    @property
    def best_numbers(self) -> dict[tuple[str, str, str], int]:
        """The number of features with the highest mean accuracy, by data set, reading and model; with all splits."""
        return {
            (one.data, one.reading, one.model): one.curve.best("accuracy")
            for one in self.measured
            if one.protocol == "paper"
        }

    def markdown(self) -> str:
        """The page that shows the paper's numbers next to those of this run."""
        return write_page(self.rows, self.repeats, self.best_numbers, self.missing)

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write `rows.csv`, `page.md` and the figures, which need matplotlib.

        Parameters
        ----------
        folder : path
            Created if it does not exist.

        Returns
        -------
        paths : list of Path
            The files written.
        """
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        table, page = folder / "rows.csv", folder / "page.md"
        with table.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(Row)])
            writer.writeheader()
            writer.writerows(asdict(row) for row in self.rows)
        page.write_text(self.markdown(), encoding="utf-8")
        return [table, page, *save_figures((one.first(self.repeats) for one in self.measured), folder)]


def rerun_paper(
    repeats: int = 5,
    honest_repeats: int = 100,
    *,
    data: Sequence[str] = tuple(LOADERS),
    seed: int = 0,
    output: str | os.PathLike[str] | None = None,
    progress: Progress = silent,
) -> Reproduction:
    """Reproduce the paper's experiment, as the paper did it and with an honest protocol.

    Parameters
    ----------
    repeats : int, default=5
        Number of random splits of the paper's experiment; at least 2.
    honest_repeats : int, default=100
        Number of random splits of the honest protocol, and of a longer run of the paper's that shows the effect of
        chance.
    data : sequence of str
        Names of data sets; all five by default. One that is not available is left out, and the page says why.
    seed : int, default=0
        The same seed gives the same numbers.
    output : path, optional
        Folder to save everything to.
    progress : callable, optional
        Takes the share done, 0 to 1.

    Returns
    -------
    reproduction : Reproduction
        With `rows`, `markdown()` and `save(folder)`.

    Examples
    --------
    >>> from gnbayes.reproduction import rerun_paper
    >>> again = rerun_paper(repeats=2, honest_repeats=3, data=["wdbc"])
    >>> row = again.rows[0]
    >>> row.data, row.model, row.score, row.published
    ('wdbc', 'GNB-A', 'accuracy', 0.9349)
    """
    if min(repeats, honest_repeats) < 2:
        raise ValueError("repeats and honest_repeats must be at least 2, to have a spread over the splits.")
    tables, missing = _load(data)
    many = max(repeats, honest_repeats)
    measured: list[Measured] = []
    guesses: list[Row] = []
    for number, table in enumerate(tables):
        parts = [part_of(progress, 3 * number + part, 3 * len(tables)) for part in range(3)]
        measured += paper_protocol(table, many, seed, parts[0])
        measured += honest_protocol(table, honest_repeats, seed, parts[1])
        guesses += try_guesses(table, many, seed, parts[2])
    again = Reproduction(tuple(measured), repeats, tuple(guesses), missing)
    if output is not None:
        again.save(output)
    return again


def _load(names: Sequence[str]) -> tuple[list[Prepared], dict[str, str]]:
    tables: list[Prepared] = []
    missing: dict[str, str] = {}
    for name in names:
        if name not in LOADERS:
            raise ValueError(f"data must name data sets of the paper, {', '.join(LOADERS)}, got {name!r} instead.")
        try:
            tables.append(as_numbers(LOADERS[name]()))
        except (OSError, ImportError) as error:
            missing[name] = str(error)
    if not tables:
        raise OSError("none of the data sets is available: " + " ".join(dict.fromkeys(missing.values())))
    return tables, missing
