"""Standard errors of averages over unknown features: slopes by finite differences, and what follows for intervals."""

from dataclasses import replace

import numpy as np
import pytest
from mixed_tables import mixed_frame

from gnbayes import GeneralizedNB
from gnbayes.model.averaged_spread import averaged_variance
from gnbayes.model.completion import Completion
from gnbayes.model.term import TermSum
from gnbayes.model.weighted import share_variance

EPSILON = 1e-5


@pytest.fixture(scope="module")
def fitted():
    frame, labels = mixed_frame(200)
    return GeneralizedNB(n_bins=3, n_fits=1).fit(frame, labels), frame


def average(model, terms, codes):
    """Log-odds of the second class in the mean over completions, with other terms."""
    total = TermSum(model.intercept, tuple(terms))
    proba = Completion(model.joint, model.maps, model.within, total).average(codes)[0]
    return np.log(proba[1] / proba[0])


def slopes(model, codes, at):
    """How far the log-odds move with the log-odds in each entry of a table, shape of its rows."""
    term, found = model.terms[at], np.zeros(model.terms[at].rows.shape)
    for cell in np.ndindex(found.shape):
        moved = []
        for side in (-1, 1):
            table = term.table.copy()
            table[cell] += side * EPSILON * np.array([-0.5, 0.5])
            terms = [*model.terms[:at], replace(term, table=table), *model.terms[at + 1 :]]
            moved.append(average(model, terms, codes))
        found[cell] = (moved[1] - moved[0]) / (2 * EPSILON)
    return found


@pytest.mark.parametrize(
    "names", [["age"], ["sex", "age"], pytest.param(["stage", "ward", "age", "smokes"], marks=pytest.mark.slow)]
)
def test_tables_of_unknown_features_count_by_their_slope(fitted, names):
    clf, frame = fitted
    model = clf.model_
    codes = clf._codes(frame.iloc[[7]], names)
    expected = 0.0
    for at, term in enumerate(model.terms):
        if not term.is_known(codes)[0]:
            expected += ((slopes(model, codes, at) * term.spread[..., 1]) ** 2).sum()
    found = averaged_variance(model._completion, model.terms, codes)
    np.testing.assert_allclose(found, [[expected, expected]], rtol=1e-5)


def test_the_known_tables_count_in_full(fitted):
    clf, frame = fitted
    model = clf.model_
    codes = clf._codes(frame.iloc[:5], ["age", "sex"])
    total = model.learned.variance(codes) + averaged_variance(model._completion, model.terms, codes)
    np.testing.assert_allclose(model.score_spread(codes), 2 * np.sqrt(model.learned.spread_ratio * total))
    assert (model.score_spread(codes) > 2 * np.sqrt(model.learned.spread_ratio * model.learned.variance(codes))).all()


def test_rows_without_gaps_do_not_depend_on_others(fitted):
    clf, frame = fitted
    is_unknown = np.zeros(frame.shape, dtype=bool)
    is_unknown[::2] = True
    found = clf.predict_interval(frame[:20], unknown=is_unknown[:20])
    np.testing.assert_array_equal(found[1::2], clf.predict_interval(frame[:20])[1::2])


def test_completions_that_are_sure_give_finite_limits(fitted):
    clf, frame = fitted
    model = clf.model_
    sure = replace(model, learned=replace(model.learned, intercept=np.array([0.0, 800.0])))
    codes = clf._codes(frame.iloc[:2], ["age"])
    assert np.isfinite(sure.score_spread(codes)).all()


def test_the_variance_of_class_shares_is_that_of_multinomial_counts():
    shares = np.array([0.5, 0.3, 0.2])
    logs = np.log(np.random.default_rng(0).multinomial(2000, shares, 20_000) + 0.5)
    drawn = (logs - logs.mean(axis=1, keepdims=True)).var(axis=0)
    np.testing.assert_allclose(share_variance(2000 * shares), drawn, rtol=0.05)


@pytest.mark.parametrize("interactions", ["tree", pytest.param("auto", marks=pytest.mark.slow)])
def test_an_interval_is_not_narrower_than_that_of_the_class_shares(interactions):
    rng = np.random.default_rng(0)
    X, y = np.ones((400, 1)), (np.arange(400) < 40).astype(int)
    X = X if interactions == "tree" else rng.normal(size=(400, 2))
    limits = GeneralizedNB(interactions=interactions, n_fits=1).fit(X, y).predict_interval(X)[:, 1]
    width = np.diff(np.log(limits / (1 - limits)), axis=1)
    assert width.min() >= 2 * 1.6448 * np.sqrt(1 / 40.5 + 1 / 360.5) * 0.9999


def test_weights_that_are_no_numbers_of_rows_leave_the_interval_as_it_is():
    X, y = np.arange(200.0)[:, None], np.arange(200) % 2
    limits = [
        GeneralizedNB(interactions="tree").fit(X, y, sample_weight=np.full(200, weight)).predict_interval(X)
        for weight in (0.005, 0.5)
    ]
    np.testing.assert_allclose(*limits, atol=1e-9)


def test_variances_are_summed_over_the_known_terms(fitted):
    """By a kernel where all are known, and term by term where some are not, with the same bits."""
    clf, frame = fitted
    learned, codes = clf.model_.learned, clf._codes(frame).copy(order="F")
    codes[::3, 1] = np.iinfo(codes.dtype).max
    expected = np.zeros((len(codes), 2))
    for term in learned.terms:
        rows = np.flatnonzero(term.is_known(codes))
        expected[rows] += term.spread.reshape(-1, 2)[term.cells(codes[rows])] ** 2
    assert learned.variance(codes).tobytes() == expected.tobytes()
    assert not replace(learned, terms=()).variance(codes).any()
