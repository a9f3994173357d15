"""The results as a page in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gnbayes.reproduction.findings import FINDINGS, PROTOCOLS
from gnbayes.reproduction.guess_tables import guess_tables
from gnbayes.reproduction.markdown import TITLES, head, line
from gnbayes.reproduction.published import BEST_NUMBERS, MODELS, TABLES
from gnbayes.reproduction.results import PAPER_SPLITS, Row

BestNumbers = dict[tuple[str, str, str], int]


def write_page(rows: Sequence[Row], repeats: int, best_numbers: BestNumbers, missing: dict[str, str]) -> str:
    """The page that shows the paper's numbers next to ours.

    Parameters
    ----------
    rows : sequence of Row
    repeats : int
        Number of splits of the paper's experiment.
    best_numbers : dict of {(str, str, str): int}
        Number of features with the highest accuracy, by data set, reading and model.
    missing : dict of {str: str}
        Data sets that were not available, and why.

    Returns
    -------
    page : str
    """
    return "\n".join(_lines(rows, repeats, best_numbers, missing))


def _lines(rows: Sequence[Row], repeats: int, best_numbers: BestNumbers, missing: dict[str, str]) -> Iterator[str]:
    paper = [row for row in rows if row.protocol == "paper"]
    many = max(row.splits for row in paper)
    honest = [row for row in rows if row.protocol == "honest"]
    yield PROTOCOLS
    for name, reason in missing.items():
        yield f"Left out in this run: {name}. {reason}\n"
    yield FINDINGS
    yield "## The paper's protocol\n"
    yield (
        f"Means and standard deviations over the splits, all features used. The paper has {PAPER_SPLITS} splits. "
        f"*Distance* is the paper's number minus our mean of {many} splits, in standard errors of the difference of "
        "two such means: values beyond 2 in either direction are unlikely to be due to chance.\n"
    )
    for score in TABLES:
        yield from _paper_table(paper, score, repeats, many)
    yield from _best_table(best_numbers, many)
    guesses = [row for row in rows if row.protocol == "guess"]
    yield from guess_tables([row for row in paper if row.splits == many], guesses)
    yield f"## The honest protocol\n\nMeans and standard deviations over {honest[0].splits} splits.\n"
    for data in dict.fromkeys(row.data for row in honest):
        yield from _honest_table([row for row in honest if row.data == data])


def _paper_table(rows: Iterable[Row], score: str, repeats: int, many: int) -> Iterator[str]:
    called = " (the paper calls it ROC AUC)" if score == "balanced_accuracy" else ""
    yield f"### {TITLES[score]}{called}\n"
    titles = ["data", "model", "paper"]
    for reading in ("text", "program"):
        titles += [f"{reading}, {repeats} splits", f"{reading}, {many} splits", "distance"]
    yield from head([*titles, f"additive smoothing, {many} splits"])
    found = {(row.data, row.model, row.reading, row.splits): row for row in rows if row.score == score}
    for data in dict.fromkeys(row[0] for row in found):
        for model in MODELS.values():
            cells = []
            for reading in ("text", "program"):
                few, long = (found[data, model, reading, splits] for splits in (repeats, many))
                cells += [_cell(few), _cell(long), _distance(long)]
            additive = found[data, model, "library", many]
            yield line([data, model, f"{additive.published:.4f}", *cells, _cell(additive)])
    yield ""


def _distance(row: Row) -> str:
    return "" if row.distance is None else f"{round(row.distance, 1) + 0.0:+.1f}"


def _best_table(best_numbers: BestNumbers, many: int) -> Iterator[str]:
    """The figures in one table."""
    yield "### The best number of features\n"
    yield (
        f"The number with the highest mean accuracy over {many} splits, and what the paper concludes from its "
        "figures.\n"
    )
    columns = [(reading, model) for reading in ("text", "program") for model in ("GNB-A", "GNB-O")]
    yield from head(["data", "paper", *(f"{reading}, {model}" for reading, model in columns)])
    for data in dict.fromkeys(key[0] for key in best_numbers):
        yield line([data, BEST_NUMBERS[data], *(str(best_numbers[data, *column]) for column in columns)])
    yield ""


def _honest_table(rows: Sequence[Row]) -> Iterator[str]:
    yield f"### {rows[0].data}\n"
    scores = list(dict.fromkeys(row.score for row in rows))
    yield from head(["model", "features", *(TITLES[score] for score in scores)])
    found = {(row.model, row.features, row.score): row for row in rows}
    for model, features in dict.fromkeys((row.model, row.features) for row in rows):
        used = found[model, features, scores[0]].n_features
        said = f"all {used:.0f}" if features == "all" else f"chosen, {used:.1f} on average"
        yield line([model, said, *(_cell(found[model, features, score]) for score in scores)])
    yield ""


def _cell(row: Row) -> str:
    return f"{row.mean:.3f} ± {row.spread:.3f}"
