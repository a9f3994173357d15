"""Tree and Counts become probabilities."""

from gnbayes.model.build import build_model, build_weighted_model
from gnbayes.model.fitting import Weights, learn_weights
from gnbayes.model.leave_one_out import leave_one_out_losses, leave_one_out_prefixes, leave_one_out_terms
from gnbayes.model.model import Model
from gnbayes.model.paper import PaperModel
from gnbayes.model.strength import STRENGTHS, choose_strength
from gnbayes.model.weighted import WeightedModel

__all__ = [
    "STRENGTHS",
    "Model",
    "PaperModel",
    "WeightedModel",
    "Weights",
    "build_model",
    "build_weighted_model",
    "choose_strength",
    "learn_weights",
    "leave_one_out_losses",
    "leave_one_out_prefixes",
    "leave_one_out_terms",
]
