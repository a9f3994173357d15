"""One Markdown page from the stored results: settings, then development and confirmation tables apart."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from arguments import RESULTS, table_names
from environment import ROOT, describe_machine, enter_environment, installed_versions

if __name__ == "__main__":
    enter_environment()

import sections
from registry import CLASSIFIERS, DEFAULT, OURS
from results import Row, read
from roles import CONFIRMATION, DEVELOPMENT, SUITE
from settings import settings_hash
from summary import Summary, summarize

_METHOD = (
    "Stratified 80/20 splits, the same for all classifiers. Each classifier is fitted to the training rows only and "
    "receives text and missing values without preprocessing. Means are over splits, then over tables. Log-loss is in "
    "nats; probabilities below 1e-6 are clipped to 1e-6. The Brier score is summed over classes. With more than two "
    "classes, AUC is the mean of one-vs-rest AUCs. The calibration error is that of the predicted class, over ten "
    "bins of equal width. Times are CPU seconds on one thread; those of WEKA include starting Java. Confidence "
    "intervals of mean ranks, and the share of draws in which a classifier is first, come from a bootstrap over "
    "tables. Rows in italics below the ranking are each ranked as if they alone were added."
)


def main() -> None:
    """Read the results, write the page and the pictures."""
    arguments = _parse_arguments()
    rows = [row for path in arguments.results for row in read(path)]
    names = [name for name in CLASSIFIERS if any(row["classifier"] == name for row in rows)]
    parts = ["# Accuracy and calibration", _METHOD, describe_machine()]
    parts += ["## Classifiers and their settings", sections.settings(names, installed_versions()), _stale(rows, names)]
    for title, role in (("All", SUITE), ("Development", DEVELOPMENT), ("Confirmation", CONFIRMATION)):
        tables = [name for name in role if name in arguments.tables]
        if title != "All" or _has_both_roles(rows, arguments.tables):
            parts += _role(rows, title, tables, names, arguments)
    page = "\n\n".join(part for part in parts if part) + "\n"
    if arguments.output:
        arguments.output.write_text(page)
    else:
        print(page, end="")


def _has_both_roles(rows: list[Row], tables: Sequence[str]) -> bool:
    """Whether ours was run on confirmation tables, too, and both kinds are asked for."""
    done = {row["table"] for row in rows if row["classifier"] == DEFAULT} & set(tables)
    return bool(done & set(DEVELOPMENT)) and bool(done & set(CONFIRMATION))


def _role(rows: list[Row], title: str, tables: list[str], names: list[str], arguments: argparse.Namespace) -> list[str]:
    """Everything about the tables of one role: on all splits without the slow, then on the first split with them."""
    here = [row for row in rows if row["table"] in set(tables)]
    found = {row["classifier"] for row in here}
    ranked = [name for name in names if CLASSIFIERS[name].ranked and name in found]
    below = [name for name in names if not CLASSIFIERS[name].ranked and name in found]
    fast = [name for name in ranked if not CLASSIFIERS[name].slow]
    slow = [name for name in ranked if CLASSIFIERS[name].slow]
    if not fast:
        return []
    parts = _comparison(here, f"{title} tables", fast, below, tables, arguments)
    if slow:
        heading = f"{title} tables, with {' and '.join(slow)} on the first split"
        parts += _comparison(here, heading, ranked, below, tables, arguments)
    return parts


def _comparison(
    rows: list[Row], title: str, ranked: list[str], below: list[str], tables: list[str], arguments: argparse.Namespace
) -> list[str]:
    summary = summarize(rows, ranked, tables)
    if not summary.tables:
        return [f"## {title}", "No table has results of all classifiers.", sections.left_out(summary)]
    has_ours = DEFAULT in ranked and len(ranked) > 1
    return [
        f"## {title}",
        f"{_number(len(summary.tables), 'table')}, {_splits(summary)}.",
        sections.ranking(rows, summary, below),
        sections.test_of_ranks(summary),
        *_picture(summary, title, arguments),
        sections.other_ranks(summary),
        *(["### Targets", sections.targets(summary, DEFAULT)] if has_ours else []),
        "### Log-loss of each table",
        sections.each_table(summary),
        "### Time to fit",
        sections.times(summary),
        sections.left_out(summary),
    ]


def _splits(summary: Summary) -> str:
    counts = sorted({len(splits) for splits in summary.splits.values()})
    if len(counts) == 1:
        return f"{_number(counts[0], 'split')} each"
    return f"{counts[0]} to {counts[-1]} splits each"


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _picture(summary: Summary, title: str, arguments: argparse.Namespace) -> list[str]:
    if not arguments.picture or len(summary.tables) < 2:
        return []
    words = title.lower().replace(",", "").replace(" ", "-")
    path = arguments.picture.with_name(f"{arguments.picture.stem}-{words}{arguments.picture.suffix}")
    sections.picture(summary, DEFAULT, path)
    link = os.path.relpath(path, arguments.output.parent if arguments.output else Path.cwd())
    return [f"![Mean ranks by log-loss; a bar joins those that cannot be told apart]({link})"]


def _stale(rows: list[Row], names: list[str]) -> str:
    """Which results were made with other settings, or another state of our code, than there are now."""
    package = ROOT / "src" / "gnbayes"
    now = {name: settings_hash(CLASSIFIERS[name], package) for name in names}
    counts = {name: sum(row["classifier"] == name and row["settings"] != now[name] for row in rows) for name in names}
    stale = [f"{name} ({count} rows)" for name, count in counts.items() if count]
    if not stale:
        return ""
    kind = (
        "code or settings"
        if any(CLASSIFIERS[name].kind == OURS for name, count in counts.items() if count)
        else "settings"
    )
    return f"Results of an earlier version of {kind}, which `run.py` would compute again: {', '.join(stale)}."


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, nargs="*", default=[RESULTS], help=f"CSV files (default: {RESULTS.name})")
    parser.add_argument("--tables", type=table_names, default=list(SUITE), help="(default: SUITE)")
    parser.add_argument("--output", type=Path, help="the page (default: standard output)")
    parser.add_argument("--picture", type=Path, help="the pictures, .svg or .png; a word is added for each")
    return parser.parse_args()


if __name__ == "__main__":
    main()
