"""Related classifiers with the same interface: averages of one-dependence models, and selective naive Bayes."""

from gnbayes.relatives.aode import AODE
from gnbayes.relatives.averaged_tan import AveragedTAN
from gnbayes.relatives.selective_nb import SelectiveNB

__all__ = ["AODE", "AveragedTAN", "SelectiveNB"]
