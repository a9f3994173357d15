"""One prediction, taken apart."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Feature
from gnbayes.structure import Tree


@dataclass(frozen=True, eq=False)
class Explanation:
    """What each feature adds to the log joint probability of each class, or to its score with `weighting`, row by row.

    ``base + contributions.sum(axis=1)`` is ``predict_joint_log_proba``. The differences between two classes are
    log-odds, and their exponentials the factors by which a feature moves the odds.

    Parameters
    ----------
    classes : ndarray of shape (k,)
    features : sequence of Feature
    tree : Tree
    codes : ndarray of shape (n, d)
        Codes of the explained rows.
    base : ndarray of shape (n, k)
        Log prior of the classes; with `weighting` the intercept.
    contributions : ndarray of shape (n, d, k)
        log P(x_j | y, x_mother) where both values are known. A feature that is left out adds 0; the daughter of one
        adds what it tells given all features before it in the order. With `weighting` U_j[x_j] + V_j[x_mother, x_j].

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from gnbayes import GeneralizedNB
    >>> data = load_breast_cancer(as_frame=True)
    >>> clf = GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(data.data, data.target_names[data.target])
    >>> print(clf.explain(data.data[:1]).text(n=3))
    malignant against benign: odds x 1.32e+09 (probability of malignant more than 0.999)
      base: x 0.594
      worst radius 20.33 or more: x 192 toward malignant
      worst texture below 20.14, given worst symmetry 0.3258 or more: x 5.29 toward benign
      mean concavity 0.1508 or more, given mean concave points 0.08465 or more: x 4.78 toward malignant
      ...
    """

    classes: NDArray[Any]
    features: Sequence[Feature]
    tree: Tree
    codes: NDArray[Any]
    base: NDArray[np.float64]
    contributions: NDArray[np.float64]

    @property
    def log_joint(self) -> NDArray[np.float64]:
        """Log joint probability of every row and class, shape (n, k)."""
        return self.base + self.contributions.sum(axis=1)

    @property
    def proba(self) -> NDArray[np.float64]:
        """Probability of every class, shape (n, k)."""
        joint = self.log_joint
        return np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None])

    def against(self, row: int = 0, positive: Any = None, negative: Any = None) -> tuple[int, int]:
        """Positions of the two classes that a row is weighed between.

        By default the second against the first of two classes, and of more the most against the second most probable.
        """
        if len(self.classes) == 2 and positive is None and negative is None:
            return 1, 0
        ranked = np.argsort(-self._joint_of(row), kind="stable").tolist()
        if negative is not None:
            ranked = [at for at in ranked if at != self._class(negative)] + [self._class(negative)]
        first = ranked[0] if positive is None else self._class(positive)
        second = self._class(negative) if negative is not None else next(at for at in ranked if at != first)
        if first == second:
            raise ValueError(f"positive and negative must be two classes, got {positive!r} twice.")
        return first, second

    def log_odds(self, row: int = 0, positive: Any = None, negative: Any = None) -> tuple[float, NDArray[np.float64]]:
        """Base and contributions, shape (d,), of the log-odds of two classes in one row; see `against`."""
        first, second = self.against(row, positive, negative)
        with np.errstate(invalid="ignore"):  # both impossible: no odds
            contributions = self.contributions[row, :, first] - self.contributions[row, :, second]
            return float(self.base[row, first] - self.base[row, second]), contributions

    def top(self, n: int = 5, row: int = 0, positive: Any = None, negative: Any = None) -> NDArray[np.intp]:
        """The features that move the log-odds of two classes most in one row, largest first; see `against`."""
        contributions = np.abs(self.log_odds(row, positive, negative)[1])[self.tree.order]
        return self.tree.order[np.argsort(-contributions, kind="stable")][:n]

    def value(self, row: int, feature: int) -> str:
        """The value of a feature in a row, in words."""
        words = self.features[feature]
        return words.phrases[min(int(self.codes[row, feature]), words.unseen_code)]

    def given(self, row: int, feature: int) -> str:
        """The value of the feature's mother in a row, in words; empty where it has none."""
        mother = int(self.tree.mother[feature])
        return self.value(row, mother) if mother >= 0 else ""

    def text(self, row: int = 0, n: int | None = None, positive: Any = None, negative: Any = None) -> str:
        """A row in sentences: the odds of two classes, and the factor of each feature, the largest first.

        Parameters
        ----------
        row : int, default=0
        n : int, optional
            Only the first n features.
        positive, negative : optional
            The two classes; see `against`.
        """
        first, second = self.against(row, positive, negative)
        base, contributions = self.log_odds(row, positive, negative)
        names = str(self.classes[first]), str(self.classes[second])
        used = len(self.tree.order)
        joint = self._joint_of(row)
        share = float(np.exp(joint[first] - np.logaddexp.reduce(joint)))
        lines = [
            f"{names[0]} against {names[1]}: {odds_text(joint[first], joint[second], *names)} "
            f"(probability of {names[0]} {_share_text(share)})",
            f"  base: {factor_text(base)}",
        ]
        for feature in self.top(used if n is None else n, row, positive, negative).tolist():
            given = self.given(row, feature)
            words = self.value(row, feature) + (f", given {given}" if given else "")
            lines.append(f"  {words}: {toward_text(contributions[feature], *names)}")
        if n is not None and n < used:
            lines.append("  ...")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """All rows as plain lists and dicts; a probability of 0 has the logarithm None."""
        return {
            "classes": [_plain(label) for label in self.classes],
            "rows": [
                self._row_dict(row, joint, proba)
                for row, (joint, proba) in enumerate(zip(self.log_joint, self.proba, strict=True))
            ],
        }

    def to_json(self, indent: int | None = None) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """One line for the base and one for each used feature of every row.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        columns: dict[str, list[Any]] = {"row": [], "feature": [], "value": [], "given": []}
        classes: list[list[float]] = [[] for _ in self.classes]
        for row in range(len(self.codes)):
            lines = [("", "base", "", self.base[row])] + [
                (self.features[j].name, self.value(row, j), self.given(row, j), self.contributions[row, j])
                for j in self.tree.order.tolist()
            ]
            for feature, value, given, added in lines:
                for name, cell in zip(columns, (row, feature, value, given), strict=True):
                    columns[name].append(cell)
                for column, number in zip(classes, added.tolist(), strict=True):
                    column.append(number)
        for label, column in zip(self.classes, classes, strict=True):
            columns[f"log P for {label}"] = column
        return nw.from_dict(columns, backend=backend).to_native()

    def _joint_of(self, row: int) -> NDArray[np.float64]:
        return np.asarray(self.base[row] + self.contributions[row].sum(axis=0))

    def _row_dict(self, row: int, joint: NDArray[np.float64], proba: NDArray[np.float64]) -> dict[str, Any]:
        return {
            "probability": self._by_class(proba),
            "log_joint": self._by_class(joint),
            "base": self._by_class(self.base[row]),
            "features": [
                {
                    "feature": self.features[j].name,
                    "value": self.value(row, j),
                    "given": self.given(row, j) or None,
                    "contribution": self._by_class(self.contributions[row, j]),
                }
                for j in self.tree.order.tolist()
            ],
        }

    def _by_class(self, numbers: NDArray[np.float64]) -> dict[str, float | None]:
        return {
            str(label): number if np.isfinite(number) else None
            for label, number in zip(self.classes, numbers.tolist(), strict=True)
        }

    def _class(self, label: Any) -> int:
        at = np.flatnonzero(self.classes == label)
        if not len(at):
            raise ValueError(f"{label!r} is not a class; the classes are {[_plain(c) for c in self.classes]}.")
        return int(at[0])


def factor_text(log_odds: float) -> str:
    """A factor on the odds; beyond the range of floats by its power of ten."""
    power = log_odds / np.log(10)
    if np.isfinite(power) and abs(power) > 300:
        return f"x 1e{power:.0f}"
    return f"x {np.exp(log_odds):.3g}"


def odds_text(first: float, second: float, positive: str, negative: str) -> str:
    """The odds of two log joint probabilities."""
    if first == second == -np.inf:
        return f"impossible for both {positive} and {negative}"
    return f"odds {factor_text(first - second)}"


def toward_text(log_odds: float, positive: str, negative: str) -> str:
    """A factor and the class it speaks for."""
    if np.isnan(log_odds):
        return f"impossible for both {positive} and {negative}"
    if np.isinf(log_odds):
        return f"impossible for {negative if log_odds > 0 else positive}"
    factor = factor_text(abs(log_odds))
    return factor if factor == "x 1" else f"{factor} toward {positive if log_odds > 0 else negative}"


def _share_text(share: float) -> str:
    if share > 0.999:
        return "more than 0.999"
    return "less than 0.001" if share < 0.001 else f"{share:.3g}"


def _plain(label: Any) -> Any:
    label = label.item() if isinstance(label, np.generic) else label
    return label if isinstance(label, str | int | float | bool) else str(label)
