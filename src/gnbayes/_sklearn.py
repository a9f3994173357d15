"""The one place that imports private names of scikit-learn, so that a release of it that moves them breaks one file.

CI runs the tests with the oldest scikit-learn that pyproject.toml allows, the newest, and the nightly build.
"""

from __future__ import annotations

from typing import Any, ClassVar

from scipy.sparse import issparse
from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils import _safe_indexing
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.multiclass import _check_partial_fit_first_call as is_first_partial_fit
from sklearn.utils.validation import _check_sample_weight as check_sample_weight
from sklearn.utils.validation import _num_samples as n_rows_of

__all__ = [
    "DocumentedMixin",
    "HasMethods",
    "Interval",
    "ShownMixin",
    "StrOptions",
    "check_sample_weight",
    "fit_context",
    "is_first_partial_fit",
    "n_rows_of",
    "take_rows",
]

# Parameters are checked before `fit`, and not again by estimators within.
fit_context = _fit_context(prefer_skip_nested_validation=True)


def take_rows(X: Any, rows: Any) -> Any:
    """The rows of `X` at some places, as the kind of table that `X` is."""
    if type(X).__module__.startswith("pyarrow"):  # scikit-learn knows its tables since 1.7
        return X.take(rows)
    return _safe_indexing(X.tocsr() if issparse(X) else X, rows)


class DocumentedMixin:
    """The picture of an estimator in a notebook links to its page of the documentation."""

    _doc_link_module: ClassVar[str] = "gnbayes"
    _doc_link_template: ClassVar[str] = (
        "https://gnbayes.github.io/gnbayes/reference/generated/gnbayes.{estimator_name}.html"
    )


class ShownMixin(BaseEstimator):
    """The picture of an estimator in a notebook shows what was learned, below the parameters."""

    def _model_html(self) -> str:
        """What was learned, as HTML; empty before `fit`."""
        return ""

    def _repr_html_inner(self) -> str:
        return str(super()._repr_html_inner()) + self._model_html()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        return {kind: text + self._model_html() if kind == "text/html" else text for kind, text in bundle.items()}
