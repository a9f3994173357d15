"""The same table from a real file of every kind."""

import bz2
import gzip
import io
import lzma
import sqlite3
import sys
import zipfile

import duckdb
import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from gnbayes.cli.failure import CommandError
from gnbayes.cli.reading import Source, open_table, read_table

FRAME = pd.DataFrame(
    {
        "Größe": [1.5, None, 2.25, 3.0] * 10,
        "sex": ["f", "m", "divers, ä", "m"] * 10,
        "n": list(range(40)),
        "is new": [True, False, True, True] * 10,
    }
)
CSV = FRAME.to_csv(index=False)


def write_sqlite(path):
    connection = sqlite3.connect(path)
    connection.execute('CREATE TABLE patients ("Größe" REAL, sex TEXT, n INTEGER, "is new" TEXT)')
    rows = [[None if pd.isna(cell) else cell for cell in row] for row in FRAME.to_numpy().tolist()]
    connection.executemany("INSERT INTO patients VALUES (?, ?, ?, ?)", [[*r[:3], str(r[3]).lower()] for r in rows])
    connection.commit()
    connection.close()


def write_duckdb(path):
    with duckdb.connect(path) as connection:
        connection.register("given", pa.Table.from_pandas(FRAME, preserve_index=False))
        connection.execute("CREATE TABLE patients AS SELECT * FROM given")


def write_excel(path):
    book = openpyxl.Workbook()
    book.active.append(list(FRAME.columns))
    for row in FRAME.itertuples(index=False):
        book.active.append([None if pd.isna(cell) else cell for cell in row])
    book.save(path)


def write_zip(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("folder/table.csv", CSV)
        archive.writestr("__MACOSX/._table.csv", "junk")


def write_zstd(path):
    with pa.CompressedOutputStream(str(path), "zstd") as file:
        file.write(CSV.encode())


ARROW = pa.Table.from_pandas(FRAME, preserve_index=False)
WRITERS = {
    "plain": lambda path: path.write_text(CSV, encoding="utf-8"),
    "byte-order mark": lambda path: path.write_text(CSV, encoding="utf-8-sig"),
    "utf-16": lambda path: path.write_text(CSV, encoding="utf-16"),
    "utf-16-le without a mark": lambda path: path.write_bytes(CSV.encode("utf-16-le")),
    "utf-16-be without a mark": lambda path: path.write_bytes(CSV.encode("utf-16-be")),
    "utf-32": lambda path: path.write_text(CSV, encoding="utf-32"),
    "carriage returns": lambda path: path.write_bytes(CSV.replace("\n", "\r").encode()),
    "windows lines": lambda path: path.write_bytes(CSV.replace("\n", "\r\n").encode()),
    "semicolons": lambda path: FRAME.to_csv(path, index=False, sep=";"),
    "semicolons and decimal commas": lambda path: FRAME.to_csv(path, index=False, sep=";", decimal=","),
    "commas and decimal commas": lambda path: FRAME.to_csv(path, index=False, decimal=","),
    "tabs": lambda path: FRAME.to_csv(path, index=False, sep="\t"),
    "bars": lambda path: FRAME.to_csv(path, index=False, sep="|", decimal=","),
    "gzip": lambda path: path.write_bytes(gzip.compress(CSV.encode())),
    "bzip2": lambda path: path.write_bytes(bz2.compress(CSV.encode())),
    "xz": lambda path: path.write_bytes(lzma.compress(CSV.encode())),
    "gzip of utf-16": lambda path: path.write_bytes(gzip.compress(CSV.encode("utf-16"))),
    "zstd": write_zstd,
    "zip": write_zip,
    "excel": write_excel,
    "sqlite": write_sqlite,
    "duckdb": write_duckdb,
    "parquet": lambda path: parquet.write_table(ARROW, path),
    "feather": lambda path: feather.write_feather(ARROW, str(path)),
    "json lines": lambda path: FRAME.to_json(path, orient="records", lines=True),
    "json list": lambda path: FRAME.to_json(path, orient="records"),
    "json lines, gzip": lambda path: path.write_bytes(
        gzip.compress(FRAME.to_json(orient="records", lines=True).encode())
    ),
}
DATABASES = ("sqlite", "duckdb")


def check(table, *, kind):
    # SQLite has no type for true and false.
    got = table.to_pandas()
    assert got.columns.tolist() == FRAME.columns.tolist()
    assert got["Größe"].tolist()[::2] == FRAME["Größe"].tolist()[::2]
    assert got["Größe"].isna().tolist() == FRAME["Größe"].isna().tolist()
    assert got["sex"].tolist() == FRAME["sex"].tolist()
    assert got["n"].tolist() == FRAME["n"].tolist()
    expected = [str(cell).lower() for cell in FRAME["is new"]] if kind == "sqlite" else FRAME["is new"].tolist()
    assert got["is new"].tolist() == expected


@pytest.mark.parametrize("kind", WRITERS)
def test_a_file_of_each_kind_gives_the_table_whatever_its_name(kind, tmp_path):
    path = tmp_path / "table.dat"
    WRITERS[kind](path)
    check(read_table(Source(str(path)))[0], kind=kind)


@pytest.mark.parametrize("kind", [kind for kind in WRITERS if kind not in DATABASES])
def test_standard_input_gives_the_table(kind, tmp_path, monkeypatch):
    path = tmp_path / "table.dat"
    WRITERS[kind](path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Pipe(path.read_bytes()))))
    check(read_table(Source("-"))[0], kind=kind)


