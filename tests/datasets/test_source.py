"""Files from a folder, and from a real server on this machine."""

import gc
import hashlib
import re
import sys
import threading
import warnings
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from gnbayes.datasets import fetch_heart, source
from gnbayes.datasets.source import Source, find_file

CONTENT = b"1,2\n3,4\n"
GOOD = Source("some/table.data", hashlib.sha256(CONTENT).hexdigest())
BAD = Source("some/table.data", "0" * 64)
REMEDY = (
    "Get table.data from {url}, put it into a folder named 'paper', and set the environment variable GNBAYES_DATA "
    "to the folder above it."
)


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A web server that stands in for UCI."""
    (tmp_path / "www" / "some").mkdir(parents=True)
    (tmp_path / "www" / "some" / "table.data").write_bytes(CONTENT)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=tmp_path / "www")) as httpd:
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        monkeypatch.setattr(source, "BASE_URL", f"http://127.0.0.1:{httpd.server_port}/")
        monkeypatch.delenv("GNBAYES_DATA", raising=False)
        yield httpd
        httpd.shutdown()
        thread.join()
    with warnings.catch_warnings():
        # pooch leaves the socket of an answer it refused to the garbage collector.
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder that GNBAYES_DATA names."""
    (tmp_path / "paper").mkdir()
    monkeypatch.setenv("GNBAYES_DATA", str(tmp_path))
    return tmp_path / "paper"


def error_of(*args):
    with pytest.raises(OSError, match=re.escape("GNBAYES_DATA")) as caught:
        find_file(*args)
    return str(caught.value)


def test_a_download_is_kept(server, tmp_path):
    pytest.importorskip("pooch")
    home = tmp_path / "home"
    path = find_file(GOOD, home)
    assert path.read_bytes() == CONTENT
    assert path.parent == home
    server.shutdown()
    server.server_close()
    assert find_file(GOOD, home) == path


def test_a_download_with_another_checksum(server, tmp_path):
    pytest.importorskip("pooch")
    said = error_of(BAD, tmp_path / "home")
    assert said == f"the file at {BAD.url} does not have the SHA-256 {'0' * 64}. " + REMEDY.format(url=BAD.url)
    assert not (tmp_path / "home" / "table.data").exists()


def test_a_file_that_the_server_does_not_have(server, tmp_path):
    pytest.importorskip("pooch")
    said = error_of(Source("gone.data", "0" * 64), tmp_path / "home")
    assert said.startswith(f"gone.data could not be downloaded to {tmp_path / 'home'} (HTTPError). Get gone.data from")


def test_no_network(server, tmp_path):
    pytest.importorskip("pooch")
    server.shutdown()
    server.server_close()
    said = error_of(GOOD, tmp_path / "home")
    start = f"table.data could not be downloaded to {tmp_path / 'home'} (ConnectionError). "
    assert said == start + REMEDY.format(url=GOOD.url)


def test_without_pooch(monkeypatch):
    monkeypatch.delenv("GNBAYES_DATA", raising=False)
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(ImportError, match=r"downloads need pooch; install it with: pip install 'gnbayes\[datasets\]'"):
        fetch_heart()


def test_a_file_from_the_folder(folder):
    (folder / "table.data").write_bytes(CONTENT)
    assert find_file(GOOD) == folder / "table.data"


def test_a_file_with_another_checksum(folder):
    (folder / "table.data").write_bytes(CONTENT)
    said = error_of(BAD)
    start = f"{folder / 'table.data'} has the wrong content: its SHA-256 is {GOOD.sha256}, not {'0' * 64}. "
    assert said == start + REMEDY.format(url=BAD.url)


def test_a_file_that_is_not_in_the_folder(folder):
    said = error_of(GOOD)
    start = f"GNBAYES_DATA is set, but there is no file {folder / 'table.data'}. "
    assert said == start + REMEDY.format(url=GOOD.url)


def test_uci_is_the_source():
    assert Source("a/b.data", "").url == "https://archive.ics.uci.edu/ml/machine-learning-databases/a/b.data"
