import copy
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from classifiers import counted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer

from gnbayes import GeneralizedNB, ModelFileError, load, save
from gnbayes.documents import checksum
from gnbayes.files.format import VERSION

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.gnb.json"))


def mixed(n=90, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.normal(50, 10, n),
            'odd "name" \u2028 é': rng.choice(["a", "b", "ü", None], n),
            "smokes": rng.random(n) < 0.4,
            "stage": rng.integers(0, 3, n).astype(float),
            "nothing": np.full(n, np.nan),
        }
    )
    frame.loc[::7, "stage"] = np.nan
    return frame, np.where(frame["age"] + 9 * frame["smokes"] > 54, "ill", "well")


@pytest.mark.parametrize("structure", ["gnb-a", "gnb-o", "tan", "nb"])
@pytest.mark.parametrize("smoothing", ["additive", "backoff", "paper", "repair"])
@pytest.mark.parametrize("n_features", [None, 2])
def test_round_trip_gives_equal_bits(structure, smoothing, n_features, tmp_path):
    frame, y = mixed()
    clf = counted(structure, smoothing=smoothing, n_features=n_features).fit(frame, y)
    save(clf, tmp_path / "m.gnb.json")
    again = load(tmp_path / "m.gnb.json")
    rng = np.random.default_rng(3)
    odd = frame.astype(object).mask(rng.random(frame.shape) < 0.3, None)
    np.testing.assert_array_equal(again.predict_joint_log_proba(odd), clf.predict_joint_log_proba(odd))
    np.testing.assert_array_equal(again.class_gain_, clf.class_gain_)
    assert again.features_ == clf.features_
    assert again.get_params() == clf.get_params()
    assert again.feature_names_in_.tolist() == list(frame)
    assert again.explain(odd[:2]).text() == clf.explain(odd[:2]).text()
    save(again, tmp_path / "again.gnb.json")
    assert (tmp_path / "again.gnb.json").read_bytes() == (tmp_path / "m.gnb.json").read_bytes()


@pytest.mark.parametrize("weighting", [None, "discriminative"])
def test_a_strength_that_was_chosen_comes_back(weighting, tmp_path):
    frame, y = mixed()
    clf = GeneralizedNB("gnb-o", smoothing="backoff", alpha="auto", weighting=weighting).fit(frame, y)
    save(clf, tmp_path / "m.gnb.json")
    again = load(tmp_path / "m.gnb.json")
    assert (again.alpha, again.alpha_) == ("auto", clf.alpha_)
    np.testing.assert_array_equal(again.predict_joint_log_proba(frame), clf.predict_joint_log_proba(frame))
    save(again, tmp_path / "again.gnb.json")
    assert (tmp_path / "again.gnb.json").read_bytes() == (tmp_path / "m.gnb.json").read_bytes()


def test_a_strength_that_was_given_is_that_of_the_model(document, tmp_path):
    assert load(write(document, tmp_path / "m.json")).alpha_ == document["model"]["settings"]["alpha"]


@pytest.mark.parametrize("structure", ["gnb-o", "nb"])
@pytest.mark.parametrize(
    "parameters",
    [{}, {"n_bins": "auto"}, {"n_bins": "auto", "n_features": 2}, {"n_bins": "auto", "class_prior": [0.0, 1.0]}],
    ids=str,
)
def test_weighted_models_come_back_to_the_same_bits(structure, parameters, tmp_path):
    frame, y = mixed()
    clf = GeneralizedNB(structure, weighting="discriminative", **parameters).fit(frame, y)
    save(clf, tmp_path / "m.gnb.json")
    again = load(tmp_path / "m.gnb.json")
    odd = frame.astype(object).mask(np.random.default_rng(3).random(frame.shape) < 0.3, None)
    np.testing.assert_array_equal(again.predict_joint_log_proba(odd), clf.predict_joint_log_proba(odd))
    np.testing.assert_array_equal(again.class_gain_, clf.class_gain_)
    assert again.features_ == clf.features_
    assert again.get_params() == clf.get_params()
    save(again, tmp_path / "again.gnb.json")
    assert (tmp_path / "again.gnb.json").read_bytes() == (tmp_path / "m.gnb.json").read_bytes()


