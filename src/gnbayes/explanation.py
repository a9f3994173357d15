"""Predictions decomposed into terms."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from gnbayes._html import html_table
from gnbayes.encoding import Feature, edge_texts
from gnbayes.model import Parts, Term, shapley_values
from gnbayes.shap_values import ShapValues

# Name of the line with the average contribution of unknown features.
UNKNOWN = "unknown features, averaged"


@dataclass(frozen=True, eq=False)
class Explanation:
    """The contribution of each term to the score of each class, row by row.

    ``scores`` is ``base + contributions.sum(axis=1) + unknown``, and probabilities are the softmax of the scores.
    Differences between two classes are log-odds, and their exponentials are the factors by which a term changes the
    odds. For two classes they are `decision_function`.

    Parameters
    ----------
    classes : ndarray of shape (k,)
    features : sequence of Feature
    terms : tuple of Term
        The terms of the sum: in a counted model each feature given its parent, log P(x_j | y, x_mother); in a weighted
        model each feature by itself, and pairs beyond their features.
    codes : ndarray of shape (n, d)
        Codes of the explained rows.
    values : sequence of ndarray of shape (n,)
        The columns of the explained rows.
    parts : Parts
        The parts of the scores.
    background_codes : callable
        Function that returns the codes of another table; for `shap_values`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from gnbayes import GeneralizedNB
    >>> data = load_breast_cancer(as_frame=True)
    >>> clf = GeneralizedNB("gnb-a", n_bins=5, weighting=None, information="plug-in")
    >>> clf = clf.fit(data.data, data.target_names[data.target])
    >>> print(clf.explain(data.data[:1]).text(n=3))
    malignant against benign: odds x 1.32e+09 (probability of malignant more than 0.999)
      base: x 0.594
      worst radius = 25.38: x 192 toward malignant
      worst texture = 17.33, given worst symmetry = 0.4601: x 5.29 toward benign
      mean concavity = 0.3001, given mean concave points = 0.1471: x 4.78 toward malignant
      ...
    """

    classes: NDArray[Any]
    features: Sequence[Feature]
    terms: tuple[Term, ...]
    codes: NDArray[Any]
    values: Sequence[NDArray[Any]]
    parts: Parts
    background_codes: Callable[[Any], NDArray[Any]]

    @property
    def base(self) -> NDArray[np.float64]:
        """Base value of the scores of all rows, shape (n, k)."""
        return np.tile(self.parts.base, (len(self.codes), 1))

    @property
    def contributions(self) -> NDArray[np.float64]:
        """Contribution of each term, shape (n, number of terms, k)."""
        return self.parts.contributions

    @property
    def unknown(self) -> NDArray[np.float64]:
        """Average contribution of unknown features, shape (n, k); 0 if all are known."""
        return self.parts.unknown

    @property
    def scores(self) -> NDArray[np.float64]:
        """Score of every class, shape (n, k)."""
        return self.parts.base + self.contributions.sum(axis=1) + self.unknown

    @property
    def proba(self) -> NDArray[np.float64]:
        """Probability of every class, shape (n, k)."""
        scores = self.scores
        return np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None])

    def against(self, row: int = 0, positive: Any = None, negative: Any = None) -> tuple[int, int]:
        """Positions of the two classes that are compared in a row.

        By default the second class against the first; with more than two, the most probable against the second most
        probable.
        """
        if len(self.classes) == 2 and positive is None and negative is None:
            return 1, 0
        ranked = np.argsort(-self._scores_of(row), kind="stable").tolist()
        if negative is not None:
            ranked = [at for at in ranked if at != self._class(negative)] + [self._class(negative)]
        first = ranked[0] if positive is None else self._class(positive)
        second = self._class(negative) if negative is not None else next(at for at in ranked if at != first)
        if first == second:
            raise ValueError(f"positive and negative must be two classes, got {positive!r} twice.")
        return first, second

    def log_odds(self, row: int = 0, positive: Any = None, negative: Any = None) -> LogOdds:
        """Log-odds of two classes in one row, decomposed; see `against`."""
        first, second = self.against(row, positive, negative)
        with np.errstate(invalid="ignore"):  # both impossible: no odds
            base = self.parts.base[first] - self.parts.base[second]
            added = self.contributions[row, :, first] - self.contributions[row, :, second]
        return LogOdds(float(base), added, float(self.unknown[row, first] - self.unknown[row, second]))

    def top(self, n: int = 5, row: int = 0, positive: Any = None, negative: Any = None) -> NDArray[np.intp]:
        """The known terms with the largest effect on the log-odds of two classes in one row; see `against`."""
        added = np.abs(self.log_odds(row, positive, negative).terms)
        known = np.flatnonzero(self.parts.is_known[row])
        return known[np.argsort(-added[known], kind="stable")][:n]

    def has_unknown(self, row: int) -> bool:
        """Whether a feature of a term is unknown in a row, so that its score includes an average."""
        return bool(self.unknown[row].any())

    def value(self, row: int, feature: int) -> str:
        """The value of a feature in a row, in words."""
        words, code = self.features[feature], int(self.codes[row, feature])
        if code >= words.cardinality:
            return f"{words.name} unknown"
        if code == words.missing_code and words.has_missing:
            return f"{words.name} missing"
        if words.kind == "category" and words.transformer is None:
            return words.phrases[code]
        return f"{words.name} = {edge_texts((float(self.values[feature][row]),))[0]}"

    def bin(self, row: int, feature: int) -> str:
        """The bin or category of the value."""
        words = self.features[feature]
        return words.phrases[min(int(self.codes[row, feature]), words.unseen_code)]

    def words(self, row: int, term: int) -> str:
        """The values of the features of a term in a row."""
        *others, last = (self.value(row, j) for j in self.terms[term].features)
        if not others:
            return last
        given = " and ".join(others)
        return f"{last}, given {given}" if self.terms[term].is_conditional else f"{given} and {last} together"

    def text(self, row: int = 0, n: int | None = None, positive: Any = None, negative: Any = None) -> str:
        """A row as text: the odds of two classes, and the factor of each term, the largest first.

        Parameters
        ----------
        row : int, default=0
        n : int, optional
            Only the first n terms.
        positive, negative : optional
            The two classes; see `against`.
        """
        first, second = self.against(row, positive, negative)
        odds = self.log_odds(row, positive, negative)
        names = str(self.classes[first]), str(self.classes[second])
        scores = self._scores_of(row)
        share = float(np.exp(scores[first] - np.logaddexp.reduce(scores)))
        lines = [
            f"{names[0]} against {names[1]}: {odds_text(scores[first], scores[second], *names)} "
            f"(probability of {names[0]} {_share_text(share)})",
            f"  base: {factor_text(odds.base)}",
        ]
        known = int(self.parts.is_known[row].sum())
        shown = self.top(known if n is None else n, row, positive, negative).tolist()
        lines += [f"  {self.words(row, term)}: {toward_text(odds.terms[term], *names)}" for term in shown]
        if n is not None and n < known:
            lines.append("  ...")
        if self.has_unknown(row):
            lines.append(f"  {UNKNOWN}: {toward_text(odds.unknown, *names)}")
        return "\n".join(lines)

    def shap_values(self, background: Any) -> ShapValues:
        """Exact Shapley values: the contribution of each feature to the scores, relative to the mean of a background.

        If a term has several features, its contribution is divided among them according to Shapley: features that are
        not yet known take their values from the rows of the background ("interventional"). Scores are sums of tables of
        at most three features, so no sampling is needed.

        Parameters
        ----------
        background : array-like or data frame of shape (m, d)
            Reference rows, such as the training rows. In these rows, and in the explained rows, all features that the
            model uses must be known.

        Returns
        -------
        shap_values : ShapValues
            ``to_shap()`` converts it for the plots of the shap package.
        """
        if not self.parts.is_known.all():
            row = int(np.argmin(self.parts.is_known.all(axis=1)))
            raise ValueError(
                f"shap_values needs rows in which all features are known, and row {row} of X has unknown ones; leave "
                "it out, or fill it in."
            )
        values, base = shapley_values(self.terms, self.parts.base, self.codes, self.background_codes(background))
        names = tuple(feature.name for feature in self.features)
        labels = tuple(str(label) for label in self.classes)
        if len(self.classes) == 2:
            values, base, labels = values[:, :, 1] - values[:, :, 0], base[1] - base[0], labels[1:]
        return ShapValues(values, np.repeat(base[None], len(values), axis=0), self._data(), names, labels)

    def _data(self) -> NDArray[Any]:
        """The explained rows as one array, shape (n, d)."""
        columns = [np.asarray(column) for column in self.values]
        are_numbers = all(column.dtype.kind in "biuf" for column in columns)
        return np.stack([column if are_numbers else column.astype(object) for column in columns], axis=1)

    def to_dict(self) -> dict[str, Any]:
        """All rows as plain lists and dicts; the logarithm of a probability of 0 is None."""
        return {
            "classes": [_plain(label) for label in self.classes],
            "rows": [
                self._row_dict(row, scores, proba)
                for row, (scores, proba) in enumerate(zip(self.scores, self.proba, strict=True))
            ],
        }

    def to_json(self, indent: int | None = None) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """One line per row for the base, one for each known term, and one for the unknown features.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        columns: dict[str, list[Any]] = {"row": [], "term": [], "value": []}
        scores: list[list[float]] = [[] for _ in self.classes]
        for row in range(len(self.codes)):
            for name, value, added in self._lines(row):
                for column, cell in zip(columns.values(), (row, name, value), strict=True):
                    column.append(cell)
                for column, number in zip(scores, added.tolist(), strict=True):
                    column.append(number)
        for label, column in zip(self.classes, scores, strict=True):
            columns[f"score of {label}"] = column
        return nw.from_dict(columns, backend=backend).to_native()

    def name(self, term: int) -> str:
        """Names of the features of a term."""
        return term_name(self.features, self.terms[term])

    def __repr__(self) -> str:
        n = len(self.codes)
        return f"Explanation of {n} row{'s' if n != 1 else ''} by {len(self.terms)} terms, {len(self.classes)} classes"

    def _repr_html_(self) -> str:
        first, second = self.against()
        names = str(self.classes[first]), str(self.classes[second])
        odds = self.log_odds()
        lines = [["base", factor_text(odds.base)]]
        lines += [[self.words(0, at), toward_text(odds.terms[at], *names)] for at in self.top(len(self.terms)).tolist()]
        if self.has_unknown(0):
            lines.insert(1, [UNKNOWN, toward_text(odds.unknown, *names)])
        title = f"{names[0]} against {names[1]}: odds {factor_text(odds.total)}"
        more = f" (the first of {len(self.codes)} rows)" if len(self.codes) > 1 else ""
        return html_table(title + more, ["term", "odds"], lines)

    def _lines(self, row: int) -> list[tuple[str, str, NDArray[np.float64]]]:
        """Name, value and scores of every part of a row."""
        known = np.flatnonzero(self.parts.is_known[row]).tolist()
        lines = [("base", "", self.parts.base)]
        lines += [(self.name(term), self.words(row, term), self.contributions[row, term]) for term in known]
        return lines + ([(UNKNOWN, "", self.unknown[row])] if self.has_unknown(row) else [])

    def _scores_of(self, row: int) -> NDArray[np.float64]:
        return np.asarray(self.parts.base + self.contributions[row].sum(axis=0) + self.unknown[row])

    def _row_dict(self, row: int, scores: NDArray[np.float64], proba: NDArray[np.float64]) -> dict[str, Any]:
        return {
            "probability": self._by_class(proba),
            "score": self._by_class(scores),
            "base": self._by_class(self.parts.base),
            "terms": [
                {
                    "features": [self.features[j].name for j in self.terms[term].features],
                    "value": self.words(row, term),
                    "bins": [self.bin(row, j) for j in self.terms[term].features],
                    "score": self._by_class(self.contributions[row, term]),
                }
                for term in np.flatnonzero(self.parts.is_known[row]).tolist()
            ],
            "unknown": self._by_class(self.unknown[row]) if self.has_unknown(row) else None,
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


@dataclass(frozen=True, eq=False)
class LogOdds:
    """Log-odds of two classes in one row, decomposed.

    Parameters
    ----------
    base : float
    terms : ndarray of shape (number of terms,)
    unknown : float
        Average contribution of unknown features.
    """

    base: float
    terms: NDArray[np.float64]
    unknown: float

    @property
    def total(self) -> float:
        """The log-odds."""
        with np.errstate(invalid="ignore"):
            return float(self.base + self.terms.sum() + self.unknown)


def term_name(features: Sequence[Feature], term: Term) -> str:
    """Names of the features of a term; the last one comes first if it is conditional on the others."""
    names = [features[j].name for j in term.features]
    if term.is_conditional and len(names) > 1:
        return f"{names[-1]} given {' and '.join(names[:-1])}"
    return " x ".join(names)


def factor_text(log_odds: float) -> str:
    """A factor on the odds, as a power of ten if it is beyond the range of floats."""
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
    """A factor and the class it favors."""
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
