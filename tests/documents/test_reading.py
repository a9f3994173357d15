import os
import socket
from pathlib import Path

import pytest

from gnbayes import ModelFileError, load
from gnbayes.documents import DocumentError, read_bytes


def test_bytes_are_read_as_they_are(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 9000)
    assert read_bytes(path, "model", 2**22) == path.read_bytes()


def test_a_pipe_that_nobody_writes_to_is_refused_at_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ModelFileError, match="pipe is a pipe, and a model is read from a file; write it to one first"):
        load(pipe)


def test_a_pipe_with_a_writer_is_refused_too(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(pipe, os.O_WRONLY)
    with pytest.raises(DocumentError, match="is a pipe"):
        read_bytes(pipe, "model", 100)
    os.close(writer)
    os.close(reader)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_devices_are_refused(device):
    with pytest.raises(ModelFileError, match=f"{Path(device).name} is a device, and a model is read from a file"):
        load(device)


def test_a_folder_and_a_socket_cannot_be_opened(tmp_path):
    with pytest.raises(IsADirectoryError):
        load(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        with pytest.raises(OSError, match="No such device"):
            load(tmp_path / "s")


def test_a_file_that_does_not_know_its_size_is_read_up_to_the_limit():
    path = Path("/proc/self/maps")  # says 0 bytes, and holds some
    if not path.exists() or path.stat().st_size:
        pytest.skip("no such file on this system")
    assert len(read_bytes(path, "model", 2**24)) > 100
    with pytest.raises(DocumentError, match=r"maps has too many bytes, more than a model file can have \(100\)"):
        read_bytes(path, "model", 100)
