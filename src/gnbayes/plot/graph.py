"""The tree for other drawing tools."""

from __future__ import annotations

from typing import Any

from gnbayes.plot.axes import check_classifier
from gnbayes.structure import class_information


def to_networkx(estimator: Any) -> Any:
    """The tree of a fitted `GeneralizedNB` as a networkx.DiGraph with edges from parents to children.

    Nodes are feature names, with `gain` (I(Xj; Y, X_mother)), `class_information` (I(Xj; Y)) and `position` in the
    order; edges have `information` (I(Xj; X_mother | Y)). All in nats.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, to_networkx
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> graph = to_networkx(GeneralizedNB().fit(X, y))
    >>> list(graph.successors("petal length (cm)"))
    ['petal width (cm)', 'sepal length (cm)']
    """
    try:
        import networkx as nx
    except ImportError as error:
        raise ImportError("to_networkx needs networkx; install it with: pip install networkx") from error
    graph = nx.DiGraph()
    for node in _nodes(estimator):
        mother, information = node.pop("mother"), node.pop("information")
        name = node.pop("name")
        graph.add_node(name, **node)
        if mother is not None:
            graph.add_edge(mother, name, information=information)
    return graph


def to_dot(estimator: Any) -> str:
    """The tree of a fitted `GeneralizedNB` in the DOT language of Graphviz.

    Examples
    --------
    >>> from gnbayes import GeneralizedNB, to_dot
    >>> print(to_dot(GeneralizedNB().fit([[0, 0], [1, 1], [0, 1]], [0, 1, 1])))
    digraph gnbayes {
      node [shape=box, style=rounded];
      "x1";
      "x0";
      "x1" -> "x0" [label="0"];
    }
    """
    nodes = list(_nodes(estimator))
    lines = [f"  {_quoted(node['name'])};" for node in nodes]
    lines += [
        f'  {_quoted(node["mother"])} -> {_quoted(node["name"])} [label="{node["information"]:.3g}"];'
        for node in nodes
        if node["mother"] is not None
    ]
    return "\n".join(["digraph gnbayes {", "  node [shape=box, style=rounded];", *lines, "}"])


def _nodes(estimator: Any) -> list[dict[str, Any]]:
    """Features in the order of the tree, with their attributes."""
    estimator = check_classifier(estimator)
    tree, alone = estimator.tree_, class_information(estimator.counts_)
    nodes = []
    for position, (j, gain) in enumerate(zip(tree.order.tolist(), tree.gain.tolist(), strict=True)):
        mother = int(tree.mother[j])
        nodes.append(
            {
                "name": estimator.features_[j].name,
                "mother": estimator.features_[mother].name if mother >= 0 else None,
                "information": max(0.0, gain - float(alone[j])) if mother >= 0 else None,
                "gain": gain,
                "class_information": float(alone[j]),
                "position": position,
            }
        )
    return nodes


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
