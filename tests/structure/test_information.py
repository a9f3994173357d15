from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import coded_rows
from twins import entropy, information_content

from gnbayes.counting import CodedRows, count, count_values
from gnbayes.structure import class_gain, class_information, information, information_of_rows
from gnbayes.structure._entropy_sums import EntropySums


@given(coded_rows(min_features=2))
def test_information_equals_its_definition(rows):
    info = information(count(rows))
    for i in range(rows.n_features):
        assert info.with_class[i] == pytest.approx(information_content(rows.codes[:, i], rows.labels), abs=1e-12)
        for j in set(range(rows.n_features)) - {i}:
            a, b, y = rows.codes[:, i], rows.codes[:, j], rows.labels
            given_class = entropy(a, y) + entropy(b, y) - entropy(a, b, y) - entropy(y)
            assert info.given_class[i, j] == pytest.approx(given_class, abs=1e-12)
            assert info.of_cherries[i, j] == pytest.approx(information_content(y, a, b), abs=1e-12)


@given(coded_rows(min_features=2))
def test_identity_of_the_gain(rows):
    """I(Y, Xi, Xj) - I(Y, Xi) = I(Xj; Y, Xi)."""
    i, j, y = rows.codes[:, 0], rows.codes[:, 1], rows.labels
    both = y * 100 + i
    gain = information_content(y, i, j) - information_content(y, i)
    assert gain == pytest.approx(information_content(j, both), abs=1e-12)


@given(coded_rows())
def test_keeping_tables_or_not_gives_the_same_bits(rows):
    kept, not_kept = information(count(rows)), information_of_rows(rows)
    np.testing.assert_array_equal(kept.given_class, not_kept.given_class)
    np.testing.assert_array_equal(kept.with_class, not_kept.with_class)
    np.testing.assert_array_equal(kept.with_class, class_information(count_values(rows)))


@given(coded_rows(min_features=2), st.randoms())
def test_bits_do_not_depend_on_the_order_of_rows_values_and_classes(rows, random):
    order = list(range(rows.n_rows))
    random.shuffle(order)
    codes = np.stack([v - 1 - rows.codes[order, j] for j, v in enumerate(rows.cardinalities)], axis=1)
    other = CodedRows(codes, rows.n_classes - 1 - rows.labels[order], rows.cardinalities, rows.n_classes)
    np.testing.assert_array_equal(information(count(rows)).given_class, information(count(other)).given_class)


def test_blocks_give_the_same_bits(monkeypatch, wdbc_rows):
    whole = information_of_rows(wdbc_rows)
    monkeypatch.setattr("gnbayes.counting.numpy_path._BLOCK_BYTES", 20_000)
    np.testing.assert_array_equal(information_of_rows(wdbc_rows).given_class, whole.given_class)


def test_features_of_many_values_give_the_same_bits_without_their_whole_table():
    rng = np.random.default_rng(0)
    codes = np.stack([rng.integers(0, v, 200) for v in (900, 800, 3)], axis=1).astype(np.uint16)
    rows = CodedRows(codes, rng.integers(0, 2, 200), np.array([900, 800, 3]), 2)
    np.testing.assert_array_equal(information_of_rows(rows).given_class, information(count(rows)).given_class)


def test_constant_and_copied_features_are_exactly_zero_and_equal(wdbc_rows):
    codes = np.column_stack([wdbc_rows.codes[:, :2], wdbc_rows.codes[:, 1], np.zeros(569, dtype=np.uint8)])
    rows = replace(wdbc_rows, codes=codes, cardinalities=np.array([5, 5, 5, 1]))
    info = information(count(rows))
    assert info.with_class[3] == 0
    assert not info.given_class[3].any()
    assert info.given_class[0, 1] == info.given_class[0, 2]


@given(coded_rows(min_features=2), st.integers(0, 2**31 - 1))
def test_weights_enter_as_shares(rows, seed):
    weights = np.random.default_rng(seed).integers(1, 4, rows.n_rows)
    again = replace(rows, codes=np.repeat(rows.codes, weights, axis=0), labels=np.repeat(rows.labels, weights))
    halves = information(count(replace(rows, weights=weights / 2)))
    np.testing.assert_allclose(halves.given_class, information(count(again)).given_class, atol=1e-12)


def test_logarithms_by_table_and_one_by_one_are_the_same_bits():
    rows = CodedRows(np.zeros((5000, 1), dtype=np.uint8), np.zeros(5000, dtype=np.intp), np.array([1]), 1)
    sums = EntropySums(count_values(rows))
    counts = np.arange(5001)
    by_table = sums.terms(np.concatenate([counts, counts]))[:5001]
    np.testing.assert_array_equal(by_table, [*sums.terms(counts[:5000].copy()).tolist(), sums.total])


def test_information_needs_all_pairs(wdbc_rows):
    with pytest.raises(ValueError, match="information needs Counts of all pairs"):
        information(count_values(wdbc_rows))


@given(coded_rows(min_features=2))
def test_class_gain_equals_its_definition(rows):
    """I(X1; Y | X0) = H(X0, X1) + H(X0, Y) - H(X0, X1, Y) - H(X0)."""
    mother = np.full(rows.n_features, -1)
    mother[1] = 0
    a, b, y = rows.codes[:, 0], rows.codes[:, 1], rows.labels
    gain = class_gain(count(rows), mother)
    assert gain[1] == pytest.approx(entropy(a, b) + entropy(a, y) - entropy(a, b, y) - entropy(a), abs=1e-12)
    assert gain[0] == pytest.approx(information_content(a, y), abs=1e-12)


def test_class_gain_of_a_copy_is_exactly_zero(wdbc_rows):
    rows = replace(wdbc_rows, codes=wdbc_rows.codes[:, [0, 0]], cardinalities=wdbc_rows.cardinalities[[0, 0]])
    assert class_gain(count(rows), np.array([-1, 0]))[1] == 0
