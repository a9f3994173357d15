"""Models of the first features of an order: the order, the number of features, and the score of each number."""

from gnbayes.prefixes.evidence import Evidence, HeldOut, beats_shares, class_shares, evidence_of, surplus
from gnbayes.prefixes.folds import Fold, own_folds, rows_of
from gnbayes.prefixes.learning import learn_chosen
from gnbayes.prefixes.models import learn_first, plain
from gnbayes.prefixes.number import Means, means_of_rows, means_of_splits
from gnbayes.prefixes.order import MOST_CANDIDATES, Ordered, order_features
from gnbayes.prefixes.path import PathScores, choose_numbers, counted_path_scores, for_all_classes, path_scores

__all__ = [
    "MOST_CANDIDATES",
    "Evidence",
    "Fold",
    "HeldOut",
    "Means",
    "Ordered",
    "PathScores",
    "beats_shares",
    "choose_numbers",
    "class_shares",
    "counted_path_scores",
    "evidence_of",
    "for_all_classes",
    "learn_chosen",
    "learn_first",
    "means_of_rows",
    "means_of_splits",
    "order_features",
    "own_folds",
    "path_scores",
    "plain",
    "rows_of",
    "surplus",
]
