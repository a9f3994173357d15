"""The fitted model as the calculator in the page needs it: plain lists, and tables to the last bit."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from gnbayes.encoding import Feature, edge_texts
from gnbayes.estimator import GeneralizedNB
from gnbayes.model import N_COMPLETIONS, TEMPERING, Term
from gnbayes.model.nested import COARSE_STRENGTH, FINE_STRENGTH, WITHIN_ROWS
from gnbayes.model.parameters import daughter_counts
from gnbayes.reporting.subject import Subject, value_names
from gnbayes.structure import class_information

# Scores that are only to be looked at are multiples of this.
EFFECT_STEP = 0.001


def describe_model(clf: GeneralizedNB, subject: Subject) -> dict[str, Any]:
    """What the calculator computes from.

    Features stand in the order of the tree, and only those that are used; mothers are positions in it. Every prefix of
    the order is a model of its own, unless the tables were learned together (``rule`` is "weighted").

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    subject : Subject
        How columns and values are called.

    Returns
    -------
    model : dict
        ``rule`` says how probabilities follow from the tables: "tree", every unknown feature summed out, "paper", the
        paper's steps 1 to 4, or "weighted", the sum of terms, unknown features averaged. ``tables`` are float64 in
        base64, one feature after the other: log P(x | mother, y), and ``effects`` what follows from them. A weighted
        model has ``terms`` instead; its ``counts`` are by coarse codes, and ``joint`` holds the counts that P(x, y) is
        estimated from.
    """
    model, joint, order = clf.model_, clf.joint_, clf.tree_.order.tolist()
    described = {
        "rule": "tree",
        "logPrior": _packed((model.intercept,), [0]),
        "mother": _mothers(clf),
        "columns": order,
        "nCompletions": N_COMPLETIONS,
        "sizes": [len(model.maps[j]) for j in order],
        "features": [_describe_feature(clf.features_[j], j, subject) for j in order],
        "counts": [np.asarray(daughter_counts(clf.counts_, clf.tree_, j)).ravel().tolist() for j in order],
    }
    if model.unknown_rule == "averaged":
        terms = describe_terms(model.terms, order)
        parts: Any = model.learned_parts
        ratio = float(parts.learned.spread_ratio)
        joint_part = _describe_joint(clf, order)
        return described | {"rule": "weighted", "terms": terms, "spreadRatio": ratio, "joint": joint_part}
    described["effects"] = describe_terms(model.effects, order, step=EFFECT_STEP)
    described["tables"] = _packed(joint.tables, order)
    if model.unknown_rule == "dropped":
        paper: Any = joint
        described |= {
            "rule": "paper",
            "alone": _packed(paper.alone, order),
            "repaired": _packed(paper.repaired, order),
            "repairedAlone": _packed(paper.repaired_alone, order),
        }
    return described


def describe_terms(terms: Sequence[Term], order: list[int], step: float | None = None) -> dict[str, Any]:
    """Terms as the page reads them, the most important first.

    Parameters
    ----------
    terms : sequence of Term
    order : list of int
        Features in the order of the model.
    step : float, optional
        Tables are only to be looked at: they are rounded to multiples of it, and stand as two bytes each.

    Returns
    -------
    described : dict
        ``maps``: for each feature the different ways in which its codes are put together; ``terms``: features by their
        place in the order, the ways by their number, the shape of the table, training rows in its cells, importance;
        ``tables``: all of them, one after the other. Of two classes whose scores are opposite (``isOdd``), they are
        those of the second. ``spreads``: their standard errors, as 32-bit floats, where the model has them.
    """
    place = {j: at for at, j in enumerate(order)}
    maps: list[list[list[int]]] = [[] for _ in order]
    described = []
    ranked = sorted(terms, key=lambda term: -term.importance)
    for term in ranked:
        ways = []
        for j, own in zip(term.features, term.maps, strict=True):
            known, listed = maps[place[j]], own.tolist()
            if listed not in known:
                known.append(listed)
            ways.append(known.index(listed))
        described.append(
            {
                "features": [place[j] for j in term.features],
                "maps": ways,
                "shape": list(term.table.shape[:-1]),
                "rows": run_lengths(term.rows),
                "importance": float(f"{term.importance:.6g}"),
            }
        )
    tables = [term.table for term in ranked]
    is_odd = all(table.shape[-1] == 2 and np.array_equal(table[..., 0], -table[..., 1]) for table in tables)
    shown = [table[..., 1] for table in tables] if is_odd else tables
    packed = _packed(shown, list(range(len(shown)))) if step is None else _rounded(shown, step)
    found = {"maps": maps, "terms": described, "isOdd": is_odd, "step": step, "tables": packed}
    # Standard errors are in models of weighted terms, and not in files of earlier versions.
    spreads = [spread for term in ranked if (spread := term.spread) is not None]
    if len(spreads) < len(ranked):
        return found
    errors = [np.asarray(spread[..., 1] if is_odd else spread, dtype="<f4").ravel() for spread in spreads]
    return found | {"spreads": base64.b64encode(np.concatenate(errors).tobytes()).decode("ascii")}


def _describe_joint(clf: GeneralizedNB, order: list[int]) -> dict[str, Any]:
    """What unknown features are averaged over, and what anchors the answer at the prior.

    Counts are far shorter than the tables that follow from them, and as exact.
    """
    anchor, parts = clf.model_.anchor, clf.model_.learned_parts
    nested: Any = None if parts is None else parts.nested
    return {
        "codes": [nested.maps[j].tolist() for j in order],
        "values": [run_lengths(nested.values.single(j)) for j in order],
        "edges": [run_lengths(daughter_counts(nested.edges, clf.tree_, j)) for j in order],
        "strengths": {"coarse": COARSE_STRENGTH, "fine": FINE_STRENGTH, "within": WITHIN_ROWS},
        "logPrior": _packed((clf.joint_.log_prior,), [0]),
        "tempering": TEMPERING,
        "lacking": _packed((anchor.lacking,), [0]),
        "importances": [float(anchor.importances[j]) for j in order],
    }


def run_lengths(counts: Any) -> list[float]:
    """Counts one after the other; zeros in a row become their number, negative.

    Examples
    --------
    >>> from gnbayes.reporting.model_part import run_lengths
    >>> run_lengths([[3, 0, 0], [0, 1, 0]])
    [3, -3, 1, -1]
    """
    found: list[float] = []
    for count in np.asarray(counts).ravel().tolist():
        if count:
            found.append(int(count) if count == int(count) else count)
        elif found and found[-1] < 0:
            found[-1] -= 1
        else:
            found.append(-1)
    return found


def describe_importances(clf: GeneralizedNB) -> list[dict[str, float]]:
    """How important features are, in the order of the tree: to the terms, and in nats and shares to the tree."""
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
    """Eight signs that tell one model from another, for links that belong to one page."""
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


def _rounded(tables: Sequence[Any], step: float) -> str:
    """Multiples of a step as 16-bit numbers in base64, little end first; scores less their mean over the classes."""
    centred = [table - table.mean(axis=-1, keepdims=True) for table in tables]
    flat = np.concatenate([*(table.ravel() for table in centred), np.zeros(0)])
    whole = np.clip(np.round(flat / step), -(2**15), 2**15 - 1).astype("<i2")
    return base64.b64encode(whole.tobytes()).decode("ascii")


def _packed(tables: Sequence[Any], chosen: list[int]) -> str:
    """Float64 in base64, little end first."""
    flat = [np.asarray(tables[j], dtype="<f8").ravel() for j in chosen]
    return base64.b64encode(np.concatenate([*flat, np.zeros(0, dtype="<f8")]).tobytes()).decode("ascii")
