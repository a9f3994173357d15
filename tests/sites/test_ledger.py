import json

import pytest
from site_tables import features_of, mixed_frame

from gnbayes.documents import checksum
from gnbayes.sites import Persons, SiteFileError, begin_ledger, count_site, load_ledger, release, release_id


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.json"


@pytest.fixture(scope="module")
def frame():
    return mixed_frame(60)


@pytest.fixture(scope="module")
def counts(frame):
    return count_site(features_of(mixed_frame(300)), [frame], "columns")


def test_releases_are_entered_and_add_up(path, counts):
    begin_ledger(path, "1")
    noisy = [release(counts, epsilon, path) for epsilon in ("0.1", "0.2")]
    ledger = load_ledger(path)
    assert [entry.release for entry in ledger.entries] == [release_id(each) for each in noisy]
    assert [entry.epsilon for entry in ledger.entries] == ["0.1", "0.2"]
    assert str(ledger.left) == "7/10"  # as fractions: three tenths of a decimal number
    assert {each.site for each in noisy} == {ledger.site}
    assert not (path.parent / "ledger.json.lock").exists()


def test_the_budget_is_never_exceeded(path, counts):
    begin_ledger(path, "0.3")
    release(counts, "0.1", path)
    release(counts, "0.2", path)  # exactly what is left
    with pytest.raises(ValueError, match=r"epsilon 1e-06 is more than the 0 that is left of the budget of 0.3"):
        release(counts, "1e-06", path)
    assert len(load_ledger(path).entries) == 2


def test_persons_and_rows_do_not_add_up(path, frame, counts):
    begin_ledger(path, "5", Persons("few", 2))
    with pytest.raises(
        ValueError, match=r"this ledger protects persons \(column 'few', at most 2 rows each\), and the"
    ):
        release(counts, "1", path)
    assert load_ledger(path).persons == Persons("few", 2)


def test_a_ledger_is_begun_once(path):
    with pytest.raises(ValueError, match="there is no ledger"):
        load_ledger(path)
    begin_ledger(path, "1")
    with pytest.raises(
        ValueError, match="already exists, and its budget cannot be changed; use it without stating a budget"
    ):
        begin_ledger(path, "2")
    with pytest.raises(ValueError, match="epsilon must be a number from 1e-6"):
        begin_ledger(path.with_name("other"), "0")


def test_two_releases_at_the_same_time(path, counts):
    begin_ledger(path, "1")
    (path.parent / "ledger.json.lock").touch()
    with pytest.raises(ValueError, match=r"'ledger.json.lock' exists: a release is under way"):
        release(counts, "0.5", path)
    assert not load_ledger(path).entries


def test_two_that_begin_at_the_same_time(path):
    (path.parent / "ledger.json.lock").touch()
    with pytest.raises(ValueError, match=r"'ledger.json.lock' exists"):
        begin_ledger(path, "1")
    assert not path.exists()


def test_fractions_add_up_exactly(path, counts):
    begin_ledger(path, "1")
    for _ in range(3):
        release(counts, "1/3", path)
    assert load_ledger(path).left == 0
    with pytest.raises(ValueError, match="is more than the 0 that is left"):
        release(counts, "0.000001", path)


@pytest.mark.parametrize("epsilon", ["-1", "+1", "1_0", " 1", "nan", "inf", "1e400", "1e7", "1/0", "0/1", "１"])
def test_what_is_no_number_spends_nothing(path, counts, epsilon):
    begin_ledger(path, "1")
    with pytest.raises(ValueError, match="epsilon must be a number from 1e-6 to 1e6"):
        release(counts, epsilon, path)
    assert not load_ledger(path).entries


def test_what_is_interrupted_has_spent_its_budget(path, counts, monkeypatch):
    begin_ledger(path, "1")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr("gnbayes.sites.ledger.write_site_file", fail)
    with pytest.raises(OSError, match="disk full"):
        release(counts, "0.5", path)  # nothing was entered, and nothing was given out
    monkeypatch.undo()
    release(counts, "1", path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.update(budget="much"), "must have numbers from 1e-6 to 1e6 as budget and epsilon"),
        (lambda c: c["releases"][0].update(epsilon="-1"), "must have numbers from 1e-6 to 1e6 as budget and epsilon"),
        (lambda c: c["releases"][0].pop("what"), "must each have the keys epsilon, release, time and what"),
        (lambda c: c["releases"].append(3), "ledger.releases must be objects"),
        (lambda c: c.update(persons=3), "ledger.persons must be null or an object"),
        (lambda c: c.pop("site"), "lacks 'site'"),
    ],
)
def test_an_unsound_ledger_is_one_clear_error(path, counts, change, message):
    begin_ledger(path, "1")
    release(counts, "0.5", path)
    document = json.loads(path.read_text())
    change(document["ledger"])
    document["checksum"] = checksum(document["ledger"])
    path.write_text(json.dumps(document))
    with pytest.raises(SiteFileError, match=message):
        load_ledger(path)


def test_a_changed_ledger_is_refused(path, counts):
    begin_ledger(path, "1")
    path.write_text(path.read_text().replace('"budget": "1"', '"budget": "9"'))
    with pytest.raises(SiteFileError, match="was changed or damaged after it was written"):
        release(counts, "0.5", path)
