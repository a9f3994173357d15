"""The TRIPOD+AI checklist of a page: where it reports each of the 27 items."""

from __future__ import annotations

from typing import Any

from gnbayes.reporting.strings import CHECKLIST, PAGE, TRIPOD

# Item: section and heading on the page, by their keys in PAGE, and what must be specified there; empty for items that a
# page cannot report.
_PLACES: dict[str, tuple[str, str, str]] = {
    "1": ("", "", "title"),
    "3b": ("card", "card.intended_use", "intended_use"),
    "5a": ("card", "card.source", "source"),
    "5b": ("card", "card.period", "period"),
    "6b": ("card", "card.population", "population"),
    "7": ("quality", "quality.title", ""),
    "8a": ("card", "card.outcome", "meaning"),
    "9b": ("card", "card.predictors", ""),
    "11": ("card", "card.missing", ""),
    "12a": ("who", "who.title", "evaluation"),
    "12b": ("tree", "tree.title", ""),
    "12c": ("card", "card.fitting", ""),
    "12e": ("about", "about.title", ""),
    "12g": ("calculator", "calculator.title", ""),
    "14": ("parts", "parts.title", "parts"),
    "15": ("calculator", "calculator.title", ""),
    "16": ("who", "who.title", "evaluation"),
    "20a": ("who", "who.title", "evaluation"),
    "20b": ("card", "card.data", ""),
    "21": ("card", "card.data", ""),
    "22": ("tree", "tree.title", ""),
    "23a": ("evidence", "evidence.title", "evaluation"),
    "26": ("card", "card.limits", ""),
    "27a": ("calculator", "calculator.title", ""),
    "27b": ("card", "card.intended_use", "intended_use"),
}


def checklist(summary: dict[str, Any], page: str) -> str:
    """The checklist as a table in Markdown.

    Parameters
    ----------
    summary : dict
        From `summarize`.
    page : str
        Name of the page, for the heading.
    """
    head = [CHECKLIST[key] for key in ("item", "topic", "report", "place")]
    lines = [
        "# " + CHECKLIST["title"].format(title=_cell(summary["title"])),
        "",
        CHECKLIST["lead"].format(page=_cell(page)),
        "",
        f"| {' | '.join(head)} |",
        "|" + "---|" * len(head),
    ]
    lines += [f"| {item} | {topic} | {what} | {_place(item, summary)} |" for item, (topic, what) in TRIPOD.items()]
    return "\n".join(lines) + "\n"


def _place(item: str, summary: dict[str, Any]) -> str:
    if item not in _PLACES:
        return CHECKLIST["none"]
    anchor, heading, needed = _PLACES[item]
    if not anchor:
        return _cell(summary["title"])
    place = f"{PAGE[heading]} (#{heading.replace('.', '-') if anchor == 'card' else anchor})"
    if _is_stated(needed, summary):
        return place
    return CHECKLIST[f"empty.{needed}" if needed in ("evaluation", "parts") else "empty"].format(place=place)


def _is_stated(needed: str, summary: dict[str, Any]) -> bool:
    evaluation = summary["evaluation"]
    is_measured = evaluation is not None and evaluation["obstacle"] is None
    if needed == "evaluation":
        return is_measured
    if needed == "parts":
        return is_measured and bool(evaluation["parts"])
    if needed == "meaning":
        return bool(summary["target"]["meaning"])
    return not needed or needed == "title" or bool(summary["page"][needed])


def _cell(text: str) -> str:
    """Text that cannot leave its cell."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "'")
