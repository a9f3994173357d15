"""What bad input gets: an error that says what is wrong and what to do, or a documented result."""

import numpy as np
import pandas as pd
import pytest
from classifiers import counted
from sklearn.preprocessing import OneHotEncoder

X = np.random.default_rng(0).normal(size=(40, 3))
Y = (X[:, 0] > 0).astype(int)
ALL = pytest.mark.parametrize("structure", ["gnb-a", "gnb-o", "tan", "nb"])


@pytest.mark.parametrize("gap", [np.nan, None, pd.NA])
@ALL
def test_missing_values_work_everywhere(structure, gap):
    holes = pd.DataFrame(X, columns=["a", "b", "c"]).astype(object)
    holes.iloc[::3, 0] = gap
    fitted_with = counted(structure).fit(holes, Y)
    fitted_without = counted(structure).fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    for clf in (fitted_with, fitted_without):
        assert np.isfinite(clf.predict_proba(holes)).all()


@ALL
def test_unseen_values_drop_out_with_one_warning_that_counts_them(structure):
    frame = pd.DataFrame({"color": ["red", "blue"] * 10, "size": [1.0, 2.0] * 10, "n": np.arange(20.0)})
    clf = counted(structure).fit(frame, [0, 1] * 10)
    odd = pd.DataFrame({"color": ["green", "pink", "red"], "size": [1.0, 3.0, 2.0], "n": [1.0, 2.0, 3.0]})
    gaps = pd.DataFrame({"color": [None, None, "red"], "size": [1.0, np.nan, 2.0], "n": [1.0, 2.0, 3.0]})
    message = r"3 values of X were never seen in training \('color': 2, 'size': 1\); in those rows these features count"
    with pytest.warns(UserWarning, match=message) as caught:
        proba = clf.predict_proba(odd)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(proba, clf.predict_proba(gaps))


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (X, np.zeros(40), r"y holds only one class, .*0.*; a classifier needs rows of two or more"),
        (
            np.empty((0, 3)),
            [],
            r"Found array with 0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required by Gen",
        ),
        (np.empty((3, 0)), [0, 1, 0], r"Found array with 0 feature\(s\) \(shape=\(3, 0\)\) while a minimum of 1"),
        (X, np.where(Y, np.nan, 1.0), "Input y contains NaN"),
        (X, Y[:-1], r"Found input variables with inconsistent numbers of samples: \[40, 39\]"),
        (np.where(X > 2, np.inf, X), Y, "Input X contains infinity or a value too large for dtype"),
        (X[:, 0], Y, "Expected 2D array, got 1D array instead"),
        (X, X[:, 0], "Unknown label type: continuous"),
        (X + 1j, Y, "Complex data not supported"),
    ],
)
def test_tables_that_cannot_be_fitted(X, y, message):
    with pytest.raises(ValueError, match=message):
        counted().fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"structure": "bn"}, "The 'structure' parameter of GeneralizedNB must be a str among"),
        ({"discretizer": "deciles"}, "The 'discretizer' parameter of GeneralizedNB must be"),
        ({"discretizer": 5}, "The 'discretizer' parameter of GeneralizedNB must be"),
        ({"n_bins": 1}, r"The 'n_bins' parameter of GeneralizedNB must be an int in the range \[2, inf\)"),
        ({"smoothing": "none"}, "The 'smoothing' parameter of GeneralizedNB must be a str among"),
        ({"alpha": 0}, r"The 'alpha' parameter of GeneralizedNB must be a float in the range \(0\.0, 1e\+100\]"),
        ({"categorical_features": "all"}, "The 'categorical_features' parameter of GeneralizedNB must be"),
        ({"class_prior": [0.5, 0.2]}, "class_prior must hold 2 probabilities that sum to 1, one per class, got"),
        ({"class_prior": [1.0]}, "class_prior must hold 2 probabilities that sum to 1, one per class, got"),
        ({"class_prior": ["a", "b"]}, "class_prior must hold 2 probabilities that sum to 1, one per class, got"),
        ({"alpha": 1e101}, r"The 'alpha' parameter of GeneralizedNB must be a float in the range \(0\.0, 1e\+100\]"),
        ({"n_features": 0}, "The 'n_features' parameter of GeneralizedNB must be"),
        ({"n_features": 4}, "n_features is 4, but X has only 3 columns"),
        ({"alpha": "much"}, r"The 'alpha' parameter of GeneralizedNB must be .* or a str among {'auto'}"),
        (
            {"alpha": "auto", "smoothing": "paper", "weighting": None},
            "alpha='auto' leaves rows out in turn, which smoothing='paper' does not allow; give a number or use",
        ),
        (
            {"alpha": "auto", "smoothing": "repair", "weighting": None},
            "alpha='auto' leaves rows out in turn, which smoothing='repair' does not allow; give a number or use",
        ),
        (
            {"discretizer": OneHotEncoder()},
            r"discretizer OneHotEncoder\(\) must give one finite number for each number",
        ),
        ({"class_prior": [1.5, -0.5]}, "class_prior must hold 2 probabilities that sum to 1, one per class, got"),
        ({"discretizer": {0: [2, 1]}}, "edges of column 0 must be increasing finite numbers"),
    ],
)
def test_parameters_out_of_range(parameters, message):
    with pytest.raises(ValueError, match=message):
        counted(**parameters).fit(X, Y)


