import pickle
import re
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from classifiers import counted
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler

from gnbayes import GeneralizedNB, QuantileDiscretizer, selection_curve
from gnbayes.model import STRENGTHS

STRUCTURES = ["gnb-a", "gnb-o", "tan", "nb"]


def mixed_frame(n=200, seed=0):
    """Numbers, text, booleans and gaps, and a class that depends on them."""
    rng = np.random.default_rng(seed)
    age = rng.normal(50, 12, n).round(1)
    sex = rng.choice(["f", "m"], n)
    smokes = rng.random(n) < 0.3
    y = np.where(age + 20 * smokes + rng.normal(0, 10, n) > 55, "ill", "well")
    frame = pd.DataFrame({"age": age, "sex": sex, "smokes": smokes, "stage": rng.integers(1, 4, n)})
    frame.loc[::9, "age"] = np.nan
    frame.loc[::7, "sex"] = None
    return frame, y


@pytest.mark.parametrize("alpha", [0.1, 1.0, 3.0])
def test_naive_bayes_equals_scikit_learn(random_codes, alpha):
    X, y = random_codes
    theirs = CategoricalNB(alpha=alpha).fit(X, y)
    ours = counted("nb", alpha=alpha, categorical_features=range(7)).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-12, atol=0)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-12)


@pytest.mark.parametrize(
    ("structure", "weight", "order"),
    [
        ("nb", 6.094354, [22, 7]),
        ("gnb-a", 19.714312, [20, 23]),
        ("gnb-o", 19.817118, [20, 23]),
        ("tan", 19.817118, None),
    ],
)
def test_wdbc(wdbc, structure, weight, order):
    clf = counted(structure, information="plug-in").fit(*wdbc)
    assert clf.weight_ == pytest.approx(weight, abs=5e-7)
    assert order is None or clf.feature_order_[:2].tolist() == order
    assert clf.feature_importances_.sum() == pytest.approx(1.0)
    assert clf.tree_.weight_shares[clf.feature_order_[1]] == clf.tree_.gain[1] / clf.weight_


@pytest.mark.parametrize("structure", STRUCTURES)
def test_frames_of_all_kinds_give_equal_bits(structure):
    frame, y = mixed_frame()
    frames = {
        "pandas": frame,
        "nullable": frame.convert_dtypes(),
        "categorical": frame.astype({"sex": "category"}),
        "polars": pl.from_pandas(frame),
        "pyarrow": pa.Table.from_pandas(frame),
        "object": frame.to_numpy(dtype=object),
        "list": [
            [None if value is np.nan else value for value in row] for row in frame.to_numpy(dtype=object).tolist()
        ],
    }
    expected = counted(structure).fit(frame, y).predict_joint_log_proba(frame)
    for kind, other in frames.items():
        clf = counted(structure).fit(other, y)
        np.testing.assert_array_equal(clf.predict_joint_log_proba(other), expected, err_msg=kind)


def test_numeric_arrays_and_frames_give_equal_bits(wdbc):
    X, y = wdbc
    expected = counted().fit(X, y).predict_proba(X)
    for other in (X.tolist(), np.asfortranarray(X), X.astype(object), pd.DataFrame(X), pl.DataFrame(X)):
        np.testing.assert_array_equal(counted().fit(other, y).predict_proba(other), expected)


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("smoothing", ["additive", "backoff", "paper", "repair"])
def test_batches_with_given_edges_equal_one_fit(structure, smoothing, wdbc):
    X, y = wdbc[0][:, :8], wdbc[1]
    edges = {j: np.quantile(X[:, j], [0.25, 0.5, 0.75]).tolist() for j in range(8)}
    whole = counted(structure, discretizer=edges, smoothing=smoothing).fit(X, y)
    parts = counted(structure, discretizer=edges, smoothing=smoothing)
    for start, stop in pairwise([0, 100, 101, 400, 569]):
        parts.partial_fit(X[start:stop], y[start:stop], classes=[0, 1])
    np.testing.assert_array_equal(parts.predict_joint_log_proba(X), whole.predict_joint_log_proba(X))
    np.testing.assert_array_equal(parts.tree_.order, whole.tree_.order)


