"""What is kept of an evaluation: its scores, curves of at most 50 points, and no count of one to four rows."""

import json

import numpy as np
import pytest
from classifiers import counted
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import brier_score_loss

from gnbayes import load, save
from gnbayes.documents import DocumentError
from gnbayes.evaluation import cross_validate, score
from gnbayes.evidence import Risks, aggregate, decide, evaluate, from_document, to_document
from gnbayes.evidence.kept import CUTS, HIDDEN, decisions_of, hide_small_counts, merged_distribution, roc_of
from gnbayes.files.check_evaluation import check_evaluation


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return counted("nb", n_bins=5), X, y


@pytest.fixture(scope="module")
def held_out(cancer):
    return cross_validate(*cancer)


def is_large_enough(counts):
    return bool(((counts == 0) | (counts >= 5)).all())


def test_scores_are_those_that_the_shell_prints(held_out):
    found, expected = aggregate(held_out), score(held_out.predictions)
    assert found.n_rows == expected.n_rows
    assert found.classification.accuracy.value == expected.accuracy.value
    assert found.classification.accuracy.low == expected.accuracy.low
    assert found.classification.log_loss.high == pytest.approx(expected.log_loss.high)
    assert found.assessed[1].auroc.value == expected.auroc["1"].value
    assert found.assessed[1].auroc.low == expected.auroc["1"].low
    predictions = held_out.predictions
    brier = brier_score_loss(predictions.labels, predictions.proba[:, 1])
    assert found.assessed[1].overall.brier.value == pytest.approx(brier)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=300))
@settings(deadline=None)
def test_cells_hold_every_row_and_never_one_to_four(rows):
    risks = Risks([risk for risk, _ in rows], [is_event for _, is_event in rows])
    found = merged_distribution(risks)
    assert found.events.sum() == risks.n_events
    assert found.others.sum() == risks.n - risks.n_events
    assert set(found.edges[1:-1].tolist()) <= set(CUTS.tolist())
    assert len(found.events) <= 34
    if len(found.events) > 1:
        assert is_large_enough(found.events)
        assert is_large_enough(found.others)
    for at, (low, high) in enumerate(zip(found.edges[:-1], found.edges[1:], strict=True)):
        is_last = at == len(found.events) - 1
        inside = (risks.risk >= low) & ((risks.risk < high) | is_last)
        assert found.events[at] == (inside & risks.is_event).sum()


def test_decisions_and_roc_of_cells_are_those_of_the_rows(risks):
    found, exact = merged_distribution(risks), decide(risks)
    decisions = decisions_of(found)
    assert len(decisions.thresholds) > 5
    at = np.rint(100 * decisions.thresholds).astype(int) - 1
    np.testing.assert_array_equal(decisions.true_positives, exact.true_positives[at])
    np.testing.assert_array_equal(decisions.false_positives, exact.false_positives[at])
    np.testing.assert_allclose(decisions.net_benefit, exact.net_benefit[at])
    curve = roc_of(found)
    assert (curve.false_positive[0], curve.true_positive[0]) == (0, 0)
    assert (curve.false_positive[-1], curve.true_positive[-1]) == (1, 1)
    for threshold, hits in zip(decisions.thresholds, decisions.true_positives, strict=True):
        assert hits / risks.n_events in curve.true_positive
        assert hits == (risks.risk[risks.is_event] >= threshold).sum()


@given(st.lists(st.lists(st.integers(0, 12), min_size=3, max_size=3), min_size=3, max_size=3))
def test_a_hidden_count_does_not_follow_from_sums(rows):
    confusion = np.array(rows)
    found = hide_small_counts(confusion)
    is_hidden = found == HIDDEN
    np.testing.assert_array_equal(found[~is_hidden], confusion[~is_hidden])
    assert is_large_enough(found[~is_hidden])
    for own, hidden in zip(confusion, is_hidden, strict=True):
        assert not hidden.any() or hidden.all() or (hidden.sum() >= 2 and own[hidden].sum() >= 5)
    assert np.diag(is_hidden).all() or not np.diag(is_hidden).any()


def test_two_classes_are_shown_or_not():
    assert (hide_small_counts(np.array([[90, 3], [7, 50]])) == HIDDEN).all()
    np.testing.assert_array_equal(hide_small_counts(np.array([[90, 0], [7, 50]])), [[90, 0], [7, 50]])


