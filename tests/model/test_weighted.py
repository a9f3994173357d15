import numpy as np
import pytest
from twins import averaged_probability

from gnbayes.counting import CodedRows, count
from gnbayes.encoding import Feature
from gnbayes.model import Term, TermSum, build_weighted_model, completion, count_nested
from gnbayes.model.learned import LearnedParts, LearnedTerms
from gnbayes.model.purify import purify
from gnbayes.structure import Tree

FEATURES = (
    Feature("a", "interval", edges=(1.0, 2.0, 3.0), means=(0.0, 1.0, 2.0, 3.0), coarse=(0, 0, 1, 1)),
    Feature("b", "category", categories=("x", "y"), has_missing=True),
    Feature("c", "category", categories=("x", "y")),
    Feature("not used", "category", categories=("x", "y")),
)
TREE = Tree(np.array([-1, 0, 1, -1]), np.array([0, 1, 2]), np.zeros(3))


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    sizes = np.array([feature.cardinality for feature in FEATURES])
    codes = np.stack([rng.integers(0, size, 200) for size in sizes], axis=1).astype(np.uint8)
    rows = CodedRows(codes, rng.integers(0, 3, 200), sizes, 3)
    terms = []
    for features in ((0,), (1,), (2,), (0, 1), (0, 1, 2)):
        maps = tuple(FEATURES[j].coarse_codes if len(features) > 1 else np.arange(sizes[j]) for j in features)
        shape = tuple(int(own.max()) + 1 for own in maps)
        terms.append(Term(features, maps, rng.normal(size=(*shape, 3)), np.ones(shape)))
    values = [np.ones(size) for size in sizes]
    shift, pure = purify(terms, values)
    parts = LearnedParts(LearnedTerms(shift, pure), count_nested(FEATURES, TREE, rows))
    counts = count(CodedRows(codes, rows.labels, sizes, 3))
    return build_weighted_model(FEATURES, np.arange(3), TREE, parts, counts)


KNOWN = np.array(np.meshgrid(range(4), range(3), range(2), range(2))).reshape(4, -1).T
GAPS = np.array([row for row in np.ndindex(6, 5, 4, 3) if row[0] >= 4 or row[1] >= 3 or row[2] >= 2])


def softmax(scores):
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.intp])
def test_parts_sum_to_the_scores(model, dtype):
    for rows in (KNOWN, GAPS):
        codes = np.asfortranarray(rows.astype(dtype))
        parts = model.parts(codes)
        total = parts.base + parts.contributions.sum(axis=1) + parts.unknown
        np.testing.assert_allclose(total, model.scores(codes), rtol=0, atol=1e-12)
        np.testing.assert_allclose(parts.unknown.sum(axis=1), 0, atol=1e-12)
        assert not parts.contributions[~parts.is_known].any()
    assert not model.parts(KNOWN.astype(np.uint8)).unknown.any()


def test_unknown_features_are_averaged_over_all_combinations(model):
    anchored = softmax(model.scores(np.asfortranarray(GAPS.astype(np.uint8))))
    lacking, importances = model.anchor.lacking, model.anchor.importances
    for row, found in zip(GAPS, anchored, strict=True):
        expected = averaged_probability(model, row)
        share = sum(importances[j] for j in range(3) if row[j] >= FEATURES[j].cardinality)
        expected = expected * np.exp(share * lacking)
        np.testing.assert_allclose(found, expected / expected.sum(), rtol=0, atol=1e-12)


def test_nothing_known_gives_the_prior(model):
    nothing = np.array([[9, 9, 9, 0]], dtype=np.uint8)
    np.testing.assert_allclose(softmax(model.scores(nothing))[0], np.exp(model.log_prior), rtol=1e-12)


def test_completions_come_close_to_all_combinations(model, monkeypatch):
    exact = model._completion.average(GAPS)
    monkeypatch.setattr(completion, "N_COMPLETIONS", 16)
    rough = model._completion.average(GAPS)
    assert 0 < np.abs(rough - exact).max() < 0.1


@pytest.mark.parametrize("n_completions", [4, 512])
def test_kernels_and_numpy_agree_on_completions(model, monkeypatch, n_completions):
    monkeypatch.setattr(completion, "N_COMPLETIONS", n_completions)
    fast = model._completion.average(GAPS, n_threads=2)
    monkeypatch.setattr(completion, "native", None)
    np.testing.assert_allclose(model._completion.average(GAPS), fast, rtol=0, atol=1e-12)


def test_a_row_has_the_same_answer_alone_and_among_others(model, monkeypatch):
    monkeypatch.setattr(completion, "N_COMPLETIONS", 8)
    together = model._completion.average(GAPS)
    for at in range(0, len(GAPS), 17):
        np.testing.assert_array_equal(model._completion.average(GAPS[at : at + 1])[0], together[at])


def test_points_are_spread_evenly_and_differ_between_features():
    points, rows = completion.points_of(np.array([2, 5]), 7)
    assert points.shape == (3, completion.N_COMPLETIONS)
    assert rows.tolist() == [0, 0, 1, 0, 0, 2, 0]
    middles = (np.arange(completion.N_COMPLETIONS) + 0.5) / completion.N_COMPLETIONS
    for row in points:
        np.testing.assert_array_equal(np.sort(row), middles)
    assert np.abs(np.corrcoef(points)[np.triu_indices(3, 1)]).max() < 0.15
    np.testing.assert_array_equal(completion.points_of(np.array([5]), 7)[0][1], points[2])


def test_the_joint_distribution_is_that_of_tree_and_terms(model):
    codes = np.asfortranarray(KNOWN.astype(np.uint8))
    log_joint = model.log_joint(codes)
    np.testing.assert_allclose(np.logaddexp.reduce(log_joint, axis=1), model.log_evidence(codes))
    np.testing.assert_allclose(softmax(log_joint), softmax(model.scores(codes)))


def test_drawn_rows_follow_the_joint_distribution(model):
    codes, labels = model.sample(20_000, np.random.default_rng(0))
    assert (codes[:, 3] == FEATURES[3].missing_code).all()
    proba = softmax(TermSum(model.intercept, model.terms).scores(codes)[0])
    np.testing.assert_allclose(np.bincount(labels) / len(labels), proba.mean(axis=0), atol=0.02)
    assert (codes[:, 0] < 4).all()
    values = model.nested.values.single(0).sum(axis=1)
    np.testing.assert_allclose(np.bincount(codes[:, 0]) / len(codes), values / values.sum(), atol=0.03)
