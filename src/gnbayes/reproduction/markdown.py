"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

TITLES = {
    "accuracy": "Accuracy",
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "balanced_accuracy": "Balanced accuracy",
    "roc_auc": "ROC AUC",
    "log_loss": "log-loss",
}


def head(names: Sequence[str]) -> Iterator[str]:
    """The first two lines of a table."""
    yield line(names)
    yield line(["---"] * len(names))


def line(cells: Sequence[str]) -> str:
    """One line of a table."""
    return "| " + " | ".join(cells) + " |"
