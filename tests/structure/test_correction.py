import numpy as np
import pytest
from hypothesis import given
from strategies import coded_rows
from twins import corrected_information

from gnbayes import GeneralizedNB
from gnbayes.counting import CodedRows, count, count_values, numpy_path
from gnbayes.structure import (
    INFORMATIONS,
    STRUCTURES,
    CorrectedInformation,
    InformationByRow,
    choose_tree,
    gnb_a,
    gnb_o,
    information,
    information_of_rows,
    naive,
    tan,
    weighed,
    weight,
)


def corrected(rows):
    counts = count(rows)
    return CorrectedInformation(information(counts), counts)


@given(coded_rows(min_features=2))
def test_it_is_the_formula(rows):
    info, d, n = corrected(rows), rows.n_features, rows.n_rows
    is_constant = [len(np.unique(column)) < 2 for column in rows.codes.T]
    below_all = -1.5 * np.log1p(n + n**2) / 2
    for i in range(d):
        expected = below_all if is_constant[i] else corrected_information(rows.codes, rows.labels, i)
        assert info.with_class[i] == pytest.approx(expected, abs=1e-12)
        for j in range(d):
            expected = 0.0 if i == j else corrected_information(rows.codes, rows.labels, i, j)
            if i != j and (is_constant[i] or is_constant[j]):
                expected = below_all
            assert info.row(i)[j] == pytest.approx(expected, abs=1e-12)


@given(coded_rows(min_features=2))
def test_it_is_the_same_bits_by_every_way(rows):
    kept, values = corrected(rows), count_values(rows)
    by_row = CorrectedInformation(InformationByRow(rows, values), values)
    not_kept = CorrectedInformation(information_of_rows(rows, values), values)
    whole = kept.rows(np.arange(rows.n_features))
    np.testing.assert_array_equal(whole, whole.T)
    np.testing.assert_array_equal(whole, [kept.row(i) for i in range(rows.n_features)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gnbayes.structure._information.path", numpy_path)
        patch.setattr("gnbayes.structure._information.native", None)
        patch.setattr("gnbayes.counting._count.path", numpy_path)
        by_numpy = corrected(rows)
    for other in (by_row, not_kept, by_numpy):
        np.testing.assert_array_equal(other.rows(np.arange(rows.n_features)), whole)
        np.testing.assert_array_equal(other.with_class, kept.with_class)


def test_the_information_it_corrects_stays_as_it_is(wdbc_rows):
    counts = count(wdbc_rows)
    info = information(counts)
    before = info.given_class.copy()
    CorrectedInformation(info, counts).rows(np.arange(5))
    np.testing.assert_array_equal(info.given_class, before)


def test_sums_of_counts_are_corrected_as_their_rows_are(wdbc_rows):
    halves = np.arange(wdbc_rows.n_rows) < 200
    first, second = (
        count(CodedRows(wdbc_rows.codes[part], wdbc_rows.labels[part], wdbc_rows.cardinalities, 2))
        for part in (halves, ~halves)
    )
    merged = first + second
    whole = corrected(wdbc_rows)
    np.testing.assert_array_equal(
        CorrectedInformation(information(merged), merged).rows(np.arange(30)), whole.rows(np.arange(30))
    )


@pytest.mark.slow
@pytest.mark.parametrize(("v", "w"), [(2, 2), (2, 100), (5, 8), (8, 100), (30, 30), (100, 100)])
@pytest.mark.parametrize("n", [100, 1000])
def test_independent_features_have_two_thirds_of_the_correction_by_chance(v, w, n):
    """By simulation: 30 pairs of features with equally probable values, in one class."""
    rng = np.random.default_rng(v * w)
    codes = np.concatenate([rng.integers(0, v, (n, 30)), rng.integers(0, w, (n, 30))], axis=1)
    rows = CodedRows(codes, np.zeros(n, dtype=int), np.repeat([v, w], 30), n_classes=1)
    counts = count(rows)
    plug_in = information(counts)
    taken_off = plug_in.given_class - CorrectedInformation(plug_in, counts).rows(np.arange(60))
    across = np.s_[:30, 30:]
    spread = plug_in.given_class[across].std() / np.sqrt(30)
    near = 0.25 if (v, w, n) == (2, 100, 100) else 0.1
    assert plug_in.given_class[across].mean() == pytest.approx(taken_off[across].mean() / 1.5, rel=near, abs=3 * spread)


@pytest.mark.parametrize("structure", [gnb_a, gnb_o, tan, naive])
def test_gains_from_counts_are_those_that_the_tree_was_grown_with(structure, wdbc_rows):
    counts = count(wdbc_rows)
    tree = structure(information(counts))
    np.testing.assert_array_equal(weighed(tree, counts).gain, tree.gain)
    edges = count(wdbc_rows, tree.edges)
    np.testing.assert_array_equal(weighed(tree, edges).gain, tree.gain)


@pytest.mark.parametrize("structure", STRUCTURES)
def test_the_weight_is_plug_in_however_the_tree_was_chosen(structure, wdbc):
    for kind in INFORMATIONS:
        clf = GeneralizedNB(structure, weighting=None, information=kind).fit(*wdbc)
        counts = clf.counts_
        info = information(counts) if counts.pairs is None else None
        if info is not None:
            assert clf.tree_.weight == pytest.approx(weight(info, clf.tree_), rel=1e-12)
        np.testing.assert_array_equal(weighed(clf.tree_, counts).gain, clf.tree_.gain)


def with_random_column(n=400, levels=100, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    a = (y + rng.integers(0, 3, n)) % 3
    b = (a + rng.integers(0, 2, n)) % 3
    return np.stack([a, b, rng.integers(0, levels, n)], axis=1).astype(float), y


def test_a_random_column_of_many_values_is_nobodys_mother_and_comes_last():
    X, y = with_random_column()
    fits = {
        kind: GeneralizedNB(weighting=None, information=kind, categorical_features=range(3)).fit(X, y)
        for kind in INFORMATIONS
    }
    assert 2 in fits["plug-in"].tree_.mother
    assert 2 in fits["plug-in"].tree_.order[:2]
    assert 2 not in fits["corrected"].tree_.mother
    assert fits["corrected"].tree_.order[-1] == 2


@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_table_of_noise_and_constants_has_a_tree(structure):
    rng = np.random.default_rng(0)
    codes = np.concatenate([rng.integers(0, 50, (60, 4)), np.zeros((60, 2), dtype=int)], axis=1)
    rows = CodedRows(codes, rng.integers(0, 3, 60), np.array([50, 50, 50, 50, 1, 1]), n_classes=4)  # one class is empty
    counts = count(rows)
    info = CorrectedInformation(information(counts), counts)
    assert np.isfinite(info.rows(np.arange(6))).all()
    assert info.row(4)[:4].max() < info.rows(np.arange(4))[:, :4].min()
    tree = choose_tree(structure, "corrected", information(counts), counts)
    assert not {4, 5} & set(tree.mother[:4].tolist())
    assert sorted(tree.order.tolist()) == list(range(6))


def test_an_information_that_is_not_known():
    with pytest.raises(ValueError, match=r"The 'information' parameter of GeneralizedNB must be a str among"):
        GeneralizedNB(information="exact").fit([[1], [2]], [0, 1])
