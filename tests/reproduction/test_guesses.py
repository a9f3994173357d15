import os
from collections import Counter

import numpy as np
import pytest
from classifiers import counted
from sklearn.metrics import precision_score, recall_score
from sklearn.naive_bayes import MultinomialNB

from gnbayes.datasets import fetch_diabetes, load_wdbc
from gnbayes.reproduction.guesses import GUESSES, try_guesses
from gnbayes.reproduction.prepare import Prepared, as_averages, as_in_the_program, as_numbers
from gnbayes.reproduction.protocol import draw_splits

needs_files = pytest.mark.skipif("GNBAYES_DATA" not in os.environ, reason="GNBAYES_DATA names no folder with the files")


@pytest.fixture(scope="module")
def wdbc_numbers():
    return as_numbers(load_wdbc())


def guess_of(structure, title):
    return next(guess for guess in GUESSES if (guess.structure, guess.title) == (structure, title))


def test_titles_are_unique_and_bases_exist():
    names = Counter((guess.structure, guess.title) for guess in GUESSES)
    assert set(names.values()) == {1}
    for guess in GUESSES:
        assert bool(guess.only) == bool(guess.base)
        assert guess.base in ("", "text", "program") or (guess.structure, guess.base) in names


def frequencies(codes, labels, mother, row, y):
    """P(y, x) by relative frequencies alone, straight from the rows."""
    share = np.mean(labels == y)
    for j, m in enumerate(mother):
        given = (labels == y) & (True if m < 0 else codes[:, m] == row[m])
        share *= (given & (codes[:, j] == row[j])).sum() / given.sum() if given.any() else 0.0
    return share


@pytest.mark.parametrize(("said", "label"), [("negative", 1), ("positive", 0)])
def test_zeros_that_stay(wdbc_numbers, said, label):
    guess = guess_of("tan", f"zeros not repaired, impossible rows {said}")
    rows = guess.prepare(wdbc_numbers)
    train, test = next(draw_splits(rows, 2, 0))
    joint = guess.scores(rows, train, test)
    tree = counted("tan", information="plug-in", categorical_features=range(30)).fit(rows.X[train], rows.y[train]).tree_
    expected = np.array(
        [
            [frequencies(rows.X[train], rows.y[train], tree.mother.tolist(), row, y) for y in (0, 1)]
            for row in rows.X[test]
        ]
    )
    is_impossible = expected.max(axis=1) == 0
    assert 0 < is_impossible.sum() < 30
    np.testing.assert_array_equal(np.argmax(joint[is_impossible], axis=1), label)
    possible = np.exp(joint[~is_impossible])
    np.testing.assert_allclose(possible, expected[~is_impossible], rtol=1e-9, atol=1e-200)


@pytest.mark.slow
@pytest.mark.parametrize("is_turned", [False, True])
def test_the_multinomial_guess_is_scikit_learns(wdbc_numbers, is_turned):
    title = "MultinomialNB of averages" + is_turned * ", Negative as the positive class"
    diabetes = Prepared("diabetes", wdbc_numbers.X, wdbc_numbers.y, (), wdbc_numbers.groups)
    found = {row.score: row for row in try_guesses(diabetes, repeats=2) if (row.model, row.reading) == ("NB", title)}
    rows = as_averages(diabetes)
    scores = []
    for train, test in draw_splits(rows, 2, 0):
        said = MultinomialNB().fit(rows.X[train], rows.y[train]).predict(rows.X[test])
        scores.append([score(rows.y[test], said, pos_label=1 - is_turned) for score in (precision_score, recall_score)])
    means = np.mean(scores, axis=0)
    assert [found["precision"].mean, found["recall"].mean] == pytest.approx(means)
    assert found["precision"].published == 0.8243


def test_columns_with_negative_values_are_left_out(wdbc_numbers):
    below = wdbc_numbers.X.copy()
    below[:, 3] -= 1e6
    rows = guess_of("nb", "MultinomialNB of values").prepare(Prepared("below", below, wdbc_numbers.y, (), None))
    np.testing.assert_array_equal(rows.X, np.delete(wdbc_numbers.X, 3, axis=1))


@pytest.mark.slow
def test_a_guess_about_one_data_set_is_tried_there_only(wdbc_numbers):
    found = {(row.model, row.reading) for row in try_guesses(wdbc_numbers, repeats=2)}
    assert found == {(guess.model, guess.title) for guess in GUESSES if not guess.only}


@needs_files
def test_with_whole_ages_both_algorithms_learn_a_star_around_the_age():
    rows = as_in_the_program(as_numbers(fetch_diabetes()), uncut=(0,))
    for train, _ in draw_splits(rows, 5, 0):
        for structure in ("gnb-a", "gnb-o"):
            clf = counted(structure, information="plug-in", categorical_features=range(16)).fit(
                rows.X[train], rows.y[train]
            )
            edges = {frozenset(edge) for edge in clf.tree_.edges.tolist()}
            assert edges == {frozenset((0, j)) for j in range(1, 16)}
