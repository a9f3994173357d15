"""The command, run in this process."""

from __future__ import annotations

import io
import sys
import warnings
from dataclasses import dataclass

import pytest
from patients import patients

from gnbayes.cli.main import main


@dataclass(frozen=True)
class Run:
    """What a command gave."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run the command in a folder of its own; by default it must succeed."""
    monkeypatch.chdir(tmp_path)

    def command(*words, stdin=None, code=0):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))
        capsys.readouterr()
        with warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            try:
                found = main([str(word) for word in words])
            except SystemExit as end:
                found = end.code
        captured = capsys.readouterr()
        assert found == code, captured.err
        return Run(found, captured.out, captured.err)

    return command


@pytest.fixture
def heart(tmp_path):
    """A CSV of patients."""
    patients().to_csv(tmp_path / "heart.csv", index=False)
    return tmp_path / "heart.csv"


@pytest.fixture(scope="session")
def model_text(tmp_path_factory):
    """A model of patients, as its file has it."""
    folder = tmp_path_factory.mktemp("model")
    patients().to_csv(folder / "heart.csv", index=False)
    path = folder / "heart.gnb.json"
    options = ["--target", "disease", "--n-fits", "1", "--no-score", "-o", str(path)]
    assert main(["fit", str(folder / "heart.csv"), *options]) == 0
    return path.read_text()


@pytest.fixture
def model(tmp_path, model_text):
    """A model file of patients."""
    path = tmp_path / "heart.gnb.json"
    path.write_text(model_text)
    return path
