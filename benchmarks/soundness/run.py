"""Every number of "numbers one can rely on", measured anew: a table with what it was before, and one for few rows.

"before" is what an audit of an earlier default found; the same questions are asked again here.

    python benchmarks/soundness/run.py [--draws 200] [--points 1 2]

Reads tables from the folder that GNBAYES_DATA names. `many_values.py`, `weight_scale.py`, `identifier.py` and
`ordered_categories.py` go further into single points.
"""

import argparse
import time
import warnings
from collections.abc import Callable

import few_rows
import numpy as np
import pandas as pd
from datasets import load
from many_values import loss as loss_of
from many_values import with_random_column
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, train_test_split

from gnbayes import GeneralizedNB, selection_curve
from gnbayes.datasets import fetch_parkinsons
from gnbayes.evaluation import cross_validate, score
from gnbayes.reporting.scoring import Rows, score_rows, seen_rows

Array = NDArray[np.float64]


def main() -> None:
    """Print two Markdown tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=200, help="draws of few rows (default: 200; 0: none)")
    parser.add_argument("--points", nargs="*", metavar="N", help="points to ask again (default: all)")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| | question | before | now |")
    print("| ---: | --- | --- | --- |")
    for point, question, before, measure in QUESTIONS:
        if arguments.points is None or point in arguments.points:
            print(f"| {point} | {question} | {before} | {measure()} |", flush=True)
    if not arguments.draws:
        return
    print("\n| table | rows | default | prior | logistic regression | above the better |")
    print("| --- " + "| ---: " * 5 + "|")
    for name in few_rows.TABLES:
        for n in few_rows.SIZES:
            print(few_rows.line(name, n, arguments.draws), flush=True)


def noise_cross_validated() -> str:
    """The score that `gnbayes fit --weighting none` shows."""
    X, y = _noise()
    found = score(cross_validate(GeneralizedNB(weighting=None), X, y).predictions)
    return f"accuracy {found.accuracy.value:.3f}, log-loss {found.log_loss.value:.3f}"


def noise_selected() -> str:
    """The best accuracy that `gnbayes select --weighting none` shows."""
    X, y = _noise()
    found = selection_curve(GeneralizedNB(weighting=None), X, y, scoring="accuracy").mean("accuracy")
    return f"{found.max():.3f}"


def noise_kept() -> str:
    """How many of 500 columns of noise `n_features="auto"` keeps: of three draws of 100 rows."""
    numbers = []
    for seed in range(3):
        X = np.random.default_rng(seed).normal(size=(100, 500))
        numbers.append(GeneralizedNB(n_features="auto").fit(X, np.arange(100) % 2).n_features_)
    return ", ".join(map(str, numbers))


def noise_on_the_page(first: int) -> str:
    """Accuracy that a page shows for the training rows from a first one on."""
    X, y = _noise()
    clf = GeneralizedNB().fit(X, y)
    X, y = X[first:], y[first:]
    proba = score_rows(clf, Rows(X, y), seen_rows(clf, clf._codes(X), y)).proba
    return f"{(proba.argmax(axis=1) == y).mean():.2f}"


def many_rows_in_another_order() -> str:
    """Largest change of a probability of 150,000 rows when their columns are in reverse order."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150_000, 6))
    y = (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=len(X)) > 1).astype(int)
    one = GeneralizedNB().fit(X, y).predict_proba(X[:10_000])
    other = GeneralizedNB().fit(X[:, ::-1], y).predict_proba(X[:10_000, ::-1])
    return f"{np.abs(one - other).max():.6f}"


def bins_with_small_weights() -> str:
    """Most intervals of a column, MDLP on iris and the default on wdbc, with weights of 1/n."""
    numbers = []
    for (X, y), discretizer in (
        (load_iris(return_X_y=True), "mdlp"),
        (load_breast_cancer(return_X_y=True), "quantile"),
    ):
        weighting = None if discretizer == "mdlp" else "discriminative"
        clf = GeneralizedNB(discretizer=discretizer, weighting=weighting)
        clf.fit(X, y, sample_weight=np.full(len(y), 1 / len(y)))
        numbers.append(max(feature.n_values for feature in clf.features_))
    return f"{numbers[0]}, {numbers[1]}"