@pytest.mark.parametrize(
    ("classes", "dtype"),
    [
        (["x", "y", "z"], None),
        (["x", "y", "z"], object),
        ([3, 5, 9], None),
        ([3, 5, 9], np.uint8),
        ([1.0, 2, 4], float),
    ],
)
def test_classes_keep_their_kind(classes, dtype, tmp_path):
    X, y = load_iris(return_X_y=True)
    labels = np.array(classes, dtype=dtype)[y]
    clf = counted().fit(X, labels)
    save(clf, tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert again.classes_.dtype == clf.classes_.dtype
    np.testing.assert_array_equal(again.predict(X), clf.predict(X))
    assert not hasattr(again, "feature_names_in_")


def test_weights_priors_edges_and_declared_categories_survive(tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    weights = np.random.default_rng(0).random(150)
    clf = counted(
        class_prior=[0.2, 0.3, 0.5], discretizer={"petal length (cm)": [2.0, 5.0]}, categorical_features=[3]
    ).fit(X, y, sample_weight=weights)
    save(clf, tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    assert again.class_prior == [0.2, 0.3, 0.5]


def test_bins_of_scikit_learn_become_edges(tmp_path):
    X, y = load_iris(return_X_y=True)
    clf = counted(discretizer=KBinsDiscretizer(3, encode="ordinal", strategy="uniform")).fit(X, y)
    save(clf, tmp_path / "m.json")
    np.testing.assert_array_equal(load(tmp_path / "m.json").predict_proba(X), clf.predict_proba(X))


def test_transformers_cannot_be_saved(tmp_path):
    X, y = load_iris(return_X_y=True)
    clf = counted(discretizer=FunctionTransformer(np.round)).fit(X, y)
    with pytest.raises(
        ValueError, match=r"column 'x0' is cut by FunctionTransformer.* cannot be stored in a model file"
    ):
        save(clf, tmp_path / "m.json")
    assert not list(tmp_path.iterdir())


def test_batches_go_on_for_naive_bayes_only(tmp_path):
    X, y = load_iris(return_X_y=True)
    for structure in ("nb", "tan"):
        save(counted(structure).fit(X, y), tmp_path / "m.json")
        again = load(tmp_path / "m.json")
        if structure == "nb":
            again.partial_fit(X, y)
            assert again.counts_.n == 300
        else:
            with pytest.raises(ValueError, match="or were not kept in a model file"):
                again.partial_fit(X, y)


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    X, y = load_iris(return_X_y=True)
    path = tmp_path / "m.json"
    save(counted().fit(X, y), path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        save(counted("nb").fit(X, y), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_files_of_every_version_stay_readable(path):
    clf = load(path)
    expected = json.loads(path.with_suffix("").with_suffix(".expected.json").read_text(encoding="utf-8"))
    rows = pd.DataFrame(expected["rows"])
    # Before version 3 an unknown feature of a weighted model added nothing; since then it is averaged over.
    is_known = ~clf.explain(rows).unknown.any(axis=1)
    assert is_known.sum() >= 3
    np.testing.assert_allclose(clf.predict_proba(rows)[is_known], np.array(expected["proba"])[is_known], rtol=1e-9)


def test_an_evaluation_stays_readable():
    found = load(GOLDEN[0].with_name("v3_evaluated.gnb.json")).evaluation_
    assert (found.n_rows, found.n_folds, len(found.assessed)) == (200, 5, 2)
    assert found.assessed[0].n_events + found.assessed[1].n_events == 200
    assert found.assessed[0].auroc.value == pytest.approx(found.assessed[1].auroc.value)


def test_there_is_a_golden_file_of_the_current_version():
    assert any(path.name.startswith(f"v{VERSION}") for path in GOLDEN)


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    frame, y = mixed(40)
    path = tmp_path_factory.mktemp("model") / "m.json"
    save(counted(n_features=4).fit(frame, y), path)
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def weighted_document(tmp_path_factory):
    frame, y = mixed(90)
    path = tmp_path_factory.mktemp("model") / "m.json"
    save(GeneralizedNB("tan", weighting="discriminative", n_bins="auto", n_features=4).fit(frame, y), path)
    return json.loads(path.read_text(encoding="utf-8"))


def write(document, path, *, sign=True):
    if sign:
        document["checksum"] = checksum(document["model"])
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m.json is not JSON, or damaged"),
        ('{"format": "gnbayes-model"', "m.json is not JSON, or damaged"),
        ("[" * 100_000, "m.json is not JSON, or damaged"),
        ('{"a": 1, "a": 2}', "a key occurs twice in one object"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": 1e999}', "1e999 is too large a number"),
        ("\ud800", "m.json is not JSON, or damaged"),
        ("[1]", "m.json is not a gnbayes model file"),
        ('{"format": "other"}', "m.json is not a gnbayes model file"),
        ('{"format": "gnbayes-model"}', "m.json has no valid version number, got None"),
        ('{"format": "gnbayes-model", "version": true}', "m.json has no valid version number, got True"),
        ('{"format": "gnbayes-model", "version": 4}', "m.json has version 4, and this gnbayes reads up to 3; upgrade"),
        ('{"format": "gnbayes-model", "version": 1}', "m.json has no model in it"),
        (
            '{"format": "gnbayes-model", "version": 1, "model": {}}',
            "m.json was changed or damaged after it was written",
        ),
    ],
)
def test_files_that_are_no_model_files(text, message, tmp_path):
    path = tmp_path / "m.json"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(ModelFileError, match=message):
        load(path)


def test_a_file_that_is_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr("gnbayes.files.reading.MAX_BYTES", 3)
    (tmp_path / "m.json").write_text("12345")
    with pytest.raises(ModelFileError, match=r"m\.json has 5 bytes, more than a model file can have"):
        load(tmp_path / "m.json")


def test_one_changed_number_is_noticed(document, tmp_path):
    changed = copy.deepcopy(document)
    changed["model"]["counts"]["classes"][0] += 1
    with pytest.raises(ModelFileError, match="its checksum is wrong"):
        load(write(changed, tmp_path / "m.json", sign=False))


HOSTILE = [
    (("classes", "values"), ["a"], "classes.values must be two or more"),
    (("classes", "values"), ["b", "a"], "classes.values must increase"),
    (("classes", "values"), [1, 2], "classes.values must all be of type str"),
    (("classes", "dtype"), "complex128", "classes.dtype is not a type of classes"),
    (("features",), [], "features must not be empty"),
    (("features", 0, "edges"), [2, 1], r"features\[0\].edges must increase"),
    (("features", 0, "means"), [1.0], r"features\[0\].means must be one more than the edges"),
    (("features", 1, "categories"), ["a", 1], r"features\[1\].categories must be all text"),
    (("features", 0, "kind"), "code", r"features\[0\].kind must be 'interval' or 'category'"),
    (("features", 1, "name"), "age", "features must have different names"),
    (("tree", "mother"), [0, 0, 0, 0, 0], "tree.mother must come before the daughter"),
    (("tree", "mother"), [-1], "tree.mother must have one entry per feature"),
    (("tree", "order"), [0, 0, 1, 2], "tree.order must be different features"),
    (("tree", "order"), [9], "tree.order must be features"),
    (("tree", "gain"), [1.0], "tree.gain must be one finite number per step"),
    (("counts", "classes"), [0, 0], "counts.classes must not all be 0"),
    (("counts", "classes"), [-1, 5], "counts.classes must be counts, finite numbers from 0"),
    (("counts", "features", 0), [[1, 1]], r"counts.features\[0\] must be a table of shape"),
    (("counts", "edges"), [], "counts.edges must be those of the tree"),
    (("settings", "structure"), "bn", "settings.structure must be one of"),
    (("settings", "structure"), ["nb"], "settings.structure must be one of"),
    (("settings", "alpha"), 0, "settings.alpha must be above 0 and at most 1e100, or 'auto'"),
    (("settings", "alpha"), "auto", "alpha must be above 0 and at most 1e100"),
    (("settings", "n_bins"), True, "settings.n_bins must be a whole number from 2"),
    (("settings", "n_features"), 99, "settings.n_features must be null, 'auto', 'few' or a number of features"),
    (("settings", "class_prior"), [0.1, 0.1], "settings.class_prior must be null or one probability per class"),
    (("settings", "discretizer"), {"zip": [1]}, "settings.discretizer names 'zip', which is not a feature"),
    (("settings", "discretizer"), {"age": [2, 1]}, "settings.discretizer must have increasing edges"),
    (("settings", "categorical_features"), [3], "settings.categorical_features must be 'from_dtype' or feature names"),
    (("settings",), {}, "settings must be alpha, categorical_features"),
    (("has_feature_names",), 1, "model.has_feature_names must be of type bool"),
]


@pytest.mark.parametrize(("where", "value", "message"), HOSTILE, ids=lambda part: str(part)[:40])
def test_hostile_files_with_a_right_checksum(where, value, message, document, tmp_path):
    changed = copy.deepcopy(document)
    owner = changed["model"]
    for key in where[:-1]:
        owner = owner[key]
    owner[where[-1]] = value
    with pytest.raises(ModelFileError, match=message):
        load(write(changed, tmp_path / "m.json"))


HOSTILE_WEIGHTS = [
    (("terms",), None, "model.terms must be of type list"),
    (("terms",), [], "terms must have one term of its own for every feature of the tree"),
    (("terms", 0), 3, r"terms\[0\] must be an object"),
    (("terms", 0, "features"), [], r"terms\[0\].features must be one to three different features of the tree"),
    (("terms", 0, "features"), [99], r"terms\[0\].features must be one to three different features of the tree"),
    (("terms", -1, "features"), [0, 0], r"terms\[\d+\].features must be one to three different features of the tree"),
    (("terms", 0, "codes"), [], r"terms\[0\].codes must be one list per feature"),
    (("terms", 0, "codes", 0), [1], r"terms\[0\].codes must be one code per value, from 0 up"),
    (("terms", 0, "table"), [[1, 1]], r"terms\[0\].table must be a table of shape"),
    (("terms", 0, "table", 0, 1), True, r"terms\[0\].table must be numbers between -1e100 and 1e100"),
    (("terms", 0, "rows", 0), -1, r"terms\[0\].rows must be counts, finite numbers from 0"),
    (("intercept",), [0.0], r"intercept must be a table of shape \(2,\)"),
    (("intercept", 0), 1e200, "intercept must be numbers between -1e100 and 1e100"),
    (("joint",), 1, "model.joint must be of type dict"),
    (("joint", "codes"), [], "joint must have codes and values of every feature"),
    (("joint", "codes", 0, 0), 1, r"joint.codes\[0\] must be one code per value"),
    (("joint", "values", 0, 0), [-1, 0], r"joint.values\[0\] must be counts"),
    (("joint", "edges"), [], "joint.edges must be those of the tree"),
    (("joint", "edges", 0, "features"), [3, 3], r"joint.edges\[0\] must be of features"),
    (("joint", "edges", 0, "counts"), [[[0, 0]]], r"joint.edges\[0\].counts must be a table of shape"),
    (("features", 0, "coarse"), [0], r"features\[0\].coarse must be one code per value"),
    (("features", 0, "coarse", 0), 1, r"features\[0\].coarse must be one code per value, from 0 up"),
    (("features", 0, "coarse", 1), 10**30, r"features\[0\].coarse must be one code per value, from 0 up"),
    (("settings", "weighting"), "some", "settings.weighting must be null or 'discriminative'"),
    (("settings", "weighting"), None, r"counts.features\[0\] must be a table of shape"),
    (("settings", "smoothing"), "paper", "settings.weighting cannot be combined with smoothing 'paper'"),
    (("settings", "smoothing"), "repair", "settings.weighting cannot be combined with smoothing 'repair'"),
    (("settings", "n_bins"), "many", "settings.n_bins must be a whole number from 2, or 'auto'"),
    (("settings", "interactions"), "all", "settings.interactions must be 'auto', 'tree', a number of pairs, or lists"),
    (("settings", "interactions"), [["nothing", "else"]], "settings.interactions must be 'auto', 'tree', a number of"),
    (("settings", "n_fits"), 0, "settings.n_fits must be a whole number from 1, or 'auto'"),
    (("spread_ratio",), -1, "spread_ratio must be from 0 up"),
]


@pytest.mark.parametrize(("where", "value", "message"), HOSTILE_WEIGHTS, ids=lambda part: str(part)[:40])
def test_hostile_weighted_files_with_a_right_checksum(where, value, message, weighted_document, tmp_path):
    changed = copy.deepcopy(weighted_document)
    owner = changed["model"]
    for key in where[:-1]:
        owner = owner[key]
    owner[where[-1]] = value
    with pytest.raises(ModelFileError, match=message):
        load(write(changed, tmp_path / "m.json"))


def test_joint_codes_stay_within_coarse_ones(weighted_document, tmp_path):
    changed = copy.deepcopy(weighted_document)
    own = changed["model"]["joint"]["codes"][0]
    changed["model"]["joint"]["codes"][0] = [0] * len(own)
    with pytest.raises(ModelFileError, match=r"joint.codes\[0\] must not join values of different coarse codes"):
        load(write(changed, tmp_path / "m.json"))


HOSTILE_VERSION_2 = [
    (("weights",), None, "model.weights must be of type dict"),
    (("weights", "intercept"), [0.0], r"weights.intercept must be a table of shape \(2,\)"),
    (("weights", "intercept", 0), "1", "weights.intercept must be numbers between -1e100 and 1e100"),
    (("weights", "features"), [], "weights.features must have one table per feature"),
    (("weights", "features", 0, 0, 1), True, r"weights.features\[0\] must be numbers"),
    (("weights", "edges"), [], "weights.edges must be those of the tree"),
    (("weights", "edges", 0, "features"), [3, 3], r"weights.edges\[0\] must be of features"),
    (("weights", "edges", 0, "weights"), [[[0, 0]]], r"weights.edges\[0\].weights must be a table of shape"),
]


@pytest.mark.parametrize(("where", "value", "message"), HOSTILE_VERSION_2, ids=lambda part: str(part)[:40])
def test_hostile_files_of_version_2(where, value, message, tmp_path):
    path = next(path for path in GOLDEN if path.name.startswith("v2_weighted"))
    changed = json.loads(path.read_text(encoding="utf-8"))
    owner = changed["model"]
    for key in where[:-1]:
        owner = owner[key]
    owner[where[-1]] = value
    with pytest.raises(ModelFileError, match=message):
        load(write(changed, tmp_path / "m.json"))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@pytest.mark.slow
def test_a_file_with_anything_anywhere_loads_whole_or_not_at_all(data, document, weighted_document, tmp_path):
    changed = copy.deepcopy(data.draw(st.sampled_from([document, weighted_document])))
    owner, key = changed, "model"
    while isinstance(owner[key], dict | list) and owner[key] and data.draw(st.booleans()):
        owner = owner[key]
        key = data.draw(st.sampled_from(sorted(owner) if isinstance(owner, dict) else range(len(owner))))
    if data.draw(st.booleans()):
        del owner[key]
    else:
        owner[key] = data.draw(JUNK)
    if isinstance(changed.get("model"), dict):
        changed["checksum"] = checksum(changed["model"])
    path = tmp_path / "m.json"
    path.write_text(json.dumps(changed), encoding="utf-8", errors="surrogatepass")
    try:
        clf = load(path)
    except ModelFileError:
        return
    # A row of gaps fits every model, whatever became of its features.
    gaps = np.full((2, len(clf.features_)), None)
    names = getattr(clf, "feature_names_in_", None)
    proba = clf.predict_proba(gaps if names is None else pd.DataFrame(gaps, columns=names))
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)


@pytest.mark.posix
def test_saving_follows_links_and_writes_straight_into_pipes(tmp_path, wdbc):
    clf = counted().fit(*wdbc)
    real, link, pipe = tmp_path / "real.json", tmp_path / "link.json", tmp_path / "pipe"
    real.write_text("")
    link.symlink_to(real)
    save(clf, link)
    assert link.is_symlink()
    assert load(real).weight_ == clf.weight_
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        text = pool.submit(pipe.read_text)
        save(clf, pipe)
    assert pipe.is_fifo()
    assert text.result() == real.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.json", "pipe", "real.json"]
