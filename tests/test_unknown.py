"""Features that are unknown at prediction, and what else comes from the joint distribution."""

from copy import copy

import numpy as np
import pandas as pd
import pytest
from classifiers import weighted
from scipy.special import logsumexp
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from gnbayes import GeneralizedNB
from gnbayes.model import completion

SETTINGS = [
    {},
    {"weighting": None},
    {"class_prior": [0.9, 0.1], "interactions": "tree"},
    {"structure": "nb"},
    {"n_features": 5, "interactions": "tree"},
]


@pytest.fixture(scope="module", params=SETTINGS, ids=str)
def setting(request, wdbc_frame, wdbc_default):
    """Parameters, and a classifier with them."""
    return request.param, GeneralizedNB(**request.param).fit(*wdbc_frame) if request.param else wdbc_default


def test_nothing_known_gives_the_class_shares(setting, wdbc_frame):
    X, y = wdbc_frame
    parameters, clf = setting
    expected = parameters.get("class_prior", np.bincount(y) / len(y))
    for unknown, table in ((list(X.columns), X[:3]), (None, X[:3] * np.nan)):
        np.testing.assert_allclose(clf.predict_proba(table, unknown=unknown), np.tile(expected, (3, 1)), atol=1e-9)


def test_unknown_is_not_missing(wdbc_frame):
    X, y = wdbc_frame
    X = X.iloc[:, :5].copy()
    X.loc[::9, "mean area"] = np.nan
    clf = weighted().fit(X, y)
    row = X[:1].assign(**{"mean area": np.nan})
    not_recorded, unknown = clf.predict_proba(row), clf.predict_proba(row, unknown=["mean area"])
    assert np.abs(not_recorded - unknown).max() > 1e-3
    np.testing.assert_array_equal(clf.predict_proba(X[:1], unknown=["mean area"]), unknown)


def test_ways_to_say_unknown_agree(wdbc_default, wdbc_frame):
    X, _ = wdbc_frame
    mask = np.zeros((6, 30), dtype=bool)
    mask[:, [3, 20]] = True
    names = [X.columns[3], X.columns[20]]
    expected = wdbc_default.predict_proba(X[:6], unknown=mask)
    np.testing.assert_array_equal(wdbc_default.predict_proba(X[:6], unknown=names), expected)
    np.testing.assert_array_equal(wdbc_default.predict_proba(X[:6], unknown=[3, 20]), expected)
    np.testing.assert_array_equal(wdbc_default.predict_proba(X[:6], unknown=np.array(names)), expected)
    blank = X[:6].copy()
    blank.iloc[:, [3, 20]] = np.nan
    np.testing.assert_array_equal(wdbc_default.predict_proba(blank), expected)
    np.testing.assert_array_equal(
        wdbc_default.predict(X[:6], unknown=mask), wdbc_default.classes_[expected.argmax(axis=1)]
    )
    np.testing.assert_allclose(np.exp(wdbc_default.predict_log_proba(X[:6], unknown=mask)), expected)


def test_wrong_ways_to_say_unknown(wdbc_default, wdbc_frame):
    X, _ = wdbc_frame
    for unknown in ("worst area", 3, np.ones((2, 30), dtype=bool), np.ones(30, dtype=bool)):
        with pytest.raises(ValueError, match=r"unknown must be names or positions of columns, or an array of bool"):
            wdbc_default.predict_proba(X[:6], unknown=unknown)
    with pytest.raises(
        ValueError, match=r"unknown names 'age', which is not a column of X; the columns are 'mean radius'"
    ):
        wdbc_default.predict_proba(X[:6], unknown=["age"])


def test_a_value_that_was_never_seen_is_unknown():
    X = pd.DataFrame({"a": list("xyxyxyxxyy") * 6, "b": np.arange(60) % 7.0})
    clf = weighted().fit(X, np.arange(60) % 7 > 3)
    new = pd.DataFrame({"a": ["z"], "b": [2.0]})
    with pytest.warns(UserWarning, match=r"1 values of X were never seen in training \('a': 1\); .* count as unknown"):
        proba = clf.predict_proba(new)
    np.testing.assert_array_equal(proba, clf.predict_proba(X[:1].assign(b=2.0), unknown=["a"]))


