import numpy as np
import pandas as pd
import polars as pl
import pytest
from classifiers import counted
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, f1_score, log_loss, roc_auc_score
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold, StratifiedKFold
from sklearn.naive_bayes import CategoricalNB

from gnbayes import GeneralizedNB, SelectionCurveDisplay, selection_curve
from gnbayes.model import build_joint

STRUCTURES = ["gnb-a", "gnb-o", "tan", "nb"]


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("smoothing", ["additive", "backoff", "paper", "repair"])
def test_a_validation_curve_equals_models_of_fewer_features(structure, smoothing, wdbc):
    X, y = wdbc[0][:, :9], wdbc[1]
    clf = counted(structure, smoothing=smoothing).fit(X[:400], y[:400])
    curve = selection_curve(clf, X[400:], y[400:], cv="prefit")
    for t in (1, 2, 5, 9):
        fewer = clone(clf).set_params(n_features=t).fit(X[:400], y[:400])
        assert curve.scores["accuracy"][0, t - 1] == accuracy_score(y[400:], fewer.predict(X[400:]))
        proba = fewer.predict_proba(X[400:])
        assert curve.scores["roc_auc"][0, t - 1] == pytest.approx(roc_auc_score(y[400:], proba[:, 1]), abs=1e-12)
        assert curve.scores["neg_log_loss"][0, t - 1] == pytest.approx(-log_loss(y[400:], proba), abs=1e-10)
    assert curve.order == tuple(fewer.features_[j].name for j in fewer.feature_order_)


@pytest.mark.parametrize("smoothing", ["additive", pytest.param("backoff", marks=pytest.mark.slow)])
def test_the_leave_one_out_curve_equals_real_refits(smoothing):
    X, y = load_iris(return_X_y=True)
    X, y = X[::5], y[::5]
    clf = counted("gnb-o", smoothing=smoothing, n_features=4).fit(X, y)
    codes = clf._codes(X)
    right = np.zeros(4)
    for i in range(len(y)):
        others = np.arange(len(y)) != i
        rows = counted(discretizer={}, categorical_features=range(4)).fit(codes, y)
        counts = rows.partial_fit(codes[others], y[others]).counts_  # all rows and all but one
        once = counted(categorical_features=range(4)).fit(codes, y).counts_
        rest = type(counts)(
            counts.cardinalities,
            counts.classes - once.classes,
            counts.singles - once.singles,
            None,
            counts.cells - once.cells,
        )
        refitted = build_joint(clf.tree_, rest, smoothing)
        right += refitted.prefix_log_joint(codes[[i]])[0].argmax(axis=1) == y[i]
    curve = selection_curve(counted("gnb-o", smoothing=smoothing), X, y, cv="loo", scoring="accuracy")
    np.testing.assert_allclose(curve.mean("accuracy"), right / len(y), atol=1e-12)


def test_cross_validation_learns_everything_anew_in_every_split(wdbc):
    X, y = wdbc
    folds = StratifiedKFold(4, shuffle=True, random_state=1)
    curve = selection_curve(counted(), X, y, cv=folds, scoring=["f1", "neg_log_loss"])
    assert curve.scores["f1"].shape == (4, 30)
    assert curve.order == tuple(f"x{j}" for j in counted(n_features=30).fit(X, y).feature_order_)
    for fold, (train, test) in enumerate(folds.split(X, y)):
        clf = counted(n_features=7).fit(X[train], y[train])
        assert curve.scores["f1"][fold, 6] == pytest.approx(f1_score(y[test], clf.predict(X[test])))
    spread = curve.scores["f1"].std(axis=0, ddof=1) / 2
    np.testing.assert_allclose(curve.errors["f1"], spread)


