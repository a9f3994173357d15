"""Fitting to data larger than memory: batches, files, Dask, Spark."""

from gnbayes.scale.batch_counts import Plan, Tally, count_batch, make_plan
from gnbayes.scale.blocks import join_blocks, pair_blocks
from gnbayes.scale.column_summary import Limits
from gnbayes.scale.dask import fit_dask, predict_dask
from gnbayes.scale.exchange_files import SiteFileError as SiteFileError
from gnbayes.scale.final_fit import fit_tally, tree_of_blocks
from gnbayes.scale.out_of_core import fit_batches, summarize_batches
from gnbayes.scale.spark import fit_spark, predict_spark
from gnbayes.scale.summary_file import load_summary, save_summary
from gnbayes.scale.table_summary import TableSummary, limits_for, merge_summaries, summarize

__all__ = [
    "Limits",
    "Plan",
    "TableSummary",
    "Tally",
    "count_batch",
    "fit_batches",
    "fit_dask",
    "fit_spark",
    "fit_tally",
    "join_blocks",
    "limits_for",
    "load_summary",
    "make_plan",
    "merge_summaries",
    "pair_blocks",
    "predict_dask",
    "predict_spark",
    "save_summary",
    "summarize",
    "summarize_batches",
    "tree_of_blocks",
]
