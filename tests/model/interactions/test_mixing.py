"""The mean of penalised tables, boosted ones, straight lines and naive Bayes."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, softmax
from sklearn.metrics import log_loss

from gnbayes import GeneralizedNB
from gnbayes.counting import CodedRows
from gnbayes.model import distinct_rows
from gnbayes.model.fitting import FittedTables, HeldOut, TermSpec
from gnbayes.model.interactions import mixing, several
from gnbayes.model.interactions.folding import Fit


def steep(n, seed=0):
    """A class that changes at once, at a value of each of three features."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    is_in = (X[:, 0] > -0.5) & (X[:, 1] < 0.5) & (X[:, 2] > -0.3)
    return X, np.where(rng.random(n) < 0.02, ~is_in, is_in).astype(int)


def smooth(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, (X[:, 0] + X[:, 1] + rng.logistic(size=n) > 0).astype(int)


@pytest.fixture(name="shares")
def _shares(monkeypatch):
    """Shares of boosted tables, lines and naive Bayes, as they are found."""
    found, original = [], mixing._share

    def share(*given):
        found.append(original(*given))
        return found[-1]

    monkeypatch.setattr(mixing, "_share", share)
    return found


def loss(clf, rows):
    X, y = rows
    return log_loss(y, clf.predict_proba(X))


def alone(monkeypatch, rows):
    """The same without other ways to fit."""
    with monkeypatch.context() as patch:
        patch.setattr(several, "mix_with_others", lambda fit, *_: fit)
        return GeneralizedNB(n_fits=1).fit(*rows)


@pytest.mark.slow
def test_steep_tables_are_boosted(monkeypatch, shares):
    clf = GeneralizedNB(n_fits=1).fit(*steep(2500))
    assert shares[0] > 0.6
    assert loss(clf, steep(4000, 1)) < 0.9 * loss(alone(monkeypatch, steep(2500)), steep(4000, 1))


def test_smooth_tables_are_not_the_worse_for_it(monkeypatch, shares):
    clf = GeneralizedNB(n_fits=1).fit(*smooth(800))
    assert shares[0] < 0.5
    assert loss(clf, smooth(4000, 1)) < loss(alone(monkeypatch, smooth(800)), smooth(4000, 1)) + 0.005


def straight(n, seed=0):
    """Log-odds that are linear in the ranks of many features."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 12))
    return X, ((2 * X - 1) @ np.linspace(1, 3, 12) + rng.logistic(size=n) > 0).astype(int)


def independent(n, seed=0):
    """Categories that are independent given the class, as naive Bayes assumes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    shares = np.random.default_rng(7).dirichlet(np.full(4, 1.5), (20, 3)).cumsum(axis=-1)
    X = (rng.random((20, n, 1)) > shares[np.arange(20)[:, None], y]).sum(axis=-1).T
    return pd.DataFrame(X.astype(str)), y


@pytest.mark.parametrize(("table", "at", "gain"), [(straight, 1, 0.97), (independent, 1, 0.9)])
def test_a_simpler_model_that_holds_is_used(monkeypatch, shares, table, at, gain):
    clf = GeneralizedNB(n_fits=1).fit(*table(200))
    assert shares[at] > 0.3
    assert loss(clf, table(3000, 1)) < gain * loss(alone(monkeypatch, table(200)), table(3000, 1))


@pytest.mark.parametrize("against", [0.0, 3.0])
def test_the_share_is_that_of_its_literal_twin(against):
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 3, 40)
    scores, others = (rng.normal(size=(40, 3)) + np.eye(3)[labels] for _ in range(2))
    held_out = held_out_rows(scores, labels)
    other = np.repeat(others[held_out.rows.index][:, None], 2, axis=1)
    weights = []
    for share in mixing._SHARES:
        weight = np.exp(-against * share)
        for row, label in enumerate(held_out.rows.labels):
            mean = (1 - share) * held_out.scores[row, row % 2] + share * other[row, row % 2]
            weight *= softmax(mean)[label]
        weights.append(weight)
    assert mixing._share(held_out, other, against) == pytest.approx(np.average(mixing._SHARES, weights=weights))


def test_shares_are_of_the_mean_of_all_before():
    def fit(score):
        return Fit([], FittedTables(np.array([-score, score]), ()))

    trial = SimpleNamespace(mixture=lambda: mixing.Mixture(((fit(2.0), 0.5), (fit(8.0), 0.25)), 2.0))
    mixed = mixing.mix_with_others(fit(4.0), trial)
    assert mixed.fitted.intercept.tolist() == [-8.5, 8.5]  # 2 * (0.75 * (0.5 * 4 + 0.5 * 2) + 0.25 * 8)


