"""The parts of the page: Markdown from summaries."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from picture import draw
from ranks import bootstrap, critical_difference, friedman
from registry import CLASSIFIERS, Classifier
from results import METRICS, Row
from summary import Summary, summarize
from targets import check

TITLES = {"log_loss": "log-loss", "brier": "Brier", "auc": "AUC", "accuracy": "accuracy", "ece": "calibration error"}


def settings(names: Sequence[str], versions: dict[str, str]) -> str:
    """What every classifier was run with."""
    lines = []
    for classifier in (CLASSIFIERS[name] for name in names):
        version = versions.get(classifier.package, "")
        lines.append([classifier.name, f"{classifier.package} {version}".strip(), *_described(classifier)])
    return markdown(["classifier", "package", "arguments", "notes"], lines, numbers=False)


def ranking(rows: list[Row], summary: Summary, below: Sequence[str]) -> str:
    """Mean ranks with their uncertainty and means of all metrics; below the line what has no place in the ranking."""
    ranks = summary.ranks("log_loss")
    spread = bootstrap(ranks.to_numpy())
    lines = []
    for at in np.argsort(ranks.mean().to_numpy(), kind="stable"):
        name = summary.classifiers[at]
        interval = f"{spread.low[at]:.2f} to {spread.high[at]:.2f}"
        rank = f"{ranks[name].mean():.2f}"
        lines.append([name, rank, interval, f"{spread.first[at]:.0%}", *_means(summary, name)])
    lines += _below(rows, summary, below)
    heads = ["classifier", "rank by log-loss", "95 % interval", "first", *TITLES.values(), "fit, median (s)"]
    return markdown(heads, lines)


def _below(rows: list[Row], summary: Summary, names: Sequence[str]) -> list[list[str]]:
    """Each alone among the ranked: side by side they would take ranks from each other."""
    lines = []
    for name in names:
        alone = summarize(rows, [*summary.classifiers, name], summary.tables)
        if alone.splits == summary.splits:
            rank = f"({alone.ranks('log_loss')[name].mean():.2f})"
            lines.append([f"*{name}*", rank, "", "", *_means(alone, name)])
    return lines


def _means(summary: Summary, name: str) -> list[str]:
    metrics = [digits(summary.means[metric][name].mean()) for metric in METRICS]
    return [*metrics, f"{summary.means['fit_seconds'][name].median():.3g}"]


def other_ranks(summary: Summary) -> str:
    """Mean ranks by every metric."""
    means = {metric: summary.ranks(metric).mean() for metric in METRICS}
    lines = [
        [name, *(f"{means[metric][name]:.2f}" for metric in METRICS)] for name in means["log_loss"].sort_values().index
    ]
    return markdown(["mean rank by", *TITLES.values()], lines)


def test_of_ranks(summary: Summary) -> str:
    """Friedman's and Nemenyi's tests in words."""
    if len(summary.tables) < 2 or len(summary.classifiers) < 2:
        return "No test: there is only one table, or one classifier."
    test = friedman(summary.ranks("log_loss").to_numpy())
    difference = critical_difference(len(summary.tables), len(summary.classifiers))
    return (
        f"Friedman test of equal ranks: chi-square {test.chi_square:.1f}, Iman and Davenport's F {test.f:.1f}, "
        f"p = {test.p_value:.2g}. By the Nemenyi test, mean ranks differ at the 5 % level if they are more than "
        f"{difference:.2f} apart."
    )


def picture(summary: Summary, ours: str, path: Path) -> None:
    """Draw the mean ranks."""
    difference = critical_difference(len(summary.tables), len(summary.classifiers))
    draw(summary.classifiers, summary.ranks("log_loss").mean().to_numpy(), difference, ours, path)


def targets(summary: Summary, ours: str) -> str:
    """Whether ours has reached its targets."""
    lines = [
        [
            target.text,
            "yes" if target.reached else "**no**",
            digits(target.ours),
            f"{digits(target.other)} ({target.name})",
        ]
        for target in check(summary, ours)
    ]
    return markdown([f"target of `{ours}`", "reached", "ours", "to beat"], lines)


def each_table(summary: Summary) -> str:
    """Log-loss of every classifier on every table, the least in bold."""
    losses = summary.means["log_loss"]
    lines = []
    for table, row in losses.iterrows():
        cells = [f"**{digits(loss)}**" if loss == row.min() else digits(loss) for loss in row]
        lines.append([str(table), str(len(summary.splits[str(table)])), *cells])
    return markdown(["table", "splits", *losses.columns], lines)


def times(summary: Summary) -> str:
    """Processor seconds."""
    fit, predict = summary.means["fit_seconds"], summary.means["predict_seconds"]
    lines = [
        [name, f"{fit[name].median():.3g}", f"{fit[name].max():.3g}", f"{predict[name].median():.3g}"]
        for name in fit.median().sort_values().index
    ]
    return markdown(["classifier", "fit, median (s)", "fit, longest (s)", "predict, median (s)"], lines)


def left_out(summary: Summary) -> str:
    """Tables that some classifier has not done, by classifier and reason."""
    found: dict[tuple[str, str], list[str]] = {}
    for table, reasons in summary.missing.items():
        for name, status in reasons.items():
            found.setdefault((name, status), []).append(table)
    lines = [f"- {name}, {status}: {', '.join(tables)}" for (name, status), tables in found.items()]
    return "Tables not counted above:\n\n" + "\n".join(lines) if lines else ""


def digits(number: float) -> str:
    """Three decimals."""
    return "-" if np.isnan(number) else f"{number:.3f}"


def markdown(heads: Sequence[str], lines: Sequence[Sequence[str]], *, numbers: bool = True) -> str:
    """A table."""
    rule = ["---"] + ["---:" if numbers else "---"] * (len(heads) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [heads, rule, *lines])


def _described(classifier: Classifier) -> tuple[str, str]:
    module = classifier.module()
    arguments = module.ARGUMENTS | classifier.arguments
    shown = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    return (f"`{shown}`" if shown else "none"), module.NOTE
