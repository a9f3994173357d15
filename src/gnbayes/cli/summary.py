"""The summary printed by `fit`: rows, columns, the model, its score on held-out rows, and what to do next."""

from __future__ import annotations

import shlex
import sys
from typing import Any

import numpy as np

from gnbayes.cli.columns import ColumnKinds
from gnbayes.cli.messages import at_most, plural
from gnbayes.cli.terminal import paint
from gnbayes.estimator import GeneralizedNB
from gnbayes.evaluation import CrossValidated, Estimate, score

MOST_IMPORTANT = 10
_WIDTH = 11

Described = dict[str, Any]


def describe_model(clf: GeneralizedNB) -> Described:
    """The model: rows, classes, features by importance."""
    names = [feature.name for feature in clf.features_]
    shares = clf.counts_.classes / clf.counts_.n
    importances = clf.feature_importances_
    order = [int(j) for j in np.argsort(-importances, kind="stable") if j in set(clf.feature_order_.tolist())]
    bins = [feature.n_values for feature in clf.features_ if feature.kind == "interval"]
    return {
        "rows": clf.counts_.n,
        "classes": {str(label): float(share) for label, share in zip(clf.classes_, shares, strict=True)},
        "structure": clf.structure,
        "weighting": clf.weighting,
        "n_features": len(names),
        "n_used": len(order),
        "bins": [min(bins), max(bins)] if bins else None,
        "important": [{"feature": names[j], "importance": float(importances[j])} for j in order],
    }


def describe_columns(kinds: ColumnKinds, left_out: dict[str, str]) -> Described:
    """How columns were interpreted.

    Parameters
    ----------
    kinds : ColumnKinds
    left_out : dict of {str: str}
        Columns that are not used, and why.
    """
    return {
        "numbers": list(kinds.numbers),
        "categories": list(kinds.categories),
        "left_out": left_out,
        "constant": list(kinds.constant),
        "identifiers": list(kinds.identifiers),
        "missing": kinds.missing or {},
    }


def describe_score(found: CrossValidated, n_rows: int, *, is_sample: bool = False) -> Described:
    """Scores of held-out rows, and how they were held out."""
    return {"method": method_of(found, n_rows, is_sample=is_sample), "unscored": found.n_unscored} | score(
        found.predictions
    ).to_dict()


def method_of(found: CrossValidated, n_rows: int, *, is_sample: bool = False) -> str:
    """How rows were held out, in a sentence."""
    n_scored = len(found.predictions.labels)
    method = f"{found.n_fits}-fold cross-validation"
    if found.n_fits < found.n_folds:
        method = f"{n_scored} of {n_rows} rows held out once, to save time"
    if is_sample:
        method += f" of a sample of {n_scored} of {n_rows} rows"
    apart = "; groups kept together" if found.predictions.clusters is not None else ""
    return f"{method}: bins, tree and weights learned again without the held-out rows{apart}"


def text_of(told: Described, output: str | None, table: str | None, group: str | None = None) -> str:
    """The summary as readable lines.

    Parameters
    ----------
    told : dict
        Contains "model", and "columns" and "score" if available.
    output : str, optional
        The model file.
    table : str, optional
        The training table.
    group : str, optional
        The column of the groups.
    """
    lines = [*_row_lines(told), *_column_lines(told.get("columns")), *_model_lines(told["model"])]
    lines += _score_lines(told)
    lines += _important_lines(told["model"])
    lines += _next_lines(output, table, len(told["model"]["classes"]) == 2, group)
    return lines_text(lines)


def lines_text(lines: list[tuple[str, str]]) -> str:
    """Lines with aligned labels."""
    return "\n".join(f"{paint(f'{label:{_WIDTH}}', 'bold', sys.stdout)} {text}".rstrip() for label, text in lines)


def estimate_text(found: Estimate | dict[str, Any], digits: int = 3) -> str:
    """A number with its confidence interval.

    Examples
    --------
    >>> from gnbayes.cli.summary import estimate_text
    >>> from gnbayes.evaluation import wilson_interval
    >>> estimate_text(wilson_interval(0.9, 10))
    '0.900 (0.596 to 0.982)'
    """
    parts = found.to_dict() if isinstance(found, Estimate) else found
    value, low, high = (parts[key] for key in ("value", "low", "high"))
    if low is None or high is None:
        return f"{value:.{digits}f}"
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def _row_lines(told: Described) -> list[tuple[str, str]]:
    model, left_out = told["model"], told.get("left_out_rows", 0)
    rows = f"{model['rows']:.0f}" + (f"; {left_out} more without a class are left out" if left_out else "")
    classes = [f"{label} {share:.1%}" for label, share in model["classes"].items()]
    return [("rows", rows), ("classes", at_most(classes))]


