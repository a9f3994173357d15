import numpy as np
import pytest

from gnbayes.encoding import Feature
from gnbayes.model import WeightedModel
from gnbayes.structure import Tree


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    features = (
        Feature("a", "interval", edges=(1.0, 2.0, 3.0), coarse=(0, 0, 1, 1)),
        Feature("b", "category", categories=("x", "y"), has_missing=True),
        Feature("c", "category", categories=("x", "y")),
        Feature("not used", "category", categories=("x", "y")),
    )
    tree = Tree(np.array([-1, 0, 1, -1]), np.array([0, 1, 2]), np.zeros(3))
    singles = tuple(rng.normal(size=(feature.cardinality, 3)) for feature in features)
    pairs = (None, rng.normal(size=(2, 3, 3)), rng.normal(size=(3, 2, 3)), None)
    return WeightedModel(features, np.arange(3), tree, rng.normal(size=3), np.array([0, 1, 0.5]), singles, pairs)


def literal(model, row):
    """What each feature adds in one row."""
    out = np.zeros((4, 3))
    for j in range(3):
        if row[j] >= model.features[j].cardinality:
            continue
        out[j] = model.singles[j][row[j]]
        mother = model.tree.mother[j]
        if mother >= 0 and row[mother] < model.features[mother].cardinality:
            given, own = (model.features[i].coarse_codes[row[i]] for i in (mother, j))
            out[j] += model.pairs[j][given, own]
    return out


ROWS = np.array(np.meshgrid(range(6), range(5), range(4), range(2))).reshape(4, -1).T


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.intp])
@pytest.mark.parametrize("max_cells", [0, 2**22])
def test_scores_and_contributions_by_hand(model, dtype, max_cells, monkeypatch):
    monkeypatch.setattr("gnbayes.model.weighted._MAX_CELLS", max_cells)
    codes = np.asfortranarray(ROWS.astype(dtype))
    expected = np.array([literal(model, row) for row in ROWS])
    np.testing.assert_array_equal(model.contributions(codes), expected)
    added = expected[:, model.tree.order].cumsum(axis=1)[:, -1]
    np.testing.assert_allclose(model.log_joint(codes), model.log_prior + added, rtol=0, atol=1e-14)


def test_both_ways_give_the_same_bits(model, monkeypatch):
    codes = np.asfortranarray(ROWS.astype(np.uint8))
    by_tables = model.log_joint(codes, n_threads=2)
    monkeypatch.setattr("gnbayes.model.weighted.native", None)
    np.testing.assert_array_equal(model.log_joint(codes), by_tables)


def test_tables_have_a_code_for_absent_values(model):
    table = model.table(1)
    assert table.shape == (5, 4, 3)
    np.testing.assert_array_equal(table[:, 3], 0)
    np.testing.assert_array_equal(table[4, :3], model.singles[1])


def test_what_it_cannot_do(model):
    codes = ROWS.astype(np.uint8)
    with pytest.raises(ValueError, match=r"log_likelihood needs the joint distribution .* fit with weighting=None"):
        model.log_likelihood(codes, np.zeros(len(codes)))
    with pytest.raises(ValueError, match=r"sample needs the joint distribution .* fit with weighting=None"):
        model.sample(3, np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"no scores for its first features alone.* use weighting=None"):
        model.prefixes(codes)