def test_a_failed_fit_loses_nothing():
    clf = counted().fit(X, Y)
    before = clf.predict_proba(X)
    clf.set_params(class_prior=[2.0, -1.0])
    with pytest.raises(ValueError, match="class_prior must hold"):
        clf.partial_fit(X, Y)
    np.testing.assert_array_equal(clf.set_params(class_prior=None).predict_proba(X), before)


def test_a_failed_refit_leaves_the_old_model_whole():
    clf = counted().fit(X, Y)
    before = clf.predict(X)
    for bad in ({"y": np.full(40, "cat")}, {"y": Y[:-1]}, {"X": X[:, :2], "y": Y[:-1]}):
        with pytest.raises(ValueError, match=r"only one class|inconsistent numbers"):
            clf.fit(**{"X": X, "y": Y, **bad})
    np.testing.assert_array_equal(clf.predict(X), before)
    assert clf.classes_.tolist() == [0, 1]


def test_a_failed_first_batch_can_be_tried_again():
    clf = counted()
    with pytest.raises(ValueError, match="do not exist in the initial classes"):
        clf.partial_fit(X, Y + 1, classes=[0, 1])
    clf.partial_fit(X, Y, classes=[0, 1])
    assert clf.score(X, Y) > 0.8


def test_changing_the_structure_between_batches():
    clf = counted().partial_fit(X, Y, classes=[0, 1]).set_params(structure="nb").partial_fit(X, Y)
    np.testing.assert_array_equal(clf.predict(X), counted("nb").fit(X, Y).predict(X))
    with pytest.raises(ValueError, match="the rows so far were counted with structure='nb', which keeps no counts"):
        clf.set_params(structure="tan").partial_fit(X, Y)


def test_a_first_batch_with_too_few_numbers_is_warned_of():
    clf = counted().partial_fit(X[:2], Y[:2], classes=[0, 1])
    with pytest.warns(UserWarning, match="the first batch had too few numbers in 'x0', 'x1', 'x2' for bins"):
        clf.partial_fit(X, Y)


@pytest.mark.parametrize("parameter", ["alpha", "n_features"])
def test_what_is_chosen_by_leaving_rows_out_needs_all_rows(parameter):
    with pytest.raises(ValueError, match=f"{parameter}='auto' needs all rows at once; use fit, or give a number"):
        counted(**{parameter: "auto"}).partial_fit(X, Y, classes=[0, 1])


@pytest.mark.parametrize("n", [0, -1, 2.5, "3"])
def test_samples_of_no_size(n):
    with pytest.raises(ValueError, match=f"n_samples must be a whole number of at least 1, got {n!r} instead"):
        counted().fit(X, Y).sample(n)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("balanced", "sample_weight must be one number per row, got 'balanced' instead"),
        (np.full(40, 1e307), "sample_weight adds up to more than 1e\\+300"),
    ],
)
def test_weights_out_of_range(weights, message):
    with pytest.raises(ValueError, match=message):
        counted().fit(X, Y, sample_weight=weights)