def test_batches_that_bring_new_categories_and_gaps_equal_one_fit():
    frame, y = mixed_frame()
    frame = frame[["sex", "smokes", "stage"]]
    whole = counted().fit(frame, y)
    order = np.argsort(frame["sex"].isna() * 2 + (frame["sex"] == "f") + 4 * frame["smokes"], kind="stable")
    parts = counted()
    for rows in np.array_split(order.to_numpy(), 5):
        parts.partial_fit(frame.iloc[rows], y[rows], classes=["ill", "well"])
    np.testing.assert_array_equal(parts.predict_joint_log_proba(frame), whole.predict_joint_log_proba(frame))


def test_partial_fit_goes_on_from_fit(wdbc):
    X, y = wdbc
    edges = {j: [float(np.median(X[:, j]))] for j in range(30)}
    more = counted(discretizer=edges).fit(X[:300], y[:300]).partial_fit(X[300:], y[300:])
    whole = counted(discretizer=edges).fit(X, y)
    np.testing.assert_array_equal(more.predict_proba(X), whole.predict_proba(X))


def test_classes_that_come_later_have_probability_zero_till_then():
    clf = counted().partial_fit([[0.0], [1.0]], [0, 1], classes=[0, 1, 2])
    np.testing.assert_array_equal(clf.predict_proba([[0.0], [1.0]])[:, 2], [0, 0])


@pytest.mark.parametrize("structure", STRUCTURES)
def test_whole_weights_are_as_good_as_repeated_rows(structure):
    frame, y = mixed_frame()
    weights = np.random.default_rng(1).integers(0, 3, len(y))
    weighted = counted(structure).fit(frame, y, sample_weight=weights)
    index = np.repeat(np.arange(len(y)), weights)
    repeated = counted(structure).fit(frame.iloc[index], y[index])
    np.testing.assert_array_equal(weighted.predict_proba(frame), repeated.predict_proba(frame))


@pytest.mark.parametrize("structure", STRUCTURES)
def test_wide_tables_give_the_same_bits_without_keeping_pairs(structure, monkeypatch, wdbc):
    X, y = wdbc
    kept = counted(structure).fit(X, y)
    monkeypatch.setattr("gnbayes.counted_tree.MAX_KEPT_CELLS", 10)
    wide = counted(structure).fit(X, y)
    np.testing.assert_array_equal(wide.predict_joint_log_proba(X), kept.predict_joint_log_proba(X))
    np.testing.assert_array_equal(wide.tree_.gain, kept.tree_.gain)
    if structure == "nb":
        wide.partial_fit(X, y)
    else:
        with pytest.raises(ValueError, match="partial_fit continues from the counts of all pairs of values, which are"):
            wide.partial_fit(X, y)


def test_threads_reach_the_sums_of_terms_of_few_rows(wdbc, monkeypatch):
    """Pairs of so few rows are counted by one thread; sums over terms decide for themselves."""
    asked = set()

    def limit(n_threads, _):
        asked.add(n_threads)
        return n_threads

    X, y = wdbc[0][:, :10], wdbc[1]
    one = GeneralizedNB(interactions="tree", n_fits=1).fit(X, y)
    monkeypatch.setattr("gnbayes.model.fitting.sums.limit_threads", limit)
    two = GeneralizedNB(interactions="tree", n_fits=1, n_jobs=2).fit(X, y)
    assert asked == {2}
    assert np.array_equal(one.predict_proba(X), two.predict_proba(X))


@pytest.mark.parametrize("n_jobs", [2, -1, -100])
def test_threads_do_not_change_a_bit(wdbc, n_jobs):
    X = np.tile(wdbc[0], (80, 1))
    clf = counted(n_jobs=n_jobs).fit(*wdbc)
    np.testing.assert_array_equal(clf.predict_proba(X), counted().fit(*wdbc).predict_proba(X))


def test_given_priors_take_the_place_of_shares(wdbc):
    X, y = wdbc
    clf, even = counted().fit(X, y), counted(class_prior=[0.5, 0.5]).fit(X, y)
    shift = np.log(0.5) - np.log(np.bincount(y) / len(y))
    np.testing.assert_allclose(even.predict_joint_log_proba(X), clf.predict_joint_log_proba(X) + shift, atol=1e-10)


