"""The notebook display of a fitted classifier: its classes, terms, tree and scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gnbayes._html import html_table
from gnbayes.encoding import Feature
from gnbayes.evidence import Estimate, Evaluation
from gnbayes.model import Model, Term


def model_html(model: Model, terms: Sequence[Term], evaluation: Evaluation | None = None) -> str:
    """Classes with their probabilities, terms by importance, the tree, and scores if there are any, as HTML.

    Parameters
    ----------
    model : Model
    terms : sequence of Term
        The pure terms, the most important first.
    evaluation : Evaluation, optional
        Scores on held-out rows, as stored in a model file.
    """
    prior = np.exp(model.joint.log_prior)
    classes = [[str(label), f"{share:.1%}"] for label, share in zip(model.classes, prior, strict=True)]
    total = sum(term.importance for term in terms) or 1.0
    shares = [[_name(model.features, term), f"{term.importance / total:.1%}"] for term in terms]
    parts = (
        html_table("Classes", ["class", "probability"], classes),
        html_table("Terms, the most important first", ["features", "share of the importance"], shares),
        html_table("Tree", ["feature", "depends on"], _tree_lines(model)),
        "" if evaluation is None else _scores(evaluation),
    )
    return f'<div style="display: flex; flex-wrap: wrap; gap: 2em; align-items: flex-start">{"".join(parts)}</div>'


def _scores(found: Evaluation) -> str:
    said = found.classification
    lines = [
        ["accuracy", _interval(said.accuracy), f"{said.commonest_share:.3f}"],
        ["log-loss", _interval(said.log_loss), f"{said.prior_log_loss:.3f}"],
    ]
    if len(found.assessed) == 2:
        lines.append(["AUROC", _interval(found.assessed[1].auroc), "0.500"])
    return html_table(f"Scores of {found.n_rows} held-out rows", ["", "95 % interval", "without features"], lines)


def _interval(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "" if estimate.value is None else f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def _name(features: Sequence[Feature], term: Term) -> str:
    return " x ".join(features[j].name for j in term.features)


def _tree_lines(model: Model) -> list[list[str]]:
    names, mother = [feature.name for feature in model.features], model.tree.mother
    return [[names[j], names[mother[j]] if mother[j] >= 0 else "the class alone"] for j in model.tree.order.tolist()]
