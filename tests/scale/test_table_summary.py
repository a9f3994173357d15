import pickle
from functools import reduce

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scale_tables import in_batches, mixed_frame

from gnbayes import GeneralizedNB
from gnbayes.scale import (
    Limits,
    SiteFileError,
    TableSummary,
    limits_for,
    load_summary,
    merge_summaries,
    rank_error,
    save_summary,
    summarize,
)
from gnbayes.scale.distinct_numbers import merge, numbers_of, sketched

NB = GeneralizedNB(weighting=None, n_bins=4)


class TestNumbers:
    @given(st.lists(st.lists(st.sampled_from([-2.5, -0.0, 0.0, 1.0, 1e300, 7.0]), max_size=9), min_size=1, max_size=4))
    def test_merged_numbers_are_those_of_all(self, lists):
        merged = merge([numbers_of(np.array(part, dtype=float)) for part in lists], 200)
        values, counts = np.unique(
            np.concatenate([np.array(part, dtype=float) for part in lists]) + 0.0, return_counts=True
        )
        assert merged.values.tolist() == values.tolist()
        assert merged.counts.tolist() == counts.tolist()
        assert not np.signbit(merged.values[merged.values == 0]).any()

    def test_a_sketch_keeps_rows_and_ends(self):
        numbers = numbers_of(np.random.default_rng(0).normal(size=30_000))
        values, counts = merge([sketched(numbers, 200), numbers_of(np.array([-9.0, 9.0]))], 200).points
        assert counts.sum() == 30_002
        assert values[[0, -1]].tolist() == [-9.0, 9.0]
        assert len(values) < 2000

    def test_ranks_are_right_up_to_the_stated_error(self):
        column = np.random.default_rng(0).permutation(100_000).astype(float)
        values, counts = sketched(numbers_of(column), 400).points
        wrong = np.abs((np.cumsum(counts) - 1) - values) / len(column)
        assert np.quantile(wrong, 0.9) < rank_error(400)  # of 99 % of sketches, for any one rank


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
        a, b = summarize(mixed_frame(30), "y"), summarize(mixed_frame(30), "y", Limits(sketch_k=200))
        with pytest.raises(ValueError, match="summaries with different limits cannot be merged"):
            a.merge(b)

    @pytest.mark.parametrize(
        ("options", "message"), [({"sketch_k": 5}, "sketch_k must be"), ({"exact_bytes": -1}, "exact_bytes must be")]
    )
    def test_limits_are_checked(self, options, message):
        with pytest.raises(ValueError, match=message):
            limits_for(NB, **options)


def same(one: TableSummary, other: TableSummary) -> bool:
    return (
        one.features(NB) == other.features(NB)
        and one.classes.tolist() == other.classes.tolist()
        and one.classes.dtype == other.classes.dtype
        and (one.n_rows, one.keys, one.has_names, one.limits)
        == (other.n_rows, other.keys, other.has_names, other.limits)
    )


class TestFile:
    @pytest.mark.parametrize("limits", [Limits(), Limits(by_class=True), Limits(exact_bytes=0, sketch_k=200)])
    def test_read_back_it_is_the_same(self, tmp_path, limits):
        summary = summarize(mixed_frame(3000), "y", limits)
        assert summary.is_exact == (limits.exact_bytes > 0)
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