@pytest.mark.parametrize("weight", [1e19, 2e18, 0.1, 1e-300])
@ALL
def test_equal_weights_of_any_size_change_nothing(structure, weight):
    weighted = counted(structure, smoothing="paper").fit(X, Y, sample_weight=np.full(40, weight))
    plain = counted(structure, smoothing="paper").fit(X, Y)
    np.testing.assert_allclose(weighted.predict_proba(X), plain.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize(
    "make",
    [
        lambda values: np.array(values)[:, None],
        lambda values: pd.DataFrame({"x0": values}),
        lambda values: np.array(values, dtype=object)[:, None],
        lambda values: pd.DataFrame({"x0": pd.Categorical(values)}),
    ],
)
def test_whole_numbers_that_floats_cannot_tell_apart(make):
    with pytest.raises(ValueError, match=r"column 'x0' holds whole numbers beyond 2\*\*53, .* convert it to text"):
        counted().fit(make([2**53, 2**53 + 1]), [0, 1])


def test_numbers_beyond_floats():
    with pytest.raises(ValueError, match="Input X contains infinity or a value too large"):
        counted().fit(np.array([[np.longdouble("1e4000")], [1]]), [0, 1])


def test_masked_values_are_missing():
    masked = np.ma.masked_greater(X, 0.5)
    gaps = np.where(X > 0.5, np.nan, X)
    np.testing.assert_array_equal(
        counted().fit(masked, Y).predict_proba(masked), counted().fit(gaps, Y).predict_proba(gaps)
    )


@pytest.mark.parametrize("dtype", ["Int64", "boolean", "int64[pyarrow]"])
def test_nullable_labels_keep_their_kind(dtype):
    labels = pd.Series(Y).astype(dtype)
    assert counted().fit(X, labels).classes_.dtype.kind in "ib"


def test_intervals_of_pandas_are_categories():
    frame = pd.DataFrame({"a": pd.cut(X[:, 0], [-9, 0, 9]), "b": X[:, 1]})
    clf = counted().fit(frame, Y)
    assert clf.features_[0].categories == ("(-9, 0]", "(0, 9]")
    assert clf.score(frame, Y) == 1


def test_column_names_that_are_numbers_are_names():
    frame = pd.DataFrame(X[:, :2], columns=[1, 0])
    clf = counted(discretizer={0: [0.0]}).fit(frame, Y)
    assert [len(feature.edges) for feature in clf.features_] == [4, 1]
    with pytest.raises(ValueError, match="edges are given for column 2, which X does not have"):
        counted(discretizer={2: [0.0]}).fit(frame, Y)


def test_sampling_a_class_without_rows():
    clf = counted(class_prior=[0.3, 0.3, 0.4], smoothing="paper").partial_fit(X, Y, classes=[0, 1, 2])
    drawn, labels = clf.sample(50, random_state=0)
    assert set(labels) == {0, 1, 2}
    assert np.isfinite(drawn).all()


def test_n_jobs_of_zero():
    with pytest.raises(ValueError, match="n_jobs must not be 0; use 1 for one thread or -1 for all cores"):
        counted(n_jobs=0).fit(X, Y).predict(X)


def test_labels_that_were_not_announced():
    clf = counted().partial_fit(X, Y, classes=[0, 1])
    with pytest.raises(
        ValueError, match=r"The target label\(s\) \[2\] in y do not exist in the initial classes \[0 1\]"
    ):
        clf.partial_fit(X, Y + 1)
    with pytest.raises(ValueError, match=r"The target label\(s\) \[2\] in y do not exist"):
        clf.log_likelihood(X, Y + 1)


def test_other_columns_than_in_training():
    clf = counted().fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    with pytest.raises(ValueError, match="The feature names should match those that were passed during fit"):
        clf.predict(pd.DataFrame(X, columns=["a", "b", "z"]))
    with pytest.raises(ValueError, match="X has 2 features, but GeneralizedNB is expecting 3 features as input"):
        counted().fit(X, Y).predict(X[:, :2])
    text = pd.DataFrame(X, columns=["a", "b", "c"]).astype({"b": str})
    with pytest.raises(ValueError, match="column 'b' held numbers in training and holds text here"):
        clf.predict(text)


@ALL
def test_constant_duplicate_and_empty_columns(structure):
    columns = np.column_stack([X[:, 0], X[:, 0], np.ones(40), np.full(40, np.nan)])
    clf = counted(structure).fit(columns, Y)
    gain = dict(zip(clf.feature_order_.tolist(), clf.tree_.gain.tolist(), strict=True))
    assert gain[2] == gain[3] == 0
    assert np.isfinite(clf.predict_proba(columns)).all()


@pytest.mark.parametrize("d", [1, 2])
@ALL
def test_one_and_two_columns(structure, d):
    clf = counted(structure).fit(X[:, :d], Y)
    assert clf.score(X[:, :d], Y) > 0.8


@ALL
def test_ten_thousand_categories_work(structure):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"zip": rng.permutation(20_000) % 10_000, "a": rng.integers(0, 3, 20_000)})
    frame["zip"] = frame["zip"].astype(str)
    clf = counted(structure).fit(frame, frame["a"] == 1)
    # Two thirds of the rows are of one class; random codes of two rows each are not to be memorised.
    assert clf.score(frame, frame["a"] == 1) > 0.8


def test_two_columns_of_ten_thousand_categories_are_named():
    rng = np.random.default_rng(0)
    names = rng.permutation(20_000) % 10_000
    frame = pd.DataFrame(
        {"zip": names.astype(str), "street": (names // 2 * 2 + rng.integers(0, 2, 20_000)).astype(str)}
    )
    message = (
        r"the tables of all features and their parents would take \d+ cells, at most 134217728; the largest is that of "
        r"columns 'zip' \(10000 values\) and 'street' \(\d+ values\): merge rare values, drop columns, or use struc"
    )
    with pytest.raises(ValueError, match=message):
        counted().fit(frame, rng.integers(0, 2, 20_000))
    counted("nb").fit(frame, rng.integers(0, 2, 20_000))
