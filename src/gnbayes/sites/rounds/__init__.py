"""The default model across sites: rounds of questions and sums, without sharing rows."""

from gnbayes.sites.rounds.answer_file import load_answer, reveals_answer, save_answer
from gnbayes.sites.rounds.coordinator import fit_answers, fit_rounds
from gnbayes.sites.rounds.question_file import load_question, question_id, save_question
from gnbayes.sites.rounds.questions import Answer, CountQuestion, Question, SumQuestion
from gnbayes.sites.rounds.site import RoundSite
from gnbayes.sites.rounds.transcript import next_question

__all__ = [
    "Answer",
    "CountQuestion",
    "Question",
    "RoundSite",
    "SumQuestion",
    "fit_answers",
    "fit_rounds",
    "load_answer",
    "load_question",
    "next_question",
    "question_id",
    "reveals_answer",
    "save_answer",
    "save_question",
]
