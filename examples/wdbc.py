"""Fit the four structures on the Wisconsin breast cancer data and show what they found."""

from __future__ import annotations

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate

from gnbayes import GeneralizedNB

STRUCTURES = {"nb": "naive Bayes", "gnb-a": "GNB-A", "gnb-o": "GNB-O", "tan": "TAN"}


def main() -> None:
    """Print weights, first cherry, order of the features and a cross-validated table."""
    data = load_breast_cancer()
    X, y, names = data.data, data.target, data.feature_names
    print(f"Wisconsin breast cancer: {len(X)} rows, {X.shape[1]} features, 2 classes, 5-quantile intervals\n")

    print("What each structure learns from all rows")
    print(f"{'':12} {'weight (nats)':>13}  first two features")
    for structure, name in STRUCTURES.items():
        clf = GeneralizedNB(structure).fit(X, y)
        first = " + ".join(names[clf.feature_order_[:2]])
        print(f"{name:12} {clf.weight_:13.6f}  {first}")

    clf = GeneralizedNB().fit(X, y)
    print("\nGNB-A: the features in their order, each with its share of the weight and its mother")
    for feature in clf.feature_order_:
        mother = clf.tree_.mother[feature]
        given = f"given {names[mother]}" if mother >= 0 else ""
        print(f"  {names[feature]:24} {clf.feature_importances_[feature]:6.1%}  {given}".rstrip())

    print("\n10-fold cross-validation, 3 times")
    print(f"{'':12} {'accuracy':>9} {'AUC':>7} {'log-loss':>9}")
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
    for structure, name in STRUCTURES.items():
        scores = cross_validate(
            GeneralizedNB(structure), X, y, cv=folds, scoring=["accuracy", "roc_auc", "neg_log_loss"]
        )
        accuracy, auc, loss = (scores[f"test_{s}"].mean() for s in ("accuracy", "roc_auc", "neg_log_loss"))
        print(f"{name:12} {accuracy:9.3f} {auc:7.3f} {-loss:9.3f}")


if __name__ == "__main__":
    main()
