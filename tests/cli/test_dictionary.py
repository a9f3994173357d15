"""The verb dictionary, run as a user runs it."""

import pytest

from gnbayes.cli.main import main
from gnbayes.dictionary import read_dictionary


@pytest.fixture
def gnbayes(capsys):
    """Run the verb in this process, and give its code and what it says."""

    def command(*words):
        code = main(["dictionary", *map(str, words)])
        return code, capsys.readouterr().err

    return command


@pytest.fixture
def table(tmp_path):
    rows = [
        f"{20 + i},{i % 2},{i / 4},{'yes' if i % 3 else ''},person {i},{'ill' if i % 5 else 'well'}" for i in range(40)
    ]
    path = tmp_path / "heart.csv"
    path.write_text("\n".join(["age,sex,oldpeak,smokes,name,disease", *rows]) + "\n")
    return path


@pytest.mark.parametrize("suffix", ["yaml", "csv"])
def test_a_draft_from_a_table(gnbayes, suffix, table, tmp_path):
    draft = tmp_path / f"draft.{suffix}"
    code, said = gnbayes(table, "-o", draft, "--target", "disease", "--drop", "name")
    assert code == 0, said
    assert said.startswith(f"written to {draft}: 4 columns to be described\nthen: gnbayes report MODEL {table}")
    found = read_dictionary(draft)
    assert list(found.columns) == ["age", "sex", "oldpeak", "smokes"]
    assert dict(found.columns["sex"].codes) == {"0": "0", "1": "1"}
    assert dict(found.columns["smokes"].codes) == {"yes": "yes"}
    assert (found.columns["age"].decimals, found.columns["oldpeak"].decimals) == (0, 2)
    assert dict(found.target.labels) == {"ill": "ill", "well": "well"}


def test_without_a_target_it_says_that_one_column_is_to_go(gnbayes, table, tmp_path):
    draft = tmp_path / "draft.yaml"
    assert gnbayes(table, "-o", draft)[1].splitlines()[:2] == [
        f"written to {draft}: 6 columns to be described",
        "no --target given: remove the column to predict from the draft, or write it again with --target COLUMN",
    ]


def test_many_texts_are_not_written_down(gnbayes, table, tmp_path):
    assert gnbayes(table, "-o", tmp_path / "draft.yaml")[0] == 0
    text = (tmp_path / "draft.yaml").read_text()
    assert "person" not in text
    assert "the table has 59" in text
    assert "# missing in 14 rows" in text


def test_mistakes_are_said_in_a_sentence(gnbayes, table, tmp_path):
    assert gnbayes(table, "-o", tmp_path / "draft.txt") == (
        1,
        f"gnbayes: {str(tmp_path / 'draft.txt')!r} must end with .yaml, .yml or .csv, which determines the format.\n",
    )
    assert "already exists and is not overwritten" in gnbayes(table, "-o", table)[1]
    assert "its folder does not exist" in gnbayes(table, "-o", tmp_path / "no" / "a.yaml")[1]
    assert (
        "there is no column 'diseas'; did you mean 'disease'?"
        in gnbayes(table, "-o", tmp_path / "a.yaml", "--target", "diseas")[1]
    )
