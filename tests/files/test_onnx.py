"""ONNX graphs, run by onnxruntime on raw columns: the same probabilities and labels as ours."""

import re
import sys

import numpy as np
import onnx
import onnxruntime
import pandas as pd
import pytest
from classifiers import counted, quantile_bins
from column_kinds import random_table, with_gaps_and_strangers
from sklearn.preprocessing import FunctionTransformer

from gnbayes import GeneralizedNB
from gnbayes.files.onnx import to_onnx

UNSEEN = "ignore:.* were never seen in training:UserWarning"
OTHERS_ARE_SLOW = pytest.mark.parametrize(
    "structure", ["gnb-a", *(pytest.param(name, marks=pytest.mark.slow) for name in ("gnb-o", "tan", "nb"))]
)


def inputs(session, X):
    """Columns as the session wants them."""
    columns = {}
    for wanted in session.get_inputs():
        column = X[wanted.name]
        if wanted.type == "tensor(string)":
            missing = "<missing>" if wanted.name == "text or nothing" else ""
            column = column.astype(object).where(column.notna(), missing).to_numpy(dtype=object)
        else:
            column = column.astype(float).to_numpy()
        columns[wanted.name] = column[:, None]
    return columns


def run(clf, X):
    """Label and probabilities by onnxruntime."""
    model = to_onnx(clf)
    onnx.checker.check_model(model, full_check=True)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return session.run(None, inputs(session, X))