def test_a_small_share_is_not_worth_the_tables(monkeypatch):
    monkeypatch.setattr(mixing, "_share", lambda *_: 0.04)
    monkeypatch.setattr(mixing, "_scale", lambda *_: 1.0)
    rows = smooth(400)
    found = GeneralizedNB(n_fits=1).fit(*rows).predict_proba(rows[0])
    np.testing.assert_array_equal(found, alone(monkeypatch, rows).predict_proba(rows[0]))


def held_out_rows(scores, labels):
    """Every row held out once, in one of two folds."""
    distinct = distinct_rows(np.arange(len(labels))[:, None], labels, None, int(labels.max()) + 1)
    weights = (np.arange(len(labels))[:, None] % 2 == np.arange(2)).astype(float)
    return HeldOut(distinct, weights, np.repeat(scores[distinct.index][:, None], 2, axis=1))


@pytest.mark.parametrize("n_columns", [1, 3])
def test_the_scale_is_that_of_its_literal_twin(n_columns):
    rng = np.random.default_rng(0)
    scores, labels = 2 * rng.normal(size=(60, n_columns)), rng.integers(0, max(n_columns, 2), 60)
    held_out = held_out_rows(scores, labels)
    labels, k = held_out.rows.labels, max(n_columns, 2)
    likelihoods = []
    for scale in mixing._SCALES:
        likelihood = 1.0
        for row, label in enumerate(labels):
            own = scale * held_out.scores[row, 0]
            p = softmax(np.array([0.0, own[0]]) if n_columns == 1 else own)
            likelihood *= p[label] * np.prod(p ** (0.5 / k / len(labels)))
        likelihoods.append(likelihood)
    twin = np.average(mixing._SCALES, weights=likelihoods)
    assert mixing._scale(held_out, held_out.scores) == pytest.approx(twin, rel=1e-9)


@pytest.mark.parametrize(("size", "share_wrong", "least", "most"), [(6.0, 0.1, 0.39, 0.42), (12.0, 0.0, 0.4, 0.9)])
def test_scores_that_are_too_large_are_scaled_down_even_if_no_row_is_wrong(size, share_wrong, least, most):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 400)
    is_right = rng.random(400) >= share_wrong
    held_out = held_out_rows(np.where((labels == 1) == is_right, size, -size)[:, None], labels)
    assert least < mixing._scale(held_out, held_out.scores) < most


@pytest.mark.parametrize(("most", "n_scaled"), [(10_000, 1), (200, 0)])
def test_scores_are_scaled_only_if_all_rows_choose_the_penalties(monkeypatch, most, n_scaled):
    monkeypatch.setattr("gnbayes.model.fitting.learn._BALANCE_ROWS", most)
    seen = []
    monkeypatch.setattr(mixing, "_scale", lambda *found: seen.append(found) or 1.0)
    GeneralizedNB(n_fits=1).fit(*smooth(600))
    assert len(seen) == n_scaled


