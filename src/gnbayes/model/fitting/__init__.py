"""Tables of terms fitted to the log-loss with ridge penalties."""

from gnbayes.model.fitting.families import Balance, HeldOut, held_out_weights
from gnbayes.model.fitting.gathered import TermCounts, count_terms
from gnbayes.model.fitting.learn import FittedTables, learn_terms, quick_scores
from gnbayes.model.fitting.lines import learn_lines, line_terms
from gnbayes.model.fitting.rows import DistinctRows
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.teams import team_of
from gnbayes.model.fitting.training import TrainingRows, find_training_rows
from gnbayes.model.fitting.tree import single_terms, tree_terms

__all__ = [
    "Balance",
    "DistinctRows",
    "FittedTables",
    "HeldOut",
    "TermCounts",
    "TermSpec",
    "TrainingRows",
    "count_terms",
    "find_training_rows",
    "held_out_weights",
    "learn_lines",
    "learn_terms",
    "line_terms",
    "quick_scores",
    "single_terms",
    "team_of",
    "tree_terms",
]
