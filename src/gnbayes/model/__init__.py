"""Tree and Counts become probabilities."""

from gnbayes.model.build import build_model
from gnbayes.model.leave_one_out import leave_one_out_losses, leave_one_out_prefixes
from gnbayes.model.model import Model
from gnbayes.model.paper import PaperModel

__all__ = ["Model", "PaperModel", "build_model", "leave_one_out_losses", "leave_one_out_prefixes"]
