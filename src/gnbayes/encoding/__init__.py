"""Encode tables as small integers: reading frames, discretizers, categories, missing and unseen values."""

from gnbayes.encoding._column_summary import Summary
from gnbayes.encoding._encode import Encoder, encode
from gnbayes.encoding._feature import Feature, edge_texts, value_text
from gnbayes.encoding._learn_features import choose_categories, extend_features, learn_features, new_codes
from gnbayes.encoding._read_table import read_array, read_frame
from gnbayes.encoding._row import RowEncoder
from gnbayes.encoding._runs import (
    LEAST_NUMBERS,
    NUMBER_BYTES,
    are_heavy,
    bytes_of_number,
    digits_to_drop,
    divide_into_runs,
    most_numbers,
    ordered_keys,
    run_starts,
)
from gnbayes.encoding._table import Table
from gnbayes.encoding._texts import Texts, read_texts
from gnbayes.encoding._validation import (
    check_groups,
    check_labels,
    check_table,
    check_target,
    check_weights,
    label_indices,
    relative_weights,
    take_columns,
    without_zero_weights,
)
from gnbayes.encoding._values import Kind
from gnbayes.encoding.discretizers import (
    AUTO_BINS,
    DISCRETIZERS,
    Discretizer,
    DiscretizerChoice,
    FixedDiscretizer,
    JoinedDiscretizer,
    MDLPDiscretizer,
    NestedDiscretizer,
    QuantileDiscretizer,
    UniformDiscretizer,
    choose_discretizer,
)

__all__ = [
    "AUTO_BINS",
    "DISCRETIZERS",
    "LEAST_NUMBERS",
    "NUMBER_BYTES",
    "Discretizer",
    "DiscretizerChoice",
    "Encoder",
    "Feature",
    "FixedDiscretizer",
    "JoinedDiscretizer",
    "Kind",
    "MDLPDiscretizer",
    "NestedDiscretizer",
    "QuantileDiscretizer",
    "RowEncoder",
    "Summary",
    "Table",
    "Texts",
    "UniformDiscretizer",
    "are_heavy",
    "bytes_of_number",
    "check_groups",
    "check_labels",
    "check_table",
    "check_target",
    "check_weights",
    "choose_categories",
    "choose_discretizer",
    "digits_to_drop",
    "divide_into_runs",
    "edge_texts",
    "encode",
    "extend_features",
    "label_indices",
    "learn_features",
    "most_numbers",
    "new_codes",
    "ordered_keys",
    "read_array",
    "read_frame",
    "read_texts",
    "relative_weights",
    "run_starts",
    "take_columns",
    "value_text",
    "without_zero_weights",
]
