"""The fitted model: an intercept and terms, together with the joint distribution of features and class."""

from gnbayes.model.build import (
    REPAIRING,
    SMOOTHINGS,
    Smoothing,
    build_joint,
    build_model,
    build_weighted_model,
    learned_terms,
    terms_of_tables,
)
from gnbayes.model.completion import N_COMPLETIONS, TEMPERING
from gnbayes.model.fitting import FittedTables, TermSpec, learn_terms, tree_terms
from gnbayes.model.fitting.repeats import copies_together
from gnbayes.model.fitting.row_hashes import row_hash
from gnbayes.model.fitting.rows import DistinctRows, distinct_rows
from gnbayes.model.forward import ForwardSteps, forward_steps
from gnbayes.model.held_out import hold_out
from gnbayes.model.interactions import ONLY_TREE, Interactions, column_position, read_interactions
from gnbayes.model.joint import Joint
from gnbayes.model.learned import LearnedParts, LearnedTerms
from gnbayes.model.leave_one_out import (
    leave_one_out_losses,
    leave_one_out_prefixes,
    leave_one_out_terms,
)
from gnbayes.model.model import Anchor, Model, Parts
from gnbayes.model.monotone import read_monotonic, read_signs
from gnbayes.model.nested import NestedCounts, count_nested, joint_feature, nested_from_coarse
from gnbayes.model.pooling import choose_pooling
from gnbayes.model.questions import completion_of, question_values, unusualness
from gnbayes.model.reasons import Reasons, reasons_by_feature
from gnbayes.model.shapley import shapley_tables, shapley_values
from gnbayes.model.strength import STRENGTHS, choose_strength
from gnbayes.model.term import MOST_FEATURES, Term, TermSum, feature_importances, log_odds, pack
from gnbayes.model.weightings import WEIGHTINGS, Evidence, Weighting, coarse_rows, fit_tree_scores

__all__ = [
    "MOST_FEATURES",
    "N_COMPLETIONS",
    "ONLY_TREE",
    "REPAIRING",
    "SMOOTHINGS",
    "STRENGTHS",
    "TEMPERING",
    "WEIGHTINGS",
    "Anchor",
    "DistinctRows",
    "Evidence",
    "FittedTables",
    "ForwardSteps",
    "Interactions",
    "Joint",
    "LearnedParts",
    "LearnedTerms",
    "Model",
    "NestedCounts",
    "Parts",
    "Reasons",
    "Smoothing",
    "Term",
    "TermSpec",
    "TermSum",
    "Weighting",
    "build_joint",
    "build_model",
    "build_weighted_model",
    "choose_pooling",
    "choose_strength",
    "coarse_rows",
    "column_position",
    "completion_of",
    "copies_together",
    "count_nested",
    "distinct_rows",
    "feature_importances",
    "fit_tree_scores",
    "forward_steps",
    "hold_out",
    "joint_feature",
    "learn_terms",
    "learned_terms",
    "leave_one_out_losses",
    "leave_one_out_prefixes",
    "leave_one_out_terms",
    "log_odds",
    "nested_from_coarse",
    "pack",
    "question_values",
    "read_interactions",
    "read_monotonic",
    "read_signs",
    "reasons_by_feature",
    "row_hash",
    "shapley_tables",
    "shapley_values",
    "terms_of_tables",
    "tree_terms",
    "unusualness",
]
