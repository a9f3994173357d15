"""learn_terms: what it finds, and what must not change it."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score

from gnbayes.counting import CodedRows
from gnbayes.model.fitting import TermSpec, count_terms, learn_terms

FREE, WALK = "free", "walk"


def single(j, n_values, penalty=WALK, **options):
    return TermSpec((j,), (np.arange(n_values),), penalty, (False,), **options)


def scores_of(specs, learned, codes):
    """Sums of table entries, one at a time."""
    out = np.tile(learned.intercept, (len(codes), 1))
    for spec, table in zip(specs, learned.tables, strict=True):
        along = (codes_along[codes[:, j]] for j, codes_along in zip(spec.features, spec.maps, strict=True))
        out += table[tuple(along)]
    return out


def proba_of(scores):
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return scores / scores.sum(axis=1, keepdims=True)


def drawn(n, seed=0, n_classes=2):
    """Two ordered features whose product matters, and a category of three values in which all three matter."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, [12, 12, 3, 3], (n, 4)).astype(np.uint8)
    a, b = (codes[:, :2] - 5.5).T / 6
    score = 3 * a * b + np.where(codes[:, 2] == codes[:, 3], 1.5, -0.5)
    labels = (score[:, None] + rng.logistic(size=(n, n_classes - 1)) > np.arange(n_classes - 1)).sum(axis=1)
    return CodedRows(codes, labels.astype(np.intp), np.array([12, 12, 3, 3]), n_classes)


SINGLES = [single(0, 12), single(1, 12), single(2, 3, FREE), single(3, 3, FREE)]
GRID = tuple(np.arange(12) // 2 for _ in range(2))
SURFACE = TermSpec((0, 1), GRID, "surface", (False, False), family=1)
PAIR = TermSpec((2, 3), (np.arange(3),) * 2, FREE, (False, False), family=1)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_surfaces_and_pairs_find_what_singles_cannot(n_classes):
    rows, new = drawn(2500, n_classes=n_classes), drawn(4000, seed=1, n_classes=n_classes)
    losses = []
    for specs in (SINGLES, [*SINGLES, PAIR], [*SINGLES, PAIR, SURFACE]):
        learned = learn_terms(specs, rows)
        losses.append(log_loss(new.labels, proba_of(scores_of(specs, learned, new.codes))))
    assert losses[2] < 0.97 * losses[1] < 0.94 * losses[0]


def test_triples():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (1500, 3)).astype(np.uint8)
    labels = np.where(rng.random(1500) < 0.1, 1, codes.sum(axis=1)) % 2
    rows = CodedRows(codes, labels.astype(np.intp), np.array([2, 2, 2]), 2)
    triple = TermSpec((0, 1, 2), (np.arange(2),) * 3, FREE, (False,) * 3)
    specs = [*(single(j, 2, FREE) for j in range(3)), triple]
    found = proba_of(scores_of(specs, learn_terms(specs, rows), codes))
    assert ((found[:, 1] > 0.5) == (codes.sum(axis=1) % 2)).all()


def test_tables_are_centred_over_the_rows():
    rows, specs = drawn(600, n_classes=3), [*SINGLES, PAIR, SURFACE]
    learned = learn_terms(specs, rows)
    for spec, table in zip(specs, learned.tables, strict=True):
        one = scores_of([spec], replace(learned, intercept=np.zeros(3), tables=(table,)), rows.codes)
        np.testing.assert_allclose(one.mean(axis=0), 0.0, atol=1e-12)


def test_the_order_of_terms_hardly_matters():
    rows, specs = drawn(600), [*SINGLES, PAIR, SURFACE]
    expected = scores_of(specs, learn_terms(specs, rows), rows.codes)
    turned = specs[::-1]
    np.testing.assert_allclose(scores_of(turned, learn_terms(turned, rows), rows.codes), expected, atol=1e-6)


@pytest.mark.parametrize("n", [600, 9000])
def test_neither_the_order_of_rows_nor_threads_change_a_bit(n, monkeypatch):
    monkeypatch.setattr("gnbayes.kernels.threads._LEAST_VALUES", 0)
    monkeypatch.setattr("gnbayes.model.fitting.training._MANY_ROWS", 8000)
    rows, specs = drawn(n), [*SINGLES, PAIR, SURFACE]
    order = np.random.default_rng(0).permutation(n)
    turned = CodedRows(rows.codes[order], rows.labels[order], rows.cardinalities, 2, n_threads=2)
    expected, found = learn_terms(specs, rows), learn_terms(specs, turned)
    np.testing.assert_array_equal(found.intercept, expected.intercept)
    for table, same in zip(found.tables, expected.tables, strict=True):
        np.testing.assert_array_equal(table, same)


@pytest.mark.parametrize("weights", [None, np.linspace(0.5, 1.5, 600)])
def test_known_counts_change_nothing(weights):
    rows, specs = replace(drawn(600), weights=weights), [*SINGLES, PAIR, SURFACE]
    expected, found = learn_terms(specs, rows), learn_terms(specs, rows, count_terms(rows, specs))
    for table, same in zip(found.tables, expected.tables, strict=True):
        np.testing.assert_array_equal(table, same)


def test_weights_are_numbers_of_rows():
    rows, specs = drawn(300), [*SINGLES, PAIR]
    weights = np.random.default_rng(0).integers(1, 4, 300)
    many = np.repeat(np.arange(300), weights)
    repeated = CodedRows(rows.codes[many], rows.labels[many], rows.cardinalities, 2)
    expected = learn_terms(specs, replace(rows, weights=weights.astype(float)))
    np.testing.assert_array_equal(learn_terms(specs, repeated).tables[0], expected.tables[0])


def test_all_rows_are_learned_from(monkeypatch):
    """A first solution from a few rows is only where all of them start from."""
    rows, new = drawn(6000), drawn(20_000, seed=1)
    specs = [*SINGLES, PAIR, SURFACE]
    monkeypatch.setattr("gnbayes.model.fitting.learn._PENALTY_ROWS", 150)
    monkeypatch.setattr("gnbayes.model.fitting.training._MANY_ROWS", 300)
    of_all = proba_of(scores_of(specs, learn_terms(specs, rows), new.codes))
    monkeypatch.setattr("gnbayes.model.fitting.learn._ALL_ITERATIONS", 0)
    of_few = proba_of(scores_of(specs, learn_terms(specs, rows), new.codes))
    assert log_loss(new.labels, of_all) < log_loss(new.labels, of_few) - 0.005


def rare(n, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    return X, (rng.random(n) < 1 / (1 + np.exp(10.2 - X @ [1.0, 0.8, -0.6, 0.5, 0, 0]))).astype(np.intp)


@pytest.mark.slow
def test_a_class_of_one_in_ten_thousand_is_learned_about_as_well_as_by_logistic_regression():
    (X, y), (X_new, y_new) = rare(500_000, 1), rare(1_000_000, 2)
    assert 30 < y.sum() < 60
    cuts = [np.quantile(column, np.arange(1, 20) / 20) for column in X.T]
    codes, new = (np.stack([np.searchsorted(c, x) for c, x in zip(cuts, Z.T, strict=True)], 1) for Z in (X, X_new))
    specs = [single(j, 20) for j in range(6)]
    learned = learn_terms(specs, CodedRows(codes.astype(np.uint8), y, np.full(6, 20), 2))
    ours = roc_auc_score(y_new, scores_of(specs, learned, new)[:, 1])
    theirs = roc_auc_score(y_new, LogisticRegression().fit(X, y).decision_function(X_new))
    assert theirs > 0.8
    assert ours > theirs - 0.04
