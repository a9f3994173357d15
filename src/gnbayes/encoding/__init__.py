"""A table becomes small integers: reading frames, discretizers, categories, missing and unseen values."""

from gnbayes.encoding.discretizer import Discretizer
from gnbayes.encoding.encode import encode
from gnbayes.encoding.feature import Feature
from gnbayes.encoding.fixed import FixedDiscretizer
from gnbayes.encoding.learn import (
    AUTO_BINS,
    choose_categories,
    choose_discretizer,
    extend_features,
    learn_features,
    new_codes,
)
from gnbayes.encoding.mdlp import MDLPDiscretizer
from gnbayes.encoding.nested import NestedDiscretizer
from gnbayes.encoding.quantile import QuantileDiscretizer
from gnbayes.encoding.table import Table, read_array, read_frame
from gnbayes.encoding.texts import Texts, read_texts
from gnbayes.encoding.uniform import UniformDiscretizer
from gnbayes.encoding.validation import (
    check_labels,
    check_table,
    check_target,
    check_weights,
    label_indices,
    take_columns,
    without_zero_weights,
)

__all__ = [
    "AUTO_BINS",
    "Discretizer",
    "Feature",
    "FixedDiscretizer",
    "MDLPDiscretizer",
    "NestedDiscretizer",
    "QuantileDiscretizer",
    "Table",
    "Texts",
    "UniformDiscretizer",
    "check_labels",
    "check_table",
    "check_target",
    "check_weights",
    "choose_categories",
    "choose_discretizer",
    "encode",
    "extend_features",
    "label_indices",
    "learn_features",
    "new_codes",
    "read_array",
    "read_frame",
    "read_texts",
    "take_columns",
    "without_zero_weights",
]
