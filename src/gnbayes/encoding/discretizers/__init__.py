"""Rules for binning columns of numbers: one file per rule, and a registry of the named ones."""

from gnbayes.encoding.discretizers._base import Discretizer
from gnbayes.encoding.discretizers._fixed import FixedDiscretizer
from gnbayes.encoding.discretizers._joined import JoinedDiscretizer
from gnbayes.encoding.discretizers._mdlp import MDLPDiscretizer
from gnbayes.encoding.discretizers._nested import NestedDiscretizer
from gnbayes.encoding.discretizers._quantile import QuantileDiscretizer
from gnbayes.encoding.discretizers._registry import AUTO_BINS, DISCRETIZERS, DiscretizerChoice, choose_discretizer
from gnbayes.encoding.discretizers._transformer import learn_with_transformer
from gnbayes.encoding.discretizers._uniform import UniformDiscretizer

__all__ = [
    "AUTO_BINS",
    "DISCRETIZERS",
    "Discretizer",
    "DiscretizerChoice",
    "FixedDiscretizer",
    "JoinedDiscretizer",
    "MDLPDiscretizer",
    "NestedDiscretizer",
    "QuantileDiscretizer",
    "UniformDiscretizer",
    "choose_discretizer",
    "learn_with_transformer",
]
