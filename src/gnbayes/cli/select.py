"""gnbayes select: scores for every number of features."""

from __future__ import annotations

import argparse

from gnbayes.cli.fit import features_and_target
from gnbayes.cli.options import add_columns, add_learning, add_reading, classifier_of
from gnbayes.selection import SelectionCurve, selection_curve

HELP = "show the scores for every number of features"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_reading(parser)
    add_columns(parser)
    add_learning(parser)
    parser.add_argument("--cv", default="loo", type=_splits, help="'loo', or a number of splits (default: loo)")
    parser.add_argument("--scoring", action="append", metavar="NAME", help="a scikit-learn scorer name")
    parser.add_argument("--plot", metavar="FILE", help="also draw the curves (needs matplotlib)")


def run(arguments: argparse.Namespace) -> None:
    """Print the curve, and the best numbers."""
    X, y = features_and_target(arguments)
    scoring = arguments.scoring or ["accuracy", "balanced_accuracy", "neg_log_loss"]
    clf = classifier_of(arguments, X.column_names)
    curve = selection_curve(clf.set_params(verbose=0), X, y, cv=arguments.cv, scoring=scoring)
    print(_table(curve))
    last = scoring[-1]
    print(f"best by {last}: {curve.best(last)} features", end="")
    if last in curve.errors:
        print(f"; within one standard error: {curve.one_standard_error(last)}", end="")
    print()
    if arguments.plot:
        from gnbayes.plot import SelectionCurveDisplay

        SelectionCurveDisplay.from_curve(curve, chosen=curve.best(last)).figure_.savefig(arguments.plot, dpi=150)


def _splits(text: str) -> int | str:
    if text != "loo" and not (text.isdigit() and int(text) >= 2):
        raise argparse.ArgumentTypeError(f"must be 'loo' or a number of splits from 2, got {text!r}")
    return text if text == "loo" else int(text)


def _table(curve: SelectionCurve) -> str:
    names = list(curve.scores)
    means = [curve.mean(name) for name in names]
    lines = ["  n  " + "  ".join(names) + ("  feature" if curve.order else "")]
    for at, n in enumerate(curve.n_features.tolist()):
        cells = "  ".join(f"{mean[at]:{len(name)}.4f}" for name, mean in zip(names, means, strict=True))
        lines.append(f"{n:3}  {cells}" + (f"  {curve.order[at]}" if curve.order else ""))
    return "\n".join(lines)
