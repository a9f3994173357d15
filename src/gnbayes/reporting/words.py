"""The summary in sentences: lists of parts, so that names stay names and numbers can be shown in the reader's way."""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter
from typing import Any, Literal

from gnbayes.reporting.strings import PAGE

Style = Literal["count", "percent", "number"]
Part = dict[str, Any]


@dataclass(frozen=True)
class Number:
    """A number in a sentence, and how to write it."""

    value: float
    style: Style

    @property
    def text(self) -> str:
        """In English; the page writes it anew in the reader's locale."""
        if self.style == "count":
            return f"{self.value:,.0f}" if float(self.value).is_integer() else f"{self.value:,.1f}"
        return f"{100 * self.value:.1f}%" if self.style == "percent" else f"{self.value:.3g}"


def say(key: str, **values: Number | str) -> list[Part]:
    """A sentence of `strings.PAGE` with numbers and names filled in, as parts.

    Examples
    --------
    >>> from gnbayes.reporting.words import Number, say
    >>> say("summary.rows", rows=Number(569, "count"))
    [{'text': 'Learned from '}, {'number': 569, 'style': 'count', 'text': '569'}, {'text': ' rows'}]
    """
    parts: list[Part] = []
    for text, field, _, _ in Formatter().parse(PAGE[key]):
        if text:
            parts.append({"text": text})
        if field is None:
            continue
        value = values[field]
        if isinstance(value, Number):
            parts.append({"number": value.value, "style": value.style, "text": value.text})
        else:
            parts.append({"name": value})
    return parts


def summary_words(summary: dict[str, Any]) -> dict[str, Any]:
    """Sentences and figures for the head of the page."""
    facts, evaluation = summary["facts"], summary["evaluation"]
    return {
        "rows": say("summary.rows", rows=Number(facts["rows"], "count")),
        "classes": _class_words(summary["classes"], facts["classRows"]),
        "sentences": _sentences(facts),
        "measured": _measured(facts, evaluation),
        "scores": [] if evaluation is None else _scores(summary, evaluation),
    }


