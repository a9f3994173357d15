import pickle
from functools import reduce

import numpy as np
import pandas as pd
import pytest
from scale_tables import in_batches, mixed_frame

from gnbayes import GeneralizedNB
from gnbayes.scale import (
    Limits,
    SiteFileError,
    TableSummary,
    limits_for,
    load_summary,
    merge_summaries,
    save_summary,
    summarize,
)
from gnbayes.scale.blocks import MAX_BYTES

NB = GeneralizedNB(weighting=None, n_bins=4)


class TestFeatures:
    def test_categories_kinds_and_missing_values_of_some_batches_only(self):
        batches = [
            pd.DataFrame({"a": ["x", "y"], "b": [True, False], "c": [1, 2], "d": [None, None], "y": [0, 1]}),
            pd.DataFrame({"a": [None, "z"], "b": [True, True], "c": [2.5, np.nan], "d": ["t", None], "y": [1, 1]}),
        ]
        features = merge_summaries(summarize(batch, "y") for batch in batches).features(NB)
        assert [feature.categories for feature in features] == [("x", "y", "z"), (False, True), (1.0, 2.0, 2.5), ("t",)]
        assert [feature.has_missing for feature in features] == [True, False, True, True]

    def test_every_order_gives_the_same_features(self):
        frame = mixed_frame(300)
        one = summarize(frame, "y").features(NB)
        for seed in range(3):
            parts = [summarize(part, "y") for part in in_batches(frame, 40, seed)]
            assert merge_summaries(parts).features(NB) == one
            assert reduce(lambda a, b: b.merge(a), parts).features(NB) == one

    def test_a_summary_with_classes_apart_gives_quantiles_too(self):
        frame = mixed_frame(300)
        assert summarize(frame, "y", Limits(by_class=True)).features(NB) == summarize(frame, "y").features(NB)

    def test_mdlp_needs_classes(self):
        clf = GeneralizedNB(weighting=None, discretizer="mdlp")
        assert limits_for(clf).by_class
        with pytest.raises(ValueError, match="the summary was not made by class"):
            summarize(mixed_frame(30), "y").features(clf)

    def test_limits_must_agree(self):
        a, b = summarize(mixed_frame(30), "y"), summarize(mixed_frame(30), "y", Limits(exact_bytes=200))
        with pytest.raises(ValueError, match="summaries with different limits cannot be merged"):
            a.merge(b)

    def test_limits_are_checked(self):
        with pytest.raises(ValueError, match=r"^exact_bytes must be a whole number from 0, got -1 instead\.$"):
            limits_for(NB, exact_bytes=-1)
        for wrong in (0.5, 1e8, True, None, "128 MB"):
            with pytest.raises(ValueError, match=r"^exact_bytes must be a whole number from 0, got"):
                limits_for(NB, exact_bytes=wrong)
        assert type(limits_for(NB, exact_bytes=np.int64(10**6)).exact_bytes) is int

    def test_memory_may_be_divided_among_more_columns_than_those_of_the_table(self):
        assert Limits(exact_bytes=10**9, n_columns=100).most_numbers(5, 2) == 10**7 // 24
        assert Limits(exact_bytes=10**9, by_class=True).most_numbers(100, 2) == 10**7 // 32

    @pytest.mark.parametrize("by_class", [False, True])
    def test_the_numbers_of_a_column_fit_into_a_message(self, by_class):
        limits = Limits(by_class=by_class)
        assert max(limits.bytes_of_column(n_columns, 2) for n_columns in (1, 2, 20, 10_000)) <= MAX_BYTES
        assert limits.most_numbers(1, 2) == limits.most_numbers(2, 2)


def same(one: TableSummary, other: TableSummary) -> bool:
    return (
        one.features(NB) == other.features(NB)
        and one.classes.tolist() == other.classes.tolist()
        and one.classes.dtype == other.classes.dtype
        and (one.n_rows, one.keys, one.has_names, one.limits)
        == (other.n_rows, other.keys, other.has_names, other.limits)
    )


class TestFile:
    @pytest.mark.parametrize(
        "limits", [Limits(), Limits(by_class=True), Limits(0), Limits(0, by_class=True, n_columns=50)]
    )
    def test_read_back_it_is_the_same(self, tmp_path, limits):
        summary = summarize(mixed_frame(6000), "y", limits)
        assert summary.is_exact == (limits.exact_bytes > 0)
        assert summary.rounded == (() if limits.exact_bytes else ("number",))
        save_summary(summary, tmp_path / "a.summary")
        assert same(load_summary(tmp_path / "a.summary"), summary)
        assert same(pickle.loads(pickle.dumps(summary)), summary)

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ('"kind": "number"', '"kind": "oak"', "was changed or damaged after it was written"),
            ('"format": "gnbayes-summary"', '"format": "gnbayes-model"', "is not a gnbayes summary file"),
            ('"version": 1', '"version": 2', "has version 2, and this gnbayes reads up to 1"),
            ("{", "", "is not JSON, or damaged"),
        ],
    )
    def test_a_damaged_file(self, tmp_path, old, new, message):
        path = tmp_path / "a.summary"
        save_summary(summarize(mixed_frame(50), "y"), path)
        path.write_text(path.read_text().replace(old, new, 1))
        with pytest.raises(SiteFileError, match=message):
            load_summary(path)
