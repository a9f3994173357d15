"""Terms fitted by boosting small trees, each path of which has features of one term only."""

from gnbayes.model.boosting.codes import TreeCodes, by_content, tree_codes
from gnbayes.model.boosting.many import boost_many
from gnbayes.model.boosting.rounds import Boosted, DrawnRows, Run, base_scores, boost, choose_rounds
from gnbayes.model.boosting.tables import tables_of_trees
from gnbayes.model.boosting.trees import Trees

__all__ = [
    "Boosted",
    "DrawnRows",
    "Run",
    "TreeCodes",
    "Trees",
    "base_scores",
    "boost",
    "boost_many",
    "by_content",
    "choose_rounds",
    "tables_of_trees",
    "tree_codes",
]
