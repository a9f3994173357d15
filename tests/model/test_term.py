import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.kernels import native
from gnbayes.model import Term, TermSum, feature_importances, log_odds
from gnbayes.model.term import weighted_mean


@st.composite
def term_sums(draw):
    """A few features, and terms of one to three of them with random maps and tables."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sizes = rng.integers(1, 6, draw(st.integers(1, 5)))
    k = draw(st.integers(2, 4))
    terms = []
    for _ in range(draw(st.integers(1, 6))):
        features = tuple(rng.permutation(len(sizes))[: rng.integers(1, 4)].tolist())
        maps = tuple(np.sort(rng.integers(0, 3, sizes[j])) for j in features)
        maps = tuple(np.unique(own, return_inverse=True)[1] for own in maps)
        shape = tuple(int(own.max()) + 1 for own in maps)
        terms.append(Term(features, maps, rng.normal(size=(*shape, k)), rng.integers(0, 9, shape).astype(float)))
    codes = np.stack([rng.integers(0, size + 2, 40) for size in sizes], axis=1)
    return TermSum(rng.normal(size=k), tuple(terms)), codes


def literal(total, row):
    """Start and one entry per term; None where a code is not known."""
    out = total.start.copy()
    for term in total.terms:
        if any(row[j] >= len(own) for j, own in zip(term.features, term.maps, strict=True)):
            return None
        out = out + term.table[tuple(own[row[j]] for j, own in zip(term.features, term.maps, strict=True))]
    return out


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.intp])
@given(drawn=term_sums())
def test_scores_by_hand(dtype, drawn):
    total, codes = drawn
    scores, is_incomplete = total.scores(np.asfortranarray(codes.astype(dtype)), n_threads=2)
    for row, found, is_unknown in zip(codes, scores, is_incomplete, strict=True):
        expected = literal(total, row)
        assert is_unknown == (expected is None)
        if expected is not None:
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@given(drawn=term_sums())
def test_kernels_and_numpy_give_the_same_bits(drawn):
    total, codes = drawn
    with pytest.MonkeyPatch.context() as patch:
        fast = total.scores(np.asfortranarray(codes.astype(np.uint8)))
        patch.setattr("gnbayes.model.term.native", None)
        slow = total.scores(codes.astype(np.uint8))
    np.testing.assert_array_equal(fast[1], slow[1])
    np.testing.assert_array_equal(fast[0][~fast[1]], slow[0][~slow[1]])


@pytest.mark.parametrize("start", [0.7, 0.0, -0.0])
@given(seed=st.integers(0, 10**6), n=st.integers(1, 1100))
def test_two_classes_with_opposite_tables_get_the_same_bits_as_each_on_its_own(start, seed, n):
    rng = np.random.default_rng(seed)
    sizes, terms = (30, 5, 64, 70), []
    for features in ((0,), (1,), (2,), (3,), (0, 1), (1, 2), (0, 2), (0, 1, 2)):
        maps = tuple(np.sort(rng.integers(0, rng.integers(1, 9), sizes[j])) for j in features)
        table = rng.integers(-3, 4, tuple(own.max() + 1 for own in maps)) * rng.choice([0.1, 0.5])
        terms.append(Term(features, maps, np.stack([table, -table], axis=-1), np.ones(table.shape)))
    total = TermSum(np.array([start, -start]), tuple(terms))
    codes = np.asfortranarray(
        np.stack([rng.integers(0, size + rng.integers(0, 2), n) for size in sizes], axis=1), np.uint8
    )
    fast = total.scores(codes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gnbayes.model.term.native", None)
        slow = total.scores(codes)
    np.testing.assert_array_equal(fast[1], slow[1])
    np.testing.assert_array_equal(fast[0][~fast[1]].view(np.int64), slow[0][~slow[1]].view(np.int64))


def test_importance_is_the_mean_absolute_contribution_to_the_log_odds():
    table = np.array([[0.0, 2.0], [0.0, -1.0], [0.0, 5.0]])
    term = Term((0,), (np.arange(3),), table, np.array([2.0, 4.0, 0.0]))
    # Log-odds 2, 2, -1, -1, -1, -1 have the mean 0.
    assert term.importance == pytest.approx((2 + 2 + 1 + 1 + 1 + 1) / 6)
    moved = Term((0,), (np.arange(3),), table + np.array([3.0, 7.0]), term.rows)
    assert moved.importance == pytest.approx(term.importance)


def test_importance_is_shared_among_the_features_of_a_term():
    own = np.arange(2)
    single = Term((0,), (own,), np.array([[-1.0, 1.0], [1.0, -1.0]]), np.ones(2))
    pair = Term((0, 2), (own, own), np.array([[[-1.0, 1.0], [1.0, -1.0]], [[1.0, -1.0], [-1.0, 1.0]]]), np.ones((2, 2)))
    np.testing.assert_allclose(feature_importances([single, pair], 4), [0.75, 0, 0.25, 0])
    np.testing.assert_array_equal(feature_importances([], 2), [0, 0])


def test_log_odds_of_two_classes_are_differences():
    np.testing.assert_allclose(log_odds(np.array([[1.0, 4.0]])), [[-3.0, 3.0]])
    np.testing.assert_allclose(log_odds(np.array([3.0, 0.0, 0.0])), [3.0, -1.5, -1.5])


def test_a_term_without_rows_has_mean_zero():
    np.testing.assert_array_equal(weighted_mean(np.ones((2, 3)), np.zeros(2)), np.zeros(3))
    assert Term((0,), (np.arange(2),), np.ones((2, 3)), np.zeros(2)).importance == 0.0


@pytest.mark.skipif(native is None, reason="without the C kernels")
def test_kernels_refuse_terms_that_leave_their_tables():
    codes, out, flags = np.zeros((2, 1), dtype=np.uint8, order="F"), np.zeros((2, 2)), np.zeros(2, dtype=np.uint8)
    term = np.zeros((1, 11), dtype=np.int64)
    term[0, :5] = 0, 1, 0, 2, 0
    sound = (codes, 1, 2, 1, term, 1, np.array([0, 1], np.int32), 2, np.zeros(4), 4, np.zeros(2), 2, 0, 2, out, flags)
    assert native.score_terms(*sound) is None
    for at, wrong in ((6, np.array([0, 2], np.int32)), (6, np.array([0, -1], np.int32)), (12, -1), (13, 3)):
        with pytest.raises(ValueError, match=r"must"):
            native.score_terms(*sound[:at], wrong, *sound[at + 1 :])
    for place, wrong in ((2, 1), (1, 4), (1, 0), (3, 3), (4, 1), (0, 3), (0, -1)):
        broken = term.copy()
        broken[0, place] = wrong
        with pytest.raises(ValueError, match=r"must"):
            native.score_terms(*sound[:4], broken, *sound[5:])