def assert_same(clf, X):
    label, probabilities = run(clf, X)
    assert probabilities.dtype == np.float64
    np.testing.assert_allclose(probabilities, clf.predict_proba(X), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(label, clf.predict(X))


@OTHERS_ARE_SLOW
@pytest.mark.parametrize("n_classes", [2, 4])
def test_rows_as_in_training(structure, n_classes):
    X, y = random_table(300, n_classes)
    assert_same(counted(structure, n_bins=4, categorical_features=["ward", "ward with gaps"]).fit(X, y), X)


@pytest.mark.filterwarnings(UNSEEN)
@OTHERS_ARE_SLOW
@pytest.mark.parametrize("n_classes", [2, 4])
def test_missing_and_unseen_values(structure, n_classes):
    X, y = random_table(300, n_classes)
    clf = counted(structure, n_bins=4, categorical_features=["ward", "ward with gaps"]).fit(X, y)
    assert_same(clf, with_gaps_and_strangers(X))


@pytest.mark.filterwarnings(UNSEEN)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
def test_random_tables(seed):
    X, y = random_table(60, 3, seed)
    columns = np.random.default_rng(seed).permutation(X.columns)
    clf = counted("gnb-o", smoothing="backoff", discretizer="mdlp").fit(X[columns], y)
    assert_same(clf, with_gaps_and_strangers(X[columns], seed))


@pytest.mark.filterwarnings(UNSEEN)
@pytest.mark.parametrize("n_classes", [2, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("n_features", [None, pytest.param(5, marks=pytest.mark.slow)])
def test_weighted_models(n_classes, n_features):
    X, y = random_table(300, n_classes)
    clf = GeneralizedNB("tan", weighting="discriminative", n_bins="auto", n_features=n_features, n_fits=1).fit(X, y)
    assert_same(clf, X)
    gaps = pd.concat([X[:40], with_gaps_and_strangers(X)], ignore_index=True)
    is_unknown = ~clf.explain(gaps).parts.is_known.all(axis=1)
    assert is_unknown.any()
    assert not is_unknown.all()
    label, probabilities = run(clf, gaps)
    np.testing.assert_allclose(probabilities[~is_unknown], clf.predict_proba(gaps[~is_unknown]), rtol=0, atol=1e-12)
    assert np.isnan(probabilities[is_unknown]).all()
    assert (label[is_unknown] == np.iinfo(np.int64).min).all()


@pytest.mark.filterwarnings(UNSEEN)
@pytest.mark.parametrize("n_features", [1, 2, 5])
def test_first_features_only(n_features):
    X, y = random_table(200, 2)
    assert_same(counted(n_features=n_features).fit(X, y), with_gaps_and_strangers(X))


def test_nothing_known():
    X, y = random_table(200, 3)
    clf = counted().fit(X[["number", "text", "ward"]], y)
    _, probabilities = run(clf, pd.DataFrame({"number": [np.nan], "text": [None], "ward": [np.nan]}))
    np.testing.assert_allclose(probabilities, np.bincount(y)[None] / len(y), rtol=0, atol=1e-12)


def test_values_on_edges_and_beyond():
    X = pd.DataFrame({"age": [39.0, 40.0, 40.5, 60.0, 61.0, 0.1]})
    clf = counted(discretizer={"age": [40, 60]}).fit(X, [0, 1, 0, 1, 1, 0])
    edges = [39.999999999999996, 40.0, 40.00000000000001, 60.0, -1e300, 1e300]
    assert_same(clf, pd.DataFrame({"age": edges}))


def test_a_class_of_probability_zero():
    X, y = random_table(100, 3)
    clf = counted(class_prior=[0.5, 0, 0.5]).fit(X, y)
    assert_same(clf, X)


def test_no_rows():
    X, y = random_table(100, 3)
    label, probabilities = run(counted().fit(X, y), X[:0])
    assert label.shape == (0,)
    assert probabilities.shape == (0, 3)


@pytest.mark.parametrize(
    ("classes", "dtype"),
    [(["ill", "wéll"], object), ([-3, 2**40], np.int64), ([False, True], np.int64), ([1.0, 2.0], np.int64)],
)
def test_kinds_of_labels(classes, dtype):
    X, y = random_table(100, 2)
    clf = counted().fit(X, np.array(classes)[y])
    label, _ = run(clf, X)
    assert label.dtype == dtype
    np.testing.assert_array_equal(label, clf.predict(X))


def test_inputs_and_outputs_have_the_names_of_columns():
    X, y = random_table(100, 2)
    X = X.rename(columns={"number": "label", "ward": "probabilities", "bool": "Softmax_20"})
    model = to_onnx(counted().fit(X, y))
    assert [value.name for value in model.graph.input] == X.columns.tolist()
    assert [value.name for value in model.graph.output] == ["label_", "probabilities_"]
    onnxruntime.InferenceSession(model.SerializeToString())


def test_inputs_say_what_is_missing():
    X, y = random_table(100, 2)
    model = to_onnx(counted().fit(X[["number", "text", "text or nothing"]], y))
    assert [value.doc_string for value in model.graph.input] == [
        "Numbers; NaN is missing.",
        "Text; '' is missing.",
        "Text; '<missing>' is missing.",
    ]


def test_written_to_a_file(tmp_path):
    X, y = random_table(100, 2)
    model = to_onnx(counted().fit(X, y), tmp_path / "model.onnx")
    assert onnx.load(tmp_path / "model.onnx") == model


def test_transformer_with_edges():
    X, y = random_table(100, 2)
    bins = quantile_bins(3)
    assert_same(counted(discretizer=bins).fit(X[["number", "text"]], y), X[["number", "text"]])


def assert_refused(clf, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        to_onnx(clf)


@pytest.mark.parametrize("smoothing", ["paper", "repair"])
def test_repaired_zeros_are_refused(smoothing):
    X, y = random_table(100, 2)
    assert_refused(
        counted(smoothing=smoothing).fit(X, y),
        f"to_onnx needs a classifier with smoothing='additive' or 'backoff', got smoothing={smoothing!r} instead, "
        "whose repair of zeros is not a sum of tables; fit again with one of the two.",
    )


def test_foreign_transformer_is_refused():
    X, y = random_table(100, 2)
    assert_refused(
        counted(discretizer=FunctionTransformer(np.floor)).fit(X[["number"]], y),
        "feature 'number' is coded by FunctionTransformer(func=<ufunc 'floor'>), which to_onnx cannot export; fit "
        "with discretizer='quantile', 'uniform', 'mdlp' or given edges, or with a transformer that has bin_edges_.",
    )


def test_empty_name_is_refused():
    assert_refused(
        counted().fit(pd.DataFrame({"": [1, 2, 3]}), [0, 1, 1]),
        "a column of X has the empty name '', which no input of ONNX can have; rename the column.",
    )


def test_no_text_left_for_missing():
    assert_refused(
        counted().fit(pd.DataFrame({"a": ["", "<missing>", "b"]}), [0, 1, 1]),
        "column 'a' has both '' and '<missing>' as categories, so that neither can represent a missing value; "
        "rename one of them.",
    )


def test_without_onnx(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"^to_onnx needs onnx; install it with: pip install 'gnbayes\[onnx\]'$"):
        to_onnx(counted().fit([[0], [1]], [0, 1]))
