"""The model in the page is the model in Python, to the last bit."""

import base64

import numpy as np
import pytest
from classifiers import counted
from sklearn.preprocessing import FunctionTransformer

from gnbayes import GeneralizedNB, load, save
from gnbayes.reporting.model_part import describe_importances, describe_model, fingerprint


def unpacked(text):
    return np.frombuffer(base64.b64decode(text), dtype="<f8")


@pytest.mark.parametrize("smoothing", ["additive", "backoff", "paper"])
def test_tables_are_the_same_bits(binary, smoothing):
    _, frame, labels = binary
    clf = counted(smoothing=smoothing).fit(frame, labels)
    model = describe_model(clf)
    order = clf.feature_order_
    assert model["rule"] == ("paper" if smoothing == "paper" else "tree")
    expected = np.concatenate([clf.model_.tables[j].ravel() for j in order])
    assert np.array_equal(unpacked(model["tables"]), expected)
    assert np.array_equal(unpacked(model["logPrior"]), clf.model_.log_prior)
    if smoothing == "paper":
        alone = np.concatenate([clf.model_.alone[j].ravel() for j in order])
        assert np.array_equal(unpacked(model["alone"]), alone)


def test_features_stand_in_the_order_of_the_tree(binary):
    clf, _, _ = binary
    model = describe_model(clf)
    order = clf.feature_order_.tolist()
    assert [feature["name"] for feature in model["features"]] == [clf.features_[j].name for j in order]
    for at, j in enumerate(order):
        mother = model["mother"][at]
        assert (order[mother] if mother >= 0 else -1) == clf.tree_.mother[j]
        assert mother < at
        assert len(model["counts"][at]) == clf.model_.tables[j].size


def test_only_used_features_are_in_it(binary):
    _, frame, labels = binary
    model = describe_model(counted(n_features=3).fit(frame, labels))
    assert len(model["features"]) == len(model["counts"]) == len(model["sizes"]) == 3


def test_a_model_file_gives_the_same_page(binary, tmp_path):
    clf, _, _ = binary
    save(clf, tmp_path / "m.gnb.json")
    loaded = load(tmp_path / "m.gnb.json")
    assert describe_model(loaded) == describe_model(clf)


def test_features_of_each_kind(binary):
    features = {feature["name"]: feature for feature in describe_model(binary[0])["features"]}
    assert features["age"]["kind"] == "number"
    assert len(features["age"]["edges"]) == len(features["age"]["edgeTexts"]) == 4
    assert features["age"]["typical"][0] < features["age"]["typical"][1]
    assert features["sex"]["values"] == ["f", "m"]
    assert features["smokes"]["values"] == ["False", "True"]
    assert features["stage"]["isNumeric"]
    assert features["ward"]["hasMissing"]
    assert not features["sex"]["hasMissing"]


def test_a_foreign_transformer_gives_groups():
    X = np.arange(20.0)[:, None]
    clf = counted(discretizer=FunctionTransformer(lambda x: x // 7)).fit(X, X[:, 0] > 9)
    [feature] = describe_model(clf)["features"]
    assert feature["isGrouped"]
    assert feature["values"] == ["0", "1", "2"]


def test_importances_are_those_of_the_classifier(binary):
    clf, _, _ = binary
    parts = describe_importances(clf)
    order = clf.feature_order_
    np.testing.assert_allclose([part["weightShare"] for part in parts], clf.feature_importances_[order])
    np.testing.assert_allclose([part["classGain"] for part in parts], clf.class_gain_[order], atol=1e-12)
    assert sum(part["classShare"] for part in parts) == pytest.approx(1)
    assert sum(part["alone"] + part["withMother"] for part in parts) == pytest.approx(clf.weight_)


def test_fingerprints_tell_models_apart(binary, many_classes):
    first, second = (fingerprint(describe_model(it[0])) for it in (binary, many_classes))
    assert first != second
    assert len(first) == 8


def test_a_model_the_page_cannot_compute_is_refused(binary):
    _, frame, labels = binary
    weighted = GeneralizedNB(weighting="discriminative").fit(frame, labels)
    with pytest.raises(TypeError, match=r"weighting='discriminative', .* cannot compute yet; fit with weighting=None"):
        describe_model(weighted)
