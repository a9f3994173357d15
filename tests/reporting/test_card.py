"""The model card and the TRIPOD+AI checklist say what is known, and what is not stated."""

import pickle
import re

import numpy as np
import pytest

from gnbayes import GeneralizedNB
from gnbayes.reporting.card import card_words
from gnbayes.reporting.strings import TRIPOD
from gnbayes.reporting.summarize import summarize
from gnbayes.reporting.tripod import checklist

DICTIONARY = {
    "page": {
        "title": "Falls | in wards",
        "authors": ["A. Author"],
        "intended_use": "at admission",
        "population": "adults",
        "source": "two wards",
        "period": "2020",
    },
    "target": {"event": "ill", "meaning": "a fall within a week"},
    "columns": {"age": {"label": "Age", "unit": "years"}},
}


def text(parts):
    return "".join(part.get("name", part.get("text", "")) for part in parts)


def entries(summary):
    return {entry["id"]: None if entry["parts"] is None else text(entry["parts"]) for entry in card_words(summary)}


def test_a_card_with_everything(binary):
    clf, frame, labels = binary
    found = entries(summarize(clf, frame, labels, dictionary=DICTIONARY, bootstrap=0))
    assert found["card-intended_use"] == "at admission"
    assert found["card-outcome"] == "ill: a fall within a week"
    assert found["card-predictors"].startswith("7 of 7 columns, the most important first: ")
    assert "Age (years)" in found["card-predictors"]
    assert found["card-data"] == f"400 rows: {(labels == 'ill').sum()} ill, {(labels == 'well').sum()} well."
    assert "marker" in found["card-missing"]
    assert found["card-fitting"].startswith("Generalized Naive Bayes (gnbayes ")
    assert re.fullmatch(
        r"AUROC 0\.\d+ \(0\.\d+ to 0\.\d+\), calibration slope \S+ \(\S+ to \S+\), Brier score 0\.\d+\. By "
        r"cross-validation\.",
        found["card-performance"],
    )
    assert "another place or time" in found["card-limits"]
    assert "not a medical device" in found["card-limits"]


def test_the_card_counts_tables_and_ranks_predictors(weighted):
    clf, _, _ = weighted
    found = entries(summarize(clf, pos_label="ill"))
    sizes = [len(term.features) for term in clf.terms_]
    counts = f"single predictors ({sizes.count(1)}), pairs ({sizes.count(2)}) and triples ({sizes.count(3)})"
    assert counts in found["card-fitting"]
    assert found["card-fitting"].endswith("averaged with tables learned by boosting, straight lines and naive Bayes.")
    order = np.argsort(-clf.feature_importances_, kind="stable")
    names = ", ".join(clf.features_[j].name for j in order)
    assert found["card-predictors"].endswith(f"the most important first: {names}.")


def test_the_card_of_the_tables_of_the_tree_knows_no_boosting(weighted):
    _, frame, labels = weighted
    clf = GeneralizedNB(interactions="tree").fit(frame, labels)
    assert entries(summarize(clf, pos_label="ill"))["card-fitting"].endswith(
        "to predict the class with ridge penalties."
    )


def test_what_is_not_known_is_not_stated(binary):
    clf, _, _ = binary
    found = entries(summarize(clf, pos_label="ill"))
    for key in ("intended_use", "not_for", "population", "source", "period", "performance", "authors", "contact"):
        assert found[f"card-{key}"] is None
    [outcome] = [entry for entry in card_words(summarize(clf, pos_label="ill")) if entry["id"] == "card-outcome"]
    assert outcome["parts"][-1] == {"missing": True}


@pytest.mark.slow
def test_many_classes_and_new_rows(many_classes):
    clf, frame, labels = many_classes
    known = entries(summarize(clf, frame[:300], labels[:300], bootstrap=2))
    assert known["card-performance"].endswith("By cross-validation.")
    new = frame[:300].assign(**{frame.columns[0]: frame[frame.columns[0]].sample(300, random_state=0).to_numpy()})
    found = entries(summarize(pickle.loads(pickle.dumps(clf)), new, labels[:300], bootstrap=2))
    assert re.fullmatch(
        r"Accuracy \S+% \(\S+% to \S+%\), log-loss \S+\. On rows given with the model; valid only for rows not used in "
        r"training\.",
        found["card-performance"],
    )
    assert "were not used to fit it" in found["card-limits"]
    assert found["card-outcome"].startswith("ill, very ill, well, worst: ")


def test_what_is_stated_of_rows_is_on_the_card(binary):
    clf, frame, labels = binary
    stranger = pickle.loads(pickle.dumps(clf))
    found = entries(summarize(stranger, frame[:50], labels[:50], pos_label="ill", new_rows=True))
    assert found["card-performance"].endswith("its makers state that none of them was used in training.")
    assert "must make sure" not in found["card-limits"]


@pytest.mark.slow
def test_few_rows_and_wrong_parts_are_limits(binary):
    clf, frame, labels = binary
    summary = summarize(clf, frame, labels, pos_label="ill", bootstrap=0, by=["sex"])
    summary["evaluation"]["parts"][0]["parts"][0]["verdict"] = "too high"
    assert "clearly wrong for: sex: f." in entries(summary)["card-limits"]
    small = type(clf)(weighting=None).fit(frame[:60], labels[:60])
    fewest = min(np.unique(labels[:60], return_counts=True)[1])
    assert f"only {fewest} training rows" in entries(summarize(small, pos_label="ill"))["card-limits"]


def test_the_checklist_has_all_items_once(binary):
    clf, frame, labels = binary
    whole = checklist(summarize(clf, frame, labels, dictionary=DICTIONARY, bootstrap=0, by="sex"), "falls.html")
    lines = whole.split("\n")
    assert lines[0] == "# TRIPOD+AI checklist: Falls \\| in wards"
    assert "falls.html" in lines[2]
    items = [line.split(" | ")[0].removeprefix("| ") for line in lines if re.match(r"\| \d", line)]
    assert items == list(TRIPOD)
    assert {int(re.match(r"\d+", item).group()) for item in items} == set(range(1, 28))
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 5 for line in lines if line.startswith("|"))
    assert "not stated" not in whole
    assert "not measured" not in whole


def test_the_checklist_points_to_places_that_are_there(binary, page_of):
    clf, frame, labels = binary
    page = page_of(clf, frame, labels, dictionary=DICTIONARY, by="sex")
    anchors = set(re.findall(r"\(#([\w-]+)\)", page.tripod()))
    assert len(anchors) > 10
    for anchor in anchors:
        assert f'id="{anchor}"' in page.html


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("3b", "Intended use (#card-intended_use): not stated; name it in the dictionary"),
        ("14", "Is it as good for everyone? (#parts): not measured; name groups with --by"),
        ("23a", "How good is it? (#evidence): not measured; make the page with rows whose class is known"),
        ("17", "not on the page"),
    ],
)
def test_what_is_missing_is_said_with_the_way_to_it(item, said, binary):
    lines = checklist(summarize(binary[0], pos_label="ill"), "x.html").split("\n")
    [line] = [line for line in lines if line.startswith(f"| {item} |")]
    assert line.endswith(f"| {said} |")
