import csv
import re
from pathlib import Path

import matplotlib as mpl
import pytest

from gnbayes.reproduction import rerun, rerun_paper
from gnbayes.reproduction.findings import FINDINGS, PROTOCOLS
from gnbayes.reproduction.results import Row

mpl.use("Agg")

DATA = ["wdbc", "heart", "diabetes", "thyroid", "parkinsons"]


@pytest.fixture(scope="module")
def wdbc_again():
    return rerun_paper(repeats=2, honest_repeats=3, data=["wdbc"])


@pytest.mark.slow
def test_rows_of_the_experiment_and_of_the_longer_run(wdbc_again):
    found = {(row.protocol, row.splits) for row in wdbc_again.rows}
    assert found == {("paper", 2), ("paper", 3), ("honest", 3), ("guess", 3)}
    losses = [row for row in wdbc_again.rows if row.score == "log_loss"]
    assert all(row.mean > 0 for row in losses)
    assert all(row.published is None for row in losses)


@pytest.mark.slow
def test_the_page_has_the_paper_beside_ours(wdbc_again):
    page = wdbc_again.markdown()
    row = next(row for row in wdbc_again.rows if (row.model, row.score, row.reading) == ("NB", "f1", "text"))
    assert f"| wdbc | NB | 0.7928 | {row.mean:.3f} ± {row.spread:.3f} |" in page
    for title in ("### Accuracy", "### Balanced accuracy (the paper calls it ROC AUC)", "## The honest protocol"):
        assert title in page
    assert "| text, 2 splits | text, 3 splits | distance | program, 2 splits | program, 3 splits | distance |" in page
    assert "### GNB on diabetes" not in page
    assert "Left out" not in page
    assert "![" not in page


def test_the_page_in_the_docs_says_the_same_in_words():
    page = (Path(__file__).parents[2] / "docs" / "paper" / "reproduction.md").read_text(encoding="utf-8")
    assert page.startswith(PROTOCOLS + "\n" + FINDINGS)


@pytest.mark.slow
def test_every_line_of_a_table_has_the_same_number_of_cells(wdbc_again):
    for table in re.findall(r"(?:^\|.*\n)+", wdbc_again.markdown(), re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1


def test_the_distance_is_in_standard_errors():
    row = Row("paper", "wdbc", "NB", "text", "all", 30.0, "accuracy", 0.9, 0.02, 20, 0.92)
    assert row.distance == pytest.approx(0.02 / (0.02 * 0.5))
    assert Row("honest", "wdbc", "NB", "library", "all", 30.0, "accuracy", 0.9, 0.02, 20, None).distance is None


@pytest.mark.slow
def test_saved_files(wdbc_again, tmp_path):
    paths = wdbc_again.save(tmp_path / "new")
    names = {path.name for path in paths}
    assert names == {"rows.csv", "page.md", "wdbc-gnb-a.png", "wdbc-gnb-o.png"}
    with (tmp_path / "new" / "rows.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(wdbc_again.rows)
    assert rows[0]["published"] == "0.9349"
    assert (tmp_path / "new" / "page.md").read_text(encoding="utf-8") == wdbc_again.markdown()


@pytest.mark.slow
def test_output_saves_at_once(tmp_path):
    rerun_paper(repeats=2, honest_repeats=2, data=["wdbc"], output=tmp_path)
    assert (tmp_path / "page.md").exists()


@pytest.mark.slow
def test_a_data_set_that_cannot_be_had_is_left_out(monkeypatch, tmp_path):
    monkeypatch.setenv("GNBAYES_DATA", str(tmp_path))
    again = rerun_paper(repeats=2, honest_repeats=2, data=["wdbc", "heart"])
    assert list(again.missing) == ["heart"]
    assert "Left out in this run: heart. GNBAYES_DATA is set, but there is no file" in again.markdown()


def test_nothing_to_be_had(monkeypatch, tmp_path):
    monkeypatch.setenv("GNBAYES_DATA", str(tmp_path))
    with pytest.raises(OSError, match="none of the data sets is available: GNBAYES_DATA is set, but there is no file"):
        rerun_paper(data=["heart"])


def test_an_unknown_name():
    with pytest.raises(ValueError, match=r"data must name data sets of the paper, wdbc, heart.*, got 'iris' instead"):
        rerun_paper(data=["iris"])


def test_the_names_are_the_five_of_the_paper():
    assert list(rerun.LOADERS) == DATA


@pytest.mark.data
def test_all_five():
    shares = []
    again = rerun_paper(repeats=2, honest_repeats=2, progress=shares.append)
    assert list(dict.fromkeys(row.data for row in again.rows)) == DATA
    assert not again.missing
    assert shares[-1] == 1
    assert shares == sorted(shares)
    assert "### GNB on diabetes" in again.markdown()
    assert again.rows == rerun_paper(repeats=2, honest_repeats=2).rows
