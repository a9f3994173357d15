"""The CSV: one row per key, added by several processes at a time."""

import math
from multiprocessing import get_context

from results import COLUMNS, append, exceeded, read, stands, tidy


def row(table="iris", split=1, classifier="EBM", settings="ab", **more):
    found = dict.fromkeys(COLUMNS, 0.5) | {"table": table, "split": split, "classifier": classifier}
    return found | {"settings": settings, "status": "done"} | more


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "results.csv"
    assert read(path) == []
    append(path, row())
    append(path, {"table": "zoo", "split": 2, "classifier": "EBM", "settings": "ab", "status": "ValueError: a, b"})
    found = read(path)
    assert found[0] == row()
    assert found[1]["status"] == "ValueError: a, b"
    assert math.isnan(found[1]["log_loss"])


def test_the_last_of_equal_keys_counts(tmp_path):
    path = tmp_path / "results.csv"
    append(path, row(status="ValueError: no"))
    append(path, row())
    append(path, row(settings="cd"))
    assert [(found["settings"], found["status"]) for found in read(path)] == [("ab", "done"), ("cd", "done")]


def test_tidy_keeps_the_last_settings_in_the_order_of_tables(tmp_path):
    path = tmp_path / "results.csv"
    for split in (2, 1):
        append(path, row("zoo", split))
        append(path, row("iris", split))
    append(path, row("iris", 1, settings="cd"))
    tidy(path, ["iris", "zoo"])
    found = [(row["table"], row["split"], row["settings"]) for row in read(path)]
    assert found == [("iris", 1, "cd"), ("iris", 2, "ab"), ("zoo", 1, "ab"), ("zoo", 2, "ab")]


def _append_many(path, settings):
    for split in range(50):
        append(path, row(split=split, settings=settings))


def test_several_processes_add_rows(tmp_path):
    path, context = tmp_path / "results.csv", get_context("spawn")
    workers = [context.Process(target=_append_many, args=(path, name)) for name in ("a", "b", "c")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(read(path)) == 150
    assert path.read_text().count("table") == 1


def test_a_fit_that_exceeded_a_limit_is_tried_again_with_a_larger_one():
    late = row(status=exceeded(600.0))
    assert late["status"] == "more than 600 s"
    assert [stands(late, limit) for limit in (60.0, 600.0, 601.0)] == [True, True, False]
    assert stands(row(), 601.0)
    assert not stands(row(status="ValueError: more than 600 s"), 60.0)
