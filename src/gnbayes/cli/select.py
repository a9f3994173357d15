"""gnbayes select: scores for every number of features."""

from __future__ import annotations

import argparse
from typing import Any

from gnbayes.cli.failure import CommandError
from gnbayes.cli.messages import note
from gnbayes.cli.options import add_columns, add_group, add_learning, add_reading, classifier_of
from gnbayes.cli.output import check_output, print_json
from gnbayes.cli.training import Training, read_training
from gnbayes.evaluation import make_folds
from gnbayes.selection import SelectionCurve, selection_curve


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_reading(parser)
    add_columns(parser)
    add_learning(parser)
    add_group(parser)
    parser.add_argument(
        "--cv",
        default=5,
        type=_splits,
        metavar="N",
        help="folds of the cross-validation (default: 5), or 'loo': each row left out in turn, which is quick, but "
        "bins and tree have seen it",
    )
    parser.add_argument("--scoring", action="append", metavar="NAME", help="a scikit-learn scorer name")
    parser.add_argument("--plot", metavar="FILE", help="also plot the curves (needs matplotlib)")


def run(arguments: argparse.Namespace) -> None:
    """Print the curve, and the best numbers."""
    check_output(arguments.plot)
    rows = read_training(arguments)
    scoring = arguments.scoring or ["accuracy", "balanced_accuracy", "neg_log_loss"]
    clf = classifier_of(arguments, rows.X.column_names).set_params(verbose=0)
    if arguments.cv == "loo":
        note("leave-one-out: bins and tree have seen every row, so that scores are too good, on noise by far")
    curve = selection_curve(clf, rows.X, rows.y, cv=_cv(arguments, rows), scoring=scoring)
    told = _described(curve, arguments.cv)
    if arguments.json:
        print_json(told)
    else:
        print(_table(curve))
        print(_best_text(told))
    if arguments.plot:
        from gnbayes.plot import SelectionCurveDisplay

        best = curve.best(scoring[-1])
        SelectionCurveDisplay.from_curve(curve, chosen=best).figure_.savefig(arguments.plot, dpi=150)


def _cv(arguments: argparse.Namespace, rows: Training) -> Any:
    if arguments.cv == "loo":
        if rows.groups is not None:
            raise CommandError("--group goes with folds, such as --cv 5; 'loo' leaves out single rows.")
        return "loo"
    folds = make_folds(rows.y, rows.groups, arguments.cv)
    if not folds:
        raise CommandError("there are too few rows, or groups, to hold any out.")
    return folds


def _described(curve: SelectionCurve, cv: int | str) -> dict[str, Any]:
    last = list(curve.scores)[-1]
    return {
        "method": "leave-one-out, bins and tree fixed" if cv == "loo" else f"{cv}-fold cross-validation",
        "n_features": curve.n_features,
        "features": list(curve.order) or None,
        "scores": {name: curve.mean(name) for name in curve.scores},
        "errors": curve.errors,
        "best_by": last,
        "best": curve.best(last),
        "one_standard_error": curve.one_standard_error(last) if last in curve.errors else None,
    }


def _best_text(told: dict[str, Any]) -> str:
    within = told["one_standard_error"]
    more = f"; within one standard error: {within}" if within is not None else ""
    return f"best by {told['best_by']}: {told['best']} features{more}  ({told['method']})"


def _splits(text: str) -> int | str:
    if text != "loo" and not (text.isdigit() and 2 <= int(text) <= 1000):
        raise argparse.ArgumentTypeError(f"must be 'loo' or a number of folds from 2, got {text!r}")
    return text if text == "loo" else int(text)


def _table(curve: SelectionCurve) -> str:
    names = list(curve.scores)
    means = [curve.mean(name) for name in names]
    lines = ["  n  " + "  ".join(names) + ("  feature" if curve.order else "")]
    for at, n in enumerate(curve.n_features.tolist()):
        cells = "  ".join(f"{mean[at]:{len(name)}.4f}" for name, mean in zip(names, means, strict=True))
        lines.append(f"{n:3}  {cells}" + (f"  {curve.order[at]}" if curve.order else ""))
    return "\n".join(lines)
