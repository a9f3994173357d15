"""Pairs beyond the tree, from sums over sites: the ones that a fit on all rows would choose."""

import numpy as np
import pandas as pd
import pytest
from round_tables import Recorder, round_sites, weighted_features
from sklearn.metrics import log_loss

from gnbayes import GeneralizedNB
from gnbayes.encoding import encode, read_frame
from gnbayes.model.interactions.gains import Residuals, second_order_gains
from gnbayes.sites.rounds import CountQuestion, SumQuestion, fit_rounds

COLUMNS = list("abcdef")


def crossed(n, seed=0):
    """Two classes that hang on a and b, c and d, together, and on e by itself."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({name: rng.normal(size=n).round(2) for name in COLUMNS})
    score = 2.5 * np.sign(table["a"] * table["b"]) + 1.5 * np.sign(table["c"] * table["d"]) + table["e"]
    table["y"] = np.where(rng.random(n) < 1 / (1 + np.exp(-score)), "u", "v")
    return table


def unequal_sites(table):
    return [table[:100], table[100:300], table[300:]]


@pytest.fixture(scope="module")
def table():
    return crossed(900)


@pytest.fixture(scope="module")
def fitted(table):
    features = weighted_features(unequal_sites(table))
    sites = [Recorder(site) for site in round_sites(unequal_sites(table), features)]
    return fit_rounds(GeneralizedNB("nb", interactions=3), features, sites), features, sites


def asked_for_gains(sites):
    """The question by which pairs were chosen: the first with tables that add nothing."""
    for at, question in enumerate(sites[0].questions):
        if isinstance(question, SumQuestion) and len(question.tables) > len(COLUMNS):
            return at, question
    raise AssertionError


@pytest.mark.slow
def test_the_pairs_that_matter_are_chosen(fitted):
    pairs = {term.features for term in fitted[0].model_.terms if len(term.features) == 2}
    assert {(0, 1), (2, 3)} <= pairs
    assert len(pairs) == 3


@pytest.mark.slow
def test_gains_are_those_of_the_rows(table, fitted):
    """The sums of all sites give the gains that the residuals of all rows give."""
    _, features, sites = fitted
    at, question = asked_for_gains(sites)
    total = sum((site.answers[at] for site in sites[1:]), sites[0].answers[at])
    codes = encode(read_frame(table.drop(columns="y")), features.features)
    labels = np.searchsorted(features.classes, table["y"].to_numpy())
    singles, pairs = question.tables[: len(COLUMNS)], question.tables[len(COLUMNS) :]
    starts = np.cumsum([1, *(spec.n_cells for spec in question.tables)])
    scores = question.scores[0, 0] + sum(
        question.scores[start + spec.cells(codes).astype(int), 0] for start, spec in zip(starts, singles, strict=False)
    )
    residuals = Residuals.of(scores, labels, np.ones(len(codes)))
    for start, spec in zip(starts[len(COLUMNS) :], pairs, strict=False):
        mapped = [own[codes[:, j]] for j, own in zip(spec.features, spec.maps, strict=True)]
        expected = second_order_gains([tuple(range(len(mapped)))], mapped, spec.shape, residuals)[0]
        own = slice(start, start + spec.n_cells)
        first, second = (total.numbers[name][own, 0, 0] / 2**20 for name in ("gradient", "curvature"))
        assert ((first**2 - second) / (second + 5)).sum() == pytest.approx(expected, abs=1e-2)


@pytest.mark.slow
def test_the_model_predicts_as_that_of_all_rows(table, fitted):
    new = crossed(3000, 1)
    pooled = GeneralizedNB("nb", interactions=3).fit(table.drop(columns="y"), table["y"])
    losses = [log_loss(new["y"], clf.predict_proba(new.drop(columns="y"))) for clf in (fitted[0], pooled)]
    # The fit to all rows is a mean with boosted trees, which also choose its bins; rounds do without them.
    assert losses[0] < losses[1] + 0.03
    alone = GeneralizedNB("nb").fit(table.drop(columns="y"), table["y"])
    assert losses[0] < log_loss(new["y"], alone.predict_proba(new.drop(columns="y"))) - 0.1


@pytest.mark.slow
def test_rows_of_terms_are_those_of_all_sites(table, fitted):
    for term in fitted[0].model_.terms:
        assert term.rows.sum() == len(table)
        assert term.spread is None


@pytest.mark.slow
def test_the_number_of_rounds(fitted):
    questions = fitted[2][0].questions
    kinds = [
        "counts" if isinstance(each, CountQuestion) else "losses" if each.only_losses else "sums" for each in questions
    ]
    assert kinds[:2] == ["counts", "counts"]
    assert kinds[-1] == "counts"
    assert 1 <= kinds.count("losses") <= 3
    assert len(questions) <= 30


@pytest.mark.slow
def test_rows_that_choose_pairs_are_not_held_out(fitted):
    questions = fitted[2][0].questions
    at, choosing = asked_for_gains(fitted[2])
    held_out = {part for each in questions[at + 1 :] if isinstance(each, SumQuestion) for part in each.held_out}
    assert set(choosing.held_out) & held_out == {None}


@pytest.mark.slow
def test_named_pairs(table):
    features = weighted_features([table])
    clf = fit_rounds(
        GeneralizedNB(interactions=[("a", "b")], monotonic_cst={"e": -1}), features, round_sites([table], features)
    )
    assert {term.features for term in clf.model_.terms if len(term.features) == 2} == {(0, 1)}
    table_of_e = next(term.table for term in clf.model_.terms if term.features == (4,))
    assert (np.diff(table_of_e[:, 1] - table_of_e[:, 0]) <= 1e-12).all()


def test_few_rows_choose_no_pairs():
    table = crossed(400)
    features = weighted_features([table])
    clf = fit_rounds(GeneralizedNB("nb", interactions=3), features, round_sites([table], features))
    assert all(len(term.features) == 1 for term in clf.model_.terms)
