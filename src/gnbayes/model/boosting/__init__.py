"""Terms learned by boosting small trees, in which only features of one term follow each other."""

from gnbayes.model.boosting.codes import TreeCodes, tree_codes
from gnbayes.model.boosting.rounds import Boosted, boost, choose_rounds
from gnbayes.model.boosting.tables import tables_of_trees

__all__ = ["Boosted", "TreeCodes", "boost", "choose_rounds", "tables_of_trees", "tree_codes"]