def nearly_equal_weights() -> str:
    """Largest change of a probability if the first of equal weights becomes 1.0001, on four tables."""
    changes = []
    for name in ("iris", "zoo", "diabetes", "pima"):
        X, y = load_iris(return_X_y=True) if name == "iris" else (load(name).X, load(name).y)
        weights = 1 + 1e-4 * (np.arange(len(y)) == 0)
        found = [GeneralizedNB().fit(X, y, sample_weight=own).predict_proba(X) for own in (None, weights)]
        changes.append(np.abs(found[1] - found[0]).max())
    return " / ".join(f"{change:.4f}" for change in changes)


def probabilities_of_few_values() -> str:
    """P at three points, true values .80, .20 and 0, of 200,000 rows of four binary features."""
    X, y = _few_values(200_000)
    proba = GeneralizedNB().fit(X, y).predict_proba(_POINTS)[:, 1]
    return " / ".join(f"{p:.4f}" for p in proba)


def one_flipped_label() -> str:
    """The same P of .80 of 20,000 rows, without and with one flipped label."""
    X, y = _few_values(20_000)
    flipped = y.copy()
    flipped[np.flatnonzero(X[:, 0] == 0)[0]] = 1
    return " to ".join(f"{GeneralizedNB().fit(X, z).predict_proba(_POINTS)[0, 1]:.3f}" for z in (y, flipped))


def copies(name: str, times: int) -> str:
    """Cross-validated log-loss, with the training rows once and several times."""
    table = load(name)
    found = [_cross_validated(table.X, table.y, repeats) for repeats in (1, times)]
    return f"{found[0]:.3f} to {found[1]:.3f}"


def class_of_one_row() -> str:
    """P of the class of the only row that has it, among 30 rows of noise."""
    X, y = np.random.default_rng(0).normal(size=(30, 5)), np.append(1, np.zeros(29, dtype=int))
    return f"{GeneralizedNB().fit(X, y).predict_proba(X[:1])[0, 1]:.2f}"


def orders_of_columns() -> str:
    """Log-loss on a quarter of glass with the columns in eight orders."""
    X, y, X_new, y_new = _glass()
    losses = []
    for seed in range(8):
        order = np.random.default_rng(seed).permutation(X.shape[1])
        proba = GeneralizedNB().fit(X.iloc[:, order], y).predict_proba(X_new.iloc[:, order])
        losses.append(log_loss(y_new, proba, labels=np.unique(y)))
    return f"{min(losses):.4f} to {max(losses):.4f}"


def constant_column() -> str:
    """The largest change of a probability on glass by a constant column."""
    X, y, X_new, _ = _glass()
    before = GeneralizedNB().fit(X, y).predict_proba(X_new)
    return f"{np.abs(GeneralizedNB().fit(X.assign(c=1.0), y).predict_proba(X_new.assign(c=1.0)) - before).max():.3f}"


def random_column(name: str) -> str:
    """Log-loss of the counted tree without and with a random column of 100 values."""
    table, clf = load(name), GeneralizedNB(weighting=None)
    with_it = np.mean([loss_of(clf, with_random_column(table.X, seed), table.y) for seed in range(3)])
    return f"{loss_of(clf, table.X, table.y):.3f} to {with_it:.3f}"


def many_levels() -> str:
    """Processor seconds of a fit on 50,000 rows with a column of 10,000 levels."""
    rng = np.random.default_rng(0)
    levels = [f"v{value}" for value in rng.integers(0, 10_000, 50_000)]
    X = pd.DataFrame({"level": levels, "number": rng.normal(size=50_000), "other": rng.normal(size=50_000)})
    y = (X["number"] + rng.normal(size=50_000) > 0).to_numpy().astype(int)
    start = time.process_time()
    GeneralizedNB().fit(X, y)
    return f"{time.process_time() - start:.1f} s"


