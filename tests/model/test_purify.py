import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.model import Term, TermSum
from gnbayes.model.purify import purify


@st.composite
def models(draw):
    """Rows, and terms of one to three features with the rows in their cells."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sizes = rng.integers(1, 6, draw(st.integers(1, 4)))
    k, codes = draw(st.integers(2, 3)), np.stack([rng.integers(0, size, 60) for size in sizes], axis=1)
    terms = []
    for _ in range(draw(st.integers(1, 5))):
        features = tuple(rng.permutation(len(sizes))[: rng.integers(1, 4)].tolist())
        maps = tuple(np.minimum(np.arange(sizes[j]) // rng.integers(1, 3), sizes[j] - 1) for j in features)
        shape = tuple(int(own.max()) + 1 for own in maps)
        term = Term(features, maps, rng.normal(size=(*shape, k)), np.zeros(shape))
        rows = np.bincount(term.cells(codes), minlength=int(np.prod(shape))).reshape(shape).astype(float)
        terms.append(Term(features, maps, term.table, rows))
    values = [np.bincount(codes[:, j], minlength=size).astype(float) for j, size in enumerate(sizes)]
    return terms, codes, values


@given(drawn=models())
def test_sums_stay_and_parts_are_gone(drawn):
    terms, codes, values = drawn
    shift, pure = purify(terms, values)
    start = np.zeros(terms[0].n_classes)
    before = TermSum(start, tuple(terms)).scores(codes)[0]
    after = TermSum(start + shift, pure).scores(codes)[0]
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-9)
    for term in pure:
        weights = term.rows[..., None]
        for axis in range(term.rows.ndim):
            others = tuple(other for other in range(term.rows.ndim) if other != axis)
            part = (term.table * weights).sum(axis=others)
            if term.rows.ndim > 1:
                np.testing.assert_allclose(part, 0, atol=1e-6)
        np.testing.assert_allclose((term.table * weights).sum(axis=tuple(range(term.rows.ndim))), 0, atol=1e-6)


@given(drawn=models())
def test_features_come_first_in_increasing_order(drawn):
    terms, _, values = drawn
    pure = purify(terms, values)[1]
    singles = [term.features[0] for term in pure if len(term.features) == 1]
    assert singles == sorted({j for term in terms for j in term.features})
    assert all(len(term.features) > 1 for term in pure[len(singles) :])
    assert len(pure) == len(singles) + sum(len(term.features) > 1 for term in terms)


def test_a_pair_without_interaction_leaves_nothing():
    own = np.arange(3)
    first, second = np.array([0.0, 1.0, 5.0]), np.array([2.0, -1.0, 0.5])
    table = (first[:, None] + second)[..., None] * np.array([-1.0, 1.0])
    rows = np.array([[1.0, 2.0, 0.0], [4.0, 1.0, 1.0], [0.0, 3.0, 2.0]])
    pair = Term((0, 1), (own, own), table, rows)
    shift, pure = purify([pair], [rows.sum(axis=1), rows.sum(axis=0)])
    np.testing.assert_allclose(pure[2].table, 0, atol=1e-9)
    np.testing.assert_allclose(np.diff(pure[0].table[:, 1]), np.diff(first), atol=1e-9)
    np.testing.assert_allclose(shift[1], (table[..., 1] * rows).sum() / rows.sum())
