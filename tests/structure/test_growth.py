import numpy as np
from hypothesis import given
from strategies import coded_rows

from gnbayes.structure import Information, first_cherry, gnb_a, gnb_o, information_of_rows, tan


def test_equal_features_go_in_order_of_their_position():
    info = Information(np.full(5, 0.2), np.full((5, 5), 0.1) - 0.1 * np.eye(5))
    for learn in (gnb_a, gnb_o):
        tree = learn(info)
        assert tree.order.tolist() == [0, 1, 2, 3, 4]
        assert tree.mother.tolist() == [-1, 0, 0, 0, 0]
    assert tan(info).order.tolist() == [0, 1, 2, 3, 4]


def test_differences_below_the_tolerance_are_ties():
    noise = np.random.default_rng(0).random((5, 5)) * 1e-15
    info = Information(np.full(5, 0.2), np.full((5, 5), 0.1) - 0.1 * np.eye(5) + (noise + noise.T) * (1 - np.eye(5)))
    assert gnb_a(info).mother.tolist() == [-1, 0, 0, 0, 0]
    assert gnb_o(info).mother.tolist() == [-1, 0, 0, 0, 0]


def test_a_later_mother_with_a_smaller_position_takes_over_a_tie():
    given_class = np.zeros((4, 4))
    for i, j, value in [(1, 2, 0.9), (0, 1, 0.5), (0, 3, 0.2), (2, 3, 0.2)]:
        given_class[i, j] = given_class[j, i] = value
    tree = gnb_o(Information(np.array([0.0, 0.1, 0.1, 0.0]), given_class))
    assert first_cherry(Information(np.array([0.0, 0.1, 0.1, 0.0]), given_class)) == (1, 2)
    assert tree.mother.tolist() == [1, -1, 1, 0]


@given(coded_rows(min_features=3, max_features=7))
def test_chain_ordering_takes_off_the_lightest_leaf(rows):
    info = information_of_rows(rows)
    tree = gnb_o(info)
    gain = dict(zip(tree.order.tolist(), tree.gain.tolist(), strict=True))
    kept = tree.order.tolist()
    while len(kept) > 2:
        mothers = {int(tree.mother[feature]) for feature in kept}
        leaves = [feature for feature in kept[2:] if feature not in mothers]
        assert gain[kept[-1]] <= min(gain[leaf] for leaf in leaves) + 1e-12
        kept.pop()