def test_the_balanced_accuracy_goes_with_the_counts(held_out):
    found = aggregate(held_out).classification
    assert (found.confusion != HIDDEN).all()
    assert found.balanced_accuracy is not None
    X, y = load_iris(return_X_y=True)
    found = evaluate(counted(), X, y).classification
    assert (found.confusion == HIDDEN).any()
    assert found.balanced_accuracy is None


def test_a_document_and_back(held_out):
    found = aggregate(held_out)
    document = json.loads(json.dumps(to_document(found), allow_nan=False))
    check_evaluation(document, 2)
    assert to_document(from_document(document)) == document
    again = from_document(document)
    np.testing.assert_array_equal(again.assessed[0].roc.true_positive, found.assessed[0].roc.true_positive)
    np.testing.assert_array_equal(again.assessed[0].decisions.net_benefit, found.assessed[0].decisions.net_benefit)
    lists = [one[name] for one in document["classes"] for name in ("edges", "events", "others")]
    lists += [one["curve"]["low"] for one in document["classes"]]
    assert max(map(len, lists)) <= 50


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(rows=568), r"evaluation.classes\[0\].events must add up to the rows, together with others"),
        (lambda d: d.update(folds=0), "evaluation.folds must be above 0"),
        (lambda d: d["classes"].pop(), "evaluation.classes must be one per class"),
        (lambda d: d["classes"][0].update(auroc=[1]), r"classes\[0\].auroc must be a number and its interval, or null"),
        (
            lambda d: d["classes"][0]["edges"].__setitem__(0, 0.5),
            "edges must increase from 0 to 1, for at most 50 cells",
        ),
        (lambda d: d["classes"][0].pop("curve"), r"classes\[0\] lacks 'curve'"),
        (lambda d: d["classes"][0]["curve"]["low"].pop(), "curve must be at most 50 points between 0 and 1"),
        (lambda d: d["classes"][0]["events"].__setitem__(0, -1), "events must be one count per cell"),
        (lambda d: d["classification"].update(confusion=[[1]]), "confusion must have one row and one column per class"),
        (lambda d: d["classification"]["confusion"][0].__setitem__(0, "x"), "confusion must be counts, or null"),
        (lambda d: d["classes"][1]["brier"].__setitem__(0, None), r"classes\[1\].brier must be known"),
        (lambda d: d["classification"].update(log_loss=[None] * 3), "classification.log_loss must be known"),
        (lambda d: d["classification"].update(commonest=2), "commonest must be a class"),
        (lambda d: d["classification"].update(prior_log_loss=None), "prior_log_loss must be a finite number"),
    ],
)
def test_a_document_is_checked(change, message, held_out):
    document = json.loads(json.dumps(to_document(aggregate(held_out))))
    change(document)
    with pytest.raises(DocumentError, match=message):
        check_evaluation(document, 2)


def test_a_model_file_keeps_it(cancer, held_out, tmp_path):
    clf, X, y = cancer
    clf.fit(X, y)
    path = tmp_path / "m.gnb.json"
    save(clf, path)
    assert load(path).evaluation_ is None
    save(clf, path, evaluation=aggregate(held_out))
    before, again = path.read_bytes(), load(path)
    assert again.evaluation_.n_rows == 569
    save(again, path)
    assert path.read_bytes() == before
    assert again.fit(X, y).evaluation_ is None


def test_rows_that_cannot_be_held_out():
    with pytest.raises(ValueError, match="X has too few rows, or too few groups, to hold any out"):
        evaluate(counted(), np.arange(4.0)[:, None], np.array([0, 1, 0, 1]), groups=[1, 1, 1, 1])


def test_only_an_evaluation_can_be_kept(cancer, tmp_path):
    clf, X, y = cancer
    clf.fit(X, y)
    with pytest.raises(TypeError, match=r"evaluation must be an Evaluation, from gnbayes.evidence.evaluate, got float"):
        save(clf, tmp_path / "m.gnb.json", evaluation=0.9)
    iris = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="evaluation is of 3 classes, but the model has 2; evaluate the rows"):
        save(clf, tmp_path / "m.gnb.json", evaluation=evaluate(counted(), *iris))


def test_an_outcome_of_four_rows_has_no_area(cancer):
    clf, X, y = cancer
    rows = np.r_[np.flatnonzero(y)[:60], np.flatnonzero(y == 0)[:4]]
    found = evaluate(clf, X[rows], y[rows]).assessed[0]
    assert found.auroc.value is None
    assert found.roc is None
    assert len(found.decisions.thresholds) == 0
