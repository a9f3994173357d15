"""Sentences of parts: text, names and numbers."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from gnbayes import GeneralizedNB
from gnbayes.evidence import evaluate
from gnbayes.reporting.scoring import seen_rows
from gnbayes.reporting.summarize import summarize
from gnbayes.reporting.words import (
    Number,
    about_words,
    calculator_words,
    evidence_words,
    head_words,
    importance_words,
    quality_words,
    say,
    statistics_words,
    tree_words,
)
from gnbayes.structure import STRUCTURES


def text(parts):
    return "".join(part.get("name", part.get("text", "")) for part in parts)


def joined(sentences):
    return " ".join(text(sentence) for sentence in sentences)


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
        {"text": "the same as "},
        {"name": "{0}<b>"},
        {"text": ", value for value, in every training row"},
    ]


def test_a_new_structure_is_described_as_in_the_registry(monkeypatch):
    monkeypatch.setitem(STRUCTURES, "star", replace(STRUCTURES["tan"], description="a star"))
    facts = {"structure": "star", "isWeighted": False, "used": 3, "features": 4, "weight": 1.0, "naiveWeight": 0.5}
    assert "its parent. The tree is a star." in joined(statistics_words(facts))


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("smoothing", ["additive", "backoff", "paper", "repair"])
def test_every_kind_of_model_has_its_words(structure, smoothing, binary):
    _, frame, labels = binary
    clf = GeneralizedNB(structure, smoothing=smoothing, weighting=None).fit(frame, labels)
    summary = summarize(clf, pos_label="ill")
    said = joined(statistics_words(summary["facts"]))
    assert said.startswith("It uses 7 of 7 features.")
    assert ("naive Bayes with the same features has" in said) == (structure != "nb")
    assert ("drops out" in calculator_words(summary)["lead"]) == (smoothing in ("paper", "repair"))
    assert any("Smoothing" in text(sentence) for sentence in about_words(summary))


def test_the_words_of_a_weighted_model(weighted):
    summary = summarize(weighted[0], pos_label="ill")
    said = joined(statistics_words(summary["facts"]))
    assert "fitted together to predict the class" in said
    assert "again by boosting, as straight lines and by naive Bayes" in said
    assert "averaged over their possible values, given the known ones" in calculator_words(summary)["lead"]
    assert not any("Smoothing" in text(sentence) for sentence in about_words(summary))


def test_the_head_of_the_page(binary, many_classes):
    page = {"population": "adults", "not_for": "children", "authors": "A", "version": "2", "date": "2026"}
    target = {"event": "ill", "meaning": "a fall"}
    words = head_words(summarize(binary[0], dictionary={"page": page, "target": target}))
    assert text(words["what"]) == "Risk of ill: a fall"
    assert (text(words["population"]), text(words["notFor"])) == ("For: adults", "Not for: children")
    assert words["makers"] == "A, version 2, 2026"
    assert words["notes"] == []
    bare = head_words(summarize(binary[0], pos_label="ill"))
    assert (text(bare["what"]), bare["makers"], bare["population"]) == ("Risk of ill", "", None)
    assert text(head_words(summarize(many_classes[0]))["what"]) == "Probabilities of 4 classes"


def test_what_was_taken_for_the_event_is_said(binary):
    clf, frame, labels = binary
    told = clone(clf).fit(frame, np.where(labels == "ill", "yes", "no"))
    words = head_words(summarize(told))
    assert text(words["what"]) == "Risk of class = yes"
    assert joined(words["notes"]) == "class = yes is taken as the event because of its name."
    literal = summarize(clone(clf).fit(frame, (labels == "ill").astype(int)))
    words = head_words(literal)
    assert text(words["what"]) == "Probability of class = 1"
    assert "so nothing here is colored as a risk" in joined(words["notes"])
    assert calculator_words(literal)["title"] == "Calculator"


@pytest.mark.slow
def test_who_was_measured(binary):
    clf, frame, labels = binary
    dictionary = {"page": {"source": "two wards.", "period": "2020"}, "target": {"event": "ill"}}
    groups = np.arange(400) // 2
    summary = summarize(clf, frame, labels, dictionary=dictionary, bootstrap=0, groups=groups)
    said = joined(evidence_words(summary)["who"])
    n_ill = (labels == "ill").sum()
    assert said.startswith(f"400 people or cases. The outcome was ill for {n_ill} of them ({n_ill / 400:.1%}).")
    assert "Source: two wards. Period: 2020." in said
    assert "They were split into 5 parts" in said
    assert "Rows of the same group always stayed in the same part." in said
    some = joined(evidence_words(summarize(clf, frame[:50], labels[:50], pos_label="ill"))["who"])
    assert "All of them are the rows the model was fitted to." in some
    stranger = pickle.loads(pickle.dumps(clf))
    new = joined(evidence_words(summarize(stranger, frame[:50], labels[:50], pos_label="ill"))["who"])
    assert "valid only for rows not used in training" in new
    stated = summarize(stranger, frame[:50], labels[:50], pos_label="ill", new_rows=True)
    assert "state that none of them was used in training" in joined(evidence_words(stated)["who"])
    fitted = clone(clf).fit(frame[:300], labels[:300])
    other = np.flatnonzero(~seen_rows(fitted, fitted._codes(frame), np.searchsorted(fitted.classes_, labels)))
    known = joined(evidence_words(summarize(fitted, frame.iloc[other], labels[other], pos_label="ill"))["who"])
    assert "None of them is a row the model was fitted to." in known
    assert "leave-one-out" not in said + new


def test_cards_stand_in_their_order_and_say_why_they_are_empty(binary):
    clf, frame, labels = binary
    cards = evidence_words(summarize(clf, frame, labels, pos_label="ill", bootstrap=0))["cards"]
    assert [card["id"] for card in cards] == [
        *("discrimination", "calibration", "overall", "benefit", "spread", "threshold"),
        *("instability", "parts", "classes"),
    ]
    says = {card["id"]: text(card["says"]) for card in cards}
    assert says["instability"] == "Not measured: refits were switched off when this page was made."
    assert says["parts"] == "Not measured: no groups were named when this page was made."
    assert "the outcome should be ill for about 30" in says["calibration"]
    stranger = pickle.loads(pickle.dumps(clf))
    cards = evidence_words(summarize(stranger, frame[:90], labels[:90], pos_label="ill"))["cards"]
    assert "needs the rows the model was fitted to" in text(cards[6]["says"])
    cards = evidence_words(summarize(clf, frame, labels, pos_label="ill", bootstrap=3))["cards"]
    assert "fitted again to 3 random samples" in text(cards[6]["says"])


@pytest.mark.slow
def test_the_caution_stands_with_every_score_until_it_is_stated_otherwise(binary):
    clf, frame, labels = binary
    stranger = pickle.loads(pickle.dumps(clf))
    measured = ("discrimination", "calibration", "overall", "benefit", "spread", "threshold", "classes")

    def cautioned(model, **options):
        cards = evidence_words(summarize(model, frame[:90], labels[:90], pos_label="ill", **options))["cards"]
        caution = "Valid only for rows not used in training."
        return [card["id"] for card in cards if text(card["says"]).endswith(caution)]

    assert cautioned(stranger) == list(measured)
    assert cautioned(stranger, new_rows=True) == []
    assert cautioned(clf, bootstrap=0) == []


@pytest.mark.slow
def test_scores_that_were_kept_with_the_model(binary):
    clf, frame, labels = binary
    kept = pickle.loads(pickle.dumps(clf))
    kept.evaluation_ = evaluate(clf, frame, labels, groups=np.arange(400) // 2)
    for rows in ((), (frame[:20],)):
        summary = summarize(kept, *rows, pos_label="ill")
        found = summary["evaluation"]
        assert (found["origin"], found["rows"], found["folds"]) == ("kept", 400, 5)
        assert found["assessed"][0]["auroc"][0] == pytest.approx(kept.evaluation_.assessed[0].auroc.value, abs=1e-5)
        assert sum(found["assessed"][0]["eventsByRisk"]) == pytest.approx((labels == "ill").sum(), abs=0.1)
        said = evidence_words(summary)
        assert "When it was fitted, they were split into 5 parts" in joined(said["who"])
        assert "Rows of the same group always stayed in the same part." in joined(said["who"])
        says = {card["id"]: text(card["says"]) for card in said["cards"]}
        assert says["instability"] == "Not measured: it needs the rows the model was fitted to."
        assert ("shown as –" in says["classes"]) == (None in found["classification"]["confusion"])
    # Rows with classes are measured themselves.
    assert summarize(kept, frame[:90], labels[:90], pos_label="ill")["evaluation"]["origin"] == "unstated"


def test_too_few_rows_for_counts_have_no_decisions(binary):
    clf, frame, labels = binary
    kept = pickle.loads(pickle.dumps(clf))
    kept.evaluation_ = evaluate(clf, frame[:8], labels[:8])
    cards = {card["id"]: card for card in evidence_words(summarize(kept, pos_label="ill"))["cards"]}
    for key in ("benefit", "spread", "threshold"):
        assert not cards[key]["isMeasured"]
        assert text(cards[key]["says"]).startswith("Not shown: the model file does not keep counts of one to four")
    assert text(cards["classes"]["says"]).endswith("nor others from which they would follow: they are shown as –.")


def test_training_rows_of_one_outcome_are_not_measured_and_the_page_says_why(binary):
    clf, frame, labels = binary
    is_ill = np.flatnonzero(labels == "ill")
    summary = summarize(clf, frame.iloc[is_ill], labels[is_ill], pos_label="ill")
    assert evidence_words(summary)["none"].startswith("Not measured: the rows given are training rows and lack a class")


def test_pages_without_scores_say_why(binary):
    clf, frame, labels = binary
    assert evidence_words(summarize(clf, pos_label="ill"))["none"].startswith(
        "Not measured: this page was made without"
    )
    alone = np.where(np.arange(400) == 0, "alone", labels)
    summary = summarize(clone(clf).fit(frame, alone), frame, alone)
    assert evidence_words(summary)["none"].startswith("Not measured: a class has only one training row")
    one_group = summarize(clf, frame, labels, pos_label="ill", groups=labels)
    assert evidence_words(one_group)["none"].startswith("Not measured: all rows of a class belong to one group")


def test_importances_and_tree(binary):
    summary = summarize(binary[0], pos_label="ill")
    lines = importance_words(summary)
    assert max(bar["width"] for line in lines for bar in line["bars"]) == 100
    assert [bar["kind"] for bar in lines[0]["bars"]] == ["importance", "class", "weight"]
    widths = [line["bars"][0]["width"] for line in lines]
    assert widths == sorted(widths, reverse=True)
    nodes = tree_words(summary)
    assert {node["grade"] for node in nodes} <= {0, 1, 2, 3, 4}
    assert max(node["grade"] for node in nodes) == 4
    assert [node["tabIndex"] for node in nodes] == [0] + [-1] * 6
    assert nodes[0]["words"] == f"\u2068{nodes[0]['name']}\u2069, given nothing"


def test_quality(binary):
    clf, frame, _ = binary
    words = quality_words(summarize(clf, frame[:50], pos_label="ill"))
    assert text(words["lead"]) == "2 of 7 columns need a look."
    ward = next(line for line in words["lines"] if line["name"] == "ward")
    assert len(ward["cells"]) == 4
    assert ward["cells"][2] is None


@pytest.mark.parametrize("structure", ["nb", "gnb-o"])
def test_what_was_not_looked_for_is_not_denied(structure):
    frame = pd.DataFrame({"a": np.arange(40.0), "b": np.arange(40.0) % 7})
    clf = GeneralizedNB(structure, weighting=None).fit(frame, np.arange(40) % 2)
    words = quality_words(summarize(clf))
    assert ("does not look for duplicate columns" in text(words["lead"])) == (structure == "nb")
    assert "none were given" in words["more"]
    assert "never saw" in quality_words(summarize(clf, frame))["more"]
