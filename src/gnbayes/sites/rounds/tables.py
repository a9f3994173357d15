"""The tables that questions are about, the same at all sites and for whoever coordinates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gnbayes.model import TermSpec
from gnbayes.model.fitting.layout import Layout, layout_of


def all_cells(specs: Sequence[TermSpec]) -> Layout:
    """All tables of some terms, with every cell: which of them are empty differs from site to site."""
    return layout_of(specs, [np.ones(spec.n_cells, dtype=bool) for spec in specs])


def named_tables(specs: Sequence[TermSpec]) -> tuple[TermSpec, ...]:
    """Tables as a question names them: by the features and codes of their cells, and nothing else."""
    return tuple(TermSpec(spec.features, spec.maps, "free", (False,) * len(spec.features)) for spec in specs)