def test_missing_values_at_prediction_only_are_summed_out(wdbc):
    X, y = wdbc
    clf = counted("tan").fit(X, y)
    gaps = X[:5].copy()
    gaps[:, 20] = np.nan
    joint = 0
    for code in range(5):
        full = clf._codes(X[:5]).copy()
        full[:, 20] = code
        joint = joint + np.exp(clf.model_.log_joint(full))
    np.testing.assert_allclose(np.exp(clf.predict_joint_log_proba(gaps)), joint, rtol=1e-10)


def test_a_row_of_nothing_but_gaps_gets_the_prior(wdbc):
    clf = counted().fit(*wdbc)
    np.testing.assert_allclose(clf.predict_proba(np.full((1, 30), np.nan))[0], np.bincount(wdbc[1]) / 569)


def test_missing_values_in_training_are_a_value_of_their_own():
    X = np.array([[1.0], [np.nan], [1.0], [np.nan]] * 5)
    clf = counted().fit(X, [0, 1, 0, 1] * 5)
    assert clf.predict([[np.nan], [1.0]]).tolist() == [1, 0]
    assert clf.features_[0].labels == ("x0 = 1", "x0 missing")


def test_log_likelihood(wdbc):
    X, y = wdbc
    clf = counted().fit(X, y)
    joint = clf.predict_joint_log_proba(X)
    assert clf.log_likelihood(X, y) == pytest.approx(joint[np.arange(569), y].sum())


def test_a_better_tree_has_a_better_likelihood_without_smoothing(wdbc):
    """The log-likelihood of relative frequencies is n times the weight, plus a constant."""
    X, y = wdbc
    fits = [counted(s, smoothing="paper").fit(X, y) for s in ("nb", "gnb-a", "tan")]
    likelihood = np.array([clf.log_likelihood(X, y) for clf in fits])
    weights = np.array([clf.weight_ for clf in fits])
    np.testing.assert_allclose(np.diff(likelihood), 569 * np.diff(weights), rtol=1e-9)


def test_samples_look_like_the_training_table():
    frame, y = mixed_frame()
    clf = counted().fit(frame, y)
    X, labels = clf.sample(300, random_state=0)
    assert X.shape == (300, 4)
    assert set(labels) == {"ill", "well"}
    assert set(X[:, 1]) == {"f", "m", None}
    assert set(X[:, 2]) == {True, False}
    again, _ = clf.sample(300, random_state=0)
    assert [list(map(str, row)) for row in again] == [list(map(str, row)) for row in X]
    numbers, _ = counted().fit(frame[["age", "stage"]], y).sample(5, random_state=1)
    assert numbers.dtype == np.float64


def test_classes_of_any_kind(wdbc):
    X, y = wdbc
    for classes in (["benign", "malignant"], [False, True], [-1, 7]):
        labels = np.array(classes)[y]
        assert set(counted().fit(X, labels).predict(X)) == set(classes)


def test_cloning_pickling_and_pipelines(wdbc):
    X, y = wdbc
    clf = counted("gnb-o", n_bins=4, discretizer={3: [500.0]}).fit(X, y)
    assert clone(clf).get_params()["n_bins"] == 4
    again = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    pipeline = make_pipeline(StandardScaler(), counted()).fit(X, y)
    np.testing.assert_array_equal(pipeline.predict(X), counted().fit(X, y).predict(X))


@pytest.mark.slow
def test_grid_search_over_every_parameter(wdbc):
    X, y = wdbc[0][::3, :4], wdbc[1][::3]
    values = {
        "structure": STRUCTURES,
        "discretizer": [
            "quantile",
            "uniform",
            "mdlp",
            {0: [15.0]},
            QuantileDiscretizer(3),
            KBinsDiscretizer(3, encode="ordinal", strategy="uniform"),
        ],
        "n_bins": [3, 6, "auto"],
        "smoothing": ["additive", "backoff", "paper", "repair"],
        "alpha": [0.5, 2, "auto"],
        "weighting": [None, "discriminative"],
        "interactions": ["auto", "tree", 2, [(0, 1)]],
        "n_fits": ["auto", 2],
        "monotonic_cst": [None],
        "information": ["plug-in", "corrected"],
        "n_features": [None, 2, "auto", "few"],
        "categorical_features": ["from_dtype", []],
        "class_prior": [None, [0.3, 0.7]],
        "class_weight": [None, "balanced", {0: 2}],
        "n_jobs": [None, 2],
        "verbose": [0],
    }
    assert set(values) == set(counted().get_params())
    grid = [{name: options} for name, options in values.items()]
    search = GridSearchCV(counted(), grid, cv=2, error_score="raise").fit(X, y)
    assert search.best_score_ > 0.85


