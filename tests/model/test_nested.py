import numpy as np
import pytest

from gnbayes.counting import CodedRows, count
from gnbayes.encoding import Feature
from gnbayes.model import count_nested, joint_feature, nested_from_coarse
from gnbayes.model.nested import COARSE_STRENGTH, FINE_STRENGTH, coarse_of, split_codes
from gnbayes.structure import Tree

FEATURES = (
    Feature("a", "interval", tuple(range(7)), tuple(range(8)), coarse=(0, 0, 0, 0, 1, 1, 2, 2)),
    Feature("b", "interval", (1.0, 2.0, 3.0), (0.0, 1.0, 2.0, 3.0), has_missing=True, coarse=(0, 0, 1, 1)),
    Feature("c", "category", categories=("x", "y", "z")),
)
TREE = Tree(np.array([-1, 0, 1]), np.array([0, 1, 2]), np.zeros(3))


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    sizes = np.array([feature.cardinality for feature in FEATURES])
    codes = np.stack([rng.integers(0, size, 300) for size in sizes], axis=1).astype(np.uint8)
    return CodedRows(codes, rng.integers(0, 2, 300), sizes, 2)


def test_codes_lie_between_fine_and_coarse_ones(rows):
    nested = count_nested(FEATURES, TREE, rows)
    assert [int(own.max()) + 1 for own in nested.maps] == [6, 5, 3]
    for feature, own in zip(FEATURES, nested.maps, strict=True):
        np.testing.assert_array_equal(coarse_of(feature, own)[own], feature.coarse_codes)
        assert (np.diff(own) >= 0).all()


def test_halves_are_never_empty():
    feature = Feature("a", "interval", (1.0, 2.0, 3.0), (0.0, 1.0, 2.0, 3.0), coarse=(0, 0, 0, 1))
    assert split_codes(feature, np.array([9, 0, 0, 1])).tolist() == [0, 1, 1, 2]
    for rows in ([0, 0, 9, 1], [0, 0, 0, 0], [3, 3, 3, 0]):
        codes = split_codes(feature, np.array(rows))
        assert codes[0] == 0
        assert set(np.diff(codes)) <= {0, 1}
        assert codes[2] < codes[3]


def literal(rows, nested, j):
    """log P(x_j | x_mother, y) by the formulas, cell by cell."""
    maps = nested.maps
    mother = int(TREE.mother[j])
    value, above = maps[j][rows.codes[:, j]], maps[mother][rows.codes[:, mother]]
    of_value, of_above = coarse_of(FEATURES[j], maps[j]), coarse_of(FEATURES[mother], maps[mother])
    v, u = int(maps[j].max()) + 1, int(maps[mother].max()) + 1
    out = np.zeros((u, v, 2))
    for y in range(2):
        own = rows.labels == y
        alone = np.array([(own & (value == b)).sum() + 1 for b in range(v)]) / (own.sum() + v)
        for a in range(u):
            near = own & (of_above[above] == of_above[a])
            exact = own & (above == a)
            for b in range(v):
                in_group = of_value == of_value[b]
                coarse = (near & in_group[value]).sum() + COARSE_STRENGTH * alone[in_group].sum()
                coarse /= near.sum() + COARSE_STRENGTH
                spread = coarse * alone[b] / alone[in_group].sum()
                given = ((near & (value == b)).sum() + COARSE_STRENGTH * spread) / (near.sum() + COARSE_STRENGTH)
                out[a, b, y] = ((exact & (value == b)).sum() + FINE_STRENGTH * given) / (exact.sum() + FINE_STRENGTH)
    return np.log(out)


@pytest.mark.parametrize("j", [1, 2])
def test_tables_by_hand(rows, j):
    nested = count_nested(FEATURES, TREE, rows)
    joint = nested.joint(FEATURES, TREE, np.log([0.5, 0.5]))
    np.testing.assert_allclose(joint.tables[j], literal(rows, nested, j), rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.exp(joint.tables[j]).sum(axis=1), 1.0)


def test_codes_within_a_code_of_the_joint_distribution(rows):
    nested = count_nested(FEATURES, TREE, rows)
    for own, share in zip(nested.maps, nested.within(), strict=True):
        sums = np.zeros((int(own.max()) + 1, 2))
        np.add.at(sums, own, share)
        np.testing.assert_allclose(sums, 1.0)


def test_from_coarse_counts_alone(rows):
    fine = count_nested(FEATURES, TREE, rows)
    coarse = [feature.coarse_codes for feature in FEATURES]
    codes = np.stack([own[rows.codes[:, j]] for j, own in enumerate(coarse)], axis=1).astype(np.uint8)
    sizes = np.array([int(own.max()) + 1 for own in coarse])
    counts = count(CodedRows(codes, rows.labels, sizes, 2))
    nested = nested_from_coarse(FEATURES, counts)
    assert nested.values.single(0).sum() == fine.values.single(0).sum()
    np.testing.assert_array_equal(nested.maps[0], coarse[0])
    assert np.isfinite(nested.joint(FEATURES, TREE, np.log([0.5, 0.5])).tables[1]).all()


def test_the_feature_as_the_joint_distribution_has_it(rows):
    nested = count_nested(FEATURES, TREE, rows)
    assert joint_feature(FEATURES[2], nested.maps[2]) is FEATURES[2]
    shown = joint_feature(FEATURES[0], nested.maps[0])
    assert shown.n_values == 6
    assert set(shown.edges) <= set(FEATURES[0].edges)
