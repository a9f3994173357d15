from decimal import Decimal

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from gnbayes.encoding import Table, read_array, read_frame
from gnbayes.encoding._read_table import is_frame
from gnbayes.encoding._values import is_missing

VALUES = {
    "whole": [3, 1, None, 2],
    "real": [0.5, None, 2.5, -1.0],
    "text": ["b", "a", None, "a"],
    "truth": [True, None, False, True],
    "nothing": [None, None, None, None],
}
FRAMES = {
    "pandas": lambda: pd.DataFrame(VALUES, dtype=object),
    "pandas inferred": lambda: pd.DataFrame(VALUES),
    "pandas nullable": lambda: pd.DataFrame(VALUES).convert_dtypes(),
    "pandas arrow": lambda: pd.DataFrame(VALUES).convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda: pl.DataFrame(VALUES),
    "pyarrow": lambda: pa.table(VALUES),
    "narwhals": lambda: nw.from_native(pl.DataFrame(VALUES)),
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES.keys())
def test_all_frames_are_read_alike(make):
    table = read_frame(make())
    assert table.names == tuple(VALUES)
    assert table.kinds == ("number", "number", "text", "bool", "empty")
    np.testing.assert_array_equal(table.columns[0], [3, 1, np.nan, 2])
    np.testing.assert_array_equal(table.columns[1], [0.5, np.nan, 2.5, -1])
    assert table.columns[2].tolist() == ["b", "a", None, "a"]
    np.testing.assert_array_equal(table.columns[3], [1, np.nan, 0, 1])
    np.testing.assert_array_equal(table.columns[4], [np.nan] * 4)


CATEGORICALS = {
    "pandas": lambda: pd.DataFrame({"c": pd.Categorical(["u", "v", None], categories=["v", "w", "u"])}),
    "polars": lambda: pl.DataFrame({"c": pl.Series(["u", "v", None], dtype=pl.Categorical)}),
    "polars enum": lambda: pl.DataFrame({"c": pl.Series(["u", "v", None], dtype=pl.Enum(["v", "w", "u"]))}),
    "pyarrow": lambda: pa.table({"c": pa.array(["u", "v", None]).dictionary_encode()}),
}


@pytest.mark.parametrize("make", CATEGORICALS.values(), ids=CATEGORICALS.keys())
def test_categorical_columns_keep_their_values(make):
    table = read_frame(make())
    assert table.is_category == (True,)
    assert table.columns[0].tolist() == ["u", "v", None]


def test_what_is_a_frame():
    assert all(is_frame(nw.to_native(make(), pass_through=True)) for make in FRAMES.values())
    assert not any(is_frame(other) for other in ([[1]], np.ones((1, 1)), ((1,),), "text", None))


def test_a_categorical_column_of_numbers_is_a_category():
    table = read_frame(pd.DataFrame({"c": pd.Categorical([3, 1, 3])}))
    assert (table.kinds, table.is_category) == (("number",), (True,))


def test_numpy_object_columns_are_told_apart():
    array = np.array([[1, "a", True, None], [2.5, "b", False, None], [pd.NA, None, np.nan, np.nan]], dtype=object)
    table = read_array(array)
    assert table.kinds == ("number", "text", "bool", "empty")
    np.testing.assert_array_equal(table.columns[0], [1, 2.5, np.nan])


def test_numpy_matrices_are_read_in_blocks(monkeypatch):
    monkeypatch.setattr("gnbayes.encoding._table._WHOLE_BYTES", 0)
    monkeypatch.setattr("gnbayes.encoding._table._BLOCK_BYTES", 8 * 10 * 2)
    matrix = np.arange(50).reshape(10, 5)
    table = read_array(matrix)
    np.testing.assert_array_equal(np.column_stack(list(table.columns)), matrix)
    blocks = [(columns, block.tolist()) for columns, block in table.number_blocks([0, 1, 3, 4])]
    assert [columns for columns, _ in blocks] == [[0, 1], [3], [4]]
    assert blocks[1][1] == matrix[:, [3]].tolist()


def test_taking_rows():
    matrix = read_array(np.arange(6.0).reshape(3, 2)).take(np.array([True, False, True]))
    frame = read_frame(pd.DataFrame({"a": ["x", "y", "z"]})).take(np.array([True, False, True]))
    assert matrix.columns[1].tolist() == [1.0, 5.0]
    assert frame.columns[0].tolist() == ["x", "z"]
    assert frame.n_rows == 2


@pytest.mark.parametrize("value", [None, float("nan"), np.nan, np.float32("nan"), pd.NA, pd.NaT])
def test_what_counts_as_missing(value):
    assert is_missing(value)


def test_decimals_are_numbers():
    table = read_array(np.array([[Decimal("1.5")], [Decimal("2")]], dtype=object))
    assert table.columns[0].tolist() == [1.5, 2.0]


def test_text_and_numbers_in_one_column():
    with pytest.raises(TypeError, match="column 'mix' mixes text and numbers; convert it to one or the other"):
        read_frame(pd.DataFrame({"mix": pd.Series([1, "a"], dtype=object)}))


def test_values_that_are_neither_text_nor_number():
    with pytest.raises(
        TypeError, match="column 'x0' holds a value of type dict, but an argument must be a string or a"
    ):
        read_array(np.array([[{}], [{}]], dtype=object))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_dates_are_refused_with_a_way_out(frame):
    dates = frame({"born": pd.to_datetime(["2020-01-01", "2021-01-01"])})
    with pytest.raises(TypeError, match=r"column 'born' contains dates or times; convert it to numbers"):
        read_frame(dates)


def test_lazy_frames_are_refused_with_a_way_out():
    with pytest.raises(TypeError, match=r"X is a lazy frame; call \.collect\(\) on it first"):
        read_frame(pl.LazyFrame({"a": [1]}))


def test_doubled_column_names():
    with pytest.raises(ValueError, match="X has more than one column named 'a'"):
        read_frame(pd.DataFrame([[1, 2]], columns=["a", "a"]))


@pytest.mark.parametrize("dtype", [float, object])
def test_infinite_values(dtype):
    with pytest.raises(ValueError, match=r"Input X contains infinity .* in column 'a'"):
        read_frame(pd.DataFrame({"a": pd.Series([1.0, np.inf], dtype=dtype)}))


def test_whole_numbers_of_128_bits_are_read():
    frame = pl.DataFrame({"a": [0, 1, 2, 1]}).cast(pl.Int128)
    assert read_frame(frame).columns[0].tolist() == [0.0, 1.0, 2.0, 1.0]


class Key(str):
    """A name that counts how often it is compared."""

    compared = 0

    def __eq__(self, other):
        Key.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_positions_of_all_columns_take_one_look_each():
    d = 500
    keys = tuple(Key(f"c{j}") for j in range(d))
    table = Table(keys, keys, ("number",) * d, [np.zeros(1)] * d, 1, (False,) * d)
    Key.compared = 0
    assert [table.position(f"c{j}") for j in range(d)] == list(range(d))
    assert [table.position(j) for j in range(d)] == list(range(d))
    assert Key.compared < 10 * d  # comparing every key with every name would take 125,000


@pytest.mark.parametrize("key", [["a"], {"a": 1}, None, 1.5, True, -1, 2])
def test_what_names_no_column_has_no_position(key):
    assert read_array(np.zeros((1, 2)), ["a", "b"]).position(key) is None
