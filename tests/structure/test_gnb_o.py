import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from strategies import coded_rows
from twins import cherries, spanning_trees, tree_weight

from gnbayes.structure import Information, first_cherry, gnb_a, gnb_o, information_of_rows, naive, tan


def heaviest_arborescence(codes, labels, cherry):
    """Chu-Liu-Edmonds on the paper's auxiliary graph; the weight of the GNB structure it stands for."""
    d = codes.shape[1]
    i1, i2 = cherry
    triplets, pairs = cherries(codes, labels)
    graph = nx.DiGraph()
    graph.add_edge("Y", i1, weight=pairs[i1])
    graph.add_edge(i1, i2, weight=triplets[i1, i2] - pairs[i1])
    for new in set(range(d)) - {i1, i2}:
        for mother in set(range(d)) - {new}:
            graph.add_edge(mother, new, weight=triplets[mother, new] - pairs[mother])
    tree = nx.maximum_spanning_arborescence(graph, preserve_attrs=True)
    return tree.size(weight="weight"), tree


@given(coded_rows(min_features=2, max_features=6))
def test_weighs_what_chu_liu_edmonds_finds(rows):
    info = information_of_rows(rows)
    tree = gnb_o(info)
    weight, _ = heaviest_arborescence(rows.codes, rows.labels, first_cherry(info))
    assert tree.weight == pytest.approx(weight, abs=1e-11)
    assert tuple(tree.order[:2]) == first_cherry(info)


@pytest.mark.slow
def test_is_the_tree_of_chu_liu_edmonds_on_wdbc(wdbc_rows):
    info = information_of_rows(wdbc_rows)
    _, arborescence = heaviest_arborescence(wdbc_rows.codes, wdbc_rows.labels, first_cherry(info))
    mothers = {new: mother for mother, new in arborescence.edges if mother != "Y"}
    tree = gnb_o(info)
    assert mothers == {j: int(m) for j, m in enumerate(tree.mother) if m >= 0}


@given(coded_rows(min_features=2, max_features=5))
def test_is_the_best_of_all_trees_that_hold_the_first_cherry(rows):
    info = information_of_rows(rows)
    cherry = first_cherry(info)
    best = max(
        tree_weight(rows.codes, rows.labels, edges) for edges in spanning_trees(rows.n_features) if cherry in edges
    )
    assert gnb_o(info).weight == pytest.approx(best, abs=1e-11)


@given(coded_rows(max_features=7))
def test_weights_of_the_structures_are_ordered(rows):
    info = information_of_rows(rows)
    weights = [learn(info).weight for learn in (naive, gnb_a, gnb_o, tan)]
    assert all(low <= high + 1e-12 for low, high in itertools.pairwise(weights))


def test_wdbc_weight_and_first_cherry(wdbc_rows):
    tree = gnb_o(information_of_rows(wdbc_rows))
    assert tree.weight == pytest.approx(19.817118, abs=5e-7)
    assert tree.clusters[0] == ("Y", 20, 23)


def test_one_feature():
    assert gnb_o(Information(np.array([0.3]), np.zeros((1, 1)))).order.tolist() == [0]
