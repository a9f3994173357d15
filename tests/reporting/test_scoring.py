"""Rows whose class is known are scored by models that have not seen them, where that can be."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from mixed_tables import mixed_frame
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from gnbayes import GeneralizedNB
from gnbayes.encoding import check_table, encode
from gnbayes.reporting.scoring import Rows, counted_codes, how_to_score, log_joints, n_folds


def coded(clf, X, labels):
    codes = encode(check_table(clf, X, reset=False), clf.features_)
    return Rows(X, codes, np.searchsorted(clf.classes_, labels))


def proba(joint):
    return np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None])


def all_joints(clf, rows):
    return [joint.copy() for joint in log_joints(clf, rows, how_to_score(clf, rows))]


def test_how_rows_are_scored(binary, weighted):
    for (clf, frame, labels), own in ((binary, "leave-one-out"), (weighted, "cross-validation")):
        assert how_to_score(clf, coded(clf, frame, labels)) == own
        assert how_to_score(clf, coded(clf, frame[1:], labels[1:])) == "new"
        changed = labels.copy()
        changed[0] = "well" if labels[0] == "ill" else "ill"
        assert how_to_score(clf, coded(clf, frame, changed)) == "new"


def test_training_rows_that_cannot_be_left_out(binary):
    _, frame, labels = binary
    paper = GeneralizedNB(smoothing="paper", weighting=None).fit(frame, labels)
    assert how_to_score(paper, coded(paper, frame, labels)) == "training"
    alone = np.where(np.arange(len(labels)) == 0, "alone", labels)
    weighted = GeneralizedNB(weighting="discriminative").fit(frame, alone)
    rows = coded(weighted, frame, alone)
    assert how_to_score(weighted, rows) == "training"
    np.testing.assert_allclose(proba(all_joints(weighted, rows)[-1]), weighted.predict_proba(frame), atol=1e-12)


def test_folds():
    assert n_folds(np.repeat([0, 1], 50)) == 5
    assert n_folds(np.repeat([0, 1], [50, 3])) == 3
    assert n_folds(np.repeat([0, 1], 15_000)) == 2


def test_a_weighted_model_comes_after_its_tree_with_counted_probabilities(weighted):
    clf, frame, labels = weighted
    clf = clone(clf).fit(frame[:300], labels[:300])
    rows = coded(clf, frame[300:], labels[300:])
    *counted, own = all_joints(clf, rows)
    np.testing.assert_allclose(proba(own), clf.predict_proba(frame[300:]), atol=1e-12)
    # Without weights, the coarse intervals as edges, and the same tree: the same model.
    edges = {
        feature.name: np.array(feature.edges)[np.diff(feature.coarse) > 0].tolist()
        for feature in clf.features_
        if feature.coarse
    }
    generative = GeneralizedNB("gnb-o", discretizer=edges, n_bins=5, weighting=None).fit(frame[:300], labels[:300])
    assert generative.feature_order_.tolist() == clf.feature_order_.tolist()
    for n, joint in enumerate(counted, start=1):
        first = clone(generative).set_params(n_features=n).fit(frame[:300], labels[:300])
        np.testing.assert_allclose(proba(joint), first.predict_proba(frame[300:]), atol=1e-12)


@pytest.mark.parametrize("kind", ["pandas", "pyarrow", "numpy"])
def test_training_rows_of_a_weighted_model_are_cross_validated(kind):
    frame, labels = mixed_frame(150, 4)
    if kind == "numpy":
        frame = frame[["age", "pressure"]]
    X = {"pandas": frame, "pyarrow": pa.Table.from_pandas(frame), "numpy": frame.to_numpy()}[kind]
    clf = GeneralizedNB("gnb-o", n_bins="auto", weighting="discriminative").fit(X, labels)
    own = all_joints(clf, coded(clf, X, labels))[-1]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    known = frame if kind == "pyarrow" else X  # scikit-learn takes rows of pyarrow tables since 1.7
    expected = cross_val_predict(clf, known, labels, cv=folds, method="predict_proba")
    np.testing.assert_allclose(proba(own), expected, atol=1e-12)


def test_every_fold_has_as_many_features_as_the_model(weighted):
    clf, frame, labels = weighted
    clf = clone(clf).set_params(n_features="auto").fit(frame, labels)
    assert len(all_joints(clf, coded(clf, frame, labels))) == clf.n_features_ + 1


def test_values_that_only_a_fold_lacks_are_no_warning():
    frame = pd.DataFrame({"city": [f"city {j}" for j in range(40)], "b": np.arange(40.0)})
    clf = GeneralizedNB(weighting="discriminative").fit(frame, np.arange(40) % 2)
    joints = all_joints(clf, coded(clf, frame, np.arange(40) % 2))
    assert all(np.isfinite(joint).all() for joint in joints)


def test_counted_codes_keep_missing_and_absent_apart(weighted):
    clf, _, _ = weighted
    j = [feature.name for feature in clf.features_].index("marker")
    feature = clf.features_[j]
    codes = np.zeros((4, len(clf.features_)), dtype=np.uint8)
    codes[:, j] = [0, feature.n_values - 1, feature.missing_code, feature.unseen_code]
    found = counted_codes(clf, codes)[:, j].tolist()
    assert found == [0, feature.coarse_cardinality - 2, feature.coarse_cardinality - 1, feature.coarse_cardinality]