@pytest.mark.slow
@pytest.mark.parametrize("structure", ["gnb-o", "nb"])
@pytest.mark.parametrize("smoothing", ["additive", "backoff"])
@pytest.mark.parametrize("n_features", [None, 3, "auto"])
def test_a_strength_chosen_by_leaving_rows_out(wdbc, structure, smoothing, n_features):
    X, y = wdbc
    parameters = {"structure": structure, "smoothing": smoothing, "weighting": None, "n_bins": 5}
    parameters["information"] = "plug-in"  # of which prefixes and the whole begin with the same feature

    def loss(alpha):
        clf = GeneralizedNB(**parameters, alpha=alpha)
        losses = -selection_curve(clf, X, y, cv="loo", scoring="neg_log_loss").mean("neg_log_loss")
        return losses.min() if n_features == "auto" else losses[(n_features or X.shape[1]) - 1]

    clf = GeneralizedNB(**parameters, alpha="auto", n_features=n_features).fit(X, y)
    assert clf.alpha_ == min(STRENGTHS, key=loss)
    same = GeneralizedNB(**parameters, alpha=clf.alpha_, n_features=clf.n_features_).fit(X, y)
    np.testing.assert_array_equal(clf.predict_proba(X), same.predict_proba(X))


def test_rows_of_weight_2_are_two_rows_when_a_strength_is_chosen(wdbc):
    X, y = wdbc[0][:80, :6], wdbc[1][:80]
    clf = GeneralizedNB("gnb-o", weighting=None, n_bins=5, alpha="auto")
    weights = 1 + np.arange(80) % 2
    weighted = clone(clf).fit(X, y, sample_weight=weights)
    repeated = clone(clf).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.alpha_ == repeated.alpha_ != 1.0
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-12)


def test_a_given_strength_is_the_one_that_is_used(wdbc):
    assert GeneralizedNB("nb", weighting=None, alpha=2).fit(*wdbc).alpha_ == 2.0
    clf = GeneralizedNB("nb", weighting=None, n_bins=5, alpha=0.5).partial_fit(*wdbc, classes=[0, 1])
    assert clf.set_params(alpha=3).partial_fit(*wdbc).alpha_ == 3.0


@pytest.mark.slow
def test_cross_validation_beats_naive_bayes_on_wdbc(wdbc):
    X, y = wdbc
    accuracy = {s: (cross_val_predict(counted(s), X, y, cv=10) == y).mean() for s in ("nb", "gnb-a")}
    assert accuracy["gnb-a"] > accuracy["nb"] > 0.92


def test_progress_is_shown_when_asked_for(capsys, monkeypatch, wdbc):
    clock = iter(range(1000))
    monkeypatch.setattr("gnbayes.progress.time.monotonic", lambda: next(clock))
    counted(verbose=1).fit(*wdbc)
    error = capsys.readouterr().err
    assert "counting pairs:" in error
    assert error.rstrip().endswith("s")
    counted().fit(*wdbc)
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_progress_of_weights_goes_up_to_the_end(capsys, monkeypatch, wdbc):
    clock = iter(range(100_000))
    monkeypatch.setattr("gnbayes.progress.time.monotonic", lambda: next(clock))
    GeneralizedNB(verbose=1, n_fits=2).fit(wdbc[0][::2, :4], wdbc[1][::2])
    shares = [int(share) for share in re.findall(r"learning weights: +(\d+)%", capsys.readouterr().err)]
    assert len(shares) > 10
    assert shares == sorted(shares)
    assert shares[-1] == 100
