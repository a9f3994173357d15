"""Export of the fitted network: BIF and XMLBIF 0.3, as read by pyAgrum, bnlearn and GeNIe."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from os import PathLike
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Feature, edge_texts, value_text
from gnbayes.files.format import check_classifier
from gnbayes.model import Model, joint_feature

# Keywords of BIF, which cannot be used as names.
_RESERVED = frozenset({"network", "variable", "probability", "property", "type", "discrete", "default", "table"})


@dataclass(frozen=True, eq=False)
class _Node:
    """A variable of the network: safe names, the names they stand for, and P(state | parents), states last."""

    name: str
    title: str
    states: tuple[str, ...]
    state_titles: tuple[str, ...]
    parents: tuple[_Node, ...]
    table: NDArray[np.float64]


def to_bif(clf: Any, path: str | PathLike[str] | None = None) -> str:
    """The network of a fitted classifier in the BIF format.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    path : str or path-like, optional
        File to write the text to, in UTF-8.

    Returns
    -------
    text : str

    See Also
    --------
    to_xmlbif : The same network in XMLBIF.

    Notes
    -----
    The class is the variable ``class``, or ``class_`` with as many underscores as needed if a feature has that name.
    Names of variables and states consist of ASCII letters, digits and underscores; comments give the original names.
    Features that the classifier does not use are left out. A value that is missing or was never seen is no evidence,
    unless the column had missing values in training: then ``missing`` is a state.

    A network contains probabilities only. With `weighting` it is the joint distribution `joint_` of the tree, with its
    coarser values, and a comment says that the classifier's own P(class | features) differs. For ``smoothing="paper"``
    it contains the relative frequencies of steps 1 and 2, without the repairs of steps 3 and 4; ``smoothing="repair"``
    is not supported, because its tables do not sum to 1. Features with a single value are also left out: they do not
    change any probability, and readers reject them. pyAgrum reads the numbers of this format in single precision, those
    of XMLBIF in double precision.

    Examples
    --------
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.files.bif import to_bif
    >>> clf = GeneralizedNB(weighting=None).fit([["yes"], ["no"], ["no"], ["yes"]], ["ill", "ill", "well", "well"])
    >>> print(to_bif(clf))
    network gnbayes {
    }
    variable class {
      // class: the class
      // ill: ill
      // well: well
      type discrete [ 2 ] { ill, well };
    }
    variable x0 {
      // x0: x0
      // no: x0 = no
      // yes: x0 = yes
      type discrete [ 2 ] { no, yes };
    }
    probability ( class ) {
      table 0.5, 0.5;
    }
    probability ( x0 | class ) {
      (ill) 0.5, 0.5;
      (well) 0.5, 0.5;
    }
    <BLANKLINE>
    """
    nodes = _nodes(clf)
    lines = ["network gnbayes {", "}"]
    for node in nodes:
        titles = [(node.name, node.title), *zip(node.states, node.state_titles, strict=True)]
        lines += [f"variable {node.name} {{", *(f"  // {name}: {_one_line(title)}" for name, title in titles)]
        lines += [f"  type discrete [ {len(node.states)} ] {{ {', '.join(node.states)} }};", "}"]
    for node in nodes:
        given = f" | {', '.join(parent.name for parent in node.parents)}" if node.parents else ""
        lines += [f"probability ( {node.name}{given} ) {{"]
        for parent_states, numbers in _rows(node):
            head = f"({', '.join(parent_states)})" if parent_states else "table"
            lines += [f"  {head} {', '.join(numbers)};"]
        lines += ["}"]
    return _written(lines, path)


def to_xmlbif(clf: Any, path: str | PathLike[str] | None = None) -> str:
    """The network of a fitted classifier in the XMLBIF 0.3 format.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    path : str or path-like, optional
        File to write the text to, in UTF-8.

    Returns
    -------
    text : str

    See Also
    --------
    to_bif : The same network in BIF, with notes on names, missing values and smoothing.

    Notes
    -----
    Properties give the original names: ``original = ...`` for a variable, ``original below_40 = ...`` for a state.

    Examples
    --------
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.files.bif import to_xmlbif
    >>> clf = GeneralizedNB(weighting=None).fit([["yes"], ["no"], ["no"], ["yes"]], ["ill", "ill", "well", "well"])
    >>> print(to_xmlbif(clf)[-130:])
    <DEFINITION>
      <FOR>x0</FOR>
      <GIVEN>class</GIVEN>
      <TABLE>
        0.5 0.5
        0.5 0.5
      </TABLE>
    </DEFINITION>
    </NETWORK>
    </BIF>
    <BLANKLINE>
    """
    nodes = _nodes(clf)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<BIF VERSION="0.3">', "<NETWORK>", "<NAME>gnbayes</NAME>"]
    for node in nodes:
        lines += ['<VARIABLE TYPE="nature">', f"  <NAME>{node.name}</NAME>"]
        lines += [f"  <OUTCOME>{state}</OUTCOME>" for state in node.states]
        lines += [f"  <PROPERTY>original = {_xml_text(node.title)}</PROPERTY>"]
        for state, title in zip(node.states, node.state_titles, strict=True):
            lines += [f"  <PROPERTY>original {state} = {_xml_text(title)}</PROPERTY>"]
        lines += ["</VARIABLE>"]
    for node in nodes:
        lines += ["<DEFINITION>", f"  <FOR>{node.name}</FOR>"]
        lines += [f"  <GIVEN>{parent.name}</GIVEN>" for parent in node.parents]
        lines += ["  <TABLE>", *(f"    {' '.join(numbers)}" for _, numbers in _rows(node)), "  </TABLE>"]
        lines += ["</DEFINITION>"]
    return _written([*lines, "</NETWORK>", "</BIF>"], path)


def _written(lines: list[str], path: str | PathLike[str] | None) -> str:
    text = "\n".join([*lines, ""])
    if path is not None:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    return text


def _nodes(clf: Any) -> list[_Node]:
    """The class, then the used features in the order of the tree: parents come before children."""
    check_classifier(clf)
    model, joint = clf.model_, clf.joint_
    if clf.smoothing == "repair":
        raise ValueError(
            "BIF and XMLBIF hold probabilities that sum to 1, which those repaired by smoothing='repair' do not; fit "
            "with smoothing='additive' or 'backoff' instead."
        )
    order = [j for j in clf.tree_.order.tolist() if joint.tables[j].shape[1] > 1]
    names = dict(zip(order, _unique("x", (model.features[j].name for j in order)), strict=True))
    class_name = "class"
    while class_name in names.values():
        class_name += "_"
    titles = tuple(value_text(label) for label in model.classes.tolist())
    states = tuple(_unique("value", map(_spoken, model.classes.tolist())))
    root = _Node(class_name, _class_title(model), states, titles, (), _shares(np.exp(joint.log_prior)))
    nodes = [root]
    of_feature: dict[int, _Node] = {}
    for j in order:
        feature, mother = joint_feature(model.features[j], model.maps[j]), of_feature.get(int(clf.tree_.mother[j]))
        parents = (root, mother) if mother else (root,)
        table = np.exp(joint.tables[j]).transpose(2, 0, 1)
        table = _shares(table if mother else table[:, 0])
        states = tuple(_unique("value", _state_names(feature)))
        of_feature[j] = _Node(names[j], feature.name, states, feature.labels, parents, table)
        _check_rows(of_feature[j])
        nodes.append(of_feature[j])
    return nodes


def _class_title(model: Model) -> str:
    if model.unknown_rule == "averaged":
        return "the class; this is the tree's joint distribution, and the classifier's own P(class | features) differs"
    return "the class"


def _shares(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows that sum to 1 as exactly as possible; a row of zeros is unchanged."""
    sums = table.sum(axis=-1, keepdims=True)
    return np.asarray(table / np.where(sums > 0, sums, 1.0))