def rare_class(product: float) -> str:
    """AUC on new rows, learned from 500,000 rows of which about 55 are positive: the mean over five such tables.

    New rows count as positive by their true probability, so that the few positives among them do not blur it.
    """
    X_new, _, truth = _rare(200_000, 99, product)
    both, weights = np.repeat([1, 0], len(truth)), np.append(truth, 1 - truth)
    models = {
        "ours": GeneralizedNB(),
        "tree": GeneralizedNB(interactions="tree"),
        "logistic regression": LogisticRegression(),
    }
    areas: dict[str, list[float]] = {name: [] for name in models}

    def area(proba: Array) -> float:
        return float(roc_auc_score(both, np.tile(proba, 2), sample_weight=weights))

    for seed in range(1, 6):
        X, y, _ = _rare(500_000, seed, product)
        for name, clf in models.items():
            areas[name].append(area(clf.fit(X, y).predict_proba(X_new)[:, 1]))
    ours, tree, theirs = (f"{np.mean(found):.3f}" for found in areas.values())
    return f'{ours} ({theirs}); `interactions="tree"` {tree}; the truth {area(truth):.3f}'


def random_column_ways_out() -> str:
    """What the column costs the counted tree on german_credit where more is chosen from the rows."""
    table = load("german_credit")
    costs = []
    for settings in ({"alpha": "auto"}, {"n_features": "auto"}):
        clf = GeneralizedNB(weighting=None, **settings)
        with_it = np.mean([loss_of(clf, with_random_column(table.X, seed), table.y) for seed in range(3)])
        costs.append(f"{with_it:.3f}")
    default = GeneralizedNB()
    before, after = (loss_of(default, X, table.y) for X in (table.X, with_random_column(table.X, 0)))
    return f"{costs[0]}, {costs[1]}, {before:.3f} to {after:.3f}"


def area_of_one_feature() -> str:
    """ROC AUC of german_credit with one feature, by cross-validation; leave-one-out gives none."""
    table, clf = load("german_credit"), GeneralizedNB(weighting=None)
    found = selection_curve(clf, table.X, table.y, scoring="roc_auc").mean("roc_auc")[0]
    refused = "roc_auc" not in selection_curve(clf, table.X, table.y, cv="loo").scores
    return f"{found:.1%} in five folds; {'none' if refused else 'some'} by leave-one-out"


def persons(hold_out_persons: bool, learn_by_persons: bool) -> str:
    """Log-loss of recordings of voices, six of each person, in five times five folds."""
    data = fetch_parkinsons()
    X, y, person = data.data, (data.target == "parkinsons").astype(int), data.groups
    losses = []
    for seed in range(5):
        kind = StratifiedGroupKFold if hold_out_persons else StratifiedKFold
        for train, test in kind(5, shuffle=True, random_state=seed).split(X, y, person):
            clf = GeneralizedNB().fit(X.iloc[train], y[train], groups=person[train] if learn_by_persons else None)
            losses.append(log_loss(y[test], clf.predict_proba(X.iloc[test]), labels=[0, 1]))
    return f"{np.mean(losses):.3f}"


_POINTS = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])


def _noise() -> tuple[Array, NDArray[np.intp]]:
    return np.random.default_rng(0).normal(size=(100, 200)), np.arange(100) % 2