def importance_words(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """One line a feature: its name, and both shares as numbers and as widths of bars, the longest 100."""
    parts = summary["importances"]
    longest = max([*(part["classShare"] for part in parts), *(part["weightShare"] for part in parts), 1e-12])
    return [
        {
            "name": feature["name"],
            "position": at,
            "bars": [
                {
                    "kind": kind,
                    "width": round(100 * part[key] / longest, 2),
                    "share": Number(part[key], "percent"),
                }
                for kind, key in (("class", "classShare"), ("weight", "weightShare"))
            ],
        }
        for at, (feature, part) in enumerate(zip(summary["model"]["features"], parts, strict=True))
    ]


def quality_words(summary: dict[str, Any]) -> dict[str, Any]:
    """What was found in the columns, line by line."""
    quality = summary["quality"]
    checked, found = Number(quality["checked"], "count"), Number(len(quality["columns"]), "count")
    more = "quality.norows" if quality["rowsHere"] is None else "" if quality["columns"] else "quality.seen"
    return {
        "lead": say("quality.found", found=found, checked=checked)
        if quality["columns"]
        else say("quality.fine.nb" if summary["facts"]["structure"] == "nb" else "quality.fine", checked=checked),
        "more": PAGE[more] if more else "",
        "hasRows": quality["rowsHere"] is not None,
        "lines": [
            {"name": column["name"], "cells": _quality_cells(column, quality), "notes": _notes(column)}
            for column in quality["columns"]
        ],
    }


def tree_words(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """The drawing's nodes with their words and the fullness of their dots in five grades."""
    features, mother, parts = summary["model"]["features"], summary["model"]["mother"], summary["importances"]
    most = max(part["alone"] for part in parts) or 1.0
    nodes: list[dict[str, Any]] = []
    for node in summary["tree"]["nodes"]:
        at = node["feature"]
        name = features[at]["name"]
        words = (
            PAGE["tree.node"].format(name=_isolated(name), mother=_isolated(features[mother[at]]["name"]))
            if mother[at] >= 0
            else PAGE["tree.root"].format(name=_isolated(name))
        )
        grade = min(4, int(5 * parts[at]["alone"] / most))
        nodes.append({**node, "name": name, "words": words, "grade": grade, "tabIndex": -1 if nodes else 0})
    return nodes


def calculator_lead(summary: dict[str, Any]) -> str:
    """What unknown means to this kind of model."""
    rule = summary["model"]["rule"]
    return PAGE["calculator.lead" if rule == "tree" else f"calculator.lead.{rule}"]


def slider_words(summary: dict[str, Any]) -> dict[str, Any]:
    """The slider for the number of features, and the buttons that set it."""
    evaluation = summary["evaluation"]
    best = {} if evaluation is None else evaluation["best"]
    is_weighted, steps = summary["facts"]["isWeighted"], summary["steps"]
    has_own = is_weighted and evaluation is not None
    last = len(steps) - 1 + has_own
    jumps = [
        {
            "step": steps.index(n),
            "title": PAGE[f"number.{which}.says"],
            "words": say(f"number.{which}{'.counted' if is_weighted else ''}", n=Number(n, "count")),
        }
        for which, n in sorted(best.items(), reverse=True)
    ]
    lead = "number.lead" if not is_weighted else "number.lead.weighted" if evaluation else "number.lead.weighted.none"
    own = {"step": last, "title": PAGE["number.own.says"], "words": say("number.own")}
    return {
        "lead": PAGE[lead],
        "last": last,
        "hasClasses": len(summary["classes"]) > 2,
        "jumps": [*jumps, own] if has_own else jumps,
    }


def about_words(summary: dict[str, Any]) -> list[list[Part]]:
    """What to know about the page itself."""
    facts, n_rows = summary["facts"], len(summary["rows"])
    smoothing = PAGE[f"about.smoothing.{facts['smoothing']}"].format(alpha=f"{facts['alpha']:g}")
    return [
        say("about.rows.some", n=Number(n_rows, "count")) if n_rows else say("about.rows.none"),
        say("about.offline"),
        say("about.caution"),
        say("about.method.weighted", version=summary["library"])
        if facts["isWeighted"]
        else say("about.method", version=summary["library"], smoothing=smoothing),
        say("about.paper"),
    ]


def _class_words(names: list[str], rows: list[float]) -> list[dict[str, Any]]:
    """The classes in words, and their parts of a bar of width 100."""
    total = sum(rows) or 1.0
    return [
        {
            "words": say("summary.class", name=name, rows=Number(n, "count"), share=Number(n / total, "percent")),
            "width": round(100 * n / total, 2),
            "start": round(100 * sum(rows[:at]) / total, 2),
            "color": f"c{at % 6}",
        }
        for at, (name, n) in enumerate(zip(names, rows, strict=True))
    ]


def _sentences(facts: dict[str, Any]) -> list[list[Part]]:
    used, features = Number(facts["used"], "count"), Number(facts["features"], "count")
    weight, naive = Number(facts["weight"], "number"), Number(facts["naiveWeight"], "number")
    is_naive = facts["structure"] == "nb"
    sentences = [
        [*say("summary.used", used=used, features=features), {"text": " "}, *say(f"summary.{facts['structure']}")],
        say("summary.weight.nb", weight=weight) if is_naive else say("summary.weight", weight=weight, naive=naive),
    ]
    if facts["isWeighted"]:
        sentences.insert(1, say("summary.weighted"))
    return [*sentences, say("summary.prior")] if facts["hasOwnPrior"] else sentences


def _quality_cells(column: dict[str, Any], quality: dict[str, Any]) -> list[dict[str, Number] | None]:
    """Missing in training, and missing and unseen in the other rows where there are any; None for none."""
    counts = [(column["missing"], quality["rows"])]
    if quality["rowsHere"] is not None:
        counts += [(column["missingHere"], quality["rowsHere"]), (column["unseenHere"], quality["rowsHere"])]
    return [
        {"count": Number(count, "count"), "share": Number(count / rows, "percent")} if count else None
        for count, rows in counts
    ]


def _measured(facts: dict[str, Any], evaluation: dict[str, Any] | None) -> list[Part]:
    if evaluation is None:
        return say("summary.scores.none")
    return say(
        f"summary.scores.{evaluation['how']}",
        rows=Number(evaluation["rows"], "count"),
        used=Number(facts["used"], "count"),
        folds=Number(evaluation["folds"], "count"),
    )


def _scores(summary: dict[str, Any], evaluation: dict[str, Any]) -> list[dict[str, Any]]:
    """The scores with all features."""
    classes, positive = summary["classes"], summary["positive"]
    commonest = evaluation["commonest"]
    names = {
        "positive": classes[positive],
        "negative": classes[1 - positive] if len(classes) == 2 else "",
        "commonest": classes[commonest["class"]],
        "share": Number(commonest["share"], "percent"),
    }
    shown = []
    for name, columns in evaluation["scores"].items():
        mean, low, high = (columns[key][-1] for key in ("mean", "low", "high"))
        style: Style = "number" if name == "logloss" else "percent"
        shown.append(
            {
                "name": PAGE[f"score.{name}"],
                "says": say(f"score.{name}.says", **names),
                "mean": None if mean is None else say("summary.score", mean=Number(mean, style)),
                "interval": None
                if low is None
                else say("summary.interval", low=Number(low, style), high=Number(high, style)),
            }
        )
    return shown


def _notes(column: dict[str, Any]) -> list[list[Part]]:
    notes = []
    if column["isEmpty"] or column["isConstant"]:
        notes.append(say("quality.empty" if column["isEmpty"] else "quality.constant"))
    if column["sameAs"]:
        notes.append(say("quality.same", name=column["sameAs"]))
    if not column["isUsed"]:
        notes.append(say("quality.unused"))
    return notes


def _isolated(name: str) -> str:
    """A name whose direction of writing leaves the words around it alone, where there can be no markup."""
    return f"\u2068{name}\u2069"
