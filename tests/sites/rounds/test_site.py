"""What a site answers: the sums that the definitions say, over its rows and no others."""

from dataclasses import replace

import numpy as np
import pytest
from round_tables import three_sites, weighted_features

from gnbayes.encoding import encode, read_frame
from gnbayes.sites.rounds import CountQuestion, RoundSite, SumQuestion
from gnbayes.sites.rounds.questions import PARTS
from gnbayes.sites.rounds.tables import all_cells


def literal_sums(features, question, frame, problem):
    """Loss, gradient and curvature of one problem, row by row; all rows, none held out."""
    codes = encode(read_frame(frame.drop(columns="y")), features.features)
    layout = all_cells(question.tables)
    starts = np.cumsum([1, *layout.sizes])
    labels = np.searchsorted(features.classes, frame["y"].to_numpy())
    gradient, curvature, loss = np.zeros(question.scores.shape[::2]), np.zeros(question.scores.shape[::2]), 0.0
    for row, label in zip(codes, labels, strict=True):
        own = [0, *(start + int(spec.cells(row[None])[0]) for start, spec in zip(starts, layout.specs, strict=False))]
        scores = question.scores[own, problem].sum(axis=0)
        proba = np.exp(scores) / np.exp(scores).sum()
        loss -= np.log(proba[label])
        for cell in own:
            gradient[cell] += proba - (np.arange(3) == label)
            curvature[cell] += proba * (1 - proba)
    return loss, gradient, curvature


def test_sums_are_what_the_definitions_say(frame, recorded):
    features, sites, _ = recorded
    at = next(at for at, question in enumerate(sites[0].questions) if isinstance(question, SumQuestion)) + 3
    question = sites[0].questions[at]
    for part, site in zip(three_sites(frame), sites, strict=True):
        loss, gradient, curvature = literal_sums(features, question, part, 0)
        numbers = site.answers[at].numbers
        assert numbers["losses"][0] / PARTS == pytest.approx(loss, abs=1e-5)
        assert np.allclose(numbers["gradient"][:, 0] / PARTS, gradient, atol=1e-6)
        assert np.allclose(numbers["curvature"][:, 0] / PARTS, curvature, atol=1e-6)
        assert numbers["held_out"][0] == 0


def test_answers_of_sites_add_up_to_that_of_all_rows(frame, recorded):
    features, sites, _ = recorded
    everything = RoundSite("all", features, [frame[:50], frame[50:]])
    for at, question in enumerate(sites[0].questions[:5]):
        total = sum((site.answers[at] for site in sites[1:]), sites[0].answers[at])
        for name, numbers in everything(question).numbers.items():
            # Counts are exact; sums are rounded at each site.
            assert np.abs(numbers - total.numbers[name]).max() <= (0 if isinstance(question, CountQuestion) else 4)


def test_parts_of_the_rows_make_up_all_of_them(recorded):
    _, sites, _ = recorded
    question = next(question for question in sites[0].questions if isinstance(question, SumQuestion))
    scores = np.ascontiguousarray(question.scores[:, [0, 0, 0, 0]])
    four = replace(question, held_out=(None, 0, 1, 2), n_parts=3, scores=scores)
    numbers = sites[0].site(four).numbers
    assert numbers["held_out"][1:].sum() == pytest.approx(numbers["losses"][0], abs=3)
    assert np.allclose(numbers["losses"][1:] + numbers["held_out"][1:], numbers["losses"][0], atol=3)
    assert np.allclose(numbers["gradient"][:, 1:].sum(axis=1), 2 * numbers["gradient"][:, 0], atol=4)


def test_losses_alone_are_those_beside_gradients(recorded):
    _, sites, _ = recorded
    question = sites[0].questions[-1]
    assert isinstance(question, SumQuestion)
    numbers = sites[0].site(replace(question, only_losses=True)).numbers
    assert set(numbers) == {"losses", "held_out"}
    for name in numbers:
        assert np.array_equal(numbers[name], sites[0].answers[-1].numbers[name])


class TestQuestionsThatAreNotAnswered:
    def test_other_features(self, frame, recorded):
        _, sites, _ = recorded
        other = RoundSite("x", weighted_features([frame[:200]]), [frame[:200]])
        with pytest.raises(ValueError, match="the question was made with other Features"):
            other(sites[0].questions[0])

    def test_scores_that_single_out_rows(self, recorded):
        _, sites, _ = recorded
        question = sites[0].questions[3]
        with pytest.raises(ValueError, match="scores beyond 50, by which sums could single out rows"):
            sites[0].site(replace(question, scores=question.scores + 60.0))
        with pytest.raises(ValueError, match="scores beyond 50"):
            sites[0].site(replace(question, scores=question.scores * np.nan))

    def test_scores_of_other_tables(self, recorded):
        _, sites, _ = recorded
        question = sites[0].questions[3]
        with pytest.raises(ValueError, match="the scores of the question do not fit its tables"):
            sites[0].site(replace(question, scores=np.ascontiguousarray(question.scores[:-1])))


def test_a_site_needs_a_name_and_rows(frame, recorded):
    features, _, _ = recorded
    with pytest.raises(ValueError, match="a site needs a name"):
        RoundSite("", features, [frame])
    with pytest.raises(ValueError, match="there are no rows to answer the question from"):
        RoundSite("a", features, [frame[:0]])
