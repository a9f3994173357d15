"""Terms learned by boosting small trees, in which only features of one term follow each other."""

from gnbayes.model.boosting.choice import gains_of_terms
from gnbayes.model.boosting.codes import TreeCodes, tree_codes
from gnbayes.model.boosting.rounds import Boosted, boost
from gnbayes.model.boosting.tables import tables_of_trees

__all__ = ["Boosted", "TreeCodes", "boost", "gains_of_terms", "tables_of_trees", "tree_codes"]
