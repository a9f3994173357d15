"""The model in the page is the model in Python."""

import copy

import numpy as np
import pandas as pd
import pytest
from classifiers import pair_of
from sklearn.preprocessing import FunctionTransformer

from gnbayes import GeneralizedNB, load, save
from gnbayes.reporting.model_part import describe_importances, describe_model, fingerprint
from gnbayes.reporting.term_part import EFFECT_STEP, TABLE_STEP


def logarithms(values):
    return np.array([-np.inf if value is None else value for value in values])


def summed(differences, shape, step):
    """The definition: a cell is the sum of the differences up to it, along each axis but the last."""
    cells = np.reshape(np.array(differences, dtype=object), shape)
    out = np.zeros(shape)
    for at in np.ndindex(shape):
        out[at] = int(cells[(*(slice(i + 1) for i in at[:-1]), at[-1])].sum()) * step
    return out


@pytest.mark.parametrize("smoothing", ["additive", "backoff", "paper", "repair"])
def test_tables_are_the_same_bits(binary, smoothing, subject_of):
    _, frame, labels = binary
    clf = GeneralizedNB(smoothing=smoothing, weighting=None).fit(frame, labels)
    model = describe_model(clf, subject_of(clf))
    order = clf.tree_.order
    assert model["rule"] == ("paper" if smoothing in ("paper", "repair") else "tree")
    expected = np.concatenate([clf.joint_.tables[j].ravel() for j in order])
    assert np.array_equal(logarithms(model["tables"]), expected)
    assert np.array_equal(logarithms(model["logPrior"]), clf.model_.intercept)
    if smoothing in ("paper", "repair"):
        alone = np.concatenate([clf.joint_.alone[j].ravel() for j in order])
        assert np.array_equal(logarithms(model["alone"]), alone)


def test_features_stand_in_the_order_of_the_tree(binary, subject_of):
    clf, _, _ = binary
    model = describe_model(clf, subject_of(clf))
    order = clf.tree_.order.tolist()
    assert [feature["name"] for feature in model["features"]] == [clf.features_[j].name for j in order]
    for at, j in enumerate(order):
        mother = model["mother"][at]
        assert (order[mother] if mother >= 0 else -1) == clf.tree_.mother[j]
        assert mother < at
        assert len(model["counts"][at]) == clf.joint_.tables[j].size


def test_only_used_features_are_in_it(binary, subject_of):
    _, frame, labels = binary
    clf = GeneralizedNB(n_features=3, interactions="tree").fit(frame, labels)
    model = describe_model(clf, subject_of(clf))
    assert len(model["features"]) == len(model["counts"]) == len(model["sizes"]) == 3


@pytest.mark.parametrize("kind", ["binary", "weighted"])
def test_a_model_file_gives_the_same_page(kind, request, tmp_path, subject_of):
    clf, _, _ = request.getfixturevalue(kind)
    save(clf, tmp_path / "m.gnb.json")
    loaded = load(tmp_path / "m.gnb.json")
    assert describe_model(loaded, subject_of(loaded)) == describe_model(clf, subject_of(clf))


def test_features_of_each_kind(binary, subject_of):
    features = {feature["name"]: feature for feature in describe_model(binary[0], subject_of(binary[0]))["features"]}
    assert features["age"]["kind"] == "number"
    assert len(features["age"]["edges"]) == len(features["age"]["edgeTexts"]) == 4
    assert features["age"]["values"] is None
    assert features["sex"]["values"] == ["f", "m"]
    assert features["smokes"]["values"] == ["False", "True"]
    assert features["stage"]["isNumeric"]
    assert features["ward"]["hasMissing"]
    assert not features["sex"]["hasMissing"]


