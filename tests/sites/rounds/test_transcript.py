"""Rounds by files: the answers so far say what comes next."""

import json

import numpy as np
import pytest

from gnbayes import GeneralizedNB
from gnbayes.documents import checksum
from gnbayes.sites import SiteFileError
from gnbayes.sites.rounds import (
    Answer,
    load_answer,
    load_question,
    next_question,
    question_id,
    reveals_answer,
    save_answer,
    save_question,
)


def answers_to(sites, n_rounds):
    return [answer for site in sites for answer in site.answers[:n_rounds]]


@pytest.mark.slow
def test_answers_lead_to_the_same_questions_and_model(frame, recorded):
    features, sites, clf = recorded
    for n_rounds in (0, 1, 2, 7):
        question = next_question(GeneralizedNB(), features, answers_to(sites, n_rounds))
        assert question_id(question) == question_id(sites[0].questions[n_rounds])
    other = GeneralizedNB()
    assert next_question(other, features, answers_to(sites, None)[::-1]) is None
    X = frame.drop(columns="y")
    assert np.array_equal(other.predict_proba(X), clf.predict_proba(X))


def test_sums_that_were_added_by_somebody_else(recorded):
    features, sites, _ = recorded
    added = [sites[0].answers[at] + sites[1].answers[at] + sites[2].answers[at] for at in range(3)]
    assert question_id(next_question(GeneralizedNB(), features, added)) == question_id(sites[0].questions[3])


def test_a_site_that_has_not_answered(recorded):
    features, sites, _ = recorded
    answers = [*answers_to(sites, 1), sites[0].answers[1], sites[2].answers[1]]
    with pytest.raises(ValueError, match="site 'b' has not answered every question up to number 2"):
        next_question(GeneralizedNB(), features, answers)


def test_the_same_answer_twice(recorded):
    features, sites, _ = recorded
    with pytest.raises(ValueError, match="site 'a' has answered twice"):
        next_question(GeneralizedNB(), features, [*answers_to(sites, 1), sites[0].answers[0]])


def test_an_answer_to_a_question_that_was_not_asked(recorded):
    features, sites, _ = recorded
    stray = Answer("sha256:77", ("a",), sites[0].answers[0].numbers)
    with pytest.raises(ValueError, match="an answer of site 'a' is to a question that does not follow"):
        next_question(GeneralizedNB(), features, [*answers_to(sites, 1), stray])
    with pytest.raises(ValueError, match="to a question that does not follow from the other answers"):
        next_question(GeneralizedNB("nb"), features, answers_to(sites, 3))


def test_files_hold_all_of_questions_and_answers(recorded, tmp_path):
    features, sites, _ = recorded
    for at in (0, 1, 4, 11):
        save_question(sites[0].questions[at], tmp_path / "question.json")
        question = load_question(tmp_path / "question.json", features)
        assert question_id(question) == question_id(sites[0].questions[at])
        save_answer(sites[0].answers[at], tmp_path / "answer.json")
        answer = load_answer(tmp_path / "answer.json")
        assert answer.sites == ("a",)
        for name, numbers in sites[0].answers[at].numbers.items():
            assert np.array_equal(answer.numbers[name], numbers.ravel())


def test_the_id_of_a_question_stays_whatever_words_later_versions_use(recorded, monkeypatch):
    question = recorded[1][0].questions[0]
    before = question_id(question)
    monkeypatch.setattr("gnbayes.sites.rounds.question_file._REVEALS", "Other words.")
    assert question_id(question) == before


def test_answers_say_what_they_reveal(recorded):
    counts, sums = recorded[1][0].answers[0], recorded[1][0].answers[5]
    assert "The number of rows with each value of every column" in reveals_answer(counts)
    assert "a cell with a single row shows what the model predicts for it" in reveals_answer(sums)
    assert str(sum(part.size for part in sums.numbers.values())) in reveals_answer(sums)


def changed(path, kind, change):
    document = json.loads(path.read_text())
    change(document[kind])
    document["checksum"] = checksum(document[kind])
    path.write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("at", "change", "message"),
    [
        (0, lambda q: q.update(number=0), "question.number must be from 1 to 40"),
        (0, lambda q: q.update(number=10**9), "question.number must be from 1 to 40"),
        (0, lambda q: q.update(fingerprint="x"), "question.fingerprint must be that of the Features"),
        (0, lambda q: q.update(asks_for="rows"), "question.asks_for must be counts, sums or losses"),
        (0, lambda q: q["codes"].pop(), "question.codes must be one list per column"),
        (0, lambda q: q["codes"][0].__setitem__(0, 9999), "question.codes must be codes from 0 on"),
        (0, lambda q: q["codes"].__setitem__(0, []), "question.codes must be codes from 0 on"),
        (0, lambda q: q["pairs"].append([0, 99]), "question.pairs must be pairs of columns"),
        (0, lambda q: q["pairs"].append([0, 1]), "question.pairs must be in order"),
        (4, lambda q: q.update(tables=[]), "question.tables must not be empty"),
        (4, lambda q: q["tables"].append([0, 1]), "question.tables must have features and codes"),
        (4, lambda q: q["tables"][0].update(features=[0, 1, 2]), "question.tables must be of 1 to 2 columns"),
        (4, lambda q: q["tables"][0].update(features=[99]), "question.tables must be of 1 to 2 columns"),
        (4, lambda q: q["tables"][-1].update(features=[0, 0]), "question.tables must be of 1 to 2 columns"),
        (4, lambda q: q["tables"][0]["codes"].pop(), "question.tables must have codes for each of their columns"),
        (4, lambda q: q["tables"][0]["codes"][0].pop(), "question.tables must be codes from 0 on"),
        (4, lambda q: q.update(n_parts=10**6), "question.n_parts must be from 2 to 16"),
        (4, lambda q: q.update(held_out=[77]), "question.held_out must be parts of the rows, or null"),
        (4, lambda q: q.update(held_out=[]), "question.held_out must be parts of the rows, or null"),
        (4, lambda q: q.update(shape=[10**9, 1, 3]), "question.scores must have their shape"),
        (4, lambda q: q.update(shape=[-1, -1, 3]), "question.shape must be sizes"),
        (4, lambda q: q["scores"].__setitem__(0, "many"), "question.scores must be numbers"),
    ],
)
def test_an_unsound_question_is_one_clear_error(recorded, tmp_path, at, change, message):
    features, sites, _ = recorded
    path = tmp_path / "question.json"
    save_question(sites[0].questions[at], path)
    changed(path, "question", change)
    with pytest.raises(SiteFileError, match=message):
        load_question(path, features)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a: a.update(sites=[]), "answer.sites must be names"),
        (lambda a: a.update(sites=["a", "a"]), "answer.sites must be different"),
        (lambda a: a.pop("question"), "lacks 'question'"),
        (lambda a: a["numbers"].update(values=[0.5]), "answer.numbers.values must be whole numbers"),
        (lambda a: a["numbers"].update(values=[2**70]), "answer.numbers.values must be whole numbers"),
        (lambda a: a["numbers"].update(values="many"), "answer.numbers.values must be whole numbers"),
    ],
)
def test_an_unsound_answer_is_one_clear_error(recorded, tmp_path, change, message):
    path = tmp_path / "answer.json"
    save_answer(recorded[1][0].answers[0], path)
    changed(path, "answer", change)
    with pytest.raises(SiteFileError, match=message):
        load_answer(path)
