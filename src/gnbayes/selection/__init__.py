"""How many features, and which: curves over every number of features, and a selector."""

from gnbayes.selection.curve import SelectionCurve
from gnbayes.selection.scoring import selection_curve
from gnbayes.selection.selector import GNBSelector

__all__ = ["GNBSelector", "SelectionCurve", "selection_curve"]