def _check_rows(node: _Node) -> None:
    empty = np.argwhere(~node.table.any(axis=-1))
    if len(empty):
        titles = [parent.state_titles[at] for parent, at in zip(node.parents, empty[0].tolist(), strict=True)]
        raise ValueError(
            f"feature {node.title!r} has no probabilities where class = {', '.join(titles)}: no training row is there, "
            "and a network needs a probability everywhere; fit with smoothing='additive' or 'backoff' instead."
        )


def _rows(node: _Node) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """States of the parents, the last one changing fastest, and the probabilities written out."""
    given = product(*(parent.states for parent in node.parents))
    for states, row in zip(given, node.table.reshape(-1, len(node.states)).tolist(), strict=True):
        yield states, [f"{share:.17g}" for share in row]


def _state_names(feature: Feature) -> list[str]:
    if feature.kind == "category":
        names = [_spoken(category) for category in feature.categories]
    else:
        texts = [_spoken_number(text) for text in edge_texts(feature.edges)]
        middle = [f"from {low} to {high}" for low, high in pairwise(texts)]
        names = [f"below {texts[0]}", *middle, f"from {texts[-1]}"] if texts else ["any number"]
    return names + ["missing"] * (feature.cardinality - len(names))


def _spoken(value: Any) -> str:
    """A category or class in letters and digits; the sign of a number is written out, as it would be lost."""
    text = value_text(value)
    return text if isinstance(value, str) else _spoken_number(text)


def _spoken_number(text: str) -> str:
    return text.replace("-", "minus ")


def _unique(prefix: str, texts: Iterable[str]) -> list[str]:
    """Safe names, made unique by adding a number if necessary."""
    names: dict[str, None] = {}
    for text in texts:
        stem = name = _safe(prefix, text)
        number = 2
        while name in names or name in _RESERVED:
            name, number = f"{stem}_{number}", number + 1
        names[name] = None
    return list(names)


def _safe(prefix: str, text: str) -> str:
    """A name that all readers accept: letters, digits and underscores, a letter first. Such a text is unchanged."""
    if re.fullmatch(r"[A-Za-z]\w*", text, flags=re.ASCII):
        return text
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"\W+", "_", plain, flags=re.ASCII).strip("_")
    return name if name[:1].isalpha() else f"{prefix}_{name}".rstrip("_")


def _one_line(text: str) -> str:
    """Without line breaks and control characters, which would end a comment."""
    return "".join(character if character.isprintable() else " " for character in text)


def _xml_text(text: str) -> str:
    return escape(_one_line(text))
