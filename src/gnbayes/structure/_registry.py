"""The named structures; new ones are registered here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gnbayes.counting import Counts
from gnbayes.structure._correction import INFORMATIONS
from gnbayes.structure._gnb_a import gnb_a
from gnbayes.structure._gnb_o import gnb_o
from gnbayes.structure._information import InformationLike
from gnbayes.structure._naive import naive
from gnbayes.structure._order_of_columns import Reordered, order_by_counts
from gnbayes.structure._tan import tan
from gnbayes.structure._tree import Tree, tree_among


@dataclass(frozen=True)
class Structure:
    """One value of the `structure` parameter; call it with information to learn a tree.

    Parameters
    ----------
    learner : callable
        Turns information into a tree.
    needs_pairs : bool
        Whether it uses pairs of features, so that they have to be counted.
    description : str
        Text that completes "the tree is".

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.structure import STRUCTURES, Information
    >>> STRUCTURES["nb"](Information(np.array([0.3, 0.5]), np.zeros((2, 2)))).order.tolist()
    [1, 0]
    """

    learner: Callable[[InformationLike], Tree]
    needs_pairs: bool
    description: str

    def __call__(self, info: InformationLike) -> Tree:
        return self.learner(info)


STRUCTURES: dict[str, Structure] = {
    "gnb-o": Structure(gnb_o, True, "the heaviest that contains the most informative pair (the paper's optimal one)"),
    "gnb-a": Structure(gnb_a, True, "grown feature by feature from the most informative pair (the paper's greedy one)"),
    "tan": Structure(tan, True, "the heaviest of all (Friedman et al. 1997)"),
    "nb": Structure(naive, False, "none: naive Bayes"),
}


def choose_tree(structure: str, information: str, info: InformationLike, values: Counts) -> Tree:
    """Learn a tree from plug-in information, given the parameter values.

    With "corrected", the tree does not depend on the order of columns: ties are broken by the counts of their values.
    With "plug-in", they go to the first column, as in the paper.

    Parameters
    ----------
    structure : name in `STRUCTURES`
    information : name in `INFORMATIONS`
    info : InformationLike
        Plug-in information.
    values : Counts
        Counts of the same rows; pairs are not used.

    Returns
    -------
    tree : Tree
        Its gains refer to the chosen kind of information; `weighed` gives the plug-in gains.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import choose_tree, information
    >>> codes, labels = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]), np.array([0, 0, 1, 1])
    >>> rows = CodedRows(codes, labels, np.full(3, 2), 2)
    >>> counts = count(rows)
    >>> choose_tree("gnb-o", "plug-in", information(counts), counts).mother.tolist()
    [-1, 0, 0]
    """
    choice = INFORMATIONS[information]
    chosen = choice(info, values)
    if choice.breaks_ties_by_position:
        return STRUCTURES[structure](chosen)
    order = order_by_counts(values, chosen)
    return tree_among(STRUCTURES[structure](Reordered(chosen, order)), order, len(order))
