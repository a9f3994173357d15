"""Features, counts and tree files: read back the same, or refused in one sentence."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from site_tables import features_of, mixed_frame, three_sites, two_steps

from gnbayes.documents import checksum
from gnbayes.scale.exchange_files import write_site_file
from gnbayes.sites import (
    Persons,
    SiteFileError,
    SiteTree,
    add_noise,
    count_site,
    load_counts,
    load_features,
    load_tree,
    release_id,
    reveals,
    save_counts,
    save_features,
    save_tree,
    suppress,
)
from gnbayes.sites.counts_file import describe_counts


@pytest.fixture(scope="module")
def frame():
    return mixed_frame(300)


@pytest.fixture(scope="module")
def sites(frame):
    features = features_of(frame)
    return [count_site(features, [part]) for part in three_sites(frame)]


def test_features_read_back_are_the_same(frame, tmp_path):
    features = features_of(frame)
    save_features(features, tmp_path / "f.json")
    read = load_features(tmp_path / "f.json")
    assert read.features == features.features
    assert read.fingerprint == features.fingerprint
    assert read.classes.tolist() == ["u", "v", "w"]


RELEASES = [
    lambda f, x: count_site(f, [x]),
    lambda f, x: count_site(f, [x], "columns", site="a"),
    lambda f, x: suppress(count_site(f, [x]), 4),
    lambda f, x: add_noise(count_site(f, [x]), "0.1", seed=1),
    lambda f, x: add_noise(count_site(f, [x], "survey", site="a"), "2.5"),
    lambda f, x: add_noise(count_site(f, [x], SiteTree(f.fingerprint, ((0,), (0, 4), (2, 3)))), "1"),
    lambda f, x: add_noise(count_site(f, [x.assign(who=range(300))], persons=Persons("who", 2)), "1"),
]


@pytest.mark.parametrize("make", RELEASES)
def test_counts_read_back_are_the_same(frame, sites, tmp_path, make):
    counts = make(sites[0].features, frame)
    save_counts(counts, tmp_path / "a.counts")
    read = load_counts(tmp_path / "a.counts")
    for name in ("cells", "dependences"):
        assert np.array_equal(getattr(read, name), getattr(counts, name))
    for name in ("what", "tables", "privacy", "persons", "site"):
        assert getattr(read, name) == getattr(counts, name)
    assert read.features.fingerprint == counts.features.fingerprint
    assert release_id(read) == release_id(counts)


def test_the_id_of_a_release_stays_whatever_words_later_versions_use(frame, sites, tmp_path):
    content = describe_counts(sites[0]) | {"reveals": "Other words."}
    write_site_file(tmp_path / "a.counts", "counts", content)
    assert release_id(load_counts(tmp_path / "a.counts")) == checksum(content)
    assert "Other words." not in describe_counts(add_noise(load_counts(tmp_path / "a.counts"), "1"))["reveals"]
    assert "Other words." not in describe_counts(suppress(load_counts(tmp_path / "a.counts"), 5))["reveals"]


def test_a_tree_reads_back_the_same(frame, sites, tmp_path):
    tree = two_steps(frame, "1")[2]
    save_tree(tree, sites[0].features, tmp_path / "tree.json")
    assert load_tree(tmp_path / "tree.json") == tree
    content = json.loads((tmp_path / "tree.json").read_text())["tree"]
    assert [len(names) for names in content["columns"]] == [len(table) for table in tree.tables]


def test_a_file_with_noise_tells_no_numbers_of_rows(sites, tmp_path):
    save_counts(add_noise(sites[0], 1), tmp_path / "a.counts")
    content = json.loads((tmp_path / "a.counts").read_text())["counts"]
    assert set(content) == {
        "reveals",
        "site",
        "what",
        "fingerprint",
        "features",
        "privacy",
        "rows_per_person",
        "tables",
        "dependences",
    }
    assert "smallest" not in content["reveals"]


def test_a_file_says_what_it_reveals(frame, sites):
    text = reveals(sites[0])
    assert f"{len(sites[0].cells)} numbers" in text
    assert "The smallest cell above 0 counts 1." in text
    few = int(((sites[0].cells > 0) & (sites[0].cells < 5)).sum())
    assert f"{few} cells count 1 to 4" in text
    persons = count_site(sites[0].features, [frame.assign(who=range(300))], "survey", persons=Persons("who", 2))
    assert "private for one person (column 'who', at most 2 rows counted), added or removed" in reveals(
        add_noise(persons, 1)
    )


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_truncated_or_altered_file_is_one_clear_error(sites, tmp_path, data):
    path = tmp_path / "a.counts"
    save_counts(sites[0], path)
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 2))
    changed = whole[:at]
    if data.draw(st.booleans()):
        changed += bytes([data.draw(st.integers(0, 255))]) + whole[at + 1 :]
    path.write_bytes(changed)
    try:
        read = load_counts(path)
    except SiteFileError as error:
        assert str(error).startswith("a.counts ")  # noqa: PT017
    else:  # white space, or a word outside of the content
        assert np.array_equal(read.cells, sites[0].cells)


def refuse(path, part, change, message, load):
    document = json.loads(path.read_text())
    change(document[part])
    document["checksum"] = checksum(document[part])
    path.write_text(json.dumps(document))
    with pytest.raises(SiteFileError, match=f"{path.name} is not a valid {part} file: .*{message}"):
        load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c["tables"].pop(), "counts.tables must be one per pair"),
        (lambda c: c["tables"][0]["counts"].append(1), "must have .* cells"),
        (lambda c: c["tables"][0]["counts"].__setitem__(0, 1.5), "must hold whole numbers"),
        (
            lambda c: c["tables"][0]["counts"].__setitem__(0, -1),
            "the table of 'number' and 'many whole' must not hold numbers below 0",
        ),
        (lambda c: c["tables"][0]["counts"].__setitem__(0, 10**30), "must hold whole numbers below"),
        (lambda c: c["tables"][0]["counts"].__setitem__(0, 77), "must agree on the rows of each"),
        (lambda c: c["tables"][0].update(features=[0, 2]), "must be one per pair in order"),
        (lambda c: c["tables"][0].update(features="ab"), "must name their features"),
        (lambda c: c["features"].update(target="z"), "counts.fingerprint must be that of the features"),
        (lambda c: c["features"]["features"][0].update(edges=[3.0, 1.0]), "edges must increase"),
        (lambda c: c["privacy"].update(epsilon=3), "privacy.epsilon must be null or text"),
        (lambda c: c["privacy"].update(suppressed_below=1), "suppressed_below must be null or at least 2"),
        (lambda c: c.update(what="rows"), "counts.what must be pairs, columns, survey or tree"),
        (lambda c: c.update(site=3), "counts.site must be null or text"),
        (lambda c: c.update(dependences=[1]), "counts.dependences must be 0 numbers"),
        (lambda c: c.update(rows_per_person={"person": "who", "rows": 0}), "rows_per_person.rows must be at least 1"),
        (lambda c: c.pop("what"), "lacks 'what'"),
    ],
)
def test_unsound_counts_with_a_right_checksum(sites, tmp_path, change, message):
    save_counts(sites[0], tmp_path / "a.counts")
    refuse(tmp_path / "a.counts", "counts", change, message, load_counts)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c["privacy"].update(epsilon="2"), "privacy.parts must add up to epsilon"),
        (lambda c: c["privacy"].update(mechanism="none"), "privacy.mechanism must be 'discrete Laplace'"),
        (lambda c: c["privacy"]["parts"][1].update(sensitivity=1), "privacy.parts must have the sensitivities"),
        (lambda c: c["privacy"]["parts"][1].update(epsilon="1/0"), "privacy.epsilon must be a number above 0"),
        (lambda c: c["privacy"].update(parts=[]), "privacy.parts must be given if and only if epsilon is"),
        (lambda c: c["tables"].pop(0), "privacy.parts must have the sensitivities"),
        (lambda c: c["dependences"].pop(), "counts.dependences must be 21 numbers"),
        (lambda c: c["dependences"].__setitem__(0, "x"), "counts.dependences must be whole numbers"),
    ],
)
def test_unsound_noise_with_a_right_checksum(frame, sites, tmp_path, change, message):
    save_counts(add_noise(count_site(sites[0].features, [frame], "survey"), 1, seed=0), tmp_path / "a.counts")
    refuse(tmp_path / "a.counts", "counts", change, message, load_counts)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.update(tables=[]), "tables must be different and in order"),
        (lambda c: c.update(tables=[[0, 1], [0, 1]]), "tables must be different and in order"),
        (lambda c: c.update(tables=[[1, 0]]), "must be of at most two features, in order"),
        (lambda c: c.update(tables=[[0, 1, 2]]), "must be of at most two features"),
        (lambda c: c.update(tables=["a"]), "tree.tables must be lists of columns"),
        (lambda c: c.update(chosen_from=[1]), "tree.chosen_from must be ids of releases"),
    ],
)
def test_unsound_trees_with_a_right_checksum(sites, tmp_path, change, message):
    tree = SiteTree(sites[0].features.fingerprint, ((0,), (1, 2)))
    save_tree(tree, sites[0].features, tmp_path / "tree.json")
    refuse(tmp_path / "tree.json", "tree", change, message, load_tree)


def test_a_tree_of_columns_that_are_not_there(frame, sites):
    tree = SiteTree(sites[0].features.fingerprint, ((0, 30),))
    with pytest.raises(ValueError, match="the tree has column 30, and there are 9"):
        count_site(sites[0].features, [frame], tree)
