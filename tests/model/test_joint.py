from itertools import product

import numpy as np
import pytest
from fitting import build
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare
from strategies import coded_rows
from twins import joint_probability

from gnbayes.counting import CodedRows, count
from gnbayes.model import Joint, build_joint
from gnbayes.structure import Tree, gnb_a, gnb_o, naive, tan

LEARNERS = {"gnb-a": gnb_a, "gnb-o": gnb_o, "tan": tan, "nb": naive}


def all_rows(rows):
    return np.array(list(product(*(range(v) for v in rows.cardinalities))), dtype=np.uint8)


@pytest.mark.parametrize("learn", LEARNERS.values(), ids=LEARNERS.keys())
@pytest.mark.parametrize("smoothing", ["additive", "backoff"])
@given(rows=coded_rows(max_features=4, min_classes=2))
def test_joint_probabilities_sum_to_one(learn, smoothing, rows):
    model = build(rows, learn, smoothing)
    assert np.exp(model.log_joint(all_rows(rows))).sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("learn", LEARNERS.values(), ids=LEARNERS.keys())
@given(rows=coded_rows(max_features=4, min_classes=2, min_rows=4), alpha=st.floats(0.1, 3))
def test_joint_probabilities_by_hand(learn, rows, alpha):
    seen = rows.codes.max(axis=0).astype(np.intp) + 1
    rows = type(rows)(rows.codes, rows.labels, seen, rows.n_classes)
    model = build(rows, learn, alpha=alpha)
    table = all_rows(rows)[:20]
    for values, logs in zip(table, model.log_joint(table), strict=True):
        for y in range(rows.n_classes):
            expected = joint_probability(rows.codes, rows.labels, model.tree.mother, values, y, alpha)
            assert np.exp(logs[y]) == pytest.approx(expected, rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("learn", LEARNERS.values(), ids=LEARNERS.keys())
@given(rows=coded_rows(max_features=5, min_classes=2), data=st.data())
def test_marginalising_is_summing_out(learn, rows, data):
    model = build(rows, learn, data.draw(st.sampled_from(["additive", "backoff"])))
    values = np.array([data.draw(st.integers(0, v)) for v in rows.cardinalities])
    fitting = [
        row
        for row in all_rows(rows)
        if all(row[j] == x or x == v for j, (x, v) in enumerate(zip(values, rows.cardinalities, strict=True)))
    ]
    expected = np.exp(model.log_joint(np.array(fitting))).sum(axis=0)
    np.testing.assert_allclose(np.exp(model.log_joint(values[None]))[0], expected, rtol=1e-10, atol=1e-300)


@pytest.mark.parametrize("learn", LEARNERS.values(), ids=LEARNERS.keys())
@given(rows=coded_rows(max_features=5, min_classes=2), data=st.data())
def test_a_prefix_is_the_joint_with_all_later_features_summed_out(learn, rows, data):
    model = build(rows, learn)
    values = np.array([[data.draw(st.integers(0, v)) for v in rows.cardinalities] for _ in range(3)])
    prefixes = model.prefix_log_joint(values)
    for t in range(rows.n_features):
        cut = values.copy()
        later = model.tree.order[t + 1 :]
        cut[:, later] = rows.cardinalities[later]
        np.testing.assert_allclose(prefixes[:, t], model.log_joint(cut), rtol=1e-10, atol=1e-10)
    complete = (values < rows.cardinalities).all(axis=1)
    np.testing.assert_array_equal(prefixes[complete, -1], model.log_joint(values)[complete])


@given(rows=coded_rows(max_features=6, min_classes=2), data=st.data())
def test_contributions_and_prior_sum_to_the_log_joint(rows, data):
    model = build(rows, gnb_a, data.draw(st.sampled_from(["additive", "backoff"])))
    values = np.array([[data.draw(st.integers(0, v + 1)) for v in rows.cardinalities] for _ in range(4)])
    contributions = model.contributions(values)
    np.testing.assert_allclose(model.log_prior + contributions.sum(axis=1), model.log_joint(values), atol=1e-12)
    absent = values >= rows.cardinalities
    assert (contributions[absent] == 0).all()


def test_a_long_chain_of_absent_features():
    """Deeper than Python's recursion limit, and equal to a product of matrices."""
    d = 1500
    rng = np.random.default_rng(0)
    tables = tuple(np.log(rng.dirichlet([1, 1, 1], size=(1 if j == 0 else 3, 2)).transpose(0, 2, 1)) for j in range(d))
    tree = Tree(np.arange(-1, d - 1), np.arange(d), np.zeros(d))
    model = Joint(tree, np.log([0.5, 0.5]), tables)
    values = np.full((1, d), 3)
    values[0, -1] = 1
    for y in range(2):
        state = np.exp(tables[0][:, :, y])
        for table in tables[1:]:
            state = state @ np.exp(table[:, :, y])
        assert model.log_joint(values)[0, y] == pytest.approx(np.log(0.5 * state[0, 1]), abs=1e-9)


def test_threads_and_blocks_do_not_change_a_bit(monkeypatch, wdbc_rows):
    model = build(wdbc_rows, gnb_a)
    codes = wdbc_rows.codes[:120].copy()
    codes[::3, ::4] = 5
    whole = model.log_joint(codes)
    monkeypatch.setattr("gnbayes.model.joint._BLOCK_ROWS", 50)
    monkeypatch.setattr("gnbayes.model.joint._MESSAGE_BYTES", 1)
    np.testing.assert_array_equal(model.log_joint(codes, n_threads=3), whole)


@given(rows=coded_rows(min_classes=2))
def test_log_likelihood_is_the_sum_over_rows(rows):
    model = build(rows, tan)
    logs = model.log_joint(rows.codes)
    expected = sum(logs[i, y] for i, y in enumerate(rows.labels))
    assert model.log_likelihood(rows.codes, rows.labels) == pytest.approx(expected)


def test_samples_follow_the_joint_distribution(random_codes):
    codes, y = random_codes
    rows_of_three = codes[:, :3]
    rows = CodedRows(rows_of_three, y, rows_of_three.max(axis=0).astype(np.intp) + 1, 3)
    model = build(rows, gnb_a)
    n = 40_000
    drawn, labels = model.sample(n, np.random.default_rng(5))
    cells = all_rows(rows)
    expected = np.exp(model.log_joint(cells)) * n
    counts = np.zeros_like(expected)
    index = np.ravel_multi_index(drawn.T, tuple(rows.cardinalities))
    np.add.at(counts, (index, labels), 1)
    assert chisquare(counts.ravel(), expected.ravel()).pvalue > 0.001


@pytest.mark.parametrize("smoothing", ["additive", "paper", "repair"])
@given(rows=coded_rows(max_features=5, min_classes=2), data=st.data())
def test_prefixes_one_by_one_are_the_same_bits(smoothing, rows, data):
    model = build(rows, gnb_a, smoothing)
    values = np.array([[data.draw(st.integers(0, v + 1)) for v in rows.cardinalities] for _ in range(3)])
    expected = model.prefix_log_joint(values)
    for t, part in enumerate(model.prefixes(values)):
        np.testing.assert_array_equal(part, expected[:, t])


@pytest.mark.parametrize("smoothing", ["additive", "backoff", "paper", "repair"])
@given(rows=coded_rows(max_features=5, min_classes=2), data=st.data())
def test_a_model_of_the_first_features_is_the_prefix(smoothing, rows, data):
    whole = build(rows, gnb_o, smoothing)
    t = data.draw(st.integers(1, rows.n_features))
    tree = whole.tree.first(t)
    model = build_joint(tree, count(rows), smoothing)
    values = np.array([[data.draw(st.integers(0, v + 1)) for v in rows.cardinalities] for _ in range(3)])
    expected = whole.prefix_log_joint(values)[:, t - 1]
    np.testing.assert_allclose(np.exp(model.log_joint(values)), np.exp(expected), rtol=1e-12, atol=0)
    contributions = model.contributions(values)
    assert not contributions[:, whole.tree.order[t:]].any()
    drawn, _ = model.sample(3, np.random.default_rng(0))
    assert (drawn[:, whole.tree.order[t:]] == rows.cardinalities[whole.tree.order[t:]]).all()
