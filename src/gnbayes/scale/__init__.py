"""Counts from more data than fits: batches, files, Dask, Spark, other people's counts."""

from gnbayes.scale.count import Plan, Tally, count, join_blocks, make_plan, pair_blocks
from gnbayes.scale.counts_file import load_counts, save_counts
from gnbayes.scale.dask import fit_dask, predict_dask
from gnbayes.scale.features_file import SiteFeatures, load_features, propose_features, save_features
from gnbayes.scale.finish import finish, tree_of_blocks
from gnbayes.scale.fit import fit_batches, summarize_batches
from gnbayes.scale.numbers import rank_error
from gnbayes.scale.privacy import Privacy, add_noise, suppress
from gnbayes.scale.site_files import SiteFileError
from gnbayes.scale.sites import SiteCounts, count_site, fit_sites
from gnbayes.scale.spark import fit_spark, predict_spark
from gnbayes.scale.summary import Limits, TableSummary, limits_for, merge_summaries, summarize
from gnbayes.scale.summary_file import load_summary, save_summary

__all__ = [
    "Limits",
    "Plan",
    "Privacy",
    "SiteCounts",
    "SiteFeatures",
    "SiteFileError",
    "TableSummary",
    "Tally",
    "add_noise",
    "count",
    "count_site",
    "finish",
    "fit_batches",
    "fit_dask",
    "fit_sites",
    "fit_spark",
    "join_blocks",
    "limits_for",
    "load_counts",
    "load_features",
    "load_summary",
    "make_plan",
    "merge_summaries",
    "pair_blocks",
    "predict_dask",
    "predict_spark",
    "propose_features",
    "rank_error",
    "save_counts",
    "save_features",
    "save_summary",
    "summarize",
    "summarize_batches",
    "suppress",
    "tree_of_blocks",
]
