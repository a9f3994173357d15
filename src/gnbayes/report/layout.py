"""Where the features of a tree stand in its drawing: an outline, every feature on a line of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LINE, INDENT, MARGIN, SIGN_WIDTH = 32, 26, 18, 7.4
LONGEST_LABEL = 34


def draw_tree(names: Sequence[str], mother: Sequence[int], strength: Sequence[float]) -> dict[str, Any]:
    """Positions of dots and labels, and the lines between mothers and daughters.

    Every feature has its own line below its mother, so that no two labels can meet, however deep the tree.

    Parameters
    ----------
    names : sequence of str
        In the order of the tree.
    mother : sequence of int
        Position of each feature's mother, before it in the order; -1 for none.
    strength : sequence of float
        How much each feature and its mother tell of each other; the width of the line between them.

    Returns
    -------
    drawing : dict
        ``width`` and ``height``; ``nodes`` from top to bottom, each with ``feature``, ``x``, ``y``, ``depth`` and
        ``label``; ``links`` with ``feature``, ``path`` and ``thickness``.

    Examples
    --------
    >>> from gnbayes.report.layout import draw_tree
    >>> drawing = draw_tree(["age", "sex", "pressure"], [-1, 0, 0], [0.0, 0.2, 0.1])
    >>> [(node["feature"], node["x"], node["y"]) for node in drawing["nodes"]]
    [(0, 18, 16), (1, 44, 48), (2, 44, 80)]
    """
    depth = [0] * len(names)
    for feature, its_mother in enumerate(mother):
        depth[feature] = depth[its_mother] + 1 if its_mother >= 0 else 0
    nodes = [
        {
            "feature": feature,
            "x": MARGIN + INDENT * depth[feature],
            "y": LINE // 2 + LINE * line,
            "depth": depth[feature],
            "label": shorten(names[feature]),
        }
        for line, feature in enumerate(_outline(mother))
    ]
    place = {node["feature"]: node for node in nodes}
    largest = max(strength, default=0.0) or 1.0
    links = [
        {
            "feature": node["feature"],
            "path": _path(place[mother[node["feature"]]], node),
            "thickness": round(1.2 + 5.8 * max(0.0, strength[node["feature"]]) / largest, 2),
        }
        for node in nodes
        if mother[node["feature"]] >= 0
    ]
    right = max(node["x"] + 16 + SIGN_WIDTH * len(node["label"]) for node in nodes)
    return {"width": round(right + MARGIN), "height": LINE * len(nodes), "nodes": nodes, "links": links}


def shorten(name: str) -> str:
    """A label that fits on its line."""
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…"


def _outline(mother: Sequence[int]) -> list[int]:
    """Features from top to bottom, each followed by its daughters in the order of the tree."""
    daughters: dict[int, list[int]] = {}
    for feature, its_mother in enumerate(mother):
        daughters.setdefault(its_mother, []).append(feature)
    lines: list[int] = []
    waiting = daughters.get(-1, [])[::-1]
    while waiting:
        feature = waiting.pop()
        lines.append(feature)
        waiting += daughters.get(feature, [])[::-1]
    return lines


def _path(start: dict[str, Any], end: dict[str, Any]) -> str:
    """Down from the mother, and in a bend to the daughter."""
    x, y, bend = start["x"], end["y"], 10
    return f"M{x} {start['y']}V{y - bend}Q{x} {y} {x + bend} {y}H{end['x']}"
