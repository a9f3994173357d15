"""What rivals need before they can take text and gaps. Everything is learned from the training part."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

Codes = NDArray[np.intp]
MISSING = "(missing)"


def numeric_columns(X: pd.DataFrame) -> list[Any]:
    """Names of the columns of numbers."""
    return [name for name in X if pd.api.types.is_numeric_dtype(X[name])]


def text_columns(X: pd.DataFrame) -> list[Any]:
    """Names of all other columns."""
    return [name for name in X if not pd.api.types.is_numeric_dtype(X[name])]


def one_hot(*, scaled: bool) -> Any:
    """Text one-hot with gaps as a value and unseen values as none; numbers with the median and a mark for gaps."""
    imputer = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    numbers = make_pipeline(imputer, StandardScaler()) if scaled else imputer
    fill = SimpleImputer(strategy="constant", fill_value=MISSING, keep_empty_features=True)
    text = make_pipeline(fill, OneHotEncoder(handle_unknown="ignore", sparse_output=False))
    return make_column_transformer((numbers, numeric_columns), (text, text_columns))


@dataclass(frozen=True)
class Categories:
    """Text as pandas categories, known values only; numbers as they are; columns without any value left out."""

    values: dict[Any, list[str] | None]

    @classmethod
    def learn(cls, X: pd.DataFrame) -> Self:
        """Take note of the columns that have values, and of the values of text."""
        text = set(text_columns(X))
        used = [name for name in X if X[name].notna().any()]
        return cls({name: sorted(X[name].dropna().unique()) if name in text else None for name in used})

    def __call__(self, X: pd.DataFrame) -> pd.DataFrame:
        """The frame, columns named x0, x1, ...; values that training did not have are missing."""
        columns = {}
        for j, (name, values) in enumerate(self.values.items()):
            if values is None:
                columns[f"x{j}"] = X[name].to_numpy()
            else:
                columns[f"x{j}"] = pd.Categorical(X[name].where(X[name].isin(values)), categories=values)
        return pd.DataFrame(columns)


@dataclass(frozen=True)
class Coder:
    """Columns as small whole numbers: intervals at quantiles, or the values of text in sorted order."""

    columns: list[Callable[[pd.Series], Codes]]
    cardinalities: Codes

    @classmethod
    def learn(cls, X: pd.DataFrame, n_bins: int = 5) -> Self:
        """Cut numbers at quantiles; one more code, the last of each column, is for gaps and unseen values."""
        text = set(text_columns(X))
        columns, cardinalities = [], []
        for name in X:
            known = _values(X[name]) if name in text else _quantiles(X[name], n_bins)
            columns.append(_text_coder(known) if name in text else _number_coder(known))
            cardinalities.append(len(known) + (1 if name in text else 2))
        return cls(columns, np.array(cardinalities))

    def __call__(self, X: pd.DataFrame) -> Codes:
        """Codes of shape (n, d)."""
        return np.column_stack([code(X.iloc[:, j]) for j, code in enumerate(self.columns)])


def _values(column: pd.Series) -> NDArray[Any]:
    return np.array(sorted(column.dropna().unique()), dtype=object)


def _quantiles(column: pd.Series, n_bins: int) -> NDArray[np.float64]:
    known = column.dropna().to_numpy(dtype=float)
    if not len(known):
        return known
    edges = np.unique(np.quantile(known, np.arange(1, n_bins) / n_bins))
    return edges[edges > known.min()]


def _text_coder(values: NDArray[Any]) -> Callable[[pd.Series], Codes]:
    code_of = {value: code for code, value in enumerate(values)}
    return lambda column: np.array([code_of.get(value, len(values)) for value in column], dtype=np.intp)


def _number_coder(edges: NDArray[np.float64]) -> Callable[[pd.Series], Codes]:
    def code(column: pd.Series) -> Codes:
        numbers = column.to_numpy(dtype=float)
        return np.where(np.isnan(numbers), len(edges) + 1, np.searchsorted(edges, numbers, side="right"))

    return code