def test_tables_fitted_in_other_ways_have_no_standard_errors():
    spec, own, other = SimpleNamespace(), np.array([[-1.0, 1.0], [2.0, -2.0]]), np.array([[0.5, -0.5]])
    fit = Fit([spec], FittedTables(np.zeros(2), (own,), (np.ones((2, 2)),)))
    parts = ((Fit([spec], FittedTables(np.ones(2), (other,))), 0.25),)
    trial = SimpleNamespace(mixture=lambda: mixing.Mixture(parts, 2.0))
    mixed = mixing.mix_with_others(fit, trial).fitted
    np.testing.assert_array_equal(mixed.intercept, [0.5, 0.5])
    for found, expected in zip(mixed.tables, (1.5 * own, 0.5 * other), strict=True):
        np.testing.assert_array_equal(found, expected)
    for found, expected in zip(mixed.spreads, (np.full((2, 2), 2.0), np.zeros((1, 2))), strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.slow
def test_of_many_rows_some_tell_the_number_of_rounds(monkeypatch):
    monkeypatch.setattr("gnbayes.model.boosting.many._MOST_ROWS", 500)
    monkeypatch.setattr("gnbayes.model.fitting.learn._BALANCE_ROWS", 300)
    assert loss(GeneralizedNB().fit(*steep(1200)), steep(2000, 1)) < 0.25


def judging(monkeypatch):
    """Samples of 3,000 rows, of which about 300 choose penalties."""
    monkeypatch.setattr("gnbayes.model.fitting.training._MANY_ROWS", 3000)
    monkeypatch.setattr("gnbayes.model.fitting.learn._BALANCE_ROWS", 300)
    monkeypatch.setattr("gnbayes.model.fitting.families._LEAST_JUDGES", 100)
    judged, judge = [], mixing.Trial.judge
    monkeypatch.setattr(mixing.Trial, "judge", lambda trial, rows: (judged.append(rows), judge(trial, rows)))
    return judged


def test_of_very_many_rows_some_judge(monkeypatch, shares):
    judged = judging(monkeypatch)
    used, begin, go_on = {}, mixing.Trial.begin, mixing.Trial.go_on

    def spy(name, original):
        return lambda trial, *given: (used.update({name: given}), original(trial, *given))

    monkeypatch.setattr(mixing.Trial, "begin", spy("few", begin))
    monkeypatch.setattr(mixing.Trial, "go_on", spy("all", go_on))
    clf = GeneralizedNB().fit(*smooth(6000))
    (judges,) = judged
    few, rest = used["few"][0], used["all"][1]
    assert 150 < len(judges.rows) < 350
    assert not np.isin(judges.rows.index, few.index).any()
    # Of rows with several duplicates, some may be on either side.
    assert np.isin(judges.rows.index, rest.index).mean() < 0.05
    assert judges.scores.shape == (len(judges.rows), 1, 1)
    X, y = smooth(4000, 1)
    assert loss(clf, (X, y)) < log_loss(y, expit(X[:, 0] + X[:, 1])) + 0.01


def test_too_few_rows_do_not_judge(monkeypatch):
    judged = judging(monkeypatch)
    monkeypatch.setattr("gnbayes.model.fitting.families._LEAST_JUDGES", 1000)
    GeneralizedNB().fit(*smooth(6000))
    assert judged == [None]


def test_the_shares_of_judged_ways_are_those_of_their_literal_twins(monkeypatch):
    rng = np.random.default_rng(0)
    codes, labels = rng.integers(0, 3, (500, 2)).astype(np.uint8), rng.integers(0, 2, 500)
    rows = CodedRows(codes, labels, np.array([3, 3]), 2)
    some = distinct_rows(np.arange(500)[:, None], labels, None, 2)
    tables = rng.normal(size=(2, 3, 2)) / 3
    fits = [
        Fit([TermSpec((j,), (np.arange(3),), "free", (False,))], FittedTables(np.array([0.1, -0.2]), (tables[j],)))
        for j in range(2)
    ]
    own = rng.normal(size=500) / 3
    held_out = HeldOut(some, some.weights[:, None], own[:, None, None])
    found = mixing._judged_parts([(fit, 0.5) for fit in fits], held_out, rows)
    expected, current = [], own
    for j, fit in enumerate(fits):
        scores = np.array([[-0.2 - 0.1 + tables[j][code, 1] - tables[j][code, 0]] for code in codes[some.index, j]])
        share = mixing._share(HeldOut(some, some.weights[:, None], current[:, None, None]), scores[:, None])
        if share >= 0.05:
            expected.append((fit, share))
            current = (1 - share) * current + share * scores[:, 0]
    assert [fit for fit, _ in found] == [fit for fit, _ in expected]
    assert [share for _, share in found] == pytest.approx([share for _, share in expected], rel=1e-12)
    assert mixing._judged_parts([(fits[0], 0.3)], None, rows) == [(fits[0], 0.3)]


@pytest.mark.parametrize("table", [steep, smooth])
def test_judges_do_not_depend_on_threads_nor_on_the_order_of_rows(monkeypatch, table):
    judging(monkeypatch)
    monkeypatch.setattr("gnbayes.kernels.threads._LEAST_VALUES", 0)
    X, y = table(6000)
    proba = GeneralizedNB().fit(X, y).predict_proba(X)
    order = np.random.default_rng(0).permutation(6000)
    np.testing.assert_array_equal(GeneralizedNB(n_jobs=2).fit(X[order], y[order]).predict_proba(X), proba)


def test_trees_that_help_no_more_are_left_out(monkeypatch):
    monkeypatch.setattr("gnbayes.model.fitting.learn._BALANCE_ROWS", 300)
    monkeypatch.setattr(mixing, "boost_many", lambda *_: SimpleNamespace(trees=()))
    mixed, mix = [], mixing.mix_with_others
    monkeypatch.setattr(several, "mix_with_others", lambda fit, trial: mixed.append(trial.mixture()) or mix(fit, trial))
    table = steep(1200)
    assert loss(GeneralizedNB().fit(*table), table) < 0.6
    assert all(len(fit.specs) <= 6 for fit, _ in mixed[0].parts)  # lines and naive Bayes have no pairs
