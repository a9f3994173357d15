"""The parameters of a classifier, and which of them can be combined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model import REPAIRING, WEIGHTINGS

# Rules for a number of features.
RULES = ("auto", "few")


@dataclass(frozen=True)
class Settings:
    """The parameters of `GeneralizedNB`."""

    structure: str
    discretizer: Any
    n_bins: Any
    smoothing: str
    alpha: Any
    weighting: str | None
    information: str
    n_features: Any
    categorical_features: Any
    class_prior: NDArray[np.float64] | None
    n_jobs: int | None
    verbose: int
    interactions: Any = "tree"
    n_fits: Any = 1
    monotonic_cst: Any = None


def check_settings(settings: Settings, n_columns: int, *, in_batches: bool) -> None:
    """Check what can be checked before any work is done."""
    if isinstance(settings.n_features, bool):
        raise ValueError(
            f"n_features must be a whole number, 'auto', 'few' or None, got {settings.n_features!r} instead."
        )
    if isinstance(settings.n_fits, bool):
        raise ValueError(f"n_fits must be a whole number or 'auto', got {settings.n_fits!r} instead.")
    if settings.weighting is not None:
        _check_weighting(settings)
    elif settings.monotonic_cst is not None:
        raise ValueError(
            "monotonic_cst changes learned tables, and weighting=None counts them; use weighting='discriminative'."
        )
    if in_batches:
        check_number_in_batches(settings.n_features, settings.weighting)
    if isinstance(settings.alpha, str):
        _check_leaving_out(settings, in_batches=in_batches)
    if settings.n_features not in (None, *RULES) and settings.n_features > n_columns:
        raise ValueError(f"n_features is {settings.n_features}, but X has only {n_columns} columns.")


def check_number_in_batches(n_features: Any, weighting: str | None) -> None:
    """Refuse what `fit` decides on held-out rows: which features come first in a weighted model, and their number."""
    if isinstance(n_features, str):
        raise ValueError(f"n_features={n_features!r} needs all rows at once; use fit, or give a number.")
    if n_features is not None and WEIGHTINGS[weighting].needs_rows:
        raise ValueError(
            f"n_features={n_features!r} with weighting={weighting!r} takes the features that lower the log-loss of "
            "held-out rows most, for which all rows are needed at once; choose columns from some of the rows, with "
            "selection_curve or gnbayes select, and use these alone, or use weighting=None."
        )


def _check_leaving_out(settings: Settings, *, in_batches: bool) -> None:
    if in_batches:
        raise ValueError(f"alpha={settings.alpha!r} needs all rows at once; use fit, or give a number.")
    if settings.smoothing in REPAIRING:
        raise ValueError(
            f"alpha={settings.alpha!r} leaves rows out in turn, which smoothing={settings.smoothing!r} does not allow; "
            "give a number or use another smoothing."
        )


def _check_weighting(settings: Settings) -> None:
    if settings.smoothing in REPAIRING:
        raise ValueError(
            f"weighting={settings.weighting!r} takes the place of smoothing={settings.smoothing!r}, and the two cannot "
            "be combined; use another smoothing, or weighting=None."
        )
