"""Sites that may not share rows: each counts its own rows, and the coordinator learns the model from the counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counted_tree import is_wide
from gnbayes.counting import Counts, without_pairs
from gnbayes.estimator import GeneralizedNB
from gnbayes.learned_elsewhere import fit_counts, settings_of
from gnbayes.scale import Plan, join_blocks, tree_of_blocks
from gnbayes.sites.counts_file import release_id
from gnbayes.sites.estimate import Estimate, estimate_tables
from gnbayes.sites.forests import forest, information_of
from gnbayes.sites.measurements import merge_sites, merge_steps
from gnbayes.sites.privacy import NoisePart, exact_epsilon
from gnbayes.sites.releases import steps_of
from gnbayes.sites.site_counts import SiteCounts, Table
from gnbayes.sites.site_report import report_of
from gnbayes.sites.site_tree import SiteTree
from gnbayes.sites.survey import choose_tables, read_surveys
from gnbayes.structure import STRUCTURES, Information, Tree, class_information, information_of_blocks, tan

# Prior probability that a pair is independent given the class: high among all pairs, low in a chosen tree.
_INDEPENDENT_OF_ALL = 0.9
_INDEPENDENT_OF_TREE = 0.5


def fit_sites(clf: GeneralizedNB, sites: Sequence[SiteCounts]) -> GeneralizedNB:
    """Fit a classifier to the counts of sites; with exact counts, the result is the same as from all of their rows.

    If counts have noise, or lack small cells, this is taken into account: tables are made consistent and shrunk
    according to the noise; edges that do not stand out from the noise are left out, down to naive Bayes; and columns
    that do not stand out lose their influence, down to the class frequencies.

    Parameters
    ----------
    clf : GeneralizedNB
        Must have ``weighting=None``; for the default weighting, see `gnbayes.sites.rounds.fit_rounds`.
    sites : sequence of SiteCounts
        One release per site, or both releases of every site if there were two steps.

    Returns
    -------
    clf : GeneralizedNB
        The same object, fitted. `site_report_` describes what was merged and how much was lost.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import count_site, fit_sites, propose_features
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> sites = [count_site(features, [table[at::2]]) for at in range(2)]
    >>> clf = fit_sites(GeneralizedNB(weighting=None), sites)
    >>> clf.counts_.n, clf.predict(table.drop(columns="target")[::50]).tolist()
    (150, [0, 1, 2])
    """
    if clf.weighting is not None:
        raise ValueError(
            "weighting='discriminative' learns from rows, which sites do not share; use weighting=None, which needs "
            "counts alone, or rounds of sums with fit_rounds."
        )
    steps = steps_of(sites)
    _check_structure(clf, steps)
    if all(site.privacy.is_exact for site in sites):
        _fit_exact(clf, steps)
        clf.site_report_ = report_of(sites, None, clf.tree_)
    else:
        found = _estimate(steps)
        _fit_estimate(clf, sites[0], found, is_chosen=all(step[0].what != "pairs" for step in steps))
        clf.site_report_ = report_of(sites, found, clf.tree_)
    return clf


def choose_tree(sites: Sequence[SiteCounts], epsilon: str | float | None = None) -> SiteTree:
    """Choose the tables to count in a second step.

    Parameters
    ----------
    sites : sequence of SiteCounts
        Surveys of all sites; or counts of pairs, for example of public data, whose tree is then used as it is.
    epsilon : decimal number, optional
        What each site will spend in the second step; by default as much as in the survey.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import choose_tree, count_site, propose_features
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> surveys = [count_site(features, [table[at::2]], "survey", site=name) for at, name in enumerate("ab")]
    >>> tree = choose_tree(surveys, epsilon=100)
    >>> len(tree.edges), len(tree.chosen_from)
    (2, 2)
    """
    steps = steps_of(sites)
    if len(steps) > 1 or steps[0][0].what not in ("survey", "pairs"):
        raise ValueError("a tree is chosen from the surveys, or from the counts of pairs, of all sites.")
    first, origin = sites[0], tuple(release_id(site) for site in sites)
    if first.what == "survey":
        tables = choose_tables(read_surveys(steps[0]), [_budget(site, epsilon) for site in sites])
        return SiteTree(first.features.fingerprint, tables, origin)
    clf = fit_sites(GeneralizedNB("gnb-o", weighting=None), sites)
    edges = [(int(i), int(j)) for i, j in clf.tree_.edges.tolist()]
    alone = [(j,) for j in range(len(first.features.features)) if all(j not in edge for edge in edges)]
    return SiteTree(first.features.fingerprint, ((), *sorted([*alone, *edges])), origin)


def _budget(site: SiteCounts, epsilon: str | float | None) -> NoisePart:
    """The noise of a single table in the second step."""
    spent = site.privacy.epsilon if epsilon is None else epsilon
    if spent is None:
        raise ValueError("the surveys have no noise; give epsilon, what each site will spend in the second step.")
    return NoisePart("tables", exact_epsilon(spent), 1 if site.persons is None else site.persons.most_rows)


def _check_structure(clf: GeneralizedNB, steps: Sequence[Sequence[SiteCounts]]) -> None:
    n_features = len(steps[0][0].features.features)
    settings_of(clf, steps[0][0].features.classes, n_features)
    has_pairs = any(step[0].what in ("pairs", "tree") for step in steps)
    if clf.structure != "nb" and n_features > 1 and not has_pairs:
        raise ValueError(
            f"structure={clf.structure!r} needs counts of pairs, and these have none; use structure='nb', or count "
            "with pairs."
        )
    covered = {j for step in steps for table in step[0].tables for j in table}
    lacking = next((name for j, name in enumerate(steps[0][0].features.names) if j not in covered), None)
    if lacking is not None:
        raise ValueError(f"no table contains column {lacking!r}; also merge the surveys that the tree was chosen from.")


def _estimate(steps: Sequence[Sequence[SiteCounts]]) -> Estimate:
    """Mutually consistent tables of all sites."""
    if not any(site.cells.any() for step in steps for site in step):
        raise ValueError("the counts of all sites together hold no rows.")
    measured = merge_steps([merge_sites(step) for step in steps])
    has_all = any(step[0].what == "pairs" for step in steps)
    independent = _INDEPENDENT_OF_ALL if has_all else _INDEPENDENT_OF_TREE
    return estimate_tables(measured, steps[0][0].features.cardinalities, independent)


def _fit_estimate(clf: GeneralizedNB, site: SiteCounts, found: Estimate, *, is_chosen: bool) -> None:
    """Fit a classifier from estimated tables."""
    features, classes = list(site.features.features), site.features.classes
    values = _counts(site, found.classes, found.columns, {})
    info = information_of(found)
    if clf.structure == "nb":
        info = Information(info.with_class, np.zeros_like(info.given_class))
    tree = forest(info, tan if is_chosen else STRUCTURES[clf.structure])
    edges = tree.edges
    cells = [found.pairs[int(i), int(j)].ravel() for i, j in edges.tolist()]
    counts = replace(values, pairs=edges, cells=np.concatenate([values.cells, *cells]))
    fit_counts(clf, features, classes, counts, tree)


def _fit_exact(clf: GeneralizedNB, steps: Sequence[Sequence[SiteCounts]]) -> None:
    """Fit a classifier from the sums of exact counts."""
    site = steps[0][0]
    tables: dict[Table, NDArray[Any]] = {}
    for step in steps:
        split = [release.split() for release in step]
        tables |= {table: np.sum([parts[table] for parts in split], axis=0) for table in split[0]}
    features, classes = list(site.features.features), site.features.classes
    columns = [_column(tables, j) for j in range(len(features))]
    values = _counts(site, columns[0].sum(axis=0), columns, {})
    if not values.n > 0:
        raise ValueError("the counts of all sites together hold no rows.")
    if clf.structure == "nb":
        fit_counts(clf, features, classes, without_pairs(values))
        return
    blocks = _counts(site, values.classes, columns, {t: c for t, c in tables.items() if len(t) == 2})
    _fit_pairs(clf, site, values, blocks)


def _fit_pairs(clf: GeneralizedNB, site: SiteCounts, values: Counts, blocks: Counts) -> None:
    """Fit a classifier from counts of all pairs, or of those of a tree."""
    features, classes = list(site.features.features), site.features.classes
    d = len(features)
    n_pairs = 0 if blocks.pairs is None else len(blocks.pairs)
    settings = settings_of(clf, classes, d)
    if n_pairs == d * (d - 1) // 2 and not is_wide(settings, values.cardinalities, len(classes)):
        fit_counts(clf, features, classes, join_blocks(values, [blocks]))
        return
    if n_pairs == d * (d - 1) // 2:
        plan = Plan(site.features.features, classes, site.features.names, site.features.target)
        tree = tree_of_blocks(clf, plan, values, [blocks])
    else:
        tree = _known_tree(values, blocks, n_pairs)
    cells = [np.ascontiguousarray(blocks.pair(i, j)).ravel() for i, j in tree.edges.tolist()]
    counts = replace(values, pairs=tree.edges, cells=np.concatenate([values.cells, *cells]))
    fit_counts(clf, features, classes, counts, tree)


def _known_tree(values: Counts, blocks: Counts, n_pairs: int) -> Tree:
    """The tree whose edges are the pairs that were counted."""
    if not n_pairs:
        return forest(Information(class_information(values), np.zeros((values.n_features,) * 2)), tan)
    return forest(information_of_blocks(values, [blocks]), tan)


def _counts(
    site: SiteCounts, classes: NDArray[Any], columns: Sequence[NDArray[Any]], tables: dict[Table, NDArray[Any]]
) -> Counts:
    """Counts of values and of the chosen pairs."""
    pairs = np.array(sorted(tables), dtype=np.intp).reshape(-1, 2)
    cells = [tables[i, j].ravel() for i, j in pairs.tolist()]
    flat = np.concatenate(cells) if cells else classes[:0]
    return Counts(site.features.cardinalities, classes, np.concatenate(columns), pairs, flat)


def _column(tables: dict[Table, NDArray[Any]], j: int) -> NDArray[Any]:
    """The table of feature j, from the first table that includes it."""
    features, table = next((features, table) for features, table in tables.items() if j in features)
    return table if len(features) == 1 else table.sum(axis=1 - features.index(j))
