"""Tables of terms fitted to the log-loss with ridge penalties."""

from gnbayes.model.fitting.learn import LearnedTerms, learn_terms
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.tree import Weights, learn_weights, tree_terms

__all__ = ["LearnedTerms", "TermSpec", "Weights", "learn_terms", "learn_weights", "tree_terms"]
