"""Ordered categories: their order is kept, neighbours are alike, coarse codes join neighbours."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from gnbayes import GeneralizedNB, load, save
from gnbayes.encoding import NestedDiscretizer, choose_discretizer, extend_features, learn_features, read_frame

SIZES = ["XS", "S", "M", "L", "XL"]
VALUES = ["L", "S", "XL", None, "S", "XS"]


def ordered(values, categories=SIZES):
    return pd.Categorical(values, categories=categories, ordered=True)


FRAMES = {
    "pandas": lambda values: pd.DataFrame({"size": ordered(values)}),
    "polars": lambda values: pl.DataFrame({"size": pl.Series(values, dtype=pl.Enum(SIZES))}),
    "pyarrow": lambda values: pa.table({"size": pa.array(ordered(values))}),
}


def only_feature(frame, n_bins="auto", n_rows=None, **parameters):
    table = read_frame(frame)
    labels = np.zeros(table.n_rows, dtype=np.intp)
    discretizer = choose_discretizer("quantile", n_bins, n_rows)
    return learn_features(table, discretizer, np.array([True]), labels, 1, **parameters)[0]


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_categories_have_the_order_that_the_frame_declares(make):
    feature = only_feature(make(VALUES))
    assert feature.categories == ("XS", "S", "L", "XL")  # nobody has M
    assert feature.has_missing
    assert feature.is_ordered


def test_a_plain_categorical_has_no_order():
    for values in (pd.Categorical(VALUES), pd.Categorical(VALUES, categories=SIZES), VALUES):
        feature = only_feature(pd.DataFrame({"size": values}))
        assert feature.categories == ("L", "S", "XL", "XS")
        assert not feature.is_ordered
    assert not only_feature(pl.DataFrame({"size": pl.Series(VALUES, dtype=pl.Categorical)})).is_ordered


def test_intervals_as_pandas_cuts_them_are_ordered():
    frame = pd.DataFrame({"age": pd.cut([5, 15, 25, 105, 95], [0, 10, 20, 30, 100, 110])})
    assert only_feature(frame).categories == ("(0, 10]", "(10, 20]", "(20, 30]", "(30, 100]", "(100, 110]")


def test_ordered_numbers_and_booleans():
    feature = only_feature(pd.DataFrame({"stage": ordered([3, 1, 2], [1, 2, 3])}))
    assert feature.categories == (1.0, 2.0, 3.0)
    assert feature.is_ordered
    odd = only_feature(pd.DataFrame({"stage": ordered([3, 1, 2], [2, 1, 3])}))
    assert (odd.categories, odd.is_ordered) == ((1.0, 2.0, 3.0), False)
    truth = only_feature(pd.DataFrame({"is_ill": ordered([True, False], [False, True])}))
    assert truth.categories == (False, True)


def test_an_order_of_very_many_categories_is_not_kept():
    texts = [f"c{i}" for i in range(300)]
    assert not only_feature(pl.DataFrame({"x": pl.Series(texts, dtype=pl.Enum(texts[::-1]))})).is_ordered


def test_coarse_codes_join_neighbours_of_about_as_many_rows():
    levels = [f"{i}" for i in range(20)]
    frame = pd.DataFrame({"x": ordered(levels * 10, levels)})
    coarse = NestedDiscretizer(n_bins=20, n_coarse_bins=5)
    feature = learn_features(read_frame(frame), coarse, np.array([True]), np.zeros(200, dtype=np.intp), 1)[0]
    assert feature.coarse == tuple(np.repeat(np.arange(5), 4).tolist())
    weights = np.where(np.arange(200) % 20 < 2, 90.0, 1.0)
    heavy = learn_features(read_frame(frame), coarse, np.array([True]), np.zeros(200, dtype=np.intp), 1, weights)[0]
    assert heavy.coarse == (0, 1, *np.repeat([2, 3, 4], 6).tolist())
    few = only_feature(pd.DataFrame({"size": ordered(SIZES * 10)}), n_rows=50)
    assert few.coarse == ()


def test_missing_stays_a_coarse_value_of_its_own():
    levels = [f"{i}" for i in range(20)]
    frame = pd.DataFrame({"x": ordered([*levels * 10, None], levels)})
    feature = only_feature(frame, n_rows=201)
    assert feature.coarse_codes[-1] == feature.coarse_codes[-2] + 1


def test_a_further_batch_finds_its_place_in_the_order():
    first = only_feature(pd.DataFrame({"size": ordered(["L", "XS"])}))
    [extended] = extend_features([first], read_frame(pd.DataFrame({"size": ordered(["M", None])})))
    assert extended.categories == ("XS", "M", "L")
    assert extended.is_ordered
    assert extended.has_missing
    [same] = extend_features([first], read_frame(pd.DataFrame({"size": ["L"]})))
    assert same == first


@pytest.mark.parametrize(
    "values", [["M"], pd.Categorical(["M"]), ordered(["M"], SIZES[::-1]), ordered(["M"], ["M", "L"])]
)
def test_a_new_category_without_a_place(values):
    first = only_feature(pd.DataFrame({"size": ordered(["L", "XS"])}))
    message = (
        "column 'size' has ordered categories, and 'M' is new here without a place among them; declare the column with "
        "all of its categories in their order"
    )
    with pytest.raises(ValueError, match=message):
        extend_features([first], read_frame(pd.DataFrame({"size": values})))


def monotone(n=300, levels=12, seed=0):
    """An ordered category whose names do not sort, and a class that depends on its rank."""
    rng = np.random.default_rng(seed)
    names = [f"v{(5 * i) % levels}" for i in range(levels)]
    rank = rng.integers(0, levels, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-(rank - levels / 2) * 0.6))).astype(int)
    return np.array(names)[rank], names, y


def test_neighbours_are_alike_in_the_default_model():
    values, names, y = monotone()
    alike = GeneralizedNB().fit(pd.DataFrame({"x": ordered(values, names)}), y)
    apart = GeneralizedNB().fit(pd.DataFrame({"x": values}), y)
    roughness = []
    for clf in (alike, apart):
        proba = clf.predict_proba(pd.DataFrame({"x": names}))[:, 1]
        roughness.append(np.abs(np.diff(np.log(proba / (1 - proba)), 2)).sum())
    assert roughness[0] < roughness[1] / 2
    np.testing.assert_array_equal(
        alike.predict_proba(pd.DataFrame({"x": ordered(names, names)})), alike.predict_proba(pd.DataFrame({"x": names}))
    )


@pytest.mark.parametrize("weighting", [None, "discriminative"])
def test_a_model_file_keeps_the_order(weighting, tmp_path):
    values, names, y = monotone()
    clf = GeneralizedNB(weighting=weighting).fit(pd.DataFrame({"x": ordered(values, names)}), y)
    save(clf, tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert again.features_ == clf.features_
    assert again.features_[0].categories == tuple(names)
    frame = pd.DataFrame({"x": names})
    np.testing.assert_array_equal(again.predict_proba(frame), clf.predict_proba(frame))
