"""Two runs never write to the same files at once."""

import errno
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

from gnbayes import GeneralizedNB
from gnbayes.scale import fit_batches
from gnbayes.scale.only_run import only_run

_HOLDS = """
import sys, time
from pathlib import Path
from gnbayes.scale.only_run import only_run

with only_run(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def rows(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "rows.csv"
    pd.DataFrame({"a": rng.integers(0, 9, 60), "y": rng.choice(["u", "v"], 60)}).to_csv(path, index=False)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_second_run_is_refused_until_the_first_ends(tmp_path, rows, end):
    state = tmp_path / "state"
    with subprocess.Popen([sys.executable, "-c", _HOLDS, str(state)], stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(ValueError, match=r"another run is using '.*state'; wait until it ends, or give another"):
            fit_batches(GeneralizedNB(weighting=None), rows, "y", resume=state)
        other.send_signal(end)
    clf = fit_batches(GeneralizedNB(weighting=None), rows, "y", resume=state)
    assert clf.counts_.n == 60
    assert not (tmp_path / "state.lock").exists()


def test_codes_in_one_folder_under_one_name(tmp_path, rows):
    (tmp_path / "other").mkdir()
    with only_run(tmp_path / "other" / "state.codes"), pytest.raises(ValueError, match=r"another run .*state.codes'"):
        fit_batches(GeneralizedNB(), rows, "y", resume=tmp_path / "state", cache=tmp_path / "other")


def test_a_state_that_cannot_be_written_is_refused_at_once(tmp_path, rows, monkeypatch):
    monkeypatch.setattr("gnbayes.scale.out_of_core.read_batch", None)
    with pytest.raises(FileNotFoundError, match=r"^'.*state' cannot be written: no such file or directory\.$"):
        fit_batches(GeneralizedNB(), rows, "y", resume=tmp_path / "nowhere" / "state")
    with pytest.raises(IsADirectoryError, match="is a folder; give the name of a file for the state of the run"):
        fit_batches(GeneralizedNB(), rows, "y", resume=tmp_path)


def test_a_state_that_does_not_fit_onto_the_disk(tmp_path, rows, monkeypatch):
    def write(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("gnbayes.scale.resume_state.write_site_file", write)
    with pytest.raises(OSError, match=r"^the state of the run cannot be written to '.*state': no space left on device"):
        fit_batches(GeneralizedNB(), rows, "y", resume=tmp_path / "state")


@pytest.mark.skipif(sys.platform == "win32", reason="processes are ended otherwise")
@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_the_codes_go_when_the_command_is_ended(tmp_path, end):
    rng = np.random.default_rng(0)
    table, cache = tmp_path / "rows", tmp_path / "cache"
    table.mkdir(), cache.mkdir()
    columns = {f"c{at}": rng.normal(size=200_000) for at in range(12)}
    pd.DataFrame(columns | {"y": rng.choice(["u", "v"], 200_000)}).to_parquet(table / "rows.parquet")
    command = [sys.executable, "-m", "gnbayes", "fit", table, "--target", "y", "--cache", cache, "--no-score"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as run:
        while not list(cache.iterdir()) and run.poll() is None:
            time.sleep(0.01)
        time.sleep(0.3)
        run.send_signal(end)
        assert run.wait() == 130
    assert list(cache.iterdir()) == []
