"""The model card: what a reader needs to know before using the model, from the model, the data and the dictionary."""

from __future__ import annotations

from typing import Any

from gnbayes.reporting.strings import PAGE
from gnbayes.reporting.words import Number, Part, join, names_of, say

# With fewer rows of the rarer outcome per predictor than this, the card says that there are few.
_FEW_PER_PREDICTOR = 10


def card_words(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Entries of the card in their order: ``id``, ``term``, and ``parts``, which is None if nothing is specified."""
    page = summary["page"]
    entries: dict[str, list[Part] | None] = {
        "intended_use": _stated(page["intended_use"]),
        "not_for": _stated(page["not_for"]),
        "population": _stated(page["population"]),
        "outcome": _outcome(summary),
        "predictors": _predictors(summary),
        "data": _data(summary),
        "source": _stated(page["source"]),
        "period": _stated(page["period"]),
        "missing": _missing(summary),
        "fitting": _fitting(summary),
        "performance": _performance(summary),
        "limits": _limits(summary),
        **{key: _stated(page[key]) for key in ("authors", "version", "date", "contact")},
    }
    return [{"id": f"card-{key}", "term": PAGE[f"card.{key}"], "parts": parts} for key, parts in entries.items()]


def _stated(text: str) -> list[Part] | None:
    return [{"name": text}] if text else None


def _outcome(summary: dict[str, Any]) -> list[Part] | None:
    at, meaning = summary["event"]["at"], summary["target"]["meaning"]
    names = names_of(summary["classes"] if at is None else [summary["classes"][at]])
    return say("card.outcome.says", event=names, meaning=meaning or [{"missing": True}])


def _predictors(summary: dict[str, Any]) -> list[Part]:
    facts = summary["facts"]
    units = {field["feature"]: field["unit"] for field in summary["fields"]}
    features, parts = summary["model"]["features"], summary["importances"]
    ranked = sorted(range(len(features)), key=lambda at: -parts[at]["importance"])
    names = [features[at]["name"] + (f" ({units[at]})" if units.get(at) else "") for at in ranked]
    used, given = Number(facts["used"], "count"), Number(facts["features"], "count")
    return say("card.predictors.says", used=used, features=given, names=names_of(names))


def _data(summary: dict[str, Any]) -> list[Part]:
    facts = summary["facts"]
    classes = [
        say("card.data.class", rows=Number(rows, "count"), name=name)
        for name, rows in zip(summary["classes"], facts["classRows"], strict=True)
    ]
    sentences = [say("card.data.rows", rows=Number(facts["rows"], "count"), classes=join(classes, ", "))]
    return join([*sentences, say("card.data.prior")] if facts["hasOwnPrior"] else sentences)


def _missing(summary: dict[str, Any]) -> list[Part]:
    gaps = summary["facts"]["withGaps"]
    return say("card.missing.some", names=names_of(gaps)) if gaps else say("card.missing.none")


def _fitting(summary: dict[str, Any]) -> list[Part]:
    if not summary["facts"]["isWeighted"]:
        return say("card.fitting.counted", version=summary["library"])
    sizes = [len(term["features"]) for term in summary["model"]["terms"]["terms"]]
    method = say("card.fitting.boosted" if summary["facts"]["isBoosted"] else "card.fitting.penalised")
    single, pairs, triples = (Number(sizes.count(size), "count") for size in (1, 2, 3))
    return say(
        "card.fitting.weighted", version=summary["library"], single=single, pairs=pairs, triples=triples, how=method
    )


def _performance(summary: dict[str, Any]) -> list[Part] | None:
    evaluation = summary["evaluation"]
    if evaluation is None or evaluation["obstacle"]:
        return None
    origin = evaluation["origin"]
    if summary["event"]["at"] is None:
        (value, low, high), (loss, _, _) = (evaluation["classification"][key] for key in ("accuracy", "logloss"))
        numbers = {"value": _share(value), "low": _share(low), "high": _share(high), "loss": Number(loss, "number")}
        return join([say("card.performance.many", **numbers), say(f"card.performance.{origin}")])
    found = next(one for one in evaluation["assessed"] if one["class"] == summary["event"]["at"])
    if found["auroc"][0] is None:
        return None
    parts = _with_interval("auroc", found["auroc"], "number")
    if found["slope"][0] is not None:
        parts += _with_interval("slope", found["slope"], "number")
    parts += say("card.performance.brier", value=Number(found["brier"][0], "number"))
    return join([parts, say(f"card.performance.{origin}")])


def _with_interval(key: str, estimate: list[float], style: Any) -> list[Part]:
    value, low, high = estimate
    if low is None:
        return say(f"card.performance.{key}", value=Number(value, style))
    numbers = {"value": Number(value, style), "low": Number(low, style), "high": Number(high, style)}
    return say(f"card.performance.{key}.interval", **numbers)


def _limits(summary: dict[str, Any]) -> list[Part]:
    evaluation, facts = summary["evaluation"], summary["facts"]
    sentences = []
    if evaluation is not None and not evaluation["obstacle"]:
        if evaluation["seen"] == evaluation["rows"]:
            sentences.append(say("card.limits.internal"))
        elif evaluation["origin"] == "unstated":
            sentences.append(say("card.limits.unstated"))
        wrong = [
            f"{part['name']}: {one['name']}"
            for part in evaluation["parts"]
            for one in part["parts"]
            if one["verdict"] not in ("fine", "few")
        ]
        if wrong:
            sentences.append(say("card.limits.parts", names=names_of(wrong)))
    fewest = min(facts["classRows"])
    if fewest < _FEW_PER_PREDICTOR * facts["used"]:
        sentences.append(say("card.limits.few", n=Number(fewest, "count")))
    return join([*sentences, say("card.limits.device")])


def _share(value: float | None) -> Number:
    return Number(value or 0.0, "percent")
