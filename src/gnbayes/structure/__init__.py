"""Structure learning: information from counts, and a Tree from information."""

from gnbayes.structure._correction import (
    INFORMATIONS,
    CorrectedInformation,
    InformationChoice,
    corrected_class_information,
)
from gnbayes.structure._divergence import entropy, kl_divergence, weight
from gnbayes.structure._gnb_a import gnb_a
from gnbayes.structure._gnb_o import gnb_o
from gnbayes.structure._growth import first_cherry, lead_with_more_informative
from gnbayes.structure._information import (
    Information,
    InformationByRow,
    InformationLike,
    class_gain,
    class_information,
    information,
    information_of_blocks,
    information_of_rows,
    weighed,
)
from gnbayes.structure._naive import naive
from gnbayes.structure._order_of_columns import order_by_counts
from gnbayes.structure._registry import STRUCTURES, Structure, choose_tree
from gnbayes.structure._screening import choose_tree_among, counts_of, most_informative
from gnbayes.structure._tan import tan
from gnbayes.structure._tree import Tree, tree_among

__all__ = [
    "INFORMATIONS",
    "STRUCTURES",
    "CorrectedInformation",
    "Information",
    "InformationByRow",
    "InformationChoice",
    "InformationLike",
    "Structure",
    "Tree",
    "choose_tree",
    "choose_tree_among",
    "class_gain",
    "class_information",
    "corrected_class_information",
    "counts_of",
    "entropy",
    "first_cherry",
    "gnb_a",
    "gnb_o",
    "information",
    "information_of_blocks",
    "information_of_rows",
    "kl_divergence",
    "lead_with_more_informative",
    "most_informative",
    "naive",
    "order_by_counts",
    "tan",
    "tree_among",
    "weighed",
    "weight",
]
