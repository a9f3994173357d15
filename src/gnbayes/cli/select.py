"""gnbayes select: scores by number of features, and the order of the features."""

from __future__ import annotations

import argparse
from typing import Any

from sklearn.metrics import get_scorer_names

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.messages import note, plural
from gnbayes.cli.options import add_columns, add_group, add_learning, add_reading, classifier_of
from gnbayes.cli.output import check_picture, print_json
from gnbayes.cli.reading import Source, read_table
from gnbayes.cli.training import Training, read_training
from gnbayes.evaluation import make_folds
from gnbayes.selection import SelectionCurve, selection_curve

_NOT_KNOWN = {True: "no costs", False: "no --order"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_reading(parser)
    add_columns(parser)
    add_learning(parser, shows_n_features=False)
    add_group(parser)
    parser.add_argument(
        "--cv",
        type=_splits,
        metavar="N",
        help="folds of the cross-validation (default: the 5 folds of 'fit --n-features auto'), or, with --weighting "
        "none, 'loo' for leave-one-out, which is fast, but bins and tree have seen every row",
    )
    parser.add_argument("--scoring", action="append", metavar="NAME", help="a scikit-learn scorer name")
    parser.add_argument(
        "--order",
        choices=["auto", "tree"],
        default="auto",
        help="the feature that adds most first (default), or the order of the tree",
    )
    parser.add_argument(
        "--cost",
        metavar="FILE",
        help="a table of two columns, features and their costs: orders features by gain per cost",
    )
    parser.add_argument("--plot", metavar="FILE", help="also plot the curves (needs matplotlib)")


def run(arguments: argparse.Namespace) -> None:
    """Print the curve, and the best numbers."""
    check_picture(arguments.plot)
    if arguments.n_features is not None:
        raise CommandError("select scores every number of features; --n-features is an option of 'gnbayes fit'.")
    _check_scorers(arguments.scoring or [])
    rows = read_training(arguments)
    scoring = arguments.scoring or ["accuracy", "balanced_accuracy", "neg_log_loss"]
    clf = classifier_of(arguments, rows.X.column_names)
    costs = None if arguments.cost is None else _read_costs(arguments.cost)
    options = {"cv": _cv(arguments, rows), "scoring": scoring, "order": arguments.order, "costs": costs}
    if arguments.cv == "loo":
        note("leave-one-out: bins and tree have seen every row, so scores are too optimistic, on noise by a lot")
    curve = selection_curve(clf, rows.X, rows.y, groups=rows.groups, **options)
    told = _described(curve)
    is_costly, is_tree = costs is not None, arguments.order == "tree" and arguments.weighting != "none"
    is_rule_of_fit = told["best_by"] == "neg_log_loss" and arguments.cv is None and not is_costly and not is_tree
    if arguments.json:
        print_json(told)
    else:
        print(_table(curve))
        print("\n".join(_sentences(told, is_rule_of_fit=is_rule_of_fit)))
        if is_costly or is_tree:
            print(f"'gnbayes fit --n-features' knows {_NOT_KNOWN[is_costly]}: leave out the other features with --drop")
    if arguments.plot:
        from gnbayes.plot import SelectionCurveDisplay

        SelectionCurveDisplay.from_curve(curve, chosen=told["auto"] or told["best"]).figure_.savefig(
            arguments.plot, dpi=150
        )


def _check_scorers(names: list[str]) -> None:
    for name in names:
        if name not in get_scorer_names():
            raise no_such("scorer", name, get_scorer_names())


def _cv(arguments: argparse.Namespace, rows: Training) -> Any:
    if arguments.cv == "loo":
        if rows.groups is not None:
            raise CommandError("--group needs folds, such as --cv 5; 'loo' leaves out single rows.")
        if arguments.weighting != "none":
            raise CommandError("--cv loo needs --weighting none; a weighted model needs folds, such as --cv 5.")
        return "loo"
    if arguments.cv is None:
        return None
    folds = make_folds(rows.y, rows.groups, arguments.cv)
    if not folds:
        raise CommandError("there are too few rows, or groups, to hold any out.")
    return folds


def _read_costs(path: str) -> dict[str, Any]:
    """Costs by feature, from a table of two columns; the first line may be a header."""
    table, opened = read_table(Source(path))
    if len(opened.names) != 2:
        raise CommandError(
            f"--cost {path} must have two columns, features and their costs, got {len(opened.names)} instead."
        )
    features, prices = (table.column(at).to_pylist() for at in range(2))
    if len(set(features)) < len(features):
        twice = next(name for name in features if features.count(name) > 1)
        raise CommandError(f"--cost {path} has two costs for {str(twice)!r}; leave one out.")
    return {str(feature): _as_number(price) for feature, price in zip(features, prices, strict=True)}


def _as_number(price: Any) -> Any:
    """A price that was read as text because another price is not a number."""
    try:
        return float(price) if isinstance(price, str) else price
    except ValueError:
        return price


def _described(curve: SelectionCurve) -> dict[str, Any]:
    last = list(curve.scores)[-1]
    folds = f"{len(curve.orders)}-fold cross-validation"
    has_errors = last in curve.shown_errors
    auto = curve.within_noise(last) if has_errors else None
    few = curve.one_standard_error(last) if has_errors else None
    return {
        "method": "leave-one-out, bins and tree fixed" if curve.is_leave_one_out else folds,
        "n_features": curve.n_features,
        "order": list(curve.order),
        "looked_at": curve.n_looked_at,
        "scores": {name: curve.mean(name) for name in curve.scores},
        "errors": curve.shown_errors,
        "final": {name: values.mean() for name, values in curve.final.items()},
        "costs": curve.costs,
        "best_by": last,
        "best": curve.best(last),
        "auto": auto,
        "one_standard_error": few,
        "stability": _stability(curve, auto),
        "few_stability": _stability(curve, few),
    }


def _stability(curve: SelectionCurve, number: int | None) -> dict[str, Any] | None:
    """How often each feature is among the first `number`, if there are several folds."""
    if number is None or len(curve.orders) < 2:
        return None
    return {"n_features": number, "shares": curve.stability(number), "is_stable": curve.is_stable(number)}


def _sentences(told: dict[str, Any], *, is_rule_of_fit: bool) -> list[str]:
    """What the curve says; "auto" and "few" are named if they are the numbers of 'gnbayes fit --n-features'."""
    few, auto = told["one_standard_error"], told["auto"]
    names = (" (auto)", " (few)") if is_rule_of_fit else ("", "")
    more = f"; within noise of it: {auto}{names[0]}; within one standard error: {few}{names[1]}"
    more = more if few is not None else ""
    lines = [f"best by {told['best_by']}: {plural(told['best'], 'feature')}{more}  ({told['method']})"]
    if told["final"]:
        scores = ", ".join(f"{name} {value:.4f}" for name, value in told["final"].items())
        lines.append(
            f"the curve is of models with the pairs of the tree, fitted once; the final model with all: {scores}"
        )
    if told["looked_at"] is not None:
        lines.append(f"of {len(told['order'])} columns the {told['looked_at']} most informative ones of each fold")
    found = [told["stability"]] if few == auto else [told["stability"], told["few_stability"]]
    return lines + [_verdict(one, told["order"]) for one in found if one is not None]


def _verdict(steady: dict[str, Any], order: list[str]) -> str:
    """One sentence: how many of the first features every fold chooses, and whether the choice is stable."""
    number = steady["n_features"]
    if number == len(order):
        return f"all {number} features are used: there is no choice to be unstable"
    always = sum(steady["shares"].get(name, 0.0) == 1.0 for name in order[:number])
    verdict = "stable" if steady["is_stable"] else "unstable: other rows would give other features"
    verb = "is" if always == 1 else "are"
    return f"of the first {number}, {always} {verb} among the first {number} in every fold: {verdict}"


def _splits(text: str) -> int | str:
    if text != "loo" and not (text.isdigit() and 2 <= int(text) <= 1000):
        raise argparse.ArgumentTypeError(f"must be 'loo' or a number of folds from 2, got {text!r}")
    return text if text == "loo" else int(text)


def _table(curve: SelectionCurve) -> str:
    names = list(curve.scores)
    means = [curve.mean(name) for name in names]
    errors, costs = curve.shown_errors.get(names[-1]), curve.costs
    more = ("" if errors is None else "   error") + ("" if costs is None else "       cost")
    lines = ["  n  " + "  ".join(names) + more + "  feature"]
    for at, n in enumerate(curve.n_features.tolist()):
        cells = "  ".join(f"{mean[at]:{len(name)}.4f}" for name, mean in zip(names, means, strict=True))
        error = "" if errors is None else f"  {errors[at]:6.4f}"
        price = "" if costs is None else f"  {costs[at]:9.2f}"
        lines.append(f"{n:3}  {cells}{error}{price}  {curve.order[n - 1]}")
    return "\n".join(lines)
