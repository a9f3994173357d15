"""The only module that imports private names of scikit-learn: if a release moves them, only this file breaks.

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

# Parameters are checked before `fit`, and not again by nested estimators.
fit_context = _fit_context(prefer_skip_nested_validation=True)


def take_rows(X: Any, rows: Any) -> Any:
    """The rows of `X` at the given positions, as the same type of table."""
    if type(X).__module__.startswith("pyarrow"):  # scikit-learn supports pyarrow tables since 1.7
        return X.take(rows)
    return _safe_indexing(X.tocsr() if issparse(X) else X, rows)


class DocumentedMixin:
    """The notebook display of an estimator links to its page in the documentation."""

    _doc_link_module: ClassVar[str] = "gnbayes"
    _doc_link_template: ClassVar[str] = (
        "https://gnbayes.github.io/gnbayes/reference/generated/gnbayes.{estimator_name}.html"
    )


class ShownMixin(BaseEstimator):
    """The notebook display of an estimator shows the fitted model below the parameters."""

    def _model_html(self) -> str:
        """The fitted model as HTML; empty before `fit`."""
        return ""

    def _repr_html_inner(self) -> str:
        return str(super()._repr_html_inner()) + self._model_html()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        return {kind: text + self._model_html() if kind == "text/html" else text for kind, text in bundle.items()}