def test_groups_stay_together(wdbc):
    X, y = wdbc
    curve = selection_curve(counted(), X, y, cv=GroupKFold(3), groups=np.arange(569) // 10, scoring="accuracy")
    assert curve.scores["accuracy"].shape == (3, 30)


def test_a_number_of_folds_keeps_groups_together_too(wdbc):
    X, y = wdbc
    groups = np.arange(569) // 10
    curves = [
        selection_curve(counted(), X, y, cv=cv, groups=groups, scoring="accuracy")
        for cv in (3, StratifiedGroupKFold(3))
    ]
    np.testing.assert_array_equal(curves[0].scores["accuracy"], curves[1].scores["accuracy"])


def test_errors_allow_for_groups(wdbc):
    X, y = np.tile(wdbc[0][:200, :4], (3, 1)), np.tile(wdbc[1][:200], 3)
    groups = np.tile(np.arange(200), 3)
    curve = selection_curve(counted(), X, y, cv=StratifiedGroupKFold(4), groups=groups, scoring="neg_log_loss")
    apart = selection_curve(
        counted(), X, y, cv=list(StratifiedGroupKFold(4).split(X, y, groups)), scoring="neg_log_loss"
    )
    np.testing.assert_allclose(curve.mean("neg_log_loss"), apart.mean("neg_log_loss"))
    np.testing.assert_allclose(curve.errors["neg_log_loss"], np.sqrt(3) * apart.errors["neg_log_loss"], rtol=0.01)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_with_gaps_at_validation_only(frame, wdbc):
    X, y = wdbc
    names = [f"c{j}" for j in range(30)]
    gaps = X[400:].copy()
    gaps[::2, ::3] = np.nan
    clf = counted("tan").fit(frame(dict(zip(names, X[:400].T, strict=True))), y[:400])
    curve = selection_curve(clf, frame(dict(zip(names, gaps.T, strict=True))), y[400:], cv="prefit")
    whole = clf.predict(frame(dict(zip(names, gaps.T, strict=True))))
    assert curve.scores["accuracy"][0, -1] == (whole == y[400:]).mean()
    split = selection_curve(counted(), frame(dict(zip(names, X.T, strict=True))), y, cv=3, scoring="accuracy")
    assert split.scores["accuracy"].shape == (3, 30)


def test_more_than_two_classes_have_macro_and_weighted_averages():
    X, y = load_iris(return_X_y=True)
    curve = selection_curve(counted(), X, y)
    assert {"f1_macro", "f1_weighted", "roc_auc_ovr", "neg_log_loss"} <= set(curve.scores)


def test_best_and_one_standard_error(wdbc):
    curve = selection_curve(counted(), *wdbc, cv="loo")
    mean, best = curve.mean("neg_log_loss"), curve.best("neg_log_loss")
    assert mean[best - 1] == mean.max()
    fewest = curve.one_standard_error("neg_log_loss")
    limit = mean.max() - curve.errors["neg_log_loss"][best - 1]
    assert fewest <= best
    assert mean[fewest - 1] >= limit
    assert (mean[: fewest - 1] < limit).all()
    with pytest.raises(ValueError, match="'f1' has no standard error here; use cross-validation"):
        curve.one_standard_error("f1")
    with pytest.raises(ValueError, match="'kappa' is not on this curve; it has accuracy, precision"):
        curve.best("kappa")


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_curve_as_a_frame(backend, wdbc):
    curve = selection_curve(counted(), *wdbc, cv=3, scoring=["accuracy", "f1"])
    frame = curve.to_frame(backend)
    names = frame.column_names if backend == "pyarrow" else list(frame.columns)
    assert names == ["n_features", "feature", "accuracy", "accuracy_error", "f1", "f1_error"]
    assert len(frame) == 30


def test_leave_one_out_is_shown_without_errors(wdbc):
    curve = selection_curve(counted(), *wdbc, cv="loo", scoring=["accuracy", "neg_log_loss"])
    assert curve.shown_errors == {}
    assert list(curve.to_frame().columns) == ["n_features", "feature", "accuracy", "neg_log_loss"]
    assert len(SelectionCurveDisplay.from_curve(curve).ax_.collections) == 0
    # To choose by one standard error they are there.
    assert curve.one_standard_error("neg_log_loss") <= curve.best("neg_log_loss")
    held_out = selection_curve(counted(), *wdbc, cv=3, scoring="accuracy")
    assert len(SelectionCurveDisplay.from_curve(held_out).ax_.collections) == 1


def test_leave_one_out_has_no_area_under_the_curve(wdbc):
    assert "roc_auc" not in selection_curve(counted(), *wdbc, cv="loo").scores
    for name in ("roc_auc", "average_precision"):
        message = f"{name!r} compares rows with each other, but cv='loo' scores each row by another model; use cross-"
        with pytest.raises(ValueError, match=message):
            selection_curve(counted(), *wdbc, cv="loo", scoring=[name, "accuracy"])


def test_the_area_of_one_feature_is_not_below_chance():
    """Pooled over models that each leave out a row, the area of a weak feature falls far below a half."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    X = np.where(rng.random(300) < 0.55, y, 1 - y)[:, None].astype(float)
    assert selection_curve(counted(), X, y, scoring="roc_auc").mean("roc_auc")[0] > 0.5


def test_positive_class(wdbc):
    X, y = wdbc
    names = np.array(["malignant", "benign"])[y]
    curve = selection_curve(counted(), X, names, cv="loo", scoring="recall", pos_label="malignant")
    other = selection_curve(counted(), X, y, cv="loo", scoring="recall", pos_label=0)
    np.testing.assert_array_equal(curve.scores["recall"], other.scores["recall"])
    with pytest.raises(ValueError, match="pos_label 'ill' is not a class; the classes are"):
        selection_curve(counted(), X, names, pos_label="ill")


def test_splits_without_a_class(wdbc):
    y = np.array([0] * 20 + [1] * 17 + [2] * 3)
    X = np.random.default_rng(0).normal(y[:, None], 1, (40, 4))
    folds = [(np.arange(0, 40, 2), np.arange(0, 30)), (np.arange(40), np.arange(40))]
    with pytest.raises(
        ValueError, match="'roc_auc_ovr' cannot be computed in split 1, where not all classes have rows"
    ):
        selection_curve(counted(), X, y, cv=folds, scoring="roc_auc_ovr")
    with pytest.raises(ValueError, match=r"split 1 has held-out rows of class .*2.*, but no training rows of it"):
        selection_curve(counted(), X, y, cv=[(np.arange(37), np.arange(30, 40))], scoring="accuracy")
    for held_out, weights in ((np.arange(0), None), (np.arange(30, 37), np.repeat([1.0, 0.0], [30, 10]))):
        with pytest.raises(ValueError, match="split 1 has no held-out rows; use other splits"):
            selection_curve(counted(), X, y, cv=[(np.arange(30), held_out)], sample_weight=weights)
    lacking = [(np.arange(37), np.arange(0, 37, 3)), (np.arange(40), np.arange(40))]
    curve = selection_curve(counted(), X, y, cv=lacking, scoring=["f1_macro", "neg_log_loss"])
    assert curve.scores["f1_macro"].shape == (2, 4)
    assert np.isfinite(curve.errors["f1_macro"]).all()


@pytest.mark.slow
def test_scores_of_scikit_learn_know_the_positive_class(wdbc):
    X, y = wdbc
    names = np.array(["malignant", "benign"])[y]
    for pos_label, positive in (("malignant", 0), ("benign", 1)):
        curve = selection_curve(
            counted(), X, names, scoring=["average_precision", "jaccard"], pos_label=pos_label, cv=3
        )
        same = selection_curve(counted(), X, (y == positive).astype(int), scoring=["average_precision"], cv=3)
        np.testing.assert_allclose(curve.mean("average_precision")[0], same.mean("average_precision")[0], atol=0.02)
    with pytest.raises(ValueError, match="pos_label is for two classes; there are 3"):
        selection_curve(counted(), *load_iris(return_X_y=True), pos_label=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scoring": []}, "scoring must be one or more names of scikit-learn's scorers, got"),
        ({"scoring": len}, "scoring must be one or more names of scikit-learn's scorers, got"),
        ({"cv": []}, "cv gives no splits"),
        ({"y": None, "cv": 3}, "requires y to be passed, but the target y is None"),
    ],
)
def test_wrong_arguments(arguments, message, wdbc):
    with pytest.raises(ValueError, match=message):
        selection_curve(counted(), **{"X": wdbc[0], "y": wdbc[1], **arguments})


def test_only_our_own_classifier(wdbc):
    with pytest.raises(TypeError, match="estimator must be a GeneralizedNB, got CategoricalNB instead"):
        selection_curve(CategoricalNB(), *wdbc)


def test_ways_that_do_not_exist(wdbc):
    with pytest.raises(ValueError, match="cv must be 'loo', 'prefit', a number of splits, a splitter or an iterable"):
        selection_curve(counted(), *wdbc, cv="jackknife")
    with pytest.raises(ValueError, match="cv='loo' is not possible with smoothing='paper'; use cross-validation"):
        selection_curve(counted(smoothing="paper"), *wdbc, cv="loo")
    with pytest.raises(ValueError, match="cv='loo' is not possible with smoothing='repair'; use cross-validation"):
        selection_curve(counted(smoothing="repair"), *wdbc, cv="loo")


def test_a_copied_column_and_a_column_of_noise(wdbc):
    """A copy has a large share of the weight and tells nothing new of the class; noise has neither."""
    X, y = wdbc
    noise = np.random.default_rng(0).integers(0, 2, 569)
    clf = counted(information="plug-in").fit(np.column_stack([X[:, :3], X[:, 0], noise]), y)
    copies = sorted([0, 3], key=clf.feature_order_.tolist().index)
    assert clf.class_gain_[copies[1]] == pytest.approx(0, abs=1e-12)
    assert clf.tree_.weight_shares[copies[1]] > 0.2
    assert clf.class_gain_[4] < 0.02
    assert clf.feature_importances_[4] < 0.1


@pytest.mark.parametrize("smoothing", ["additive", "backoff"])
def test_what_was_chosen_from_all_rows_is_held_fixed(wdbc, smoothing):
    X, y = wdbc[0][:, :8], wdbc[1]
    clf = GeneralizedNB("gnb-o", weighting=None, n_bins="auto", smoothing=smoothing, alpha="auto").fit(X, y)
    edges = {j: list(feature.edges) for j, feature in enumerate(clf.features_)}
    same = GeneralizedNB("gnb-o", weighting=None, discretizer=edges, smoothing=smoothing, alpha=clf.alpha_)
    curves = [
        selection_curve(model, X, y, cv="loo", scoring="neg_log_loss").mean("neg_log_loss") for model in (clf, same)
    ]
    np.testing.assert_array_equal(*curves)
