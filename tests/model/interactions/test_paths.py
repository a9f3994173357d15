"""Triples by the paths of boosted trees, and how they are chosen together with those by residuals."""

import numpy as np
import pytest

from gnbayes.counting import CodedRows, count_values
from gnbayes.encoding import Feature
from gnbayes.model.boosting import Trees
from gnbayes.model.fitting import find_training_rows
from gnbayes.model.interactions.choice import _in_turn
from gnbayes.model.interactions.grids import make_grids
from gnbayes.model.interactions.paths import gains_by_path, path_gains

FEATURES = [Feature(name, "interval", tuple(range(1, 10)), tuple(range(10))) for name in "abcdef"]


def diagnosis(n=1500, n_classes=2):
    """Of six features the fourth matters where the first is large and the third is small, and nowhere else."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 10, (n, 6)).astype(np.uint8)
    is_asked = (codes[:, 0] >= 6) & (codes[:, 2] < 4)
    labels = np.where(
        is_asked & (codes[:, 3] >= 5), n_classes - 1, rng.integers(0, n_classes, n) * (rng.random(n) < 0.1)
    )
    return CodedRows(codes, labels.astype(np.intp), np.full(6, 10), n_classes)


def gains_of(rows, used=range(6)):
    grids = make_grids(FEATURES, count_values(rows))
    return path_gains(FEATURES, grids, used, rows, find_training_rows(range(6), rows).distinct)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_features_that_matter_only_together_come_first(n_classes):
    gains = gains_of(diagnosis(n_classes=n_classes))
    first, second = list(gains.values())[:2]
    assert next(iter(gains)) == (0, 2, 3)
    assert first > 2 * second


def test_the_order_of_columns_does_not_matter():
    rows, order = diagnosis(), [4, 2, 5, 0, 3, 1]
    other = CodedRows(np.asfortranarray(rows.codes[:, order]), rows.labels, rows.cardinalities, 2)
    found = {tuple(sorted(order[at] for at in term)): gain for term, gain in gains_of(other).items()}
    assert found == gains_of(rows)


def test_only_used_features_are_looked_at():
    assert {j for term in gains_of(diagnosis(), [0, 2, 5]) for j in term} == {0, 2, 5}


def test_gains_by_path_are_those_of_a_walk_from_leaf_to_root():
    rng = np.random.default_rng(1)
    features = rng.integers(-1, 4, (5, 2, 7)).astype(np.int32)
    trees = Trees(np.zeros(5, dtype=np.int32), features, np.zeros(0), rng.random((5, 2, 7)), np.zeros(0))
    used, expected = [7, 3, 9, 5], {}
    for tree in np.ndindex(5, 2):
        for node in (3, 4, 5, 6):
            path, at = [features[(*tree, node)]], node
            while at:
                at = (at - 1) // 2
                path.append(features[(*tree, at)])
            if path[0] >= 0 and len(set(path)) == 3:
                term = tuple(sorted(used[feature] for feature in path))
                expected[term] = expected.get(term, 0.0) + trees.gains[(*tree, node)]
    found = gains_by_path(trees, used)
    assert found.keys() == expected.keys()
    for term, gain in expected.items():
        assert found[term] == pytest.approx(gain)


def test_orders_take_turns():
    first, second = [(0, 1, 2), (1, 2, 3)], [(0, 1, 2), (4, 5, 6), (5, 6, 7)]
    assert list(_in_turn([first, second], 3)) == [(0, 1, 2), (1, 2, 3), (4, 5, 6)]
    assert list(_in_turn([[], second], 9)) == second
