"""Counts from more data than fits: batches, files, Dask, Spark, other people's counts."""

from gnbayes.scale.count import Plan, Tally, count, make_plan, pair_blocks
from gnbayes.scale.dask import fit_dask, predict_dask
from gnbayes.scale.finish import finish, tree_of_blocks
from gnbayes.scale.numbers import rank_error
from gnbayes.scale.spark import fit_spark, predict_spark
from gnbayes.scale.summary import Limits, TableSummary, limits_for, merge_summaries, summarize

__all__ = [
    "Limits",
    "Plan",
    "TableSummary",
    "Tally",
    "count",
    "finish",
    "fit_dask",
    "fit_spark",
    "limits_for",
    "make_plan",
    "merge_summaries",
    "pair_blocks",
    "predict_dask",
    "predict_spark",
    "rank_error",
    "summarize",
    "tree_of_blocks",
]
