"""Rows whose class is known are never scored by a model that was fitted to them."""

import copy
import itertools
import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from classifiers import counted
from mixed_tables import mixed_frame
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from gnbayes import GeneralizedNB, load, save
from gnbayes.encoding import check_table, encode
from gnbayes.reporting.scoring import Rows, bootstrap_rows, choose_folds, cross_validate, score_rows, seen_rows


def labels_of(clf, labels):
    return np.searchsorted(clf.classes_, labels)


def is_seen(clf, X, labels):
    return seen_rows(clf, encode(check_table(clf, X, reset=False), clf.features_), labels_of(clf, labels))


def test_a_model_knows_its_rows_in_the_process_that_fitted_it(binary, weighted):
    for clf, frame, labels in (binary, weighted):
        clf = clone(clf).fit(frame[:300], labels[:300])
        assert is_seen(clf, frame[:300], labels[:300]).all()
        assert is_seen(clf, frame[1:300], labels[1:300]).all()
        seen = is_seen(clf, frame, labels)
        assert seen[:300].all()
        # A new row may have the codes of an old one by chance.
        assert seen[300:].mean() < 0.2
        assert is_seen(clf, frame[::-1], labels[::-1])[100:].all()


def test_hashes_of_rows_go_into_no_pickle_and_no_file(binary, tmp_path):
    clf, frame, labels = binary
    clf = clone(clf).fit(frame, labels)
    assert clf.training_hashes is not None
    for copied in (pickle.loads(pickle.dumps(clf)), copy.deepcopy(clf)):
        assert copied.training_hashes is None
    save(clf, tmp_path / "model.json")
    assert load(tmp_path / "model.json").training_hashes is None
    assert "hash" not in (tmp_path / "model.json").read_text()


def test_training_rows_of_a_model_from_elsewhere_are_known_by_their_counts(binary, weighted):
    for clf, frame, labels in (binary, weighted):
        clf = pickle.loads(pickle.dumps(clf))
        assert is_seen(clf, frame, labels).all()
        assert not is_seen(clf, frame[1:], labels[1:]).any()
        changed = labels.copy()
        changed[0] = "well" if labels[0] == "ill" else "ill"
        assert not is_seen(clf, frame, changed).any()


@pytest.mark.slow
@pytest.mark.parametrize("change", [slice(1, None), slice(None, -7)])
def test_one_row_more_or_less_and_noise_is_not_flattered(change):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 200)), np.arange(100) % 2
    clf = GeneralizedNB().fit(X, y)
    proba = score_rows(clf, Rows(X[change], y[change]), is_seen(clf, X[change], y[change])).proba
    assert abs((proba.argmax(axis=1) == y[change]).mean() - 0.5) < 0.15


def test_a_few_seen_rows_among_new_ones_are_scored_with_the_help_of_all():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 8)), np.arange(200) % 2
    clf = GeneralizedNB(interactions="tree").fit(X[:100], y[:100])
    some = slice(99, None)
    scored = score_rows(clf, Rows(X[some], y[some]), is_seen(clf, X[some], y[some]))
    assert scored.n_seen == 1
    np.testing.assert_array_equal(scored.proba[1:], clf.predict_proba(X[100:]))
    assert (scored.proba[0] != clf.predict_proba(X[99:100])[0]).all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pandas", "pyarrow", "numpy"])
@pytest.mark.parametrize("weighting", [None, "discriminative"])
def test_seen_rows_are_cross_validated_with_everything_inside_the_folds(kind, weighting):
    frame, labels = mixed_frame(150, 4)
    if kind == "numpy":
        frame = frame[["age", "pressure"]]
    X = {"pandas": frame, "pyarrow": pa.Table.from_pandas(frame), "numpy": frame.to_numpy()}[kind]
    clf = GeneralizedNB(weighting=weighting, interactions="tree").fit(X, labels)
    scored = score_rows(clf, Rows(X, labels_of(clf, labels)), is_seen(clf, X, labels))
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    known = frame if kind == "pyarrow" else X  # scikit-learn takes rows of pyarrow tables since 1.7
    expected = cross_val_predict(clf, known, labels, cv=folds, method="predict_proba")
    assert (scored.n_seen, scored.n_folds) == (150, 5)
    np.testing.assert_allclose(scored.proba, expected, atol=1e-12)


