import narwhals as nw
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from gnbayes import GeneralizedNB
from gnbayes.encoding import encode, read_frame, read_texts

VALUES = ["b", None, "a", "b", "c\n", None, ""]
COLUMNS = {
    "string": pa.chunked_array([pa.array(VALUES)]),
    "large string": pa.chunked_array([pa.array(VALUES, pa.large_string())]),
    "chunks": pa.chunked_array([pa.array(VALUES[:2]), pa.array([], pa.string()), pa.array(VALUES[2:])]),
    "dictionary": pa.chunked_array([pa.array(VALUES).dictionary_encode()]),
    "dictionaries": pa.chunked_array(
        [pa.array(VALUES[:3]).dictionary_encode(), pa.array([*VALUES[3:], "unused"]).dictionary_encode()[:-1]]
    ),
}


def read(column):
    return read_texts(nw.from_native(column, series_only=True))


@pytest.mark.parametrize("name", COLUMNS)
def test_texts_are_those_of_the_column(name):
    texts = read(COLUMNS[name])
    assert texts.objects.tolist() == VALUES
    assert sorted(texts.values) == ["", "a", "b", "c\n"]
    assert texts.has_missing
    assert texts.codes({"a": 0, "b": 1}, missing=7, unseen=9).tolist() == [1, 7, 0, 1, 9, 7, 9]


@pytest.mark.parametrize("column", [pa.array([1, 2]), pa.array([True, None]), pa.array([1]).dictionary_encode()])
def test_other_columns_have_none(column):
    assert read(pa.chunked_array([column])) is None
    assert read_texts(nw.from_native(pd.Series(["a"]), series_only=True)) is None


@pytest.mark.parametrize("column", [pa.array([], pa.string()), pa.array([None, None], pa.string())])
def test_columns_without_text(column):
    texts = read(pa.chunked_array([column]))
    assert texts.values == ()
    assert len(texts) == len(column)
    table = read_frame(pa.table({"a": column}))
    assert table.kinds == ("empty",)
    assert table.texts(0) is None


@pytest.mark.parametrize("name", COLUMNS)
def test_a_frame_of_pyarrow_gives_the_codes_of_any_other(name):
    table, other = read_frame(pa.table({"a": COLUMNS[name]})), read_frame(pd.DataFrame({"a": VALUES}, dtype=object))
    assert table.kinds == other.kinds
    assert table.columns[0].tolist() == other.columns[0].tolist()
    y = np.array([0, 1, 0, 1, 1, 0, 0])
    clf = GeneralizedNB(weighting=None).fit(pa.table({"a": COLUMNS[name]}), y)
    assert clf.features_ == GeneralizedNB(weighting=None).fit(pd.DataFrame({"a": VALUES}, dtype=object), y).features_
    assert np.array_equal(encode(table, clf.features_), encode(other, clf.features_))
    kept = np.array([True, False] * 3 + [True])
    assert np.array_equal(encode(table.take(kept), clf.features_), encode(other, clf.features_)[kept])