def _few_values(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Four binary features; in nine rows of ten the class is sure."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.random(n) < 0.09, *rng.integers(0, 2, (3, n))]).astype(int)
    proba = np.where(X[:, 0] == 0, 0.0, np.where(X[:, 1] == 1, 0.8, 0.2))
    return X, (rng.random(n) < proba).astype(int)


def _glass() -> tuple[pd.DataFrame, NDArray[np.intp], pd.DataFrame, NDArray[np.intp]]:
    table = load("glass")
    X, X_new, y, y_new = train_test_split(table.X, table.y, test_size=0.25, random_state=0, stratify=table.y)
    return X, y, X_new, y_new


def _rare(n: int, seed: int, product: float) -> tuple[Array, NDArray[np.intp], Array]:
    """Six normal columns; the odds of a rare class depend on four of them, and on a product; and the truth."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    truth = 1 / (1 + np.exp(10.2 - X @ [1.0, 0.8, -0.6, 0.5, 0, 0] - product * X[:, 4] * X[:, 5]))
    return X, (rng.random(n) < truth).astype(int), truth


def _cross_validated(X: pd.DataFrame, y: NDArray[np.intp], repeats: int) -> float:
    losses = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        rows = np.repeat(train, repeats)
        clf = GeneralizedNB().fit(X.iloc[rows], y[rows])
        losses.append(log_loss(y[test], clf.predict_proba(X.iloc[test]), labels=clf.classes_))
    return float(np.mean(losses))


Question = tuple[str, str, str, Callable[[], str]]
QUESTIONS: tuple[Question, ...] = (
    (
        "1",
        "100 x 200 of noise, `gnbayes fit --weighting none`",
        "accuracy 1.000, log-loss 0.000",
        noise_cross_validated,
    ),
    ("1", "the same noise, `gnbayes select --weighting none`: accuracy", "1.0000", noise_selected),
    ("1", '100 x 500 of noise: columns that `n_features="auto"` keeps', "291 to 419", noise_kept),
    ("1", "german_credit, one feature: ROC AUC", "39.8 % by leave-one-out", area_of_one_feature),
    ("1", "the same noise, the page: accuracy", "100.0 %", lambda: noise_on_the_page(0)),
    ("2", "the same noise, the page with one training row left out: accuracy", ".81", lambda: noise_on_the_page(1)),
    ("3", "most intervals with weights 1/n: MDLP on iris, default on wdbc", "35, 352", bins_with_small_weights),
    (
        "3",
        "one weight of 1.0001 among ones: largest change of P, iris / zoo / diabetes / pima",
        ".2488 / .0000 / .0951 / .1050",
        nearly_equal_weights,
    ),
    ("4", "200,000 rows, true P .80 / .20 / 0", ".71 / .21 / .0033", probabilities_of_few_values),
    ("4", "one flipped label of 20,000", ".749 to .814", one_flipped_label),
    ("4", "pima with all rows five times: log-loss", "", lambda: copies("pima", 5)),
    ("4", "zoo with all rows five times: log-loss", "", lambda: copies("zoo", 5)),
    ("4", "the paper's diabetes with all rows five times: log-loss", "", lambda: copies("diabetes", 5)),
    ("5", "P of a class of one row", ".96", class_of_one_row),
    ("6", "glass, eight orders of columns: log-loss", ".761 to .809", orders_of_columns),
    ("6", "glass, a constant column: largest change of P", ".38", constant_column),
    ("6", "150,000 rows, columns in reverse order: largest change of P", "", many_rows_in_another_order),
    (
        "7",
        "german_credit, counted, a random column of 100 values",
        ".599 to .977",
        lambda: random_column("german_credit"),
    ),
    (
        "7",
        'the same with the column: `alpha="auto"`, `n_features="auto"`; the default without and with it',
        "",
        random_column_ways_out,
    ),
    ("7", "vote, counted, a random column of 100 values", ".174 to .355", lambda: random_column("vote")),
    ("7", "a column of 10,000 levels, 50,000 rows: processor time", "20 s", many_levels),
    (
        "8",
        "500,000 rows, a class of one in ten thousand: AUC (logistic regression)",
        ".788 (.862)",
        lambda: rare_class(0.0),
    ),
    ("8", "the same where the product of two more columns counts, too", "", lambda: rare_class(1.0)),
    ("1", "parkinsons, rows held out: log-loss", "", lambda: persons(False, False)),
    ("1", "parkinsons, persons held out", "", lambda: persons(True, False)),
    ("1", "parkinsons, persons held out, `fit(groups=...)`", "", lambda: persons(True, True)),
)


if __name__ == "__main__":
    main()
