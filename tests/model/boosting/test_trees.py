"""Trees against a tree of scikit-learn, a literal search, and NumPy against C."""

from itertools import combinations
from threading import Thread

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from gnbayes.kernels import native
from gnbayes.model.boosting import trees as grown
from gnbayes.model.boosting.codes import tree_codes
from gnbayes.model.boosting.trees import Growth, Trees, grow_trees

SIZES = (5, 9, 2, 30, 4, 7)
IS_ORDERED = (True, True, True, True, False, False)
HAS_MISSING = (False, True, False, True, False, True)
ALL_TERMS = list(combinations(range(len(SIZES)), 3))


def _table(seed: int, n_classes: int, terms, n: int = 300):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, SIZES, (n, len(SIZES)))
    labels = rng.integers(0, n_classes, n).astype(np.int64)
    labels[(codes[:, 1] > 5) & (codes[:, 4] == 2)] = 0
    own = tree_codes(codes, [np.arange(size) for size in SIZES], IS_ORDERED, HAS_MISSING, terms)
    return own, labels, 3 * rng.random(n), rng


def _grow(codes, growth, rows, labels, weights, scores) -> Trees:
    """One round from some of the rows."""
    drawn = np.packbits(np.isin(np.arange(len(labels)), rows), bitorder="little")
    return grow_trees([codes], [growth], np.zeros(1, dtype=np.int32), drawn[None], labels, weights, scores)


