import numpy as np
import pytest
from classifiers import counted
from sklearn.metrics import accuracy_score, recall_score

from gnbayes import selection_curve
from gnbayes.datasets import load_wdbc
from gnbayes.reproduction.prepare import Prepared, as_in_the_paper, as_in_the_program, as_numbers
from gnbayes.reproduction.protocol import draw_splits, honest_protocol, paper_protocol


@pytest.fixture(scope="module")
def rows():
    return as_numbers(load_wdbc())


@pytest.fixture(scope="module")
def paper(rows):
    return paper_protocol(rows, repeats=3)


@pytest.mark.parametrize(
    ("at", "reading", "prepare", "smoothing"),
    [
        (1, "text", as_in_the_paper, "paper"),
        (5, "program", as_in_the_program, "repair"),
        (9, "library", as_in_the_paper, "additive"),
    ],
)
def test_a_reading_is_a_plain_fit_on_each_split(rows, paper, at, reading, prepare, smoothing):
    coded = prepare(rows)
    clf = counted("gnb-o", smoothing=smoothing, information="plug-in", categorical_features=range(30))
    measured = paper[at]
    assert (measured.model, measured.reading) == ("GNB-O", reading)
    for i, (train, test) in enumerate(draw_splits(coded, 3, 0)):
        assert len(test) == 86
        said = clf.fit(coded.X[train], coded.y[train]).predict(coded.X[test])
        assert measured.scores("accuracy")[i] == pytest.approx(accuracy_score(coded.y[test], said))
        malignant = coded.positive
        recall = recall_score(coded.y[test], said, pos_label=malignant)
        assert measured.scores("recall")[i] == pytest.approx(recall)
        assert rows.y[test].sum() == (coded.y[test] == malignant).sum()


def test_every_model_is_measured_in_every_reading(paper):
    found = [(one.model, one.reading) for one in paper]
    assert found == [(m, r) for r in ("text", "program", "library") for m in ("GNB-A", "GNB-O", "NB", "TAN")]


def test_a_tie_goes_to_the_positive_class_in_the_program():
    # One column that tells nothing, and as many rows of each class: every row is a tie.
    X, y = np.tile([[0.0], [1.0]], (20, 1)), np.repeat([0, 1], 20)
    tied = Prepared("wdbc", X, y, (), np.arange(40))
    assert (paper_protocol(tied, repeats=2)[4].scores("recall") == 1).all()


def test_the_honest_choice_has_the_least_leave_one_out_log_loss(rows):
    measured = honest_protocol(rows, repeats=2)[0]
    for i, (train, _) in enumerate(draw_splits(rows, 2, 0)):
        curve = selection_curve(counted(), rows.X[train], rows.y[train], cv="loo", scoring="neg_log_loss")
        assert measured.chosen[i] == curve.best("neg_log_loss")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_numbers(rows, paper):
    again, other = paper_protocol(rows, repeats=3), paper_protocol(rows, repeats=3, seed=1)
    for one, two in zip(paper, again, strict=True):
        for score in one.curve.scores:
            np.testing.assert_array_equal(one.curve.scores[score], two.curve.scores[score])
    assert (paper[0].scores("accuracy") != other[0].scores("accuracy")).any()


@pytest.fixture(scope="module")
def shorter_and_shares(rows):
    """A run of fewer splits, and the shares of it that were reported as done."""
    shares = []
    return paper_protocol(rows, repeats=2, progress=shares.append), shares


def test_the_first_splits_of_a_longer_run_are_the_shorter_run(paper, shorter_and_shares):
    shorter, _ = shorter_and_shares
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
    with pytest.raises(ValueError, match="no number of features was chosen for NB in the paper's protocol"):
        paper[2].n_features("chosen")


def test_progress_ends_at_one(shorter_and_shares):
    _, shares = shorter_and_shares
    assert shares == pytest.approx(np.arange(1, 7) / 6)
