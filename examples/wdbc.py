"""Fit the four structures on the Wisconsin breast cancer data, counted and tuned, and show what they found.

With a folder as argument, go on from the shell: a CSV, a model file, predictions, pictures, and one page of all.
"""

from __future__ import annotations

import csv
import shlex
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate

from gnbayes import ExplanationDisplay, GeneralizedNB, ImportanceDisplay, WeightDisplay, load

STRUCTURES = {"nb": "naive Bayes", "gnb-a": "GNB-A", "gnb-o": "GNB-O", "tan": "TAN"}


def main() -> None:
    """Print weights, first cherry, order of the features and a cross-validated table."""
    data = load_breast_cancer()
    X, y, names = data.data, data.target, data.feature_names
    print(f"Wisconsin breast cancer: {len(X)} rows, {X.shape[1]} features, 2 classes, 5-quantile intervals\n")

    print("What each structure learns from all rows")
    print(f"{'':12} {'weight (nats)':>13}  first two features")
    for structure, name in STRUCTURES.items():
        clf = counted(structure).fit(X, y)
        first = " + ".join(names[clf.feature_order_[:2]])
        print(f"{name:12} {clf.weight_:13.6f}  {first}")

    clf = counted("gnb-a").fit(X, y)
    print("\nGNB-A: the features in their order, each with its share of the weight and its mother")
    for feature in clf.feature_order_:
        mother = clf.tree_.mother[feature]
        given = f"given {names[mother]}" if mother >= 0 else ""
        print(f"  {names[feature]:24} {clf.feature_importances_[feature]:6.1%}  {given}".rstrip())

    print("\n10-fold cross-validation, 3 times")
    print(f"{'':12} {'accuracy':>9} {'AUC':>7} {'log-loss':>9}")
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
    classifiers = {name: counted(structure) for structure, name in STRUCTURES.items()}
    classifiers["the default"] = GeneralizedNB()
    for name, classifier in classifiers.items():
        scores = cross_validate(classifier, X, y, cv=folds, scoring=["accuracy", "roc_auc", "neg_log_loss"])
        accuracy, auc, loss = (scores[f"test_{s}"].mean() for s in ("accuracy", "roc_auc", "neg_log_loss"))
        print(f"{name:12} {accuracy:9.3f} {auc:7.3f} {-loss:9.3f}")


def counted(structure: str) -> GeneralizedNB:
    """Probabilities as the paper has them: shares of rows, in five quantiles."""
    return GeneralizedNB(structure, n_bins=5, weighting=None, information="plug-in")


def shell(folder: Path) -> None:
    """The same job with the command `gnbayes`, and every picture, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    data = load_breast_cancer()
    table, model, page = folder / "wdbc.csv", folder / "wdbc.gnb.json", folder / "wdbc.html"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*data.feature_names, "diagnosis"])
        writer.writerows([*row, data.target_names[y]] for row, y in zip(data.data.tolist(), data.target, strict=True))
    commands = [
        ["fit", table, "--target", "diagnosis", "-o", model],
        ["predict", model, table, "-o", folder / "predictions.csv"],
        ["explain", model, table, "--rows", "1", "--top", "4"],
        [
            "select",
            table,
            "--target",
            "diagnosis",
            "--cv",
            "5",
            "--scoring",
            "accuracy",
            "--plot",
            folder / "curve.png",
        ],
        ["export", model, "--to", "picture", "-o", folder / "tree.png"],
        ["report", model, table, "--rows", "10", "--title", "Breast cancer, Wisconsin", "-o", page],
    ]
    for command in commands:
        words = [str(word) for word in command]
        print(f"\n$ gnbayes {shlex.join(words)}", flush=True)
        subprocess.run([sys.executable, "-m", "gnbayes", *words], check=True)
    clf = load(model)
    WeightDisplay.from_estimator(clf).figure_.savefig(folder / "weight.png", dpi=150)
    ImportanceDisplay.from_estimator(clf).figure_.savefig(folder / "importances.png", dpi=150)
    first = pa.table({name: data.data[:1, j] for j, name in enumerate(data.feature_names)})
    ExplanationDisplay.from_estimator(clf, first).figure_.savefig(folder / "explanation.png", dpi=150)
    print(f"\nwritten to {folder}: {', '.join(sorted(path.name for path in folder.iterdir()))}")
    print(f"\nThe whole model as one page, with a risk calculator that works offline:\n  {page.resolve().as_uri()}")


if __name__ == "__main__":
    main()
    if len(sys.argv) > 1:
        shell(Path(sys.argv[1]))