def test_a_foreign_transformer_gives_groups(subject_of):
    X = np.arange(20.0)[:, None]
    clf = GeneralizedNB(discretizer=FunctionTransformer(lambda x: x // 7)).fit(X, X[:, 0] > 9)
    [feature] = describe_model(clf, subject_of(clf))["features"]
    assert feature["isGrouped"]
    assert feature["values"] == ["0", "1", "2"]


def test_importances_are_those_of_the_classifier(binary):
    clf, _, _ = binary
    parts = describe_importances(clf)
    order = clf.tree_.order
    np.testing.assert_allclose([part["importance"] for part in parts], clf.feature_importances_[order])
    np.testing.assert_allclose([part["weightShare"] for part in parts], clf.tree_.gain / clf.weight_)
    np.testing.assert_allclose([part["classGain"] for part in parts], clf.class_gain_[order], atol=1e-12)
    assert sum(part["classShare"] for part in parts) == pytest.approx(1)
    assert sum(part["alone"] + part["withMother"] for part in parts) == pytest.approx(clf.weight_)


def test_fingerprints_tell_models_apart(binary, many_classes, subject_of):
    first, second = (fingerprint(describe_model(it[0], subject_of(it[0]))) for it in (binary, many_classes))
    assert first != second
    assert len(first) == 8


@pytest.mark.parametrize("kind", ["weighted", "weighted_many", "binary"])
def test_terms_are_the_same_the_most_important_first(kind, request, subject_of):
    clf, _, _ = request.getfixturevalue(kind)
    model, order = describe_model(clf, subject_of(clf)), clf.tree_.order.tolist()
    described = model["terms" if kind != "binary" else "effects"]
    step = EFFECT_STEP if kind == "binary" else TABLE_STEP
    assert described["step"] == step
    k, start = len(clf.classes_), 0
    for term, found in zip(clf.terms_, described["terms"], strict=True):
        stop = start + term.rows.size
        table = summed(described["tables"][start * (k - 1) : stop * (k - 1)], (*term.rows.shape, k - 1), step)
        centred = term.table - term.table.mean(axis=-1, keepdims=True)
        np.testing.assert_allclose(table, centred[..., 1:], rtol=0, atol=step / 2 * 1.001)
        assert described["rows"][start:stop] == term.rows.ravel().tolist()
        start = stop
        assert [order[at] for at in found["features"]] == list(term.features)
        assert found["shape"] == list(term.table.shape[:-1])
        for at, way, own in zip(found["features"], found["maps"], term.maps, strict=True):
            assert described["maps"][at][way] == own.tolist()
        assert found["importance"] == pytest.approx(term.importance, rel=1e-5)
    assert start == len(described["rows"]) == len(described["tables"]) / (k - 1)
    assert np.array_equal(logarithms(model["logPrior"]), clf.model_.intercept)


@pytest.mark.parametrize("kind", ["weighted", "weighted_many"])
def test_standard_errors_are_right_to_a_thousandth(kind, request, subject_of):
    clf, _, _ = request.getfixturevalue(kind)
    described = describe_model(clf, subject_of(clf))["terms"]
    per_cell, start = len(clf.classes_) if kind == "weighted_many" else 1, 0
    for term in clf.terms_:
        stop = start + term.rows.size * per_cell
        shape = (*term.rows.shape, per_cell)
        found = np.exp(summed(described["spreads"][start:stop], shape, described["spreadStep"]))
        np.testing.assert_allclose(found, term.spread if per_cell > 1 else term.spread[..., 1:], rtol=5.1e-4, atol=1e-8)
        start = stop
    assert start == len(described["spreads"])


def test_coarse_codes_of_a_weighted_model(weighted, subject_of):
    clf, _, _ = weighted
    features = {feature["name"]: feature for feature in describe_model(clf, subject_of(clf))["features"]}
    for feature in clf.features_:
        if feature.coarse:
            assert features[feature.name]["coarse"] == feature.coarse_codes.tolist()
    assert "coarse" in features["age"]
    assert "coarse" not in features["sex"]


@pytest.mark.parametrize("change", ["prior", "unit", "pairs"])
def test_fingerprints_know_priors_units_and_pairs(change, weighted, subject_of):
    _, frame, labels = weighted
    settings = {"weighting": "discriminative", "interactions": "tree"}
    first = GeneralizedNB(**settings).fit(frame, labels)
    if change == "prior":
        second = GeneralizedNB(**settings, class_prior=[0.1, 0.9]).fit(frame, labels)
    elif change == "unit":
        second = GeneralizedNB(**settings).fit(frame.assign(age=frame["age"] * 2), labels)
    else:
        second = copy.deepcopy(first)
        j = int(second.tree_.order[1])
        pair_of(second, j)[0, 0, 0] += 1.0
    assert fingerprint(describe_model(first, subject_of(first))) != fingerprint(
        describe_model(second, subject_of(second))
    )


def test_names_that_look_alike_are_told_apart(subject_of):
    frame = pd.DataFrame({"a": ["f", "f ", "m", "m"] * 5, "a ": [1.0, 2.0, 3.0, 4.0] * 5})
    clf = GeneralizedNB().fit(frame, [0, 1, 1, 0] * 5)
    model = describe_model(clf, subject_of(clf))
    features = {feature["name"]: feature for feature in model["features"]}
    assert set(features) == {"a", "a (2)"}
    assert features["a"]["values"] == ["f", "f (2)", "m"]


def test_names_of_codes_are_those_of_the_dictionary(binary, subject_of):
    clf, _, _ = binary
    dictionary = {
        "columns": {
            "age": {"label": "Age at entry"},
            "stage": {"codes": {"1": "I", "2": "II", "3": "III", "4": "IV"}},
            "smokes": {"codes": {"true": "smokes", "false": "does not"}},
        }
    }
    features = {feature["name"]: feature for feature in describe_model(clf, subject_of(clf, dictionary))["features"]}
    assert "age" not in features
    assert features["Age at entry"]["kind"] == "number"
    assert features["smokes"]["values"] == ["does not", "smokes"]
    assert features["stage"]["values"] == ["I", "II", "III", "IV"]
    assert features["sex"]["values"] == ["f", "m"]
