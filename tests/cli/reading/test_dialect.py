"""What is detected from the first lines of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.cli.reading.dialect import (
    Dialect,
    cells_of,
    detect_decimal,
    detect_dialect,
    detect_header,
    detect_separator,
    looks_like_number,
)

MISSING = ["", "NA"]


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a,b,c\n1,2,3\n", ","),
        ("a;b;c\n1,5;2,5;x\n", ";"),
        ("a\tb\n1\t2\n", "\t"),
        ("a|b\n1|2,5\n", "|"),
        ("name, first;age\n1,5;2\n2,5;3\n", ";"),
        ('a,b\n"x;y;z",2\n"x;y",3\n', ","),
        ("alone\n1\n2\n", ","),
        ("", ","),
    ],
)
def test_separator(text, separator):
    assert detect_separator(text) == separator


@pytest.mark.parametrize(
    ("column", "separator", "decimal"),
    [
        (["1,5", "2", "-0,25"], ";", ","),
        (["1,5", "NA", ""], ";", ","),
        (["1,5e3", "2,0"], ";", ","),
        (["1.5", "2"], ";", "."),
        (["1", "2"], ";", "."),
        (["1,5", "x"], ";", "."),
        (["45,000", "1,250,000"], ",", "."),
        (["45,000", "1,25"], ",", ","),
        (["", ""], ";", "."),
    ],
)
def test_decimal(column, separator, decimal):
    assert detect_decimal([[cell] for cell in column], MISSING, separator) == decimal


def test_points_in_one_column_speak_against_commas_in_another():
    assert detect_decimal([["1,5", "1.5"], ["2,5", "2.5"]], MISSING) == "."


@pytest.mark.parametrize(
    ("lines", "has_header"),
    [
        ("age,sex\n61,f\n50,m", True),
        ("61,f\n50,m\n40,f", False),
        ("61,f,x\n50,m,y\n40,f,z", False),
        ("1,0,3,Braund\n2,1,1,Cumings\n3,1,3,Heikkinen", False),
        ("0,1,2,target\n5,6,7,a\n8,9,1,b", True),
        ("0,1,2\n5,6,7\n8,9,1", True),
        ("4,1,2\n5,6,7\n8,9,1", False),
        (",age,sex\n0,61,f\n1,50,m", True),
        ("colour,shape\nred,round\nblue,long", True),
        ("red,round\nred,long\nblue,round", False),
        ("a,b", True),
        ("1.5,2\n3.5,4", False),
    ],
)
def test_header(lines, has_header):
    assert detect_header(cells_of(lines, ","), MISSING) is has_header


def test_what_is_given_is_not_detected():
    text = "1;2\n3;4\n"
    assert detect_dialect(text, MISSING, separator=",", decimal=",", has_header=True) == Dialect(",", ",", True)
    assert detect_dialect(text, MISSING) == Dialect(";", ".", False)


@pytest.mark.parametrize("text", ["1,5", "1.234,5", "1,234.5", "1 234", "-3", "1e5", "12%", "3.", "1'000"])
def test_looks_like_a_number(text):
    assert looks_like_number(text)


@pytest.mark.parametrize("text", ["", "f", "<5", "2020-01-01", "1/2", "v1.2", "%", "e5"])
def test_does_not_look_like_a_number(text):
    assert not looks_like_number(text)


@given(
    st.lists(st.tuples(st.floats(-1e6, 1e6), st.sampled_from("fm"), st.integers(0, 99)), min_size=3, max_size=30),
    st.sampled_from([";", "\t", "|"]),
    st.sampled_from([".", ","]),
)
def test_a_table_of_numbers_and_letters_is_recognised(rows, separator, decimal):
    lines = [separator.join(["weight", "sex", "n"])]
    for weight, sex, n in rows:
        lines.append(separator.join([f"{weight:.3f}".replace(".", decimal), sex, str(n)]))
    found = detect_dialect("\n".join(lines) + "\n", MISSING)
    assert found == Dialect(separator, decimal, True)
