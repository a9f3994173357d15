"""The results as a page in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gnbayes.reproduction.findings import FINDINGS, PROTOCOLS
from gnbayes.reproduction.published import MODELS, TABLES, published
from gnbayes.reproduction.results import PAPER_SPLITS, Row

_TITLES = {
    "accuracy": "Accuracy",
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "balanced_accuracy": "Balanced accuracy",
    "roc_auc": "ROC AUC",
    "log_loss": "log-loss",
}
_KINDS = ("all", "chosen")


def write_page(
    rows: Sequence[Row],
    repeats: int,
    multinomial: dict[str, dict[str, NDArray[np.float64]]],
    missing: dict[str, str],
) -> str:
    """The page that sets the paper's numbers beside ours.

    Parameters
    ----------
    rows : sequence of Row
    repeats : int
        Number of splits of the paper's experiment.
    multinomial : dict of {str: dict of {str: ndarray}}
        Scores of MultinomialNB by data set.
    missing : dict of {str: str}
        Data sets that could not be had, and why.

    Returns
    -------
    page : str
    """
    return "\n".join([*_lines(rows, repeats, multinomial, missing), ""])


def _lines(
    rows: Sequence[Row],
    repeats: int,
    multinomial: dict[str, dict[str, NDArray[np.float64]]],
    missing: dict[str, str],
) -> Iterator[str]:
    paper = [row for row in rows if row.protocol == "paper"]
    many = max(row.splits for row in paper)
    honest = [row for row in rows if row.protocol == "honest"]
    yield PROTOCOLS
    for name, reason in missing.items():
        yield f"Left out in this run: {name}. {reason}\n"
    yield FINDINGS
    yield "## The paper's protocol\n"
    yield (
        f"Means and standard deviations over the splits. The paper has {PAPER_SPLITS} splits. *Distance* is the "
        f"paper's number minus our mean of {many} splits with all features, in standard errors of the difference of "
        "two such means: beyond 2 either way, chance is an unlikely reason. In brackets: the mean number of features.\n"
    )
    yield from _agreement(paper, many)
    for score in TABLES:
        yield from _paper_table(paper, score, repeats, many)
    yield from _multinomial_table(multinomial)
    yield f"## The honest protocol\n\nMeans and standard deviations over {honest[0].splits} splits.\n"
    for data in dict.fromkeys(row.data for row in honest):
        yield from _honest_table([row for row in honest if row.data == data])


def _agreement(rows: Iterable[Row], many: int) -> Iterator[str]:
    """How many of the paper's numbers are within two standard errors of ours."""
    yield "The paper's numbers that are within two standard errors of ours, of all its numbers:\n"
    yield from _head(["model", "all features", "chosen number of features"])
    long = [row for row in rows if row.splits == many and row.smoothing == "paper" and row.published is not None]
    for model in MODELS.values():
        cells = [_count([row for row in long if (row.model, row.features) == (model, kind)]) for kind in _KINDS]
        yield _line([model, *cells])
    yield ""


def _count(rows: list[Row]) -> str:
    close = sum(row.distance is not None and abs(row.distance) <= 2 for row in rows)
    return f"{close} of {len(rows)}" if rows else ""


def _paper_table(rows: Sequence[Row], score: str, repeats: int, many: int) -> Iterator[str]:
    called = " (the paper calls it ROC AUC)" if score == "balanced_accuracy" else ""
    yield f"### {_TITLES[score]}{called}\n"
    yield from _head(
        [
            "data",
            "model",
            "paper",
            f"all features, {repeats} splits",
            f"chosen number, {repeats} splits",
            f"additive smoothing, {repeats} splits",
            f"all features, {many} splits",
            "distance",
        ]
    )
    found = {(row.data, row.model, row.smoothing, row.features, row.splits): row for row in rows if row.score == score}
    for data in dict.fromkeys(row.data for row in rows):
        for model in MODELS.values():
            own, long = (found[data, model, "paper", "all", splits] for splits in (repeats, many))
            chosen = found.get((data, model, "paper", "chosen", repeats))
            additive = found[data, model, "additive", "all", repeats]
            cells = [_cell(own), _cell(chosen), _cell(additive), _cell(long)]
            distance = "" if long.distance is None else f"{round(long.distance, 1) + 0.0:+.1f}"
            yield _line([data, model, f"{own.published:.4f}", *cells, distance])
    yield ""


def _multinomial_table(multinomial: dict[str, dict[str, NDArray[np.float64]]]) -> Iterator[str]:
    if not multinomial:
        return
    yield "### The paper's naive Bayes, and MultinomialNB on the averages of the intervals\n"
    yield "The paper's number, then the mean and the standard deviation of a mean of five splits.\n"
    yield from _head(["data", *(_TITLES[score] for score in TABLES)])
    for name, scores in multinomial.items():
        cells = []
        for score in TABLES:
            error = scores[score].std(ddof=1) / np.sqrt(PAPER_SPLITS)
            number = published(score, name.split(",")[0], "nb")
            cells.append(f"{number:.4f}: {scores[score].mean():.3f} ± {error:.3f}")
        yield _line([name, *cells])
    yield ""


def _honest_table(rows: Sequence[Row]) -> Iterator[str]:
    yield f"### {rows[0].data}\n"
    scores = list(dict.fromkeys(row.score for row in rows))
    yield from _head(["model", "features", *(_TITLES[score] for score in scores)])
    found = {(row.model, row.features, row.score): row for row in rows}
    for model, features in dict.fromkeys((row.model, row.features) for row in rows):
        used = found[model, features, scores[0]].n_features
        said = f"all {used:.0f}" if features == "all" else f"chosen, {used:.1f} on average"
        yield _line([model, said, *(_plain_cell(found[model, features, score]) for score in scores)])
    yield ""


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    number = f" ({row.n_features:.1f})" if row.features == "chosen" else ""
    return _plain_cell(row) + number


def _plain_cell(row: Row) -> str:
    return f"{row.mean:.3f} ± {row.spread:.3f}"


def _head(names: Sequence[str]) -> Iterator[str]:
    yield _line(names)
    yield _line(["---"] * len(names))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
