"""Tables of terms fitted to the log-loss with ridge penalties."""

from gnbayes.model.fitting.gathered import TermCounts, count_terms
from gnbayes.model.fitting.learn import FittedTables, learn_terms
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.tree import tree_terms

__all__ = ["FittedTables", "TermCounts", "TermSpec", "count_terms", "learn_terms", "tree_terms"]
