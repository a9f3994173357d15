"""Rounds by files: the answers so far determine the next question or, at the end, the model.

Nothing else is stored between rounds. Since questions are computed from the sums of answers, anyone who has the answers
can check that each question follows the protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

from gnbayes.estimator import GeneralizedNB
from gnbayes.sites.rounds.answer_file import check_answer
from gnbayes.sites.rounds.coordinator import fit_answers
from gnbayes.sites.rounds.question_file import question_id
from gnbayes.sites.rounds.questions import Answer, Question
from gnbayes.sites.site_features import SiteFeatures


class _UnansweredError(Exception):
    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question


def next_question(clf: GeneralizedNB, features: SiteFeatures, answers: Sequence[Answer]) -> Question | None:
    """The next question to all sites, or None if the answers are complete and `clf` is fitted.

    Parameters
    ----------
    clf : GeneralizedNB
        Must have the same parameters in every round.
    features : SiteFeatures
    answers : sequence of Answer
        Answers of all sites to all questions so far, in any order.

    Raises
    ------
    ValueError
        If there is an answer to a question that was not asked, a site has answered a question twice, or a site has not
        answered a question.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for, summarize
    >>> from gnbayes.sites import propose_features
    >>> from gnbayes.sites.rounds import next_question
    >>> table, clf = load_iris(as_frame=True).frame, GeneralizedNB()
    >>> features = propose_features(summarize(table, "target", limits_for(clf)), "target", clf)
    >>> next_question(clf, features, []).number  # the first one; its answers lead to the second
    1
    """
    transcript = _Transcript(features, answers)
    try:
        fit_answers(clf, features, transcript.ask)
    except _UnansweredError as unanswered:
        transcript.check_used()
        return unanswered.question
    transcript.check_used()
    return None


@dataclass(eq=False)
class _Transcript:
    """Answers by question; those that have been used are marked."""

    features: SiteFeatures
    answers: Sequence[Answer]

    def __post_init__(self) -> None:
        self._left: dict[str, list[Answer]] = {}
        for answer in self.answers:
            self._left.setdefault(answer.question, []).append(answer)
        self._sites: set[str] = set()

    def ask(self, question: Question) -> Answer:
        """The sum of all answers to a question."""
        found = self._left.pop(question_id(question), None)
        if found is None:
            raise _UnansweredError(question)
        total = reduce(add, (check_answer(answer, question, self.features) for answer in found))
        self._sites = self._sites or set(total.sites)
        lacking = sorted(self._sites ^ set(total.sites))
        if lacking:
            raise ValueError(
                f"site {lacking[0]!r} has not answered every question up to number {question.number}; the same sites "
                "take part in every round."
            )
        return total

    def check_used(self) -> None:
        """Raise an error for answers to questions that do not follow from the other answers."""
        if self._left:
            sites = next(iter(self._left.values()))[0].sites
            raise ValueError(
                f"an answer of site {sites[0]!r} is to a question that does not follow from the other answers; give "
                "the answers of all sites to all questions of one protocol, with the same Features and options."
            )
