import numpy as np
import pytest
from classifiers import counted
from sklearn.base import clone
from sklearn.metrics import accuracy_score

from gnbayes.datasets import load_wdbc
from gnbayes.reproduction.multinomial import multinomial_scores
from gnbayes.reproduction.prepare import Prepared, as_in_the_paper, as_numbers
from gnbayes.reproduction.protocol import draw_splits, honest_protocol, paper_protocol


@pytest.fixture(scope="module")
def rows():
    return as_numbers(load_wdbc())


@pytest.fixture(scope="module")
def paper(rows):
    return paper_protocol(rows, repeats=3)


def test_the_paper_protocol_is_a_plain_fit_on_each_split(rows, paper):
    coded = as_in_the_paper(rows)
    clf = counted("gnb-o", smoothing="paper", categorical_features=range(30))
    measured = paper[1]
    assert (measured.model, measured.smoothing) == ("GNB-O", "paper")
    for i, (train, test) in enumerate(draw_splits(coded, 3, 0)):
        assert len(test) == 86
        for features in ("all", "chosen"):
            number = int(measured.n_features(features)[i])
            fitted = clone(clf).set_params(n_features=number).fit(coded.X[train], coded.y[train])
            right = accuracy_score(coded.y[test], fitted.predict(coded.X[test]))
            assert measured.scores("accuracy", features)[i] == pytest.approx(right)


def test_every_model_is_measured_with_both_kinds_of_smoothing(paper):
    found = [(one.model, one.smoothing) for one in paper]
    assert found == [(m, s) for s in ("paper", "additive") for m in ("GNB-A", "GNB-O", "NB", "TAN")]


def test_the_honest_choice_is_that_of_auto(rows):
    measured = honest_protocol(rows, repeats=2)[0]
    for i, (train, _) in enumerate(draw_splits(rows, 2, 0)):
        assert measured.chosen[i] == counted(n_features="auto").fit(rows.X[train], rows.y[train]).n_features_


def test_the_same_seed_gives_the_same_numbers(rows, paper):
    again, other = paper_protocol(rows, repeats=3), paper_protocol(rows, repeats=3, seed=1)
    for one, two in zip(paper, again, strict=True):
        for score in one.curve.scores:
            np.testing.assert_array_equal(one.curve.scores[score], two.curve.scores[score])
    assert (paper[0].scores("accuracy") != other[0].scores("accuracy")).any()


def test_the_first_splits_of_a_longer_run_are_the_shorter_run(rows, paper):
    shorter = paper_protocol(rows, repeats=2)
    for one, two in zip(paper, shorter, strict=True):
        np.testing.assert_array_equal(one.first(2).scores("f1"), two.scores("f1"))
        np.testing.assert_array_equal(one.first(2).curve.errors["f1"], two.curve.errors["f1"])


def test_splits_keep_groups_together_and_have_both_classes():
    y = np.repeat([0, 1, 1, 1], 5)
    people = Prepared("people", np.zeros((20, 1)), y, (), np.repeat(np.arange(10), 2))
    for train, test in draw_splits(people, 20, 0):
        assert not set(people.groups[train]) & set(people.groups[test])
        assert set(y[test]) == {0, 1}


def test_a_spread_needs_two_splits(rows):
    with pytest.raises(ValueError, match="repeats must be at least 2, to have a spread over the splits, got 1 instead"):
        paper_protocol(rows, repeats=1)


def test_no_number_is_chosen_for_naive_bayes(paper):
    with pytest.raises(ValueError, match="no number of features was chosen for NB with smoothing='paper'"):
        paper[2].n_features("chosen")


def test_progress_ends_at_one(rows):
    shares = []
    paper_protocol(rows, repeats=2, progress=shares.append)
    assert shares == [0.25, 0.5, 0.75, 1.0]


def test_multinomial_takes_no_negative_values(rows):
    below = Prepared("below", rows.X - 100, rows.y, (), rows.groups)
    assert multinomial_scores(below, repeats=2) is None
