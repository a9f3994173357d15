import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from classifiers import counted
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gnbayes import GNBSelector, selection_curve


def test_by_number(wdbc):
    selector = GNBSelector(counted("gnb-a"), n_features=4).fit(*wdbc)
    clf = counted("gnb-a", n_features=30).fit(*wdbc)
    assert sorted(clf.feature_order_[:4]) == selector.get_support(indices=True).tolist()
    np.testing.assert_array_equal(selector.transform(wdbc[0]), wdbc[0][:, sorted(clf.feature_order_[:4])])


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.0])
def test_by_share_of_the_weight(wdbc, share):
    selector = GNBSelector(counted("gnb-o"), n_features=share).fit(*wdbc)
    gain = counted("gnb-o", n_features=30).fit(*wdbc).tree_.gain
    assert gain[: selector.n_features_].sum() >= share * gain.sum() * (1 - 1e-9)
    assert gain[: selector.n_features_ - 1].sum() < share * gain.sum()


@pytest.mark.parametrize("cv", ["loo", pytest.param(4, marks=pytest.mark.slow)])
def test_by_the_curve(wdbc, cv):
    clf = counted("gnb-a")
    curve = selection_curve(clf, *wdbc, cv=cv, scoring="accuracy")
    best = GNBSelector(clf, n_features="best", scoring="accuracy", cv=cv).fit(*wdbc)
    fewest = GNBSelector(clf, n_features="one-se", scoring="accuracy", cv=cv).fit(*wdbc)
    assert best.n_features_ == curve.best("accuracy")
    assert fewest.n_features_ == curve.one_standard_error("accuracy") <= best.n_features_


@pytest.mark.slow
def test_the_classifier_does_it_inside(wdbc):
    auto = counted(n_features="auto").fit(*wdbc)
    assert auto.n_features_ == selection_curve(counted(), *wdbc).within_noise("neg_log_loss")
    fewer = counted(n_features=auto.n_features_).fit(*wdbc)
    np.testing.assert_array_equal(auto.predict_proba(wdbc[0]), fewer.predict_proba(wdbc[0]))


def test_whole_weights_are_as_good_as_repeated_rows(wdbc):
    X, y = wdbc[0][:150, :8], wdbc[1][:150]
    weights = np.random.default_rng(0).integers(0, 3, 150)
    weighted = counted(n_features="auto").fit(X, y, sample_weight=weights)
    repeated = counted(n_features="auto").fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.n_features_ == repeated.n_features_
    np.testing.assert_array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


def test_names_frames_and_text(wdbc):
    frame = pd.DataFrame(wdbc[0][:, :5], columns=list("abcde")).assign(t=np.where(wdbc[1], "x", "y"))
    selector = GNBSelector(counted("nb"), n_features=2).set_output(transform="pandas").fit(frame, wdbc[1])
    kept = selector.transform(frame)
    assert "t" in kept
    assert kept.columns.tolist() == selector.get_feature_names_out().tolist()
    assert kept.shape == (569, 2)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "list"])
def test_columns_come_out_as_they_went_in(kind):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"code": pd.Categorical(rng.integers(0, 30, 900).astype(str)), "z": rng.normal(size=900)})
    y = (frame["code"].astype(int) % 2).to_numpy()
    X = {
        "pandas": lambda: frame,
        "polars": lambda: pl.from_pandas(frame),
        "pyarrow": lambda: pa.Table.from_pandas(frame),
        "list": lambda: frame.astype({"code": str}).to_numpy(dtype=object).tolist(),
    }[kind]()
    pipeline = make_pipeline(GNBSelector(counted(), n_features=2), counted()).fit(X, y)
    np.testing.assert_array_equal(pipeline.predict_proba(X), counted().fit(X, y).predict_proba(X))


def test_a_failed_fit_leaves_the_selector_as_it_was(wdbc):
    selector = GNBSelector(counted(), n_features=2)
    with pytest.raises(ValueError, match="n_features is 2, but X has only 1 columns"):
        selector.fit(wdbc[0][:, :1], wdbc[1])
    with pytest.raises(NotFittedError):
        selector.transform(wdbc[0])
    selector.fit(*wdbc)
    with pytest.raises(ValueError, match="n_features is 2"):
        selector.fit(wdbc[0][:, :1], wdbc[1])
    assert selector.transform(wdbc[0]).shape == (569, 2)


@pytest.mark.slow
def test_before_any_estimator(wdbc):
    pipeline = make_pipeline(GNBSelector(n_features=6), StandardScaler(), LogisticRegression())
    assert pipeline.fit(*wdbc).score(*wdbc) > 0.92


def test_more_features_than_there_are(wdbc):
    with pytest.raises(ValueError, match="n_features is 31, but X has only 30 columns"):
        GNBSelector(n_features=31).fit(*wdbc)


def test_true_is_no_number(wdbc):
    with pytest.raises(
        ValueError, match="n_features must be a number of features, a share or a rule such as 'few', got"
    ):
        GNBSelector(n_features=True).fit(*wdbc)


@pytest.mark.parametrize(
    "parameters", [{"n_features": 0}, {"n_features": 1.5}, {"n_features": "most"}, {"cv": "prefit"}, {"estimator": 3}]
)
def test_parameters_out_of_range(parameters, wdbc):
    with pytest.raises(ValueError, match=f"The '{next(iter(parameters))}' parameter of GNBSelector must be"):
        GNBSelector(**parameters).fit(*wdbc)
