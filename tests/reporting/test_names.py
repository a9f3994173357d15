"""Names in a form that can do no harm."""

import pytest

from gnbayes.reporting.names import LONGEST, distinct, shown


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mean radius", "mean radius"),
        (2.0, "2"),
        (0.5, "0.5"),
        (True, "True"),
        ("a\u2028b\u2029c\x00d", "a b c d"),
        ("\u202eabc\u202c \u2066d\u2069", "abc d"),
        ("\u05d0\u200f", "\u05d0\u200f"),
        ("\ud83d", "\ufffd"),
        ("  ", "(no name)"),
        ("<b>", "<b>"),
    ],
)
def test_shown(name, expected):
    assert shown(name) == expected


def test_a_long_name_keeps_both_ends():
    text = shown("start" + "x" * 10_000 + "end")
    assert len(text) == LONGEST
    assert text.startswith("start")
    assert text.endswith("end")
    assert "…" in text


def test_no_two_names_look_alike():
    assert distinct(["f", "f ", "f\n", "f (2)"]) == ["f", "f (3)", "f (4)", "f (2)"]
    long = ["x" * 5000 + end + "x" * 5000 for end in "abc"]
    assert len(set(distinct(long))) == 3
