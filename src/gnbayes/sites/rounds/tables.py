"""The tables that questions are about, the same at all sites and for whoever coordinates."""

from __future__ import annotations

import numpy as np

from gnbayes.model import tree_terms
from gnbayes.model.fitting.layout import Layout, layout_of
from gnbayes.sites.site_features import SiteFeatures
from gnbayes.structure import Tree


def tables_of(features: SiteFeatures, tree: Tree) -> Layout:
    """All tables of a tree, with every cell: which of them are empty differs from site to site."""
    specs = tree_terms(features.features, tree)
    return layout_of(specs, [np.ones(int(np.prod(spec.shape)), dtype=bool) for spec in specs])
