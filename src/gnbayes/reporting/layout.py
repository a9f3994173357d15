"""Layout of the drawing of a tree: every feature on its own line, below its parent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LINE, INDENT, MARGIN = 32, 26, 18
# Space between a dot and its label, and width of a letter in the widest of the common fonts.
GAP, SIGN_WIDTH = 15, 8.0
LONGEST_LABEL = 34


def draw_tree(names: Sequence[str], mother: Sequence[int], strength: Sequence[float]) -> dict[str, Any]:
    """Positions of dots and labels, and the lines between parents and children.

    Every feature has its own line below its parent, so labels never overlap. Branches are indented, except that the
    largest one goes straight down from its parent, so that a long chain stays as narrow as a short one.

    Parameters
    ----------
    names : sequence of str
        In the order of the tree.
    mother : sequence of int
        Position of each feature's parent, before it in the order; -1 for none.
    strength : sequence of float
        Information that each feature shares with its parent; the width of the line between them.

    Returns
    -------
    drawing : dict
        ``width`` and ``height``; ``nodes`` from top to bottom, each with ``feature``, ``x`` and ``y`` of its dot,
        ``label`` and the ``box`` around both; ``links`` with ``feature``, ``path`` and ``thickness``.

    Examples
    --------
    >>> from gnbayes.reporting.layout import draw_tree
    >>> drawing = draw_tree(["age", "sex", "pressure"], [-1, 0, 0], [0.0, 0.2, 0.1])
    >>> [(node["feature"], node["x"], node["y"]) for node in drawing["nodes"]]
    [(0, 18, 16), (1, 44, 48), (2, 44, 80)]
    """
    nodes = [
        _node(feature, shorten(names[feature]), MARGIN + INDENT * column, LINE // 2 + LINE * line)
        for line, (feature, column) in enumerate(_outline(mother))
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
    right = max(node["box"]["x"] + node["box"]["width"] for node in nodes)
    return {"width": right + 4, "height": LINE * len(nodes), "nodes": nodes, "links": links}


def shorten(name: str) -> str:
    """A label shortened to fit on its line, between words if there are several."""
    if len(name) <= LONGEST_LABEL:
        return name
    start = name[:LONGEST_LABEL]
    return (start.rpartition(" ")[0].rstrip() or start[:-1]) + "…"


def _node(feature: int, label: str, x: int, y: int) -> dict[str, Any]:
    width = round(MARGIN + GAP + SIGN_WIDTH * len(label))
    return {
        "feature": feature,
        "x": x,
        "y": y,
        "label": {"text": label, "x": x + GAP, "y": y + 5},
        "box": {"x": x - 13, "y": y - 14, "width": width, "height": 28},
    }


def _outline(mother: Sequence[int]) -> list[tuple[int, int]]:
    """Features from top to bottom, each with its column and followed by its children, the largest branch last."""
    size = [1] * len(mother)
    daughters: dict[int, list[int]] = {}
    for feature in range(len(mother) - 1, -1, -1):
        daughters.setdefault(mother[feature], []).insert(0, feature)
        if mother[feature] >= 0:
            size[mother[feature]] += size[feature]
    lines: list[tuple[int, int]] = []
    waiting = [(feature, 0) for feature in daughters.get(-1, [])[::-1]]
    while waiting:
        feature, column = waiting.pop()
        lines.append((feature, column))
        branches = daughters.get(feature, [])
        trunk = max(branches, key=lambda daughter: size[daughter], default=-1)
        if trunk >= 0 and (size[trunk] > 1 or len(branches) == 1):
            waiting.append((trunk, column))
            branches = [daughter for daughter in branches if daughter != trunk]
        waiting += [(daughter, column + 1) for daughter in branches[::-1]]
    return lines


def _path(start: dict[str, Any], end: dict[str, Any]) -> str:
    """Down from the parent, with a bend to a child that is not straight below."""
    x, y, bend = start["x"], end["y"], 10
    if x == end["x"]:
        return f"M{x} {start['y']}V{y}"
    return f"M{x} {start['y']}V{y - bend}Q{x} {y} {x + bend} {y}H{end['x']}"
