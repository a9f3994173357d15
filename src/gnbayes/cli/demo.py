"""gnbayes demo: the four structures on data that ships with scikit-learn, and the whole workflow from a CSV file to a
page.
"""

from __future__ import annotations

import argparse
import csv
import shlex
import sys
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate

from gnbayes.cli.failure import OK, CommandError
from gnbayes.cli.options import verbosity
from gnbayes.cli.output import print_json
from gnbayes.cli.terminal import paint
from gnbayes.estimator import GeneralizedNB
from gnbayes.progress import progress_line

STRUCTURES = {"nb": "naive Bayes", "gnb-a": "GNB-A", "gnb-o": "GNB-O", "tan": "TAN"}
# Packages that the second part needs in addition, and the extra that installs them.
_NEEDS = {"pyarrow": "cli", "jinja2": "cli", "matplotlib": "plot"}
_SCORES = {"accuracy": "accuracy", "auc": "roc_auc", "log_loss": "neg_log_loss"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FOLDER",
        help="continue in this folder: a table, a model file, predictions, plots, and a report",
    )


def run(arguments: argparse.Namespace) -> None:
    """Show what each structure learns and how well it predicts; then the whole workflow with the other verbs."""
    if arguments.output is not None:
        _check(Path(arguments.output))
    told = {"weights": learned(), "order": ordered("gnb-a"), "scores": scored()}
    if arguments.json:
        print_json(told)
    else:
        _print(told)
    if arguments.output is not None:
        with redirect_stdout(sys.stderr) if arguments.json else nullcontext():
            _walk(Path(arguments.output))
    elif not arguments.json:
        print("\nNext: gnbayes demo -o FOLDER continues with a model file, predictions, plots and a page.")


def learned() -> list[dict[str, Any]]:
    """What each structure learns from all rows: its weight, and its first two features."""
    data = load_breast_cancer()
    out = []
    for structure, name in STRUCTURES.items():
        clf = counted(structure).fit(data.data, data.target)
        first = data.feature_names[clf.feature_order_[:2]].tolist()
        out.append({"structure": name, "weight": clf.weight_, "first": first})
    return out


def ordered(structure: str) -> list[dict[str, Any]]:
    """The features in their order, each with its importance and its parent."""
    data = load_breast_cancer()
    names = data.feature_names.tolist()
    clf = counted(structure).fit(data.data, data.target)
    mothers = clf.tree_.mother.tolist()
    return [
        {
            "feature": names[j],
            "importance": float(clf.feature_importances_[j]),
            "given": names[mothers[j]] if mothers[j] >= 0 else None,
        }
        for j in clf.feature_order_.tolist()
    ]


def scored() -> list[dict[str, Any]]:
    """Accuracy, AUC and log-loss in 10-fold cross-validation, 3 times."""
    X, y = load_breast_cancer(return_X_y=True)
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
    classifiers = {name: counted(structure) for structure, name in STRUCTURES.items()}
    classifiers["the default"] = GeneralizedNB()
    out, show = [], progress_line("cross-validation", verbosity())
    for at, (name, clf) in enumerate(classifiers.items(), 1):
        found = cross_validate(clf, X, y, cv=folds, scoring=list(_SCORES.values()))
        means = {score: abs(float(found[f"test_{scorer}"].mean())) for score, scorer in _SCORES.items()}
        out.append({"structure": name} | means)
        show(at / len(classifiers))
    return out


def counted(structure: str) -> GeneralizedNB:
    """Tree and probabilities as in the paper: relative frequencies, with five quantile bins."""
    return GeneralizedNB(structure, n_bins=5, weighting=None, information="plug-in")


