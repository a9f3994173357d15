"""The fitted model in the form used by the calculator of the page: dicts, lists, text and numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from gnbayes.encoding import Feature, edge_texts
from gnbayes.estimator import GeneralizedNB
from gnbayes.model import N_COMPLETIONS, TEMPERING
from gnbayes.model.nested import COARSE_STRENGTH, FINE_STRENGTH, WITHIN_ROWS
from gnbayes.model.parameters import daughter_counts
from gnbayes.reporting.subject import Subject, value_names
from gnbayes.reporting.term_part import EFFECT_STEP, TABLE_STEP, describe_terms, whole
from gnbayes.structure import class_information


def describe_model(clf: GeneralizedNB, subject: Subject) -> dict[str, Any]:
    """The data from which the calculator computes.

    Only used features are included, in the order of the tree; parents are positions in it. Every prefix of the order is
    a model of its own, unless the tables were fitted jointly (``rule`` is "weighted").

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    subject : Subject
        Names of columns and values.

    Returns
    -------
    model : dict
        ``rule`` says how probabilities are computed from the tables: "tree", with unknown features summed out; "paper",
        the paper's steps 1 to 4; or "weighted", the sum of terms, averaged over unknown features. ``tables`` has log
        P(x | mother, y) of one feature after the other, None if impossible, and ``effects`` the resulting effects. A
        weighted model has ``terms`` instead; its ``counts`` are in coarse codes, and ``joint`` has the counts from
        which P(x, y) is estimated.
    """
    model, joint, order = clf.model_, clf.joint_, clf.tree_.order.tolist()
    described = {
        "rule": "tree",
        "logPrior": _logarithms((model.intercept,), [0]),
        "mother": _mothers(clf),
        "columns": order,
        "nCompletions": N_COMPLETIONS,
        "sizes": [len(model.maps[j]) for j in order],
        "features": [_describe_feature(clf.features_[j], j, subject) for j in order],
        "counts": [whole(daughter_counts(clf.counts_, clf.tree_, j)) for j in order],
    }
    if model.unknown_rule == "averaged":
        terms = describe_terms(model.terms, order, TABLE_STEP)
        weighted: Any = model
        spread = {
            "spreadRatio": float(weighted.learned.spread_ratio),
            "leastVariance": weighted.least_variance.tolist(),
        }
        return described | {"rule": "weighted", "terms": terms, "joint": _describe_joint(clf, order)} | spread
    described["effects"] = describe_terms(model.effects, order, EFFECT_STEP)
    described["tables"] = _logarithms(joint.tables, order)
    if model.unknown_rule == "dropped":
        paper: Any = joint
        described |= {
            "rule": "paper",
            "alone": _logarithms(paper.alone, order),
            "repaired": _logarithms(paper.repaired, order),
            "repairedAlone": _logarithms(paper.repaired_alone, order),
        }
    return described


def _describe_joint(clf: GeneralizedNB, order: list[int]) -> dict[str, Any]:
    """The distribution of unknown features, and the correction toward the prior.

    Counts are much shorter than the tables computed from them, and equally exact.
    """
    anchor, parts = clf.model_.anchor, clf.model_.learned_parts
    nested: Any = None if parts is None else parts.nested
    return {
        "codes": [nested.maps[j].tolist() for j in order],
        "values": [whole(nested.values.single(j)) for j in order],
        "edges": [whole(daughter_counts(nested.edges, clf.tree_, j)) for j in order],
        "strengths": {"coarse": COARSE_STRENGTH, "fine": FINE_STRENGTH, "within": WITHIN_ROWS},
        "logPrior": _logarithms((clf.joint_.log_prior,), [0]),
        "tempering": TEMPERING,
        "lacking": _logarithms((anchor.lacking,), [0]),
        "importances": [float(anchor.importances[j]) for j in order],
    }


def describe_importances(clf: GeneralizedNB) -> list[dict[str, float]]:
    """Importances of features, in the order of the tree: in the terms, and in the tree as nats and shares."""
    order, importances = clf.tree_.order, clf.feature_importances_
    alone = class_information(clf.counts_)[order]
    told, gain = clf.class_gain_[order], clf.tree_.gain
    with_mother = np.where(clf.tree_.mother[order] >= 0, gain - alone, 0.0)
    return [
        {
            "importance": float(importances[order[at]]),
            "gain": float(gain[at]),
            "weightShare": float(gain[at] / (clf.weight_ or 1.0)),
            "classGain": max(0.0, float(told[at])),
            "classShare": max(0.0, float(told[at] / (told.sum() or 1.0))),
            "alone": max(0.0, float(alone[at])),
            "withMother": max(0.0, float(with_mother[at])),
        }
        for at in range(len(order))
    ]


def fingerprint(model: dict[str, Any]) -> str:
    """Eight characters that identify a model, for links that belong to one page."""
    parts = {key: part for key, part in model.items() if key != "counts"}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("utf-8")).hexdigest()[:8]


def _mothers(clf: GeneralizedNB) -> list[int]:
    position = {j: at for at, j in enumerate(clf.tree_.order.tolist())}
    return [position.get(int(clf.tree_.mother[j]), -1) for j in clf.tree_.order.tolist()]


def _describe_feature(feature: Feature, j: int, subject: Subject) -> dict[str, Any]:
    is_number = feature.kind == "interval"
    column = subject.columns[j]
    described: dict[str, Any] = {
        "name": subject.names[j],
        "kind": "number" if is_number else "choice",
        "hasMissing": feature.cardinality > feature.n_values,
        "values": value_names(feature, column),
    }
    if is_number:
        described |= {
            "edges": list(feature.edges),
            "edgeTexts": edge_texts(feature.edges) if feature.edges else [],
        }
    else:
        described |= {
            "isNumeric": not column.codes and all(type(value) is float for value in feature.categories),
            "isGrouped": feature.transformer is not None,
        }
    return described | ({"coarse": feature.coarse_codes.tolist()} if feature.coarse else {})


def _logarithms(tables: Sequence[Any], chosen: list[int]) -> list[float | None]:
    """Concatenated tables; minus infinity, the logarithm of 0, becomes None, because JSON does not have it."""
    flat = [value for j in chosen for value in np.asarray(tables[j], dtype=np.float64).ravel().tolist()]
    return [value if value > -np.inf else None for value in flat]
