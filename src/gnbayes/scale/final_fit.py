"""The last step, on the driver: features and counts become a fitted classifier."""

from __future__ import annotations

from collections.abc import Iterable

from gnbayes.counted_tree import check_tables, kept_features
from gnbayes.counting import Counts, RowSource
from gnbayes.estimator import GeneralizedNB
from gnbayes.learned_elsewhere import fit_counts, settings_of
from gnbayes.scale.batch_counts import Plan, Tally
from gnbayes.structure import Tree, choose_tree_among, information_of_blocks


def tree_of_blocks(clf: GeneralizedNB, plan: Plan, values: Counts, blocks: Iterable[Counts]) -> Tree:
    """The tree of a table that is too wide to keep the counts of all pairs.

    Parameters
    ----------
    clf : GeneralizedNB
    plan : Plan
    values : Counts
        Counts of all rows; pairs are not used.
    blocks : iterable of Counts
        Counts of all rows, one for each of `pair_blocks`, in any order.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import count_batch, make_plan, pair_blocks, summarize, tree_of_blocks
    >>> table = load_iris(as_frame=True).frame
    >>> clf = GeneralizedNB(weighting=None, n_bins=5)
    >>> plan = make_plan(clf, summarize(table, "target"), "target")
    >>> every = pair_blocks(plan.cardinalities, plan.n_classes, 2**20)
    >>> blocks = [count_batch(plan, table, pairs).counts for pairs in every]
    >>> tree_of_blocks(clf, plan, count_batch(plan, table).counts, blocks).mother.tolist()
    [2, 3, 3, -1]
    """
    settings = settings_of(clf, plan.classes, len(plan.features))
    kept = kept_features(settings, list(plan.features), values, values.n)
    info = information_of_blocks(values, blocks)
    tree = choose_tree_among(kept, clf.structure, clf.information, info, values)
    check_tables(list(plan.features), plan.cardinalities, plan.n_classes, tree.edges)
    return tree


def fit_tally(
    clf: GeneralizedNB, plan: Plan, tally: Tally, tree: Tree | None = None, rows: RowSource | None = None
) -> GeneralizedNB:
    """Fit a classifier to the counts of all rows.

    Parameters
    ----------
    clf : GeneralizedNB
    plan : Plan
    tally : Tally
        The tally of all rows, with the pairs of `tree` if it is given.
    tree : Tree, optional
        Needed for a table that is too wide; by default learned from the counts.
    rows : RowSource, optional
        All rows in fine codes, if the plan needs them.

    Returns
    -------
    clf : GeneralizedNB
        The same object, fitted as by `fit` on all rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import count_batch, fit_tally, make_plan, summarize
    >>> table = load_iris(as_frame=True).frame
    >>> clf = GeneralizedNB(weighting=None, n_bins=5)
    >>> plan = make_plan(clf, summarize(table, "target"), "target")
    >>> clf = fit_tally(clf, plan, count_batch(plan, table))
    >>> clf.predict(table.drop(columns="target")[::50]).tolist()
    [0, 1, 2]
    """
    counted = (tally.counts, tree, rows)
    return fit_counts(clf, list(plan.features), plan.classes, *counted, has_names=plan.has_names)
