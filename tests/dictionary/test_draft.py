"""A draft can be read back, whatever the table is called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.dictionary import Seen, draft_csv, draft_yaml, read_dictionary

COLUMNS = [
    Seen("age", low=29, high=77, decimals=0),
    Seen("old_peak", low=0, high=6.2, decimals=1, n_missing=3),
    Seen("sex", values=("0", "1")),
    Seen("note"),
]
TARGET = Seen("num", values=("no", "yes"))


@pytest.mark.parametrize(("draft", "suffix"), [(draft_yaml, "yaml"), (draft_csv, "csv")])
def test_a_draft_is_a_dictionary(draft, suffix, tmp_path):
    path = tmp_path / f"heart.{suffix}"
    path.write_text(draft(COLUMNS, TARGET), encoding="utf-8")
    found = read_dictionary(path)
    assert list(found.columns) == ["age", "old_peak", "sex", "note"]
    assert found.columns["old_peak"].label == "old peak"
    assert found.columns["old_peak"].decimals == 1
    assert found.columns["age"].lowest is None
    assert dict(found.columns["sex"].codes) == {"0": "0", "1": "1"}
    assert (found.target.column, dict(found.target.labels)) == ("num", {"no": "no", "yes": "yes"})
    assert found.page == read_dictionary({}).page


def test_the_draft_says_what_was_seen():
    text = draft_yaml(COLUMNS, None)
    assert "# missing in 3 rows" in text
    assert "lowest:  # possible at all; the table has 29" in text
    assert "target:" not in text


@pytest.mark.slow
@given(name=st.text(min_size=1).filter(lambda text: text.strip() == text and text not in ("", "~", "null")))
def test_any_name_survives(name, tmp_path_factory):
    if any(0xD800 <= ord(sign) <= 0xDFFF for sign in name):
        return
    path = tmp_path_factory.mktemp("draft") / "a.yaml"
    path.write_text(draft_yaml([Seen(name, values=(name,))], None), encoding="utf-8")
    found = read_dictionary(path)
    assert list(found.columns) == [name]
    assert list(found.columns[name].codes) == [name]
