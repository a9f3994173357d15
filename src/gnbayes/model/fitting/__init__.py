"""Tables of terms fitted to the log-loss with ridge penalties."""

from gnbayes.model.fitting.families import Balance
from gnbayes.model.fitting.gathered import TermCounts, count_terms
from gnbayes.model.fitting.learn import FittedTables, RowsToFit, learn_terms, quick_scores, rows_to_fit
from gnbayes.model.fitting.rows import DistinctRows
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.tree import single_terms, tree_terms

__all__ = [
    "Balance",
    "DistinctRows",
    "FittedTables",
    "RowsToFit",
    "TermCounts",
    "TermSpec",
    "count_terms",
    "learn_terms",
    "quick_scores",
    "rows_to_fit",
    "single_terms",
    "tree_terms",
]
