"""Counts become information, information becomes a Tree."""

from gnbayes.structure.divergence import entropy, kl_divergence, weight
from gnbayes.structure.gnb_a import gnb_a
from gnbayes.structure.gnb_o import gnb_o
from gnbayes.structure.growth import first_cherry
from gnbayes.structure.information import (
    Information,
    InformationByRow,
    class_gain,
    class_information,
    information,
    information_of_blocks,
    information_of_rows,
)
from gnbayes.structure.naive import naive
from gnbayes.structure.tan import tan
from gnbayes.structure.tree import Tree

__all__ = [
    "Information",
    "InformationByRow",
    "Tree",
    "class_gain",
    "class_information",
    "entropy",
    "first_cherry",
    "gnb_a",
    "gnb_o",
    "information",
    "information_of_blocks",
    "information_of_rows",
    "kl_divergence",
    "naive",
    "tan",
    "weight",
]
