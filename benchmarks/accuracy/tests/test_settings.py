"""The hash of settings: what changes a result changes it, and nothing else."""

from dataclasses import replace

import pytest
import settings
from registry import CLASSIFIERS
from settings import settings_hash


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A benchmark with one rival, and a package of ours."""
    for name in ("rivals", "gnbayes"):
        (tmp_path / name).mkdir()
    (tmp_path / "rivals" / "interpret_ebm.py").write_text('"""One."""\n\n# why\nBAGS = 14\n')
    (tmp_path / "requirements.txt").write_text("interpret-core==0.7.8\nlightgbm==4.7.0\n")
    (tmp_path / "gnbayes" / "estimator.py").write_text("BINS = 5\n")
    monkeypatch.setattr(settings, "_FOLDER", tmp_path)
    return tmp_path


def hashes(folder):
    return [settings_hash(CLASSIFIERS[name], folder / "gnbayes") for name in ("EBM", "gnbayes")]


def test_comments_and_docstrings_change_nothing(folder):
    before = hashes(folder)
    (folder / "rivals" / "interpret_ebm.py").write_text('"""Two."""\nBAGS = (\n    14  # else\n)\n')
    assert hashes(folder) == before


@pytest.mark.parametrize(
    ("file", "text", "changed"),
    [
        ("rivals/interpret_ebm.py", "BAGS = 2\n", [True, False]),
        ("requirements.txt", "interpret-core==0.7.9\n", [True, False]),
        ("requirements.txt", "interpret-core==0.7.8\nlightgbm==4.8.0\n", [False, False]),
        ("gnbayes/estimator.py", "BINS = 6\n", [False, True]),
        ("gnbayes/fast.c", "int main;\n", [False, True]),
    ],
)
def test_code_and_versions_count(folder, file, text, changed):
    before = hashes(folder)
    (folder / file).write_text(text)
    assert [a != b for a, b in zip(before, hashes(folder), strict=True)] == changed


def test_arguments_count(folder):
    ours = CLASSIFIERS["gnbayes"]
    other = replace(ours, arguments={"n_bins": 5})
    assert settings_hash(ours, folder / "gnbayes") != settings_hash(other, folder / "gnbayes")
