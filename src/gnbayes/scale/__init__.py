"""Counts from more data than fits: batches, files, other people's counts."""

from gnbayes.scale.count import Plan, Tally, count, join_blocks, make_plan, pair_blocks
from gnbayes.scale.finish import finish, tree_of_blocks
from gnbayes.scale.fit import fit_batches
from gnbayes.scale.numbers import rank_error
from gnbayes.scale.summary import Limits, TableSummary, limits_for, merge_summaries, summarize

__all__ = [
    "Limits",
    "Plan",
    "TableSummary",
    "Tally",
    "count",
    "finish",
    "fit_batches",
    "join_blocks",
    "limits_for",
    "make_plan",
    "merge_summaries",
    "pair_blocks",
    "rank_error",
    "summarize",
    "tree_of_blocks",
]
