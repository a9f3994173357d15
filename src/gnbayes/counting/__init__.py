"""Counting of encoded rows: class, single and pair tables."""

from gnbayes.counting import c_path
from gnbayes.counting._bits import TermScale
from gnbayes.counting._coded_rows import CodedRows, RowSource, are_whole, row_numbers
from gnbayes.counting._count import MAX_KEPT_CELLS, count, count_pairs, count_values, n_cells, path, without_pairs
from gnbayes.counting._counts import Counts
from gnbayes.counting.numpy_path import PairCells, all_pair_cells, row_cells

__all__ = [
    "MAX_KEPT_CELLS",
    "CodedRows",
    "Counts",
    "PairCells",
    "RowSource",
    "TermScale",
    "all_pair_cells",
    "are_whole",
    "c_path",
    "count",
    "count_pairs",
    "count_values",
    "n_cells",
    "path",
    "row_cells",
    "row_numbers",
    "without_pairs",
]
