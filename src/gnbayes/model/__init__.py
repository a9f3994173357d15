"""Tree and Counts become probabilities."""

from gnbayes.model.build import build_model
from gnbayes.model.model import Model
from gnbayes.model.paper import PaperModel

__all__ = ["Model", "PaperModel", "build_model"]