@pytest.mark.parametrize("kind", WRITERS)
def test_some_columns_in_batches(kind, tmp_path):
    path = tmp_path / "table.dat"
    WRITERS[kind](path)
    source = Source(str(path), columns=("n", "sex"), types={"n": "text"})
    with open_table(source) as opened:
        assert opened.names == tuple(FRAME.columns)
        batches = list(opened.batches)
    got = pa.Table.from_batches(batches)
    assert got.column_names == ["n", "sex"]
    assert got["n"].to_pylist() == [str(n) for n in range(40)]


class Pipe(io.RawIOBase):
    """Bytes that come in small pieces and only once, as through a pipe."""

    def __init__(self, content):
        self.content = content

    def readable(self):
        return True

    def readinto(self, buffer):
        part, self.content = self.content[: min(1000, len(buffer))], self.content[min(1000, len(buffer)) :]
        buffer[: len(part)] = part
        return len(part)


WORDS = {
    "plain": "UTF-8, commas between cells, decimal points, a header",
    "utf-16": "UTF-16, commas between cells, decimal points, a header",
    "semicolons and decimal commas": "UTF-8, semicolons between cells, decimal commas, a header",
    "tabs": "UTF-8, tabs between cells, decimal points, a header",
    "bars": "UTF-8, vertical bars between cells, decimal commas, a header",
    "zstd": "UTF-8, commas between cells, decimal points, a header, Zstandard",
    "excel": "Excel, sheet 'Sheet'",
    "sqlite": "SQLite, table 'patients'",
    "duckdb": "DuckDB, table 'patients'",
    "json lines": "JSON",
    "parquet": "Parquet",
}


@pytest.mark.parametrize(("kind", "words"), WORDS.items())
def test_what_was_detected_is_said(kind, words, tmp_path):
    WRITERS[kind](tmp_path / "t")
    assert read_table(Source(str(tmp_path / "t")))[1].words == words


@pytest.mark.parametrize("kind", DATABASES)
def test_a_query(kind, tmp_path):
    path = tmp_path / "t"
    WRITERS[kind](path)
    source = Source(str(path), query="SELECT sex, n AS place FROM patients WHERE n < 5 ORDER BY n DESC")
    table, opened = read_table(source)
    assert table.to_pydict() == {"sex": ["f", "m", "divers, ä", "m", "f"], "place": [4, 3, 2, 1, 0]}
    assert "rows of the query" in opened.words


def message(path, **parts):
    with pytest.raises(CommandError) as caught:
        read_table(Source(str(path), **parts))
    return str(caught.value)


@pytest.mark.parametrize("kind", DATABASES)
def test_mistakes_of_databases(kind, tmp_path):
    path = tmp_path / "t"
    WRITERS[kind](path)
    assert "nowhere" in message(path, query="SELECT * FROM nowhere")
    assert "read" in message(path, query="DELETE FROM patients").lower()
    if kind == "sqlite":
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE wards (nr INTEGER)")
        connection.close()
    else:
        with duckdb.connect(path) as connection:
            connection.execute("CREATE TABLE wards (nr INTEGER)")
    assert "holds 2 tables, 'patients', 'wards'; select rows with --query" in message(path)
    packed = tmp_path / "t.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert "it must be an uncompressed file" in message(packed)


def test_sheets(tmp_path):
    path = tmp_path / "t.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["a", None, "b"])
    book.active.append([1, None, "x"])
    book.active.append([None, None, None])
    book.active.append([2, None, 5])
    book.create_sheet("second").append([7, 8])
    book.save(path)
    table, opened = read_table(Source(str(path)))
    assert table.to_pydict() == {"a": [1.0, 2.0], "b": ["x", "5"]}
    assert opened.words == "Excel, sheet 'Sheet' (of 2; otherwise: --sheet NAME)"
    second = read_table(Source(str(path), sheet="second", has_header=False))[0]
    assert second.to_pydict() == {"column 1": [7.0], "column 2": [8.0]}
    assert "there is no sheet 'secnd'; did you mean 'second'?" in message(path, sheet="secnd")


