"""The tree of the second step: the tables that sites count once the dependent features are known."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SiteTree:
    """Tables that all sites count in the second step.

    Parameters
    ----------
    fingerprint : str
        Fingerprint of the features.
    tables : tuple of tuple of int
        Features of each table: the pairs that are edges, single features, and an empty tuple for the table of the
        classes.
    chosen_from : tuple of str
        Ids of the releases that the tree was chosen from.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import choose_tree, count_site, propose_features
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> tree = choose_tree([count_site(features, [table])])
    >>> len(tree.edges), len(tree.tables)
    (3, 4)
    """

    fingerprint: str
    tables: tuple[tuple[int, ...], ...]
    chosen_from: tuple[str, ...] = ()

    @property
    def edges(self) -> tuple[tuple[int, ...], ...]:
        """The tables of pairs."""
        return tuple(table for table in self.tables if len(table) == 2)
