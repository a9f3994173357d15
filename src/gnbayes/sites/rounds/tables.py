"""The tables that questions are about, the same at all sites and for the coordinator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gnbayes.model import TermSpec
from gnbayes.model.fitting.layout import Layout, layout_of


def all_cells(specs: Sequence[TermSpec]) -> Layout:
    """Layout of the tables of terms with all cells, since different cells are empty at different sites."""
    return layout_of(specs, [np.ones(spec.n_cells, dtype=bool) for spec in specs])


def named_tables(specs: Sequence[TermSpec]) -> tuple[TermSpec, ...]:
    """Tables as they appear in a question: only features and codes."""
    return tuple(TermSpec(spec.features, spec.maps, "free", (False,) * len(spec.features)) for spec in specs)
