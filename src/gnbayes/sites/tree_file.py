"""The tree file: written by the coordinator, read by every site before the second step."""

from __future__ import annotations

import os
from typing import Any

from gnbayes.documents import need, part
from gnbayes.scale.exchange_files import read_site_file, write_site_file
from gnbayes.sites.counts_file import check_tables
from gnbayes.sites.site_features import SiteFeatures
from gnbayes.sites.site_tree import SiteTree

_REVEALS = (
    "Which columns and pairs of columns are to be counted. It was chosen from releases alone, whose ids are here, and "
    "reveals nothing that they do not."
)


def save_tree(tree: SiteTree, features: SiteFeatures, path: str | os.PathLike[str]) -> None:
    """Write a tree file.

    Parameters
    ----------
    tree : SiteTree
    features : SiteFeatures
        They provide the column names that the file shows to people.
    path : path

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import choose_tree, count_site, load_tree, propose_features, save_tree
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> tree = choose_tree([count_site(features, [table])])
    >>> with TemporaryDirectory() as folder:
    ...     save_tree(tree, features, f"{folder}/tree.json")
    ...     print(len(load_tree(f"{folder}/tree.json").edges))
    3
    """
    names = [[features.names[j] for j in table] for table in tree.tables]
    content = {
        "reveals": _REVEALS,
        "fingerprint": tree.fingerprint,
        "columns": names,
        "tables": [list(table) for table in tree.tables],
        "chosen_from": list(tree.chosen_from),
    }
    write_site_file(path, "tree", content)


def load_tree(path: str | os.PathLike[str]) -> SiteTree:
    """Read a tree file; raise SiteFileError if it is incomplete or invalid.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import choose_tree, count_site, load_tree, propose_features, save_tree
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> tree = choose_tree([count_site(features, [table])])
    >>> with TemporaryDirectory() as folder:
    ...     save_tree(tree, features, f"{folder}/tree.json")
    ...     print(load_tree(f"{folder}/tree.json") == tree)
    True
    """
    return read_site_file(path, "tree", build_tree)


def build_tree(content: dict[str, Any]) -> SiteTree:
    """Build a tree from a document, and check it."""
    described = part(content, "tables", list, "tree")
    for table in described:
        is_sound = isinstance(table, list) and all(type(j) is int and j >= 0 for j in table)
        need(is_sound, "tree.tables", "must be lists of columns")
    tables = tuple(map(tuple, described))
    check_tables(tables, 1 + max((j for table in tables for j in table), default=0))
    origin = part(content, "chosen_from", list, "tree")
    need(all(type(name) is str for name in origin), "tree.chosen_from", "must be ids of releases")
    return SiteTree(part(content, "fingerprint", str, "tree"), tables, tuple(origin))
