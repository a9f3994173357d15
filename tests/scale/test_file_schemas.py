"""Files whose columns differ in type, and files that cannot be read."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gnbayes import GeneralizedNB
from gnbayes.scale import fit_batches


def parts_of(column):
    """A table with one more column of any values, in three parts."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.integers(0, 9, 90), "b": column, "y": rng.choice(["u", "v"], 90)})
    return table, [table[:30], table[30:60], table[60:]]


def write(parts, folder, kind):
    for at, part in enumerate(parts):
        if kind == "csv":
            part.to_csv(folder / f"{at}.csv", index=False)
        else:
            pq.write_table(pa.Table.from_pandas(part, preserve_index=False), folder / f"{at}.parquet")


def assert_same(folder, table):
    clf = fit_batches(GeneralizedNB(weighting=None), folder, "y")
    X = table.drop(columns="y")
    one = GeneralizedNB(weighting=None).fit(X, table["y"])
    assert np.array_equal(clf.predict_proba(X), one.predict_proba(X))


@pytest.mark.parametrize("kind", ["parquet", "csv"])
@pytest.mark.parametrize(
    "value", [lambda at: at % 7 / 2, lambda at: float(at % 7), lambda at: "uvw"[at % 3]], ids=["half", "whole", "text"]
)
@pytest.mark.parametrize("empty", [0, 1])
def test_a_column_that_is_empty_in_one_file(tmp_path, kind, value, empty):
    table, parts = parts_of([None if 30 * empty <= at < 30 * (empty + 1) else value(at) for at in range(90)])
    parts[empty] = parts[empty].assign(b=[None] * 30)
    write(parts, tmp_path, kind)
    assert_same(tmp_path, table)


@pytest.mark.parametrize("first", ["int64", "int8", "float32"])
def test_numbers_of_several_types(tmp_path, first):
    table, parts = parts_of([at if at < 30 else at + 0.5 for at in range(90)])
    write([parts[0].astype({"b": first}), *parts[1:]], tmp_path, "parquet")
    assert_same(tmp_path, table)


def test_text_after_what_looked_like_numbers_in_an_empty_column(tmp_path):
    table, parts = parts_of([None] * 30 + ["1", "2"] * 15 + ["x", "1"] * 15)
    write(parts, tmp_path, "csv")
    assert_same(tmp_path, table)


def test_numbers_and_text_in_one_column(tmp_path):
    _, parts = parts_of(list(range(90)))
    write([parts[0], parts[1].astype({"b": str}), parts[2]], tmp_path, "parquet")
    with pytest.raises(ValueError, match=r"column 'b' holds int64 in '.*0.parquet' and .*string in '.*1.parquet'; "):
        fit_batches(GeneralizedNB(weighting=None), tmp_path, "y")


def test_a_damaged_file_is_named(tmp_path):
    rng = np.random.default_rng(0)
    for at in range(3):
        part = pd.DataFrame({"b": rng.normal(size=1000), "y": rng.choice(["u", "v"], 1000)})
        part.to_parquet(tmp_path / f"{at}.parquet", index=False, compression="zstd")
    path = tmp_path / "1.parquet"
    place = pq.ParquetFile(path).metadata.row_group(0).column(0).data_page_offset
    data = bytearray(path.read_bytes())
    data[place + 40 : place + 540] = bytes(500)
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"1.parquet' cannot be read: ") as caught:
        fit_batches(GeneralizedNB(weighting=None), tmp_path, "y")
    assert "\n" not in str(caught.value)
