"""The page shows the risk of a class only where someone has said which."""

import numpy as np
import pytest

from gnbayes.dictionary import DictionaryError, read_dictionary
from gnbayes.reporting.event import choose_event

NOTHING = read_dictionary({})


def event(classes, pos_label=None, dictionary=NOTHING, names=None):
    return choose_event(np.array(classes), names or [str(label) for label in classes], dictionary, pos_label)


def test_two_classes_ask_which_is_the_event():
    with pytest.raises(ValueError, match="which class is the event") as error:
        event(["bad", "good"])
    assert str(error.value) == (
        "which class is the event whose risk the page shows, 'bad' or 'good'? Say pos_label='good' (in the shell "
        "--positive good), or name it as event under target in the dictionary."
    )


@pytest.mark.parametrize("classes", [[1, 2], [-1, 1], ["healthy", "ill"]])
def test_numbers_other_than_0_and_1_ask_too(classes):
    with pytest.raises(ValueError, match="which class is the event"):
        event(classes)


@pytest.mark.parametrize(
    ("classes", "at"),
    [
        (["No", "YES"], 1),
        ([False, True], 1),
        (["negative", "positive"], 1),
        (["case", "control"], 0),
        (["no", "yes "], 1),
    ],
)
def test_telling_names_are_taken(classes, at):
    found = event(classes)
    assert (found.at, found.how, found.is_risk) == (at, "told", True)


@pytest.mark.parametrize("classes", [[0, 1], [0.0, 1.0], ["0", "1"]])
def test_0_and_1_are_shown_as_they_are_without_a_claim(classes):
    found = event(classes)
    assert (found.at, found.how, found.is_risk) == (1, "literal", False)


def test_an_event_can_be_given():
    assert event(["bad", "good"], "bad").at == 0
    assert event([0, 1], 0).is_risk
    assert event(["bad", "good"], dictionary=read_dictionary({"target": {"event": "bad"}})).at == 0
    assert event(["a", "b", "c"], "b").at == 1


def test_more_classes_need_none():
    found = event(["a", "b", "yes"])
    assert (found.at, found.how, found.is_risk) == (None, "none", False)


def test_labels_of_the_dictionary_count():
    labelled = read_dictionary({"target": {"labels": {"0": "benign", "1": "malignant"}}})
    with pytest.raises(ValueError, match="which class is the event"):
        event([0, 1], dictionary=labelled, names=["benign", "malignant"])


def test_contradictions_and_unknown_classes():
    with pytest.raises(DictionaryError, match="pos_label is 'good', but the dictionary's target has the event 'bad'"):
        event(["bad", "good"], "good", read_dictionary({"target": {"event": "bad"}}))
    with pytest.raises(ValueError, match=r"pos_label 'x' is not a class; the classes are \['bad', 'good'\]"):
        event(["bad", "good"], "x")