def _column_lines(columns: Described | None) -> list[tuple[str, str]]:
    if columns is None:
        return []
    lines = []
    for label, option in (("numbers", "--category"), ("categories", "--number")):
        if columns[label]:
            listed = f"{len(columns[label])}: {at_most(columns[label])}"
            lines.append((label, f"{listed}  (otherwise: {option} COLUMN)"))
    gaps = sorted(columns["missing"].items(), key=lambda item: -item[1])
    if gaps:
        shares = [f"{name} {_share_text(share)}" for name, share in gaps]
        lines.append(("missing", f"{plural(len(gaps), 'column')}: {at_most(shares)}"))
    left_out = [f"{name} ({why})" for name, why in columns["left_out"].items()]
    if left_out:
        lines.append(("left out", at_most(left_out)))
    if columns["constant"]:
        lines.append(("constant", f"{len(columns['constant'])}: {at_most(columns['constant'])}; nothing to learn"))
    return lines


def _model_lines(model: Described) -> list[tuple[str, str]]:
    weighting = f", weighting {model['weighting']}" if model["weighting"] else ", counted probabilities"
    lines = [("model", f"{model['structure']}{weighting}, {model['n_used']} of {model['n_features']} features")]
    if model["bins"]:
        low, high = model["bins"]
        lines.append(("", f"numbers cut into {low if low == high else f'{low} to {high}'} bins"))
    return lines


def _score_lines(told: Described) -> list[tuple[str, str]]:
    found, why_not = told.get("score"), told.get("no_score")
    if found is None:
        return [("score", why_not)] if why_not else []
    lines = [
        ("score", f"accuracy {estimate_text(found['accuracy'])}; most frequent class {found['accuracy']['prior']:.3f}"),
        ("", f"log-loss {estimate_text(found['log_loss'])}; prior alone {found['log_loss']['prior']:.3f}"),
    ]
    if len(found["auroc"]) == 1:
        lines.append(("", f"AUROC    {estimate_text(next(iter(found['auroc'].values())))}"))
    verdict = _verdict(found)
    if verdict:
        lines.append(("", verdict))
    lines.append(("", found["method"]))
    if found["unscored"]:
        lines.append(("", f"{found['unscored']} rows are not scored: their class does not occur in the other rows"))
    return lines


def _verdict(found: Described) -> str:
    """A comment on a score that is not clearly better than the prior; otherwise ""."""
    gain, accuracy = found["log_loss"]["gain"], found["accuracy"]
    if gain["low"] is None or gain["low"] > 0:
        return ""
    tells_apart = accuracy["low"] is not None and accuracy["low"] > accuracy["prior"]
    tells_apart = tells_apart or any((area["low"] or 0) > 0.5 for area in found["auroc"].values())
    if tells_apart:
        return "it separates the classes, but its probabilities are too extreme: not clearly better than the prior"
    return "not clearly better than the prior: there may be nothing to learn here"


def _important_lines(model: Described) -> list[tuple[str, str]]:
    shown = model["important"][:MOST_IMPORTANT]
    width = max((len(one["feature"]) for one in shown), default=0)
    lines = [
        ("" if at else "important", f"{one['feature']:{width}} {one['importance']:6.1%}")
        for at, one in enumerate(shown)
    ]
    more = len(model["important"]) - len(shown)
    return [*lines, ("", f"and {more} more  (gnbayes inspect)")] if more else lines


def _share_text(share: float) -> str:
    """A share in percent, with at least two significant digits."""
    return f"{share:.1%}" if share >= 0.01 or share == 0 else f"{100 * share:.2g}%"


def _next_lines(
    output: str | None, table: str | None, is_binary: bool, group: str | None = None
) -> list[tuple[str, str]]:
    if output is None:
        return [("next", "use -o FILE.gnb.json to save the model")]
    model = shlex.quote(output)
    steps = [f"gnbayes predict {model} NEW_TABLE", f"gnbayes evaluate {model} NEW_TABLE --new-rows"]
    page = shlex.quote(output.removesuffix(".json").removesuffix(".gnb") + ".html")
    rows = "" if table is None or table == "-" else f" {shlex.quote(table)}"
    rows += f" --group {shlex.quote(group)}" if rows and group is not None else ""
    event = " --positive CLASS" if is_binary else ""
    steps.append(f"gnbayes report {model}{rows}{event} -o {page}")
    return [("" if at else "next", step) for at, step in enumerate(steps)]
