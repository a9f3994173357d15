import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from strategies import coded_rows
from twins import spanning_trees, tree_weight

from gnbayes.counting import CodedRows
from gnbayes.structure import Information, information_of_rows, tan


@given(coded_rows(min_features=2, max_features=5))
def test_is_the_best_of_all_trees(rows):
    best = max(tree_weight(rows.codes, rows.labels, edges) for edges in spanning_trees(rows.n_features))
    assert tan(information_of_rows(rows)).weight == pytest.approx(best, abs=1e-11)


def test_is_the_best_of_all_trees_of_six_features(random_codes):
    codes, y = random_codes
    rows = CodedRows(codes[:60, :6], y[:60], codes[:, :6].max(axis=0).astype(int) + 1, 3)
    info = information_of_rows(rows)
    alone = info.with_class.sum()
    best = max(alone + sum(info.given_class[edge] for edge in edges) for edges in spanning_trees(6))
    assert tan(info).weight == pytest.approx(best, abs=1e-12)


def test_wdbc_is_the_maximum_spanning_tree_of_networkx(wdbc_rows):
    info = information_of_rows(wdbc_rows)
    graph = nx.from_numpy_array(info.given_class)
    edges = {tuple(sorted(edge)) for edge in nx.maximum_spanning_tree(graph).edges}
    tree = tan(info)
    assert {tuple(edge) for edge in tree.edges.tolist()} == edges
    assert tree.weight == pytest.approx(19.817118, abs=5e-7)


def test_the_root_tells_most_of_the_class(wdbc_rows):
    info = information_of_rows(wdbc_rows)
    assert tan(info).order[0] == info.with_class.argmax()


def test_one_feature():
    assert tan(Information(np.array([0.3]), np.zeros((1, 1)))).mother.tolist() == [-1]
