"""Tables of terms fitted to the log-loss with ridge penalties."""

from gnbayes.model.fitting.families import Balance
from gnbayes.model.fitting.learn import FittedTables, learn_terms, quick_scores, rows_that_differ
from gnbayes.model.fitting.rows import DistinctRows
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.tree import single_terms, tree_terms

__all__ = [
    "Balance",
    "DistinctRows",
    "FittedTables",
    "TermSpec",
    "learn_terms",
    "quick_scores",
    "rows_that_differ",
    "single_terms",
    "tree_terms",
]
