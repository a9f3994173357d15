"""Sentences of parts: text, names and numbers."""

import numpy as np
import pandas as pd
import pytest

from gnbayes import GeneralizedNB
from gnbayes.reporting.summarize import summarize
from gnbayes.reporting.words import (
    Number,
    about_words,
    calculator_lead,
    importance_words,
    quality_words,
    say,
    slider_words,
    summary_words,
    tree_words,
)
from gnbayes.structure import STRUCTURES


def text(parts):
    return "".join(part.get("name", part.get("text")) for part in parts)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (Number(1234, "count"), "1,234"),
        (Number(12.25, "count"), "12.2"),
        (Number(0.953, "percent"), "95.3%"),
        (Number(19.7143, "number"), "19.7"),
    ],
)
def test_numbers(number, expected):
    assert number.text == expected


def test_names_stay_names():
    parts = say("quality.same", name="{0}<b>")
    assert parts == [
        {"text": "goes with "},
        {"name": "{0}<b>"},
        {"text": ", value for value, in every training row"},
    ]


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("smoothing", ["additive", "backoff", "paper"])
def test_every_kind_of_model_has_its_words(structure, smoothing, binary):
    _, frame, labels = binary
    clf = GeneralizedNB(structure, smoothing=smoothing, weighting=None, class_prior=[0.4, 0.6]).fit(frame, labels)
    summary = summarize(clf, frame, labels)
    words = summary_words(summary)
    said = " ".join(text(sentence) for sentence in words["sentences"])
    assert "It uses 7 of 7 features." in said
    assert "set by hand" in said
    assert ("Naive Bayes reaches" in said) == (structure != "nb")
    assert ("too good: use rows" in text(words["measured"])) == (smoothing == "paper")
    assert any("Smoothing" in text(sentence) for sentence in about_words(summary))


def test_the_head_of_the_page(binary):
    clf, frame, labels = binary
    words = summary_words(summarize(clf, frame, labels))
    assert text(words["rows"]) == "Learned from 400 rows"
    assert text(words["classes"][0]["words"]) == f"ill: {(labels == 'ill').sum()} ({(labels == 'ill').mean():.1%})"
    assert words["classes"][1]["start"] == words["classes"][0]["width"]
    assert [score["name"] for score in words["scores"]][:2] == ["Accuracy", "AUC"]
    assert "(leave-one-out)" in text(words["measured"])
    commonest = "ill" if (labels == "ill").mean() > 0.5 else "well"
    assert text(words["scores"][0]["says"]).endswith(
        f"always saying {commonest} gives {(labels == commonest).mean():.1%}"
    )


def test_importances_and_tree(binary):
    summary = summarize(binary[0])
    lines = importance_words(summary)
    assert max(bar["width"] for line in lines for bar in line["bars"]) == 100
    nodes = tree_words(summary)
    assert {node["grade"] for node in nodes} <= {0, 1, 2, 3, 4}
    assert max(node["grade"] for node in nodes) == 4
    assert [node["tabIndex"] for node in nodes] == [0] + [-1] * 6
    assert nodes[0]["words"] == f"\u2068{nodes[0]['name']}\u2069, given nothing"


def test_quality(binary):
    clf, frame, _ = binary
    words = quality_words(summarize(clf, frame[:50]))
    assert text(words["lead"]) == "2 of 7 columns have something to look at."
    ward = next(line for line in words["lines"] if line["name"] == "ward")
    assert len(ward["cells"]) == 3
    assert ward["cells"][2] is None


@pytest.mark.parametrize("structure", ["nb", "gnb-o"])
def test_what_was_not_looked_for_is_not_denied(structure):
    frame = pd.DataFrame({"a": np.arange(40.0), "b": np.arange(40.0) % 7})
    clf = GeneralizedNB(structure, weighting=None).fit(frame, np.arange(40) % 2)
    words = quality_words(summarize(clf))
    assert ("does not look for repeated ones" in text(words["lead"])) == (structure == "nb")
    assert "none were given" in words["more"]
    assert "never saw" in quality_words(summarize(clf, frame))["more"]


def test_slider(binary, many_classes):
    clf, frame, labels = many_classes
    words = slider_words(summarize(clf, frame, labels))
    assert words["last"] == 6
    assert words["hasClasses"]
    assert [text(jump["words"]).split(":")[0] for jump in words["jumps"]] == [
        "Fewest that are as good",
        "Least log-loss",
    ]
    assert [jump["step"] + 1 for jump in words["jumps"]] == [
        int(text(jump["words"]).split(": ")[1]) for jump in words["jumps"]
    ]
    bare = slider_words(summarize(binary[0]))
    assert (bare["last"], bare["hasClasses"], bare["jumps"]) == (6, False, [])


def test_the_words_of_a_weighted_model(weighted):
    clf, frame, labels = weighted
    summary = summarize(clf, frame, labels)
    words = summary_words(summary)
    assert "tuned, all features together" in text(words["sentences"][1])
    assert [text(jump["words"]).split(":")[0] for jump in slider_words(summary)["jumps"][:2]] == [
        "Counted, fewest that are as good",
        "Counted, least log-loss",
    ]
    assert "cut into 5 parts, each scored by a model that was learned anew" in text(words["measured"])
    assert "an unknown feature counts as average" in calculator_lead(summary)
    slider = slider_words(summary)
    assert slider["last"] == 7
    assert (text(slider["jumps"][-1]["words"]), slider["jumps"][-1]["step"]) == ("This model", 7)
    assert "counted instead of tuned" in slider["lead"]
    assert not any("Smoothing" in text(sentence) for sentence in about_words(summary))
    bare = slider_words(summarize(clf))
    assert (bare["last"], bare["jumps"]) == (6, [])
    assert "the calculator always uses all" in bare["lead"]
