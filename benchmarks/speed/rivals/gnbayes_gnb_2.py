"""GeneralizedNB with the paper's greedy structure, in two threads."""

from typing import Any

from rivals.gnbayes_gnb import predict_proba, prepare

from gnbayes import GeneralizedNB

__all__ = ["fit", "predict_proba", "prepare"]


def fit(data: Any) -> Any:
    """Fit with the default add-one smoothing; predict_proba uses two threads as well."""
    return GeneralizedNB("gnb-a", n_bins=5, weighting=None, n_jobs=2).fit(*data)