def test_new_rows_are_scored_by_the_model(weighted):
    clf, frame, labels = weighted
    clf = clone(clf).fit(frame[:300], labels[:300])
    scored = score_rows(clf, Rows(frame[300:], labels_of(clf, labels[300:])), np.zeros(100, dtype=bool))
    assert (scored.n_seen, scored.n_folds) == (0, 0)
    np.testing.assert_array_equal(scored.proba, clf.predict_proba(frame[300:]))


def test_some_seen_and_some_new(binary):
    clf, frame, labels = binary
    clf = clone(clf).fit(frame[:300], labels[:300])
    mask = np.arange(400) < 300
    scored = score_rows(clf, Rows(frame, labels_of(clf, labels)), mask)
    assert (scored.n_seen, scored.n_folds) == (300, 5)
    np.testing.assert_array_equal(scored.proba[300:], clf.predict_proba(frame[300:]))
    own = score_rows(clf, Rows(frame[:300], labels_of(clf, labels[:300])), np.ones(300, dtype=bool))
    np.testing.assert_array_equal(scored.proba[:300], own.proba)


@pytest.mark.slow
def test_noise_is_not_flattered():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 200)), np.arange(100) % 2
    for clf in (counted(), GeneralizedNB()):
        clf.fit(X, y)
        proba = score_rows(clf, Rows(X, y), is_seen(clf, X, y)).proba
        assert abs((proba.argmax(axis=1) == y).mean() - 0.5) < 0.15


def test_every_number_of_features_is_chosen_inside_the_fold(binary):
    clf, frame, labels = binary
    rows = Rows(frame, labels_of(clf, labels))
    folds = choose_folds(rows, 2)
    found = cross_validate(clf, rows, folds, n_features=2)
    train, test = folds[0]
    fold = clone(clf).set_params(n_features=2).fit(frame.iloc[train], labels[train])
    np.testing.assert_allclose(found[test], fold.predict_proba(frame.iloc[test]), atol=1e-12)


def test_folds():
    def n(labels, groups=None):
        return len(choose_folds(Rows(None, np.asarray(labels), groups), 2))

    assert n(np.repeat([0, 1], 50)) == 5
    assert n(np.repeat([0, 1], [50, 3])) == 3
    assert n(np.repeat([0, 1], 15_000)) == 2


def test_what_cannot_be_left_out_is_not_scored():
    frame, labels = mixed_frame(100)
    alone = np.where(np.arange(100) == 0, "alone", labels)
    clf = counted().fit(frame, alone)
    rows = Rows(frame, labels_of(clf, alone))
    assert score_rows(clf, rows, np.ones(100, dtype=bool)) == "class"
    groups = (np.arange(100) // 50).astype(np.intp)
    by_group = Rows(frame, groups, groups)
    assert choose_folds(by_group, 2) == "group"


def test_groups_stay_together():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 120)
    groups = np.repeat(np.arange(30), 4)
    rows = Rows(None, labels, groups)
    folds = choose_folds(rows, 2)
    assert len(folds) == 5
    for train, test in folds:
        assert not set(groups[train]) & set(groups[test])
    for drawn in itertools.islice(bootstrap_rows(rows, 2), 5):
        counts = np.bincount(drawn, minlength=120).reshape(30, 4)
        assert (counts == counts[:, :1]).all()


def test_bootstrap_samples_are_the_same_every_time_and_have_all_classes():
    rows = Rows(None, np.repeat([0, 1], [98, 2]))
    first = [drawn.tolist() for drawn in itertools.islice(bootstrap_rows(rows, 2), 20)]
    again = [drawn.tolist() for drawn in itertools.islice(bootstrap_rows(rows, 2), 20)]
    assert first == again
    assert len({tuple(drawn) for drawn in first}) == 20
    assert all(len(drawn) == 100 and max(drawn) >= 98 for drawn in first)


def test_values_that_only_a_fold_lacks_are_no_warning():
    frame = pd.DataFrame({"city": [f"city {j}" for j in range(40)], "b": np.arange(40.0)})
    y = np.arange(40) % 2
    clf = GeneralizedNB().fit(frame, y)
    assert np.isfinite(score_rows(clf, Rows(frame, y), np.ones(40, dtype=bool)).proba).all()
