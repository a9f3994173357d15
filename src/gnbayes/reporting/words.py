"""The summary in sentences, as lists of parts, so that names are not translated and numbers follow the locale."""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter
from typing import Any, Literal

from gnbayes.reporting.strings import PAGE
from gnbayes.structure import STRUCTURES

Style = Literal["count", "percent", "number"]
Part = dict[str, Any]


@dataclass(frozen=True)
class Number:
    """A number in a sentence, and its format."""

    value: float
    style: Style

    @property
    def text(self) -> str:
        """The number in English; the page formats it again in the reader's locale."""
        if self.style == "count":
            return f"{self.value:,.0f}" if float(self.value).is_integer() else f"{self.value:,.1f}"
        return f"{100 * self.value:.1f}%" if self.style == "percent" else f"{self.value:.3g}"


def say(key: str, **values: Number | str | list[Part]) -> list[Part]:
    """A sentence from `strings.PAGE` with numbers, names and other sentences filled in, as parts.

    Examples
    --------
    >>> from gnbayes.reporting.words import Number, say
    >>> say("card.limits.few", n=Number(569, "count"))[:2]
    [{'text': 'The rarer outcome has only '}, {'number': 569, 'style': 'count', 'text': '569'}]
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
            parts += value if isinstance(value, list) else [{"name": value}]
    return parts


def join(sentences: list[list[Part]], between: str = " ") -> list[Part]:
    """Sentences one after the other."""
    parts: list[Part] = []
    for at, sentence in enumerate(sentences):
        parts += [{"text": between}, *sentence] if at else sentence
    return parts


def names_of(names: list[str]) -> list[Part]:
    """Names in a list."""
    return join([[{"name": name}] for name in names], ", ")


def head_words(summary: dict[str, Any]) -> dict[str, Any]:
    """The top of the page: which risk, for whom, what it must not be used for, and who made it."""
    page, event = summary["page"], summary["event"]
    meaning = summary["target"]["meaning"]
    if event["at"] is None:
        key, values = "head.many", {"n": Number(len(summary["classes"]), "count")}
    else:
        key, values = "head.risk" if event["isRisk"] else "head.plain", {"event": summary["classes"][event["at"]]}
    makers = [
        page["authors"],
        PAGE["head.version"].format(text=page["version"]) if page["version"] else "",
        page["date"],
    ]
    notes = [say(f"head.{event['how']}", event=summary["classes"][event["at"]])] if event["how"] in _NOTED else []
    return {
        "what": say(f"{key}.meaning", **values, meaning=meaning) if meaning else say(key, **values),
        "makers": ", ".join(filter(None, makers)),
        "population": say("head.population", text=page["population"]) if page["population"] else None,
        "notFor": say("head.not_for", text=page["not_for"]) if page["not_for"] else None,
        "notes": notes,
    }


# Ways of identifying the event that the reader should know about.
_NOTED = ("told", "literal")


def calculator_words(summary: dict[str, Any]) -> dict[str, str]:
    """Title of the calculator, and how this kind of model treats unknown values."""
    return {
        "title": PAGE["calculator.title" if summary["event"]["isRisk"] else "calculator.title.plain"],
        "lead": f"{PAGE['calculator.lead']} {PAGE[f'calculator.lead.{_rule(summary)}']}",
    }


def effect_words(summary: dict[str, Any]) -> list[list[Part]]:
    """What the curves and heat maps show."""
    at = summary["event"]["at"]
    what = say("effects.says.many") if at is None else say("effects.says", event=summary["classes"][at])
    return [what, say("effects.bands")] if "spreads" in summary["model"].get("terms", {}) else [what]


def evidence_words(summary: dict[str, Any]) -> dict[str, Any]:
    """Whether and how the model was evaluated, on which rows, and the cards that follow."""
    evaluation = summary["evaluation"]
    if evaluation is None or evaluation["obstacle"]:
        key = "evidence.none" if evaluation is None else f"evidence.obstacle.{evaluation['obstacle']}"
        return {"none": PAGE[key], "who": [], "cards": []}
    return {"none": "", "who": _who(summary, evaluation), "cards": _cards(summary, evaluation)}


def statistics_words(facts: dict[str, Any]) -> list[list[Part]]:
    """How the model is built, for interested readers."""
    used, features = Number(facts["used"], "count"), Number(facts["features"], "count")
    weight, naive = Number(facts["weight"], "number"), Number(facts["naiveWeight"], "number")
    is_naive = facts["structure"] == "nb"
    sentences = [say("statistics.used", used=used, features=features), _structure(facts["structure"])]
    if facts["isWeighted"]:
        sentences.append(say("statistics.boosted" if facts["isBoosted"] else "statistics.weighted"))
    sentences.append(
        say("statistics.weight.nb", weight=weight) if is_naive else say("statistics.weight", weight=weight, naive=naive)
    )
    return sentences


def _structure(name: str) -> list[Part]:
    """A sentence on the tree; a structure without one of its own is described as in the registry."""
    if f"statistics.{name}" in PAGE:
        return say(f"statistics.{name}")
    return say("statistics.tree", description=STRUCTURES[name].description)


def importance_words(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """One line per feature, the most important first: shares as numbers and as widths of bars, at most 100."""
    parts, features = summary["importances"], summary["model"]["features"]
    kinds = {"importance": "importance", "class": "classShare", "weight": "weightShare"}
    longest = max([1e-12, *(part[key] for part in parts for key in kinds.values())])
    lines = [
        {
            "name": features[at]["name"],
            "position": at,
            "bars": [
                {
                    "kind": kind,
                    "width": round(100 * part[key] / longest, 2),
                    "share": Number(part[key], "percent"),
                }
                for kind, key in kinds.items()
            ],
        }
        for at, part in enumerate(parts)
    ]
    return sorted(lines, key=lambda line: -parts[line["position"]]["importance"])


def quality_words(summary: dict[str, Any]) -> dict[str, Any]:
    """Findings about data quality, line by line."""
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
    """The nodes of the drawing with their texts, and the shading of their dots in five grades."""
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


def about_words(summary: dict[str, Any]) -> list[list[Part]]:
    """Notes about the page itself."""
    facts, n_rows = summary["facts"], len(summary["rows"])
    smoothing = PAGE[f"about.smoothing.{facts['smoothing']}"].format(alpha=f"{facts['alpha']:g}")
    return [
        say("about.rows.some", n=Number(n_rows, "count")) if n_rows else say("about.rows.none"),
        say("about.offline"),
        say("about.method.weighted", version=summary["library"])
        if facts["isWeighted"]
        else say("about.method", version=summary["library"], smoothing=smoothing),
        say("about.measures"),
        say("about.paper"),
    ]


def _rule(summary: dict[str, Any]) -> str:
    return str(summary["model"]["rule"])


# Cards that need the distribution of rows by risk.
_BY_THRESHOLD = ("benefit", "spread", "threshold")


def _who(summary: dict[str, Any], evaluation: dict[str, Any]) -> list[list[Part]]:
    rows, seen, folds = (Number(evaluation[key], "count") for key in ("rows", "seen", "folds"))
    if summary["event"]["at"] is None:
        sentences = [say("who.rows.many", rows=rows, classes=Number(len(summary["classes"]), "count"))]
    else:
        found = next(one for one in evaluation["assessed"] if one["class"] == summary["event"]["at"])
        events, share = Number(found["events"], "count"), Number(found["events"] / found["rows"], "percent")
        event = summary["classes"][summary["event"]["at"]]
        sentences = [say("who.rows", rows=rows, events=events, event=event, share=share)]
    for key in ("source", "period"):
        if summary["page"][key]:
            sentences.append(say(f"who.{key}", text=summary["page"][key].rstrip(".")))
    new = Number(evaluation["rows"] - evaluation["seen"], "count")
    sentences.append(say(f"who.{evaluation['origin']}", seen=seen, folds=folds, new=new))
    if evaluation["hasGroups"] and evaluation["folds"]:
        sentences.append(say("who.groups"))
    return [*sentences, say("who.intervals.groups" if evaluation["hasGroups"] else "who.intervals")]


def _cards(summary: dict[str, Any], evaluation: dict[str, Any]) -> list[dict[str, Any]]:
    """The cards of the evidence in their order; those without a measurement say why."""
    at = summary["event"]["at"]
    event: Any = [{"name": summary["classes"][at]}] if at is not None else [{"className": True}]
    keys = ("discrimination", "calibration", "overall", "benefit", "spread", "threshold")
    cards = [_measured(key, evaluation, event) for key in keys]
    steady = evaluation["instability"]
    refits = Number(steady["refits"] if steady else 0, "count")
    has_rows = evaluation["seen"] and not evaluation["origin"].startswith("kept")
    why = "" if steady else "instability.off" if has_rows else "instability.none"
    cards.append(
        {
            "id": "instability",
            "title": PAGE["instability.title"],
            "says": say("instability.says", refits=refits) if steady else say(why),
            "isMeasured": bool(steady),
        }
    )
    cards.append(
        {
            "id": "parts",
            "title": PAGE["parts.title"],
            "says": say("parts.says" if evaluation["parts"] else "parts.none"),
            "isMeasured": bool(evaluation["parts"]),
        }
    )
    return [*cards, _measured("classes", evaluation, event)]


def _measured(key: str, evaluation: dict[str, Any], event: list[Part]) -> dict[str, Any]:
    """A card of measurements, with its caveat."""
    is_measured = key not in _BY_THRESHOLD or any(one["thresholds"] != [] for one in evaluation["assessed"])
    sentences = [say(f"{key}.says", event=event) if is_measured else say("threshold.small")]
    if key == "classes" and None in evaluation["classification"]["confusion"]:
        sentences.append(say("classes.hidden"))
    if evaluation["origin"] == "unstated":
        sentences.append(say("evidence.unstated"))
    return {"id": key, "title": PAGE[f"{key}.title"], "says": join(sentences), "isMeasured": is_measured}


def _quality_cells(column: dict[str, Any], quality: dict[str, Any]) -> list[dict[str, Number] | None]:
    """Missing in training; missing, unseen and impossible in the given rows, if any; None if there is nothing."""
    counts = [(column["missing"], quality["rows"])]
    if quality["rowsHere"] is not None:
        counts += [(column[key], quality["rowsHere"]) for key in ("missingHere", "unseenHere", "impossibleHere")]
    return [
        {"count": Number(count, "count"), "share": Number(count / rows, "percent")} if count else None
        for count, rows in counts
    ]


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
    """A name isolated from the text direction of its surroundings, for places without markup."""
    return f"\u2068{name}\u2069"
