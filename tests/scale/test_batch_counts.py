import pickle
from functools import reduce
from operator import add

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scale_tables import in_batches, mixed_frame

from gnbayes import GeneralizedNB
from gnbayes.counting import CodedRows, count_values
from gnbayes.counting import count as count_rows
from gnbayes.scale import count_batch, join_blocks, limits_for, make_plan, pair_blocks, summarize
from gnbayes.scale.batch_counts import count_block
from gnbayes.structure import information, information_of_blocks


def some_rows(n, cardinalities, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, size, n) for size in cardinalities], axis=1).astype(np.uint8)
    return CodedRows(codes, rng.integers(0, n_classes, n), np.array(cardinalities), n_classes)


class TestBlocks:
    @given(st.lists(st.integers(1, 9), min_size=1, max_size=9), st.integers(1, 4), st.integers(700, 6000))
    def test_every_pair_is_in_one_block_and_none_is_too_large(self, sizes, n_classes, max_bytes):
        sizes = np.array(sizes)
        if len(sizes) > 1 and np.sort(sizes)[-2:].prod() * 8 * n_classes > max_bytes:
            max_bytes = int(np.sort(sizes)[-2:].prod()) * 8 * n_classes
        blocks = pair_blocks(sizes, n_classes, max_bytes)
        pairs = [tuple(pair) for block in blocks for pair in block.tolist()]
        assert sorted(pairs) == [(i, j) for i in range(len(sizes)) for j in range(i + 1, len(sizes))]
        for block in blocks:
            assert block.tolist() == sorted(block.tolist())
            assert sizes[block].prod(axis=1).sum() * n_classes * 8 <= max_bytes

    def test_a_pair_that_is_too_large(self):
        with pytest.raises(ValueError, match="the counts of columns 0 and 1 alone have 100 cells per class"):
            pair_blocks(np.array([10, 10]), 2, 1000)

    def test_blocks_give_the_counts_and_the_information_of_all_pairs(self):
        rows = some_rows(300, [3, 40, 2, 5, 7])
        whole, values = count_rows(rows), count_values(rows)
        blocks = [count_block(values, rows, block) for block in pair_blocks(rows.cardinalities, 2, 5000)]
        assert len(blocks) > 2
        joined = join_blocks(values, blocks)
        for i in range(5):
            for j in range(i + 1, 5):
                assert np.array_equal(joined.pair(i, j), whole.pair(i, j))
        assert np.array_equal(information_of_blocks(values, blocks).given_class, information(whole).given_class)


class TestPlan:
    def test_plan_and_tallies_can_be_pickled(self):
        frame = mixed_frame(100)
        clf = GeneralizedNB(weighting="discriminative", n_bins="auto")
        plan = pickle.loads(pickle.dumps(make_plan(clf, summarize(frame, "y", limits_for(clf)), "y")))
        tallies = [pickle.loads(pickle.dumps(count_batch(plan, batch))) for batch in in_batches(frame, 30)]
        assert reduce(add, tallies).counts.n == 100

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            ({"a": "x"}, "column 'a' holds 'x', which is not among the values"),
            ({"b": np.nan}, "column 'b' holds a missing value, and had none when the features were learned"),
            ({"y": "w"}, "the target holds 'w', which is not one of the classes 'u', 'v'"),
        ],
    )
    def test_rows_that_the_features_do_not_know(self, row, message):
        frame = pd.DataFrame({"a": ["p", "q"], "b": [1.0, 2.0], "y": ["u", "v"]})
        plan = make_plan(GeneralizedNB(n_bins=5, weighting=None), summarize(frame, "y"), "y")
        with pytest.raises(ValueError, match=message):
            count_batch(plan, frame.assign(**row))

    def test_a_batch_without_a_column(self):
        frame = pd.DataFrame({"a": ["p", "q"], "b": [1.0, 2.0], "y": ["u", "v"]})
        plan = make_plan(GeneralizedNB(n_bins=5, weighting=None), summarize(frame, "y"), "y")
        with pytest.raises(ValueError, match="a batch lacks column 'a'"):
            count_batch(plan, frame.drop(columns="a"))
