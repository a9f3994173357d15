import numpy as np
from hypothesis import given
from strategies import coded_rows

from gnbayes.structure import Tree, gnb_a, gnb_o, information_of_rows, naive, tan


@given(coded_rows(max_features=7))
def test_every_structure_is_a_c_ordering_with_running_intersection(rows):
    info = information_of_rows(rows)
    for learn in (gnb_a, gnb_o, tan, naive):
        tree = learn(info)
        assert sorted(tree.order.tolist()) == list(range(rows.n_features))
        seen = set()
        for feature in tree.order.tolist():
            assert tree.mother[feature] in seen or tree.mother[feature] == -1
            seen.add(feature)
        assert (tree.mother == -1).sum() == (rows.n_features if learn is naive else 1)
        clusters = [set(cluster) for cluster in tree.clusters]
        for t in range(1, len(clusters)):
            shared = clusters[t] & set.union(*clusters[:t])
            assert any(shared <= earlier for earlier in clusters[:t])


@given(coded_rows(min_features=2, max_features=7))
def test_clusters_and_separators_multiply_out(rows):
    """d - 1 clusters and d - 2 separators, and every feature in one cluster more than it separates."""
    tree = gnb_a(information_of_rows(rows))
    assert len(tree.clusters) == rows.n_features - 1
    assert sum(tree.separators.values()) == rows.n_features - 2
    for feature in range(rows.n_features):
        inside = sum(feature in cluster for cluster in tree.clusters)
        between = sum(times for separator, times in tree.separators.items() if feature in separator)
        assert inside - between == 1


def test_naive_bayes_is_a_star_of_pairs():
    tree = Tree(np.array([-1, -1, -1]), np.array([2, 0, 1]), np.array([0.3, 0.2, 0.1]))
    assert tree.clusters == (("Y", 2), ("Y", 0), ("Y", 1))
    assert tree.separators == {("Y",): 2}
    assert tree.edges.shape == (0, 2)


def test_edges_are_sorted_pairs():
    tree = Tree(np.array([2, 0, -1, 1]), np.array([2, 0, 1, 3]), np.zeros(4))
    assert tree.edges.tolist() == [[0, 1], [0, 2], [1, 3]]


def test_a_spider_has_no_chain_of_clusters_but_a_junction_tree():
    """Three legs of length two: the body separates three clusters, each with a further one (errata)."""
    mother = np.array([-1, 0, 0, 0, 1, 2, 3])
    tree = Tree(mother, np.arange(7), np.zeros(7))
    assert tree.separators == {("Y", 0): 2, ("Y", 1): 1, ("Y", 2): 1, ("Y", 3): 1}
