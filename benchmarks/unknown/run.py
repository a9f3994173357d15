"""What unknown features cost: the default's log-loss when some are unknown, against a refit without them.

    GNBAYES_DATA=folder python benchmarks/unknown/run.py [TABLE ...]

Each table is split once, 75 % to learn from. Unknown are the most important feature, the three most important ones, the
more important half, and a random half. `averaged` is what predict_proba gives, `refit` a default fitted without these
features, `shares` the largest difference between the mean probability of a class and its share of the test rows.
"""

import json
import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from gnbayes import GeneralizedNB

TABLES = (
    "thyroid_3class", "hypothyroid", "sick", "page_blocks", "wdbc", "heart_statlog", "german_credit", "pima",
    "spambase",
)  # fmt: skip


def main() -> None:
    """Print a line per table and pattern, and the means."""
    warnings.simplefilter("ignore", UserWarning)
    lines = [line for name in sys.argv[1:] or TABLES for line in _lines(name)]
    frame = pd.DataFrame(lines)
    print(frame.round(3).to_string(index=False))
    known = frame[frame.unknown != "all"]
    print(f"mean ratio {known.ratio.mean():.3f}, largest {known.ratio.max():.2f}")
    print(f"largest excess over the prior {(frame.averaged - frame.prior).max():.3f}")
    print(f"shares: mean {frame.shares.mean():.3f}, largest {frame.shares.max():.3f}")


def _lines(name: str) -> list[dict[str, object]]:
    X, y = _load(name)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, stratify=y, random_state=0)
    clf = GeneralizedNB(n_jobs=1).fit(X_train, y_train)
    shares = pd.Series(y_train).value_counts(normalize=True).sort_index().to_numpy()
    prior = log_loss(y_test, np.tile(shares, (len(y_test), 1)), labels=clf.classes_)
    found = pd.Series(y_test).value_counts(normalize=True).reindex(clf.classes_).fillna(0.0).to_numpy()
    lines: list[dict[str, object]] = []
    for words, unknown in _patterns(clf, X.shape[1]).items():
        names = list(X.columns[unknown])
        proba = clf.predict_proba(X_test, unknown=names)
        loss = log_loss(y_test, proba, labels=clf.classes_)
        refit = float("nan")
        if len(unknown) < X.shape[1]:
            other = GeneralizedNB(n_jobs=1).fit(X_train.drop(columns=names), y_train)
            refit = log_loss(y_test, other.predict_proba(X_test.drop(columns=names)), labels=clf.classes_)
        largest = np.abs(proba.mean(axis=0) - found).max()
        lines.append(
            {
                "table": name,
                "unknown": words,
                "prior": prior,
                "averaged": loss,
                "refit": refit,
                "ratio": loss / refit,
                "shares": largest,
            }
        )
        print(lines[-1], file=sys.stderr, flush=True)
    return lines


def _patterns(clf: GeneralizedNB, n_columns: int) -> dict[str, np.ndarray]:
    ranked = np.argsort(-clf.feature_importances_, kind="stable")
    drawn = np.random.default_rng(1).permutation(n_columns)[: n_columns // 2]
    return {
        "1 most important": ranked[:1],
        "3 most important": ranked[:3],
        "half, most important": ranked[: n_columns // 2],
        "half, at random": drawn,
        "all": ranked,
    }


def _load(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    if name == "wdbc":
        from sklearn.datasets import load_breast_cancer

        data = load_breast_cancer(as_frame=True)
        return data.data, data.target.to_numpy()
    folder = Path(os.environ["GNBAYES_DATA"]) / "suite"
    schema = json.loads((folder / "schema.json").read_text())[name]
    text = dict.fromkeys(schema["categorical"], str)
    X = pd.read_csv(folder / f"{name}.csv.gz", keep_default_na=False, na_values=[""], dtype=text)
    y = X.pop("target").astype(str)
    is_kept = (y.map(y.value_counts()) >= 10).to_numpy()
    return X[is_kept].reset_index(drop=True), y[is_kept].to_numpy()


if __name__ == "__main__":
    main()
