"""Render the summary as one HTML file that includes style and script and makes no network requests."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import Any

from gnbayes.reporting.card import card_words
from gnbayes.reporting.packing import pack
from gnbayes.reporting.strings import PAGE, SCRIPT
from gnbayes.reporting.words import (
    about_words,
    calculator_words,
    effect_words,
    evidence_words,
    head_words,
    importance_words,
    quality_words,
    statistics_words,
    tree_words,
)

# In this order: what computes, what draws, what listens.
_SCRIPTS = tuple(
    f"{name}.js"
    for name in (
        *("unpack", "elements", "numbers", "limits", "joint", "completion", "terms", "uncertainty", "questions"),
        *("model", "state", "form"),
        *("result", "charts", "effects", "heatmaps", "evidence", "threshold", "steps", "detail", "odds"),
        *("tree", "main"),
    )
)
# Parts of the summary that the script needs; the rest is already in the markup.
_FOR_SCRIPT = (
    "title", "library", "fingerprint", "classes", "event", "page", "facts", "model", "fields", "importances",
    "unusual", "evaluation", "rows",
)  # fmt: skip


def render(summary: dict[str, Any]) -> str:
    """The page of a summary.

    Parameters
    ----------
    summary : dict
        From `summarize`.

    Returns
    -------
    html : str
    """
    style, script = _asset("style.css"), _script()
    environment = import_jinja().Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(_asset("page.html.j2"))
    evaluation = summary["evaluation"] or {}
    numbers = evaluation.get("numbers")
    return str(
        template.render(
            policy=_policy(style, script),
            style=style,
            script=script,
            data=pack({**{key: summary[key] for key in _FOR_SCRIPT}, "strings": SCRIPT}),
            words=PAGE,
            summary=summary,
            head=head_words(summary),
            calculator=calculator_words(summary),
            effects=effect_words(summary),
            evidence=evidence_words(summary),
            card=card_words(summary),
            statistics=statistics_words(summary["facts"]),
            tree={**summary["tree"], "nodes": tree_words(summary)},
            importances=importance_words(summary),
            quality=quality_words(summary),
            about=about_words(summary),
            hasManyClasses=len(summary["classes"]) > 2,
            hasNumbers=bool(numbers),
            lastNumber=len(numbers["numbers"]) - 1 if numbers else 0,
        )
    )


def import_jinja() -> Any:
    """The template engine; if it is missing, the error says how to install it."""
    try:
        import jinja2
    except ImportError as error:
        raise ImportError("the report needs jinja2; install it with: pip install 'gnbayes[report]'") from error
    return jinja2


def _policy(style: str, script: str) -> str:
    """A content security policy that allows only this style, this script and embedded images."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _script() -> str:
    parts = "\n".join(_asset(name) for name in _SCRIPTS)
    return f'(async () => {{\n"use strict";\n{parts}}})();\n'


def _asset(name: str) -> str:
    return (resources.files("gnbayes.reporting") / "assets" / name).read_text(encoding="utf-8")