def _print(told: dict[str, list[dict[str, Any]]]) -> None:
    print("Wisconsin breast cancer: 569 rows, 30 features, 2 classes, 5-quantile bins\n")
    print(_bold("What each structure learns from all rows"))
    print(f"{'':12} {'weight (nats)':>13}  first two features")
    for one in told["weights"]:
        print(f"{one['structure']:12} {one['weight']:13.6f}  {' + '.join(one['first'])}")
    print("\n" + _bold("GNB-A: the features in their order, each with its importance and its parent"))
    for one in told["order"]:
        given = f"given {one['given']}" if one["given"] is not None else ""
        print(f"  {one['feature']:24} {one['importance']:6.1%}  {given}".rstrip())
    print("\n" + _bold("10-fold cross-validation, 3 times"))
    print(f"{'':12} {'accuracy':>9} {'AUC':>7} {'log-loss':>9}")
    for one in told["scores"]:
        print(f"{one['structure']:12} {one['accuracy']:9.3f} {one['auc']:7.3f} {one['log_loss']:9.3f}")


def _check(folder: Path) -> None:
    """Create the folder, or report before any work is done why the second part cannot run."""
    lacking = [package for package in _NEEDS if find_spec(package) is None]
    if lacking:
        extras = ",".join(dict.fromkeys(_NEEDS[package] for package in lacking))
        raise CommandError(f"-o needs {', '.join(lacking)}; install with: pip install 'gnbayes[{extras}]'")
    if folder.exists() and not folder.is_dir():
        raise CommandError(f"{str(folder)!r} is a file; give a folder.")
    folder.mkdir(parents=True, exist_ok=True)


_OF_PAGE = ("--positive", "malignant", "--rows", "10", "--title", "Breast cancer, Wisconsin")


def _walk(folder: Path) -> None:
    """The whole workflow with the other verbs, and every plot, in a folder."""
    from gnbayes.cli.main import main

    train, new = write_tables(folder)
    model, page = folder / "wdbc.gnb.json", folder / "wdbc.html"
    scoring = ("--cv", "5", "--scoring", "accuracy")
    commands: list[tuple[Any, ...]] = [
        ("fit", train, "--target", "diagnosis", "-o", model),
        ("evaluate", model, new, "--new-rows"),
        ("predict", model, new, "-o", folder / "predictions.csv"),
        ("explain", model, new, "--rows", "1", "--top", "4"),
        ("select", train, "--target", "diagnosis", *scoring, "--plot", folder / "curve.png"),
        ("export", model, "--to", "picture", "-o", folder / "tree.png"),
        ("report", model, new, *_OF_PAGE, "-o", page),
    ]
    for command in commands:
        words = [str(word) for word in command]
        print(f"\n{_bold(f'$ gnbayes {shlex.join(words)}')}", flush=True)
        if main(words) != OK:
            raise CommandError(f"the demo failed at: gnbayes {shlex.join(words)}")
    _draw(model, folder)
    print(f"\nwritten to {folder}: {', '.join(sorted(path.name for path in folder.iterdir()))}")
    print(f"\nThe whole model as one page, with a risk calculator that works offline:\n  {page.resolve().as_uri()}")


def write_tables(folder: Path) -> tuple[Path, Path]:
    """Write two thirds of the rows for training, and every third row as new data; return the paths."""
    data = load_breast_cancer()
    rows = [[*row, data.target_names[y]] for row, y in zip(data.data.tolist(), data.target, strict=True)]
    parts = {"train.csv": [row for at, row in enumerate(rows) if at % 3], "new.csv": rows[::3]}
    for name, part in parts.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([*data.feature_names, "diagnosis"])
            writer.writerows(part)
    return folder / "train.csv", folder / "new.csv"


def _draw(model: Path, folder: Path) -> None:
    import pyarrow as pa

    from gnbayes.files import load
    from gnbayes.plot import ExplanationDisplay, ImportanceDisplay, WeightDisplay

    clf, data = load(model), load_breast_cancer()
    first = pa.table({name: data.data[:1, j] for j, name in enumerate(data.feature_names)})
    pictures: dict[str, Callable[[], Any]] = {
        "weight.png": lambda: WeightDisplay.from_estimator(clf),
        "importances.png": lambda: ImportanceDisplay.from_estimator(clf),
        "explanation.png": lambda: ExplanationDisplay.from_estimator(clf, first),
    }
    for name, draw in pictures.items():
        draw().figure_.savefig(folder / name, dpi=150)


def _bold(text: str) -> str:
    return paint(text, "bold", sys.stdout)
