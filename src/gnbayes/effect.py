"""The effect of one feature, or of a pair beyond its two features, on the log-odds of a class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, Literal

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from gnbayes._html import html_table
from gnbayes.encoding import Feature, edge_texts, value_text
from gnbayes.model import Term, log_odds

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class EffectAxis:
    """The values of one feature of an effect.

    Parameters
    ----------
    name : str
    labels : tuple of str
        The values in words, without the name of the feature.
    edges : tuple of float or None
        Inner bin edges; None for categories.
    has_missing : bool
        Whether the last value is "missing".
    """

    name: str
    labels: tuple[str, ...]
    edges: tuple[float, ...] | None
    has_missing: bool


@dataclass(frozen=True, eq=False)
class Effect:
    """The effect of the values of one to three features on the log-odds of a class.

    Parameters
    ----------
    label : object
        The class; its log-odds are its score minus the mean score of the other classes.
    axes : tuple of EffectAxis
        One per feature.
    log_odds : ndarray of shape (c_1, ..., c_m)
        The contribution of each value, or combination of values; the mean over the training rows is 0.
    shares : ndarray of shape (c_1, ..., c_m)
        Share of the training rows.
    spread : ndarray of shape (c_1, ..., c_m), or None
        Standard error of the log-odds, if known.
    importance : float
        Mean absolute contribution to the log-odds over the training rows.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from gnbayes import GeneralizedNB
    >>> data = load_breast_cancer(as_frame=True)
    >>> clf = GeneralizedNB(n_bins=3).fit(data.data, data.target_names[data.target])
    >>> effect = clf.effect("worst texture")
    >>> effect.axes[0].labels
    ('below 22.47', '22.47 to 27.99', '27.99 or more')
    >>> bool((effect.log_odds[:-1] < effect.log_odds[1:]).all())
    True
    """

    label: Any
    axes: tuple[EffectAxis, ...]
    log_odds: Array
    shares: Array
    spread: Array | None
    importance: float

    @property
    def name(self) -> str:
        """Names of the features."""
        return " x ".join(axis.name for axis in self.axes)

    @property
    def odds_factor(self) -> Array:
        """The factors that the odds of the class are multiplied by."""
        return np.exp(self.log_odds)

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """One line per value, or combination of values.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        cells = list(product(*(axis.labels for axis in self.axes)))
        columns: dict[str, Any] = {axis.name: [cell[at] for cell in cells] for at, axis in enumerate(self.axes)}
        columns |= {
            "log_odds": self.log_odds.ravel(),
            "odds_factor": self.odds_factor.ravel(),
            "share_of_rows": self.shares.ravel(),
        }
        if self.spread is not None:
            columns["standard_error"] = self.spread.ravel()
        return nw.from_dict(columns, backend=backend).to_native()

    def __repr__(self) -> str:
        return f"Effect({self.name!r} on {self.label!r}, importance {self.importance:.3g})"

    def _repr_html_(self) -> str:
        cells = product(*(axis.labels for axis in self.axes))
        numbers = zip(self.log_odds.ravel(), self.odds_factor.ravel(), self.shares.ravel(), strict=True)
        lines = [
            [*cell, f"{log_odds:+.3f}", f"x {factor:.3g}", f"{share:.1%}"]
            for cell, (log_odds, factor, share) in zip(cells, numbers, strict=True)
        ]
        header = [*(axis.name for axis in self.axes), "log-odds", "odds", "share of rows"]
        return html_table(f"What {self.name} adds to the log-odds of {self.label}", header, lines)


def effect_of(term: Term, features: Sequence[Feature], classes: NDArray[Any], position: int) -> Effect:
    """The effect of a pure term on the class at a position."""
    axes = tuple(_axis(features[j], own) for j, own in zip(term.features, term.maps, strict=True))
    total = float(term.rows.sum())
    shares = term.rows / (total if total else 1.0)
    label = classes[position].item() if isinstance(classes[position], np.generic) else classes[position]
    k = term.n_classes
    spread = None if term.spread is None else term.spread[..., position] * (k / (k - 1))
    return Effect(label, axes, log_odds(term.table)[..., position], shares, spread, term.importance)


def _axis(feature: Feature, own: NDArray[np.intp]) -> EffectAxis:
    missing = ("missing",) if feature.has_missing else ()
    if feature.kind == "interval":
        inner = np.flatnonzero(np.diff(own[: feature.n_values]))
        edges = tuple(feature.edges[at] for at in inner.tolist())
        return EffectAxis(feature.name, _interval_texts(edges) + missing, edges, feature.has_missing)
    texts = tuple(value_text(category) for category in feature.categories)
    return EffectAxis(feature.name, texts + missing, None, feature.has_missing)


def _interval_texts(edges: tuple[float, ...]) -> tuple[str, ...]:
    if not edges:
        return ("any number",)
    texts = edge_texts(edges)
    middle = [f"{low} to {high}" for low, high in pairwise(texts)]
    return (f"below {texts[0]}", *middle, f"{texts[-1]} or more")
