"""The notebook display of a fitted classifier: its classes, terms and tree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gnbayes._html import html_table
from gnbayes.encoding import Feature
from gnbayes.model import Model, Term


def model_html(model: Model, terms: Sequence[Term]) -> str:
    """Classes with their probabilities, terms by importance, and the tree, as HTML.

    Parameters
    ----------
    model : Model
    terms : sequence of Term
        The pure terms, the most important first.
    """
    prior = np.exp(model.joint.log_prior)
    classes = [[str(label), f"{share:.1%}"] for label, share in zip(model.classes, prior, strict=True)]
    total = sum(term.importance for term in terms) or 1.0
    shares = [[_name(model.features, term), f"{term.importance / total:.1%}"] for term in terms]
    parts = (
        html_table("Classes", ["class", "probability"], classes),
        html_table("Terms, the most important first", ["features", "share of the importance"], shares),
        html_table("Tree", ["feature", "depends on"], _tree_lines(model)),
    )
    return f'<div style="display: flex; flex-wrap: wrap; gap: 2em; align-items: flex-start">{"".join(parts)}</div>'


def _name(features: Sequence[Feature], term: Term) -> str:
    return " x ".join(features[j].name for j in term.features)


def _tree_lines(model: Model) -> list[list[str]]:
    names, mother = [feature.name for feature in model.features], model.tree.mother
    return [[names[j], names[mother[j]] if mother[j] >= 0 else "the class alone"] for j in model.tree.order.tolist()]
