"""Evaluation of probabilities: scores with confidence intervals, and predictions for held-out rows.

This package does not depend on the model: it works with any scikit-learn classifier.
"""

from gnbayes.evaluation.calibration import Calibration, calibrate, expected_error
from gnbayes.evaluation.folds import CrossValidated, cross_validate, group_codes, make_folds
from gnbayes.evaluation.intervals import (
    NORMAL_95,
    Estimate,
    mean_error,
    mean_interval,
    normal_interval,
    share_interval,
    wilson_interval,
)
from gnbayes.evaluation.predictions import Predictions, brier_losses, log_losses
from gnbayes.evaluation.ranking import auroc
from gnbayes.evaluation.scores import METHODS, Scores, score, score_groups

__all__ = [
    "METHODS",
    "NORMAL_95",
    "Calibration",
    "CrossValidated",
    "Estimate",
    "Predictions",
    "Scores",
    "auroc",
    "brier_losses",
    "calibrate",
    "cross_validate",
    "expected_error",
    "group_codes",
    "log_losses",
    "make_folds",
    "mean_error",
    "mean_interval",
    "normal_interval",
    "score",
    "score_groups",
    "share_interval",
    "wilson_interval",
]
