"""One Markdown page from the results of `run.py`: means, ranks, targets, tables, times, and a picture of the ranks."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from environment import ROOT, describe_machine, enter_environment

if __name__ == "__main__":
    enter_environment()

import numpy as np
from datasets import SIZES
from picture import draw
from ranks import critical_difference, friedman
from registry import OURS, RIVALS
from results import DONE, METRICS, Row, read
from summary import Summary, summarize
from targets import check

RESULTS = ROOT / "benchmarks" / "accuracy" / "results" / "results.csv"
_BASE = "HistGradientBoosting"
_TITLES = {"log_loss": "log-loss", "brier": "Brier", "auc": "AUC", "accuracy": "accuracy", "ece": "calibration error"}

_METHOD = (
    "Every rival learns all it needs from the training part, and gets text and missing values as they are. Means are "
    "over splits, then over tables. Log-loss is in nats; probabilities below 1e-6 count as 1e-6. The Brier score is "
    "summed over classes. AUC of more than two classes is the mean of each against the rest. The calibration error is "
    "that of the predicted class, over ten intervals of equal width. Times are processor seconds on one thread; those "
    "of WEKA include the start of Java."
)


def main() -> None:
    """Read the results, write the page and the picture."""
    arguments = _parse_arguments()
    rows = [row for path in arguments.results for row in read(path) if row["size"] in arguments.sizes]
    rivals = arguments.rivals or _usual(rows, arguments.ours)
    summary = summarize(rows, rivals)
    if not summary.tables:
        raise SystemExit("no table has results of all rivals: " + ", ".join(rivals))
    ranks = summary.ranks("log_loss").mean()
    difference = critical_difference(len(summary.tables), len(rivals))
    if arguments.picture:
        draw(rivals, ranks.to_numpy(), difference, arguments.ours, arguments.picture)
    page = _page(rows, summary, arguments, difference)
    if arguments.output:
        arguments.output.write_text(page)
    else:
        print(page, end="")


def _page(rows: list[Row], summary: Summary, arguments: argparse.Namespace, difference: float) -> str:
    parts = [
        *_introduction(rows, summary),
        "## All tables together",
        _means(summary),
        *_picture(summary, difference, arguments),
        "## Targets",
        _targets(summary, arguments.ours),
        *_variants(rows, summary),
        "## Log-loss of each table",
        _each_table(summary),
        "## Time to fit",
        _times(summary),
        *_failures(rows, summary),
    ]
    return "\n\n".join(parts) + "\n"


def _introduction(rows: list[Row], summary: Summary) -> list[str]:
    splits = len({row["split"] for row in rows})
    caps = [f"{r.name} learns from at most {r.max_rows:,} rows." for r in RIVALS.values() if r.max_rows]
    tables = f"{len(summary.tables)} tables, {splits} stratified splits of 80 to 20 each, the same for all."
    return ["# Accuracy and calibration", " ".join([tables, _METHOD, *caps]), describe_machine()]


def _means(summary: Summary) -> str:
    heads = ["rival", "rank by log-loss", *(_TITLES[metric] for metric in METRICS), "its median", "fit, median (s)"]
    ranks = summary.ranks("log_loss").mean().sort_values()
    lines = []
    for rival in ranks.index:
        means = [_digits(summary.means[metric][rival].mean()) for metric in METRICS]
        median = _digits(summary.means["ece"][rival].median())
        seconds = f"{summary.means['fit_seconds'][rival].median():.3g}"
        lines.append([rival, f"{ranks[rival]:.2f}", *means, median, seconds])
    return _markdown(heads, lines) + "\n\n" + _rank_table(summary)


def _rank_table(summary: Summary) -> str:
    mean_ranks = {metric: summary.ranks(metric).mean() for metric in METRICS}
    order = mean_ranks["log_loss"].sort_values().index
    lines = [[rival, *(f"{mean_ranks[metric][rival]:.2f}" for metric in METRICS)] for rival in order]
    return "Mean ranks, 1 is the best:\n\n" + _markdown(["rival", *(_TITLES[m] for m in METRICS)], lines)


def _picture(summary: Summary, difference: float, arguments: argparse.Namespace) -> list[str]:
    test = friedman(summary.ranks("log_loss").to_numpy())
    text = (
        f"Friedman's test that all are alike: chi-square {test.chi_square:.1f}, Iman and Davenport's F {test.f:.1f}, "
        f"p = {test.p_value:.2g}. By Nemenyi's test mean ranks differ (5 %) when more than {difference:.2f} apart."
    )
    if not arguments.picture:
        return [text]
    folder = arguments.output.parent if arguments.output else Path.cwd()
    link = os.path.relpath(arguments.picture, folder)
    return [text, f"![Mean ranks by log-loss; a bar joins those that cannot be told apart]({link})"]


def _targets(summary: Summary, ours: str) -> str:
    if ours not in summary.means["log_loss"]:
        return f"There are no results of {ours}."
    lines = [
        [t.text, "yes" if t.reached else "**no**", _digits(t.ours), f"{_digits(t.other)} ({t.name})"]
        for t in check(summary, ours)
    ]
    return f"Of `{ours}`:\n\n" + _markdown(["target", "reached", "ours", "to beat"], lines)


def _variants(rows: list[Row], summary: Summary) -> list[str]:
    """Each variant of ours, alone among the rivals: variants side by side would take ranks from each other."""
    others = [name for name in summary.means["log_loss"] if RIVALS[name].kind != OURS]
    found = {row["rival"] for row in rows}
    variants = [name for name, rival in RIVALS.items() if rival.kind == OURS and name in found]
    if len(variants) < 2:
        return []
    lines = []
    for name in variants:
        alone = summarize(rows, [*others, name])
        if alone.tables:
            means = [_digits(alone.means[metric][name].mean()) for metric in METRICS]
            seconds = alone.means["fit_seconds"]
            faster = f"{(seconds[name] < seconds[_BASE]).mean():.0%}" if _BASE in seconds else "-"
            rank = f"{alone.ranks('log_loss')[name].mean():.2f}"
            lines.append([name, str(len(alone.tables)), rank, *means, f"{seconds[name].median():.3g}", faster])
    heads = ["variant", "tables", "rank", *(_TITLES[m] for m in METRICS), "fit, median (s)", f"faster than {_BASE}"]
    return ["## Variants of ours", "Each alone among the rivals; the rank is by log-loss.", _markdown(heads, lines)]


def _each_table(summary: Summary) -> str:
    losses = summary.means["log_loss"]
    lines = []
    for table, row in losses.iterrows():
        best = row.min()
        cells = [f"**{_digits(loss)}**" if loss == best else _digits(loss) for loss in row]
        lines.append([str(table), *cells])
    return _markdown(["table", *losses.columns], lines)


def _times(summary: Summary) -> str:
    seconds = summary.means["fit_seconds"]
    heads = ["rival", "median (s)", "longest (s)", "predict, median (s)"]
    base = seconds.get(_BASE)
    if base is not None:
        heads += [f"ratio to {_BASE}, median", "tables where faster"]
    lines = []
    for rival in seconds.median().sort_values().index:
        predict = summary.means["predict_seconds"][rival].median()
        line = [rival, f"{seconds[rival].median():.3g}", f"{seconds[rival].max():.3g}", f"{predict:.3g}"]
        if base is not None:
            line += [f"{(seconds[rival] / base).median():.3g}", f"{(seconds[rival] < base).mean():.0%}"]
        lines.append(line)
    return _markdown(heads, lines)


def _failures(rows: list[Row], summary: Summary) -> list[str]:
    rivals = set(summary.means["log_loss"])
    failed = [row for row in rows if row["status"] != DONE and row["rival"] in rivals]
    reasons = sorted({(row["table"], row["rival"], row["status"]) for row in failed})
    if not summary.left_out and not reasons:
        return []
    text = f"Tables that some rival has not done, not counted above: {', '.join(summary.left_out) or 'none'}."
    return ["## Left out", text, *(["\n".join(f"- {t}, {r}: {s}" for t, r, s in reasons)] if reasons else [])]


def _usual(rows: list[Row], ours: str) -> list[str]:
    found = {row["rival"] for row in rows}
    return [name for name, rival in RIVALS.items() if name in found and (rival.kind != OURS or name == ours)]


def _digits(number: float) -> str:
    return "-" if np.isnan(number) else f"{number:.3f}"


def _markdown(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rule = ["---"] + ["---:"] * (len(heads) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [heads, rule, *lines])


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, nargs="*", default=[RESULTS], help=f"CSV files (default: {RESULTS})")
    parser.add_argument("--sizes", type=lambda text: text.split(","), default="small,medium", help=", ".join(SIZES))
    parser.add_argument("--rivals", type=lambda text: text.split(","), help="(default: all but other variants of ours)")
    parser.add_argument("--ours", default="gnbayes:default", help="whose targets are checked (default: %(default)s)")
    parser.add_argument("--output", type=Path, help="the page (default: standard output)")
    parser.add_argument("--picture", type=Path, help="the picture, .svg or .png")
    return parser.parse_args()


if __name__ == "__main__":
    main()
