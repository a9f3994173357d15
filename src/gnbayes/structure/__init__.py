"""Counts become information, information becomes a Tree."""

from gnbayes.structure._divergence import entropy, kl_divergence, weight
from gnbayes.structure._gnb_a import gnb_a
from gnbayes.structure._gnb_o import gnb_o
from gnbayes.structure._growth import first_cherry
from gnbayes.structure._information import (
    Information,
    InformationByRow,
    class_gain,
    class_information,
    information,
    information_of_blocks,
    information_of_rows,
)
from gnbayes.structure._naive import naive
from gnbayes.structure._registry import STRUCTURES, Structure
from gnbayes.structure._tan import tan
from gnbayes.structure._tree import Tree

__all__ = [
    "STRUCTURES",
    "Information",
    "InformationByRow",
    "Structure",
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
