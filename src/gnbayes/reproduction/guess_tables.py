"""Tables of what was tried: how many of the paper's numbers each guess reproduces, and the numbers themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gnbayes.reproduction.guesses import GUESSES
from gnbayes.reproduction.markdown import TITLES, head, line
from gnbayes.reproduction.published import MODELS, TABLES, published
from gnbayes.reproduction.results import PAPER_SPLITS, Row

# Rows of one data set, model and reading or guess, by score.
_Found = dict[tuple[str, str, str], dict[str, Row]]
_READINGS = {"text": "the text", "program": "the program"}
# The guess that agrees best with the paper's numbers for other classifiers: in general, and on diabetes.
_BEST = {
    "TAN": ("zeros not repaired, impossible rows negative",) * 2,
    "NB": ("MultinomialNB of averages", "MultinomialNB of averages, Negative as the positive class"),
}


def guess_tables(paper: Sequence[Row], guesses: Sequence[Row]) -> Iterator[str]:
    """Lines of the section on what was tried.

    Parameters
    ----------
    paper : sequence of Row
        Results of the readings, in the paper's protocol.
    guesses : sequence of Row

    Yields
    ------
    line : str
    """
    found: _Found = {}
    for row in (*paper, *guesses):
        found.setdefault((row.data, row.model, row.reading), {})[row.score] = row
    names = list(dict.fromkeys(row.data for row in paper))
    yield "## What else was tried\n"
    yield from _agreement_table(found, names)
    if "diabetes" in names:
        yield from _diabetes_table(found)
    for model in _BEST:
        yield from _best_table(found, names, model)


def _agreement_table(found: _Found, names: Sequence[str]) -> Iterator[str]:
    """How many of the paper's numbers are within two standard errors of ours, for every reading and guess."""
    yield "### How many of the paper's numbers agree\n"
    yield (
        "*Agrees* means within two standard errors. There are five numbers per data set. A guess about diabetes "
        "changes that column only.\n"
    )
    yield from head(["model", "what was done", *names, "all"])
    for model in MODELS.values():
        for reading, said in _READINGS.items():
            yield line([model, said, *_counts([found[data, model, reading] for data in names])])
        for guess in GUESSES:
            if guess.model == model and guess.only in ("", *names):
                own = [found.get((data, model, guess.title)) or found[data, model, guess.base] for data in names]
                yield line([model, guess.title, *_counts(own)])
    yield ""


def _counts(by_data: Sequence[dict[str, Row]]) -> list[str]:
    close = [sum(_agrees(rows[score]) for score in TABLES) for rows in by_data]
    return [*map(str, close), f"{sum(close)} of {len(TABLES) * len(by_data)}"]


def _agrees(row: Row) -> bool:
    return row.distance is not None and abs(row.distance) <= 2


def _diabetes_table(found: _Found) -> Iterator[str]:
    """Results of each reading and guess for GNB on diabetes."""
    yield "### GNB on diabetes\n"
    yield from head(["model", "what was done", *(TITLES[score] for score in TABLES)])
    for structure in ("gnb-a", "gnb-o"):
        model = MODELS[structure]
        yield line([model, "the paper", *(f"{published(score, 'diabetes', structure):.4f}" for score in TABLES)])
        titles = {**_READINGS, **{guess.title: guess.title for guess in GUESSES if guess.structure == structure}}
        for reading, said in titles.items():
            yield line([model, said, *_means(found["diabetes", model, reading])])
    yield ""


def _means(rows: dict[str, Row]) -> list[str]:
    """Mean and standard error of five splits."""
    return [f"{rows[score].mean:.3f} ± {_error(rows[score]):.3f}" for score in TABLES]


def _error(row: Row) -> float:
    return float(row.spread / np.sqrt(PAPER_SPLITS))


def _best_table(found: _Found, names: Sequence[str], model: str) -> Iterator[str]:
    """The paper's numbers next to those of the guess that agrees best."""
    general, on_diabetes = _BEST[model]
    yield f"### {model}: {general}\n"
    if on_diabetes != general:
        yield f"On diabetes: {on_diabetes}.\n"
    yield "The paper's number, then the mean and the standard deviation of a mean of five splits.\n"
    yield from head(["data", *(TITLES[score] for score in TABLES)])
    for data in names:
        rows = found[data, model, on_diabetes if data == "diabetes" else general]
        numbers = [f"{rows[score].published:.4f}" for score in TABLES]
        yield line([data, *(": ".join(pair) for pair in zip(numbers, _means(rows), strict=True))])
    yield ""
