import contextlib
import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gnbayes.counting import CodedRows, count, count_values
from gnbayes.scale.code_cache import CodeCache


def random_rows(n, cardinalities=(3, 300, 70_000), n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    sizes = np.array(cardinalities)
    return CodedRows(rng.integers(0, sizes, (n, len(sizes))), rng.integers(0, n_classes, n), sizes, n_classes)


def part(rows, start, stop):
    return CodedRows(rows.codes[start:stop], rows.labels[start:stop], rows.cardinalities, rows.n_classes)


@pytest.mark.parametrize("n_threads", [1, 3])
def test_parts_add_up_to_all_rows(n_threads, tmp_path):
    rows = random_rows(1000)
    with CodeCache(rows.cardinalities, 3, tmp_path, n_threads) as cache:
        for start, stop in ((0, 1), (1, 1), (1, 600), (600, 1000)):
            cache.append(part(rows, start, stop))
        expected, found = count_values(rows), cache.add_up(count_values)
        assert cache.row_bytes == 1 + 2 + 4 + 1
        assert cache.n_bytes == 8 * 1000
        (file,) = os.listdir(tmp_path)
        assert os.path.getsize(tmp_path / file) == cache.n_bytes
    np.testing.assert_array_equal(found.singles, expected.singles)
    np.testing.assert_array_equal(found.classes, expected.classes)
    assert os.listdir(tmp_path) == []


def test_the_file_goes_whatever_happens(tmp_path):
    rows = random_rows(10)

    def fail(_):
        raise RuntimeError("no")

    def append_and_fail():
        with CodeCache(rows.cardinalities, 3, tmp_path) as cache:
            cache.append(rows)
            cache.add_up(fail)

    with pytest.raises(RuntimeError, match="no"):
        append_and_fail()
    assert os.listdir(tmp_path) == []


def test_pairs_of_small_codes(tmp_path):
    rows = random_rows(500, (4, 5, 6), 2)
    with CodeCache(rows.cardinalities, 2, tmp_path) as cache:
        for start in range(0, 500, 120):
            cache.append(part(rows, start, start + 120))
        np.testing.assert_array_equal(cache.add_up(count).cells, count(rows).cells)


def test_what_cannot_be_kept():
    rows = random_rows(5)
    with CodeCache(rows.cardinalities, 3) as cache:
        with pytest.raises(ValueError, match="there are no rows"):
            cache.add_up(count_values)
        weighted = CodedRows(rows.codes, rows.labels, rows.cardinalities, 3, np.ones(5))
        with pytest.raises(ValueError, match="rows on disk have no weights"):
            cache.append(weighted)


def test_a_disk_that_is_too_small_is_refused_before_anything_is_written(tmp_path, monkeypatch):
    rows = random_rows(10)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=10**6))
    with CodeCache(rows.cardinalities, 3, tmp_path) as cache:
        assert cache.make_room(125_000) == f"codes of 125,000 rows: 1.0 MB in '{tmp_path}' until the fit is done"
        message = rf"the codes of all rows take 1.2 MB, and 1.0 MB are free in '{tmp_path}'; name another folder with"
        with pytest.raises(OSError, match=message):
            cache.make_room(150_000)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_sentence(tmp_path):
    rows = random_rows(10)
    with CodeCache(rows.cardinalities, 3, tmp_path) as cache:
        whole, cache._file = cache._file, open("/dev/full", "wb")  # noqa: SIM115
        cache.append(rows)
        with pytest.raises(OSError, match=r"^the codes of all rows do not fit onto the disk in '/dev'; name another"):
            cache.add_up(count_values)
        whole, cache._file = cache._file, whole
        with contextlib.suppress(OSError):
            whole.close()
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_not_there(tmp_path):
    message = r"^the codes of all rows cannot be written to '.*nowhere': no such file or directory; name another folder"
    with pytest.raises(FileNotFoundError, match=message):
        CodeCache(np.array([2]), 2, tmp_path / "nowhere")