def test_extras_that_are_not_there(tmp_path, monkeypatch):
    for kind, module, sentence in (
        ("excel", "python_calamine", "pip install 'gnbayes[excel]'"),
        ("duckdb", "duckdb", "pip install 'gnbayes[duckdb]'"),
    ):
        path = tmp_path / kind
        WRITERS[kind](path)
        monkeypatch.setitem(sys.modules, module, None)
        assert sentence in message(path)


def test_json_objects_that_differ(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1, "b": "x"}\n\n{"b": "y", "c": [1]}\n{"a": 2.5, "b": null}\n')
    table = read_table(Source(str(path), columns=("a", "b")))[0]
    assert table.to_pydict() == {"a": [1.0, None, 2.5], "b": ["x", "y", None]}
    path.write_text('{"a": 1}\n{"a"\n')
    assert "line 2 of" in message(path)
    assert "is not valid JSON" in message(path)
    path.write_text('{"a": 1}\n[1]\n')
    assert "line 2 of" in message(path)
    path.write_text('[{"a": 1}, 5]')
    assert "entry 2 of" in message(path)


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "zstd", "zip", "excel", "parquet", "sqlite", "duckdb"])
def test_a_file_that_is_cut_off(kind, tmp_path):
    path = tmp_path / "t"
    WRITERS[kind](path)
    path.write_bytes(path.read_bytes()[: -min(300, path.stat().st_size // 3)])
    assert str(path) in message(path)


def test_archives(tmp_path):
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", CSV)
        archive.writestr("b.csv", CSV)
    assert "holds 2 files, 'a.csv', 'b.csv'; unpack it, and pass a single table" in message(path)


def test_latin_1_gives_the_way_out(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(CSV.encode("latin-1"))
    sentence = message(path)
    assert sentence == (
        f"{path} is not in UTF-8 (line 1, 'Größe' as Latin-1); specify its encoding, such as --encoding latin-1."
    )
    check(read_table(Source(str(path), encoding="latin-1"))[0], kind="latin-1")
    path.write_bytes(CSV.replace("Größe", "“Größe”").encode("cp1252"))
    assert "--encoding cp1252" in message(path)


def test_bytes_that_turn_up_late(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"1,x\n" * 400_000 + b"1,\xe4\n")
    assert "is not in UTF-8; specify its encoding" in message(path)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"encoding": "utf-99"}, "there is no encoding 'utf-99'"),
        ({"encoding": "hex"}, "there is no encoding 'hex'"),
        ({"encoding": "utf-16"}, "is not in UTF-16; omit --encoding to detect it"),
        ({"sheet": "a"}, "--sheet is for Excel files; "),
        ({"query": "SELECT 1"}, "--query is for SQLite and DuckDB files; "),
        ({"columns": ("Grösse",)}, "there is no column 'Grösse'; did you mean 'Größe'?"),
        ({"types": {"sex": "number"}}, "column 'sex' of "),
    ],
)
def test_mistakes_with_text(given, sentence, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(CSV, encoding="utf-8")
    assert sentence in message(path, **given)


def test_utf_16_is_read_with_and_without_its_name(tmp_path):
    path = tmp_path / "t.csv"
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        path.write_bytes(CSV.encode(encoding))
        check(read_table(Source(str(path), encoding="utf-16"))[0], kind=encoding)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty; its first line must name the columns"),
        (b"\n\n", "is empty; its first line must name the columns"),
        (b"a,b\n", "has no rows below its header"),
        (bytes(200), "is not text, nor any other type of table"),
        (bytes(range(256)) * 10, "is not text, nor any other type of table"),
        (b"a,b\n1,2\n1,2,3\n", "Row #3: Expected 2 columns, got 3"),
        (b"a,b\r,c\r\n1,2\r,3\r\n1,2,3\r\n", "Expected 2 columns, got 3"),
        (b"a,a\n1,2\n", "has more than one column named 'a'; rename them"),
    ],
)
def test_text_that_is_no_table(content, sentence, tmp_path):
    (tmp_path / "t.csv").write_bytes(content)
    assert sentence in message(tmp_path / "t.csv")


def test_names_that_come_twice_do_not_matter_where_they_are_not_asked_for(tmp_path):
    (tmp_path / "t.csv").write_text("note,age,note\nx,1,y\nx,2,y\n")
    assert read_table(Source(str(tmp_path / "t.csv"), columns=("age",)))[0].to_pydict() == {"age": [1, 2]}


def test_whole_numbers_that_become_fractions_late(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "1,2\n" * 1_100_000 + "1.5,x\n")
    table = read_table(Source(str(tmp_path / "t.csv")))[0]
    assert [str(kind) for kind in table.schema.types] == ["double", "string"]


def test_a_file_and_a_folder_that_are_not_there(tmp_path):
    assert message(tmp_path / "no.csv") == f"there is no file {str(tmp_path / 'no.csv')!r}."
    assert "is a folder; give a file" in message(tmp_path)
