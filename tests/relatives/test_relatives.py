"""What holds for every relative."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from mixed_tables import mixed_frame
from sklearn.base import clone

from gnbayes import AODE, AveragedTAN, SelectiveNB, save, to_bif, to_onnx, to_xmlbif

RELATIVES = pytest.mark.parametrize("relative", [AODE(), AveragedTAN(), SelectiveNB()], ids=lambda r: type(r).__name__)
IN_BATCHES = pytest.mark.parametrize(
    "relative",
    [AODE(), AODE(min_count=20), AveragedTAN(), AveragedTAN(smoothing="backoff")],
    ids=str,
)


@RELATIVES
def test_text_numbers_and_gaps_from_any_frame(relative):
    frame, y = mixed_frame(n_classes=3)
    proba = clone(relative).fit(frame, y).predict_proba(frame)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    theirs = pl.from_pandas(frame)
    np.testing.assert_array_equal(clone(relative).fit(theirs, y).predict_proba(theirs), proba)


@RELATIVES
def test_probabilities_come_from_the_joint(relative):
    frame, y = mixed_frame(n_classes=3)
    clf = clone(relative).fit(frame, y)
    joint = clf.predict_joint_log_proba(frame)
    proba = np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(clf.predict_proba(frame), proba, rtol=1e-12)
    np.testing.assert_allclose(clf.predict_log_proba(frame), np.log(proba), rtol=0, atol=1e-12)
    assert (clf.predict(frame) == clf.classes_[proba.argmax(axis=1)]).all()


@RELATIVES
def test_decision_function_of_two_classes_is_the_log_odds_of_the_second(relative):
    frame, y = mixed_frame()
    clf = clone(relative).fit(frame, y)
    odds, log_proba = clf.decision_function(frame), clf.predict_log_proba(frame)
    assert odds.shape == (len(frame),)
    np.testing.assert_allclose(odds, log_proba[:, 1] - log_proba[:, 0], rtol=0, atol=1e-9)
    np.testing.assert_array_equal(clf.predict(frame), clf.classes_[(odds > 0).astype(int)])


@RELATIVES
def test_decision_function_of_more_classes_is_a_score_per_class(relative):
    frame, y = mixed_frame(n_classes=3)
    clf = clone(relative).fit(frame, y)
    scores = clf.decision_function(frame)
    assert scores.shape == (len(frame), 3)
    np.testing.assert_array_equal(scores, clf.predict_joint_log_proba(frame))
    np.testing.assert_array_equal(clf.predict(frame), clf.classes_[scores.argmax(axis=1)])


@RELATIVES
def test_weights_are_repetitions(relative):
    frame, y = mixed_frame()
    weights = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = clone(relative).fit(frame, y, sample_weight=weights)
    repeated = clone(relative).fit(frame.loc[frame.index.repeat(weights)], np.repeat(y, weights))
    np.testing.assert_allclose(weighted.predict_proba(frame), repeated.predict_proba(frame), rtol=1e-10, atol=1e-300)


@RELATIVES
def test_unseen_values_are_left_out_with_one_warning_at_the_line_of_the_caller(relative):
    frame = pd.DataFrame({"color": ["red", "blue", "blue"] * 20, "size": ["small", "large", "small"] * 20})
    clf = clone(relative).fit(frame, ["a", "b", "c"] * 20)
    odd, gaps = (frame.head(3).assign(size=value) for value in ("huge", None))
    with pytest.warns(UserWarning, match=r"3 values of X were never seen in training \('size': 3\)") as caught:
        proba = clf.predict_proba(odd)
    assert [warning.filename for warning in caught] == [__file__]
    np.testing.assert_array_equal(proba, clf.predict_proba(gaps))


@RELATIVES
def test_a_row_without_any_known_value_gets_the_share_of_the_classes(relative):
    X = np.random.default_rng(0).normal(size=(400, 3))
    y = (X.sum(axis=1) > 0.5).astype(int)
    clf = clone(relative).fit(X, y)
    proba = clf.predict_proba(np.full((1, 3), np.nan))[0]
    np.testing.assert_allclose(proba, np.bincount(y) / 400, atol=0.01)


@pytest.mark.slow
@RELATIVES
def test_threads_do_not_change_the_result(relative):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60_000, 20))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    one, two = (clone(relative).set_params(n_jobs=n).fit(X[:5000], y[:5000]) for n in (1, 2))
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))


@RELATIVES
def test_a_given_prior_takes_the_place_of_the_shares(relative):
    frame, y = mixed_frame()
    clf = clone(relative).set_params(class_prior=[1.0, 0.0]).fit(frame, y)
    assert (clf.predict_proba(frame) == [1.0, 0.0]).all()


@RELATIVES
def test_a_copy_predicts_the_same(relative):
    frame, y = mixed_frame()
    clf = clone(relative).fit(frame, y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(clf)).predict_proba(frame), clf.predict_proba(frame))


@RELATIVES
@pytest.mark.parametrize(
    ("parameters", "y", "message"),
    [
        ({}, ["a"] * 40, r"y holds only one class, 'a'; a classifier needs rows of two or more\."),
        (
            {"class_prior": [0.5, 0.6]},
            ["a", "b"] * 20,
            r"class_prior must hold 2 probabilities that sum to 1, one per class, got \[0\.5, 0\.6\] instead\.",
        ),
        ({"n_jobs": 0}, ["a", "b"] * 20, r"n_jobs must not be 0; use 1 for one thread or -1 for all cores\."),
        ({"n_bins": 1}, ["a", "b"] * 20, r"The 'n_bins' parameter of .* must be an int in the range \[2, inf\)"),
        ({"alpha": 0}, ["a", "b"] * 20, r"The 'alpha' parameter of .* must be a float in the range \(0\.0, 1e\+100\]"),
    ],
)
def test_a_fit_that_fails_says_why_and_leaves_the_classifier_as_it_was(relative, parameters, y, message):
    frame, known = mixed_frame(40)
    clf = clone(relative).fit(frame, known)
    before = clf.predict_proba(frame)
    good = clf.get_params()
    with pytest.raises(ValueError, match=message):
        clf.set_params(**parameters).fit(frame, y)
    np.testing.assert_array_equal(clf.set_params(**good).predict_proba(frame), before)


@IN_BATCHES
def test_batches_give_the_model_of_all_rows(relative):
    frame, y = mixed_frame(n_classes=3)
    edges = {"age": [45, 55], "pressure": [115, 125], "marker": [0, 1]}
    whole = clone(relative).set_params(discretizer=edges).fit(frame, y)
    parts = clone(relative).set_params(discretizer=edges)
    for rows in np.array_split(np.arange(len(y)), 7):
        parts.partial_fit(frame.iloc[rows], y[rows], classes=np.unique(y))
    np.testing.assert_allclose(parts.predict_proba(frame), whole.predict_proba(frame), rtol=1e-10)


@IN_BATCHES
def test_a_later_batch_may_bring_new_categories(relative):
    first = pd.DataFrame({"a": ["x", "y"] * 5, "b": ["u", "u", "v", "v", "v"] * 2})
    more = pd.DataFrame({"a": ["z", None] * 5, "b": ["u", "w"] * 5})
    clf = clone(relative).partial_fit(first, [0, 1] * 5, classes=[0, 1]).partial_fit(more, [0, 1] * 5)
    whole = clone(relative).fit(pd.concat([first, more]), [0, 1] * 10)
    np.testing.assert_allclose(clf.predict_proba(more), whole.predict_proba(more), rtol=1e-12)


def test_choosing_features_needs_all_rows():
    assert not hasattr(SelectiveNB(), "partial_fit")


@RELATIVES
@pytest.mark.parametrize("write", [save, to_bif, to_xmlbif, to_onnx])
def test_files_are_for_generalized_naive_bayes(relative, write, tmp_path):
    frame, y = mixed_frame(40)
    name = type(relative).__name__
    with pytest.raises(TypeError, match=f"what is written must be a fitted GeneralizedNB, got {name} instead"):
        write(clone(relative).fit(frame, y), tmp_path / "model")
    assert not list(tmp_path.iterdir())
