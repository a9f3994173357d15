"""Relatives of GNB, with the same grammar: averages of one-dependence models, and naive Bayes on chosen features."""

from gnbayes.relatives.aode import AODE
from gnbayes.relatives.averaged_tan import AveragedTAN
from gnbayes.relatives.selective_nb import SelectiveNB

__all__ = ["AODE", "AveragedTAN", "SelectiveNB"]