def test_answers_do_not_depend_on_other_rows_or_threads(wdbc_frame, wdbc_default):
    X, _ = wdbc_frame
    mask = np.random.default_rng(0).random((40, 30)) < 0.5
    clf = copy(wdbc_default).set_params(n_jobs=1)
    together = clf.predict_proba(X[:40], unknown=mask)
    for row in (0, 7, 39):
        alone = clf.predict_proba(X[row : row + 1], unknown=mask[row : row + 1])
        np.testing.assert_array_equal(alone[0], together[row])
    np.testing.assert_array_equal(clf.set_params(n_jobs=2).predict_proba(X[:40], unknown=mask), together)


@pytest.mark.once
@pytest.mark.slow
def test_the_standard_error_is_at_most_one_percent(wdbc_default, wdbc_frame, monkeypatch):
    """Answers by other points of the same number scatter by less than .01."""
    X, _ = wdbc_frame
    mask = np.random.default_rng(1).random((60, 30)) < 0.5
    codes = wdbc_default._codes(X[:60], mask)
    hashes, answers = completion._hashes, []
    for shift in range(0, 8000, 1000):
        monkeypatch.setattr(completion, "_hashes", lambda streams, shift=shift: hashes(streams + shift))
        answers.append(wdbc_default.model_._completion.average(codes))
    assert np.std(answers, axis=0, ddof=1).max() < 0.01


@pytest.mark.once
@pytest.mark.slow
def test_averaging_is_better_than_the_prior_and_near_a_refit(wdbc_frame):
    X, y = wdbc_frame
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, stratify=y, random_state=0)
    clf = GeneralizedNB().fit(X_train, y_train)
    names = list(X.columns[np.argsort(-clf.feature_importances_)[:3]])
    loss = log_loss(y_test, clf.predict_proba(X_test, unknown=names))
    refit = GeneralizedNB().fit(X_train.drop(columns=names), y_train)
    assert loss < 1.3 * log_loss(y_test, refit.predict_proba(X_test.drop(columns=names)))


def test_the_joint_distribution_belongs_to_every_classifier(setting, wdbc_frame):
    X, y = wdbc_frame
    _, clf = setting
    mask = np.random.default_rng(0).random((50, 30)) < 0.2
    joint = clf.predict_joint_log_proba(X[:50], unknown=mask)
    np.testing.assert_allclose(logsumexp(joint, axis=1), clf.score_samples(X[:50], unknown=mask))
    np.testing.assert_allclose(
        joint - logsumexp(joint, axis=1)[:, None], clf.predict_log_proba(X[:50], unknown=mask), atol=1e-9
    )
    own = clf.predict_joint_log_proba(X)[np.arange(len(y)), y]
    assert clf.log_likelihood(X, y) == pytest.approx(own.sum())
    drawn, labels = clf.sample(2000, random_state=0)
    assert drawn.shape == (2000, 30)
    proba = clf.predict_proba(pd.DataFrame(drawn, columns=X.columns))
    np.testing.assert_allclose(np.bincount(labels) / 2000, proba.mean(axis=0), atol=0.04)
    np.testing.assert_array_equal(clf.sample(5, random_state=3)[0], clf.sample(5, random_state=3)[0])


def test_unusual_rows_have_a_low_score(wdbc_default, wdbc_frame):
    X, _ = wdbc_frame
    odd = X[:1].copy()
    odd["worst radius"], odd["worst area"], odd["worst perimeter"] = 10.0, 2500.0, 100.0
    assert wdbc_default.score_samples(odd)[0] < wdbc_default.score_samples(X[:1])[0] - 2


def test_explanations_of_rows_with_gaps_are_sums(setting, wdbc_frame):
    X, _ = wdbc_frame
    parameters, clf = setting
    mask = np.random.default_rng(0).random((20, 30)) < 0.3
    explanation = clf.explain(X[:20], unknown=mask)
    odds = explanation.scores[:, 1] - explanation.scores[:, 0]
    np.testing.assert_allclose(odds, clf.decision_function(X[:20], unknown=mask), atol=1e-9)
    np.testing.assert_allclose(explanation.proba, clf.predict_proba(X[:20], unknown=mask), atol=1e-9)
    assert ("unknown features, averaged" in explanation.text(0)) == ("weighting" not in parameters)
