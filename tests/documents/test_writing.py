import errno
import os
import stat

import pytest

from gnbayes.cli.main import main
from gnbayes.documents import complete_file, write_atomically


def permissions(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_replaced_file_keeps_its_permissions(tmp_path, mode):
    path = tmp_path / "m.json"
    path.write_text("old")
    path.chmod(mode)
    write_atomically(path, "new")
    assert path.read_text() == "new"
    assert permissions(path) == mode


def test_a_new_file_has_the_usual_permissions(tmp_path):
    usual = tmp_path / "usual"
    usual.touch()
    write_atomically(tmp_path / "new", "text")
    assert permissions(tmp_path / "new") == permissions(usual)


def test_permissions_are_those_of_the_file_that_a_link_leads_to(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o600)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert permissions(tmp_path / "real") == 0o600


def test_a_file_is_on_the_disk_before_it_takes_its_place(tmp_path, monkeypatch):
    done, fsync, replace = [], os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda at: (done.append(("sync", os.fstat(at).st_size)), fsync(at)))
    monkeypatch.setattr(os, "replace", lambda a, b: (done.append(("move", os.stat(a).st_size)), replace(a, b)))
    write_atomically(tmp_path / "m.json", "12345")
    assert done == [("sync", 5), ("move", 5)]


def test_nothing_is_left_of_a_file_that_was_not_completed(tmp_path):
    (tmp_path / "m.json").write_text("old")

    def write_half():
        with complete_file(tmp_path / "m.json") as file:
            file.write(b"half")
            raise KeyError

    with pytest.raises(KeyError):
        write_half()
    assert (tmp_path / "m.json").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["m.json"]


@pytest.fixture
def loop(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    return tmp_path / "a"


def test_a_link_that_leads_back_to_itself(loop):
    with pytest.raises(OSError, match="a is a link that leads back to itself; give another place to write to"):
        write_atomically(loop, "text")


def test_a_link_to_nothing_makes_the_file(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "new")
    write_atomically(tmp_path / "link", "text")
    assert (tmp_path / "new").read_text() == "text"


def test_a_folder_cannot_be_written(tmp_path):
    with pytest.raises(OSError, match="Is a directory") as caught:
        write_atomically(tmp_path, "text")
    assert caught.value.errno == errno.EISDIR


def test_the_shell_says_so_in_a_sentence(loop, tmp_path, capsys):
    table = tmp_path / "t.csv"
    table.write_text("x,y\n" + "1,a\n2,b\n" * 10)
    assert main(["fit", str(table), "--target", "y", "--weighting", "none", "-o", str(loop)]) == 1
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said == f"gnbayes: {str(loop)!r} cannot be written: it is a link that leads back to itself."
