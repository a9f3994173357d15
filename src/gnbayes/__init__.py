"""Generalized Naive Bayes for Python."""

from gnbayes.encoding import FixedDiscretizer, MDLPDiscretizer, QuantileDiscretizer, UniformDiscretizer
from gnbayes.estimator import GeneralizedNB

__version__ = "0.1.0"

__all__ = [
    "FixedDiscretizer",
    "GeneralizedNB",
    "MDLPDiscretizer",
    "QuantileDiscretizer",
    "UniformDiscretizer",
]