@pytest.mark.skipif(native is None, reason="there are no C kernels to compare with")
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize(
    ("terms", "n"), [(ALL_TERMS, 300), ([(0, 1), (1, 3, 4), (2, 5)], 301), (None, 300), (ALL_TERMS, 1305)]
)
def test_c_and_numpy_grow_the_same_trees(monkeypatch, n_classes, terms, n):
    codes, labels, weights, rng = _table(n_classes, n_classes, terms, n)
    c = 1 if n_classes == 2 else n_classes
    ours, theirs = np.zeros((2, n, c))
    weights[::7] = 0.0
    drawn = np.packbits(rng.random((9, n)) < 0.8, axis=1, bitorder="little")
    turns = np.arange(9, dtype=np.int32) % 3
    given = ([codes] * 3, [Growth(depth) for depth in (1, 2, 3)], turns, drawn, labels, weights)
    with monkeypatch.context() as patch:
        patch.setattr(grown, "native", None)
        expected = grow_trees(*given, theirs)
    found = grow_trees(*given, ours)
    for name in ("turns", "features", "is_left", "gains", "values"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.skipif(native is None, reason="teams share the rows of a kernel")
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_followers", [1, 2, 4])
def test_threads_that_share_rows_grow_the_same_trees(n_classes, n_followers):
    n, c = 5000, 1 if n_classes == 2 else n_classes
    codes, labels, weights, rng = _table(0, n_classes, ALL_TERMS, n)
    drawn = np.packbits(rng.random((9, n)) < 0.8, axis=1, bitorder="little")
    given = (
        [codes] * 3,
        [Growth(depth) for depth in (1, 2, 3)],
        np.arange(9, dtype=np.int32) % 3,
        drawn,
        labels,
        weights,
    )
    scores = np.zeros((n, c))
    expected = grow_trees(*given, scores)
    for _ in range(20):
        shared, team = np.zeros((n, c)), native.new_team(n_followers)
        followers = [Thread(target=native.follow, args=(team,)) for _ in range(n_followers)]
        for follower in followers:
            follower.start()
        found = grow_trees(*given, shared, team)
        native.end_team(team)
        for follower in followers:
            follower.join()
        for name in ("features", "is_left", "gains", "values"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
        np.testing.assert_array_equal(shared, scores)


def test_without_terms_all_features_stand_together():
    trees = []
    for terms in (None, ALL_TERMS):
        codes, labels, weights, _ = _table(0, 2, terms)
        trees.append(_grow(codes, Growth(3), np.arange(300, dtype=np.int32), labels, weights, np.zeros((300, 1))))
    np.testing.assert_array_equal(trees[0].features, trees[1].features)
    np.testing.assert_array_equal(trees[0].values, trees[1].values)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_first_tree_is_that_of_least_squares(depth):
    """At equal scores all curvatures are equal, and without a penalty the best tree is that of least squares."""
    rng = np.random.default_rng(depth)
    codes = rng.integers(0, 12, (500, 4))
    labels = (rng.random(500) < 0.1 + 0.07 * codes[:, 0] * (codes[:, 2] > 4)).astype(np.int64)
    own = tree_codes(codes, [np.arange(12)] * 4, [True] * 4, [False] * 4, list(combinations(range(4), 3)))
    scores = np.zeros((500, 1))
    growth = Growth(depth, rate=1.0, ridge=1e-6, least_curvature=1e-6)
    _grow(own, growth, np.arange(500, dtype=np.int32), labels, np.ones(500), scores)
    tree = DecisionTreeRegressor(max_depth=depth, random_state=0).fit(codes, labels)
    np.testing.assert_allclose(scores[:, 0], (tree.predict(codes) - 0.5) / 0.25, atol=1e-4)


def test_best_split_is_the_best_of_all():
    """Every cut of an ordered feature, missing values on either side, and every set of categories that is tried."""
    codes, labels, weights, _ = _table(7, 2, ALL_TERMS)
    rows = np.arange(300, dtype=np.int32)
    found = _grow(codes, Growth(1), rows, labels, weights, np.zeros((300, 1)))
    s, t = weights * (0.5 - labels), weights * 0.25

    def worth(which):
        return s[which].sum() ** 2 / (t[which].sum() + 1.0)

    gains = []
    for j in range(4):
        n_values = SIZES[j] - HAS_MISSING[j]
        for cut in range(1, n_values + 1):
            for missing in (False, True) if HAS_MISSING[j] else (False,):
                left = (codes.codes[j] < cut) & (codes.codes[j] < n_values) | (missing & (codes.codes[j] == n_values))
                if 0 < left.sum() < 300:
                    gains.append(worth(left) + worth(~left) - worth(np.ones(300, dtype=bool)))
    for j in (4, 5):
        for subset in range(1, 2 ** SIZES[j] - 1):
            left = (subset >> codes.codes[j].astype(int)) & 1 == 1
            gains.append(worth(left) + worth(~left) - worth(np.ones(300, dtype=bool)))
    assert found.gains[0, 0, 0] == pytest.approx(max(gains), rel=1e-2)


def test_only_features_of_a_term_follow_each_other():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 4, (800, 4))
    labels = ((codes[:, 0] > 1) ^ (codes[:, 1] > 1) ^ (codes[:, 2] > 1)).astype(np.int64)
    own = tree_codes(codes, [np.arange(4)] * 4, [True] * 4, [False] * 4, [(0, 3), (1, 2)])
    scores = np.zeros((800, 1))
    for number in range(20):
        rows = np.flatnonzero(rng.random(800) < 0.7).astype(np.int32)
        tree = _grow(own, Growth(3), rows, labels, np.ones(800), scores).features[0, 0]
        for leaf in range(7, 15):
            path, node = set(), leaf
            while node:
                node = (node - 1) // 2
                path.add(int(tree[node]))
            path.discard(-1)
            assert len(path) < 2 or path <= {0, 3} or path <= {1, 2}, (number, path)


def test_a_feature_of_too_many_codes_is_in_no_tree():
    codes = np.arange(600)[:, None] % 300
    own = tree_codes(codes, [np.arange(300)], [True], [False], [])
    assert own.sizes.tolist() == [0]
    scores = np.zeros((600, 1))
    trees = _grow(own, Growth(3), np.arange(600), (codes[:, 0] > 9).astype(np.int64), np.ones(600), scores)
    assert (trees.features == -1).all()


def test_no_weight_no_tree():
    own = tree_codes(np.array([[0], [1]]), [np.arange(2)], [True], [False], [])
    trees = _grow(own, Growth(1), np.arange(2), np.array([0, 1]), np.zeros(2), np.zeros((2, 1)))
    assert (trees.features == -1).all()
    assert not trees.values.any()
