"""Networks in BIF and XMLBIF, read back by pyAgrum: its exact inference must give our posteriors."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pyagrum as gum
import pytest
from classifiers import counted
from sklearn.datasets import load_iris

from gnbayes import GeneralizedNB
from gnbayes.encoding import check_table, encode
from gnbayes.files.bif import to_bif, to_xmlbif

FORMATS = {"bif": to_bif, "bifxml": to_xmlbif}
# pyAgrum reads the numbers of a BIF file in single precision.
ATOL = {"bif": 1e-6, "bifxml": 1e-9}
ODD_NAMES = ["class", "class_", "a b", 'a"b', "a_b", "1st // x", "größe; {é}", "日本", "table", "Probability\n|", ""]


def mixed_table(n, n_classes, names, seed=0):
    """Numbers, text, booleans and numbers as categories, with gaps in some columns, in turn under the given names."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    columns = []
    for j, _ in enumerate(names):
        pull = y + rng.integers(0, 3, n)
        match j % 5:
            case 0:
                column = np.array(["no", "yes, 'a\"", "-3", "", "missing"], dtype=object)[pull % 5]
                column[rng.random(n) < 0.1] = None
            case 1:
                column = pull + rng.normal(size=n)
            case 2:
                column = pull % 2 == 0
            case 3:
                column = np.where(rng.random(n) < 0.2, np.nan, pull - rng.random(n))
            case 4:
                column = pull % 4 - 2
        columns.append(column)
    return pd.DataFrame(dict(zip(names, columns, strict=True))), y


def with_gaps(X, seed=1):
    """The same table with a third of all values missing."""
    gaps = np.random.default_rng(seed).random(X.shape) < 1 / 3
    return X.astype(object).mask(gaps, None)


def read_back(clf, suffix, tmp_path):
    path = tmp_path / f"network.{suffix}"
    text = FORMATS[suffix](clf, path)
    assert path.read_text(encoding="utf-8") == text
    return gum.loadBN(str(path))


def posteriors(network, clf, X):
    """P(class | row) by pyAgrum; the features stand in the file in the order of the tree."""
    codes = encode(check_table(clf, X, reset=False), clf.features_)
    root, *nodes = sorted(network.nodes())
    used = [j for j in clf.tree_.order.tolist() if clf.features_[j].cardinality > 1]
    inference = gum.LazyPropagation(network)
    for row in codes:
        known = {node: int(row[j]) for node, j in zip(nodes, used, strict=True)}
        inference.setEvidence(
            {node: code for node, code in known.items() if code < network.variable(node).domainSize()}
        )
        yield inference.posterior(root).toarray()


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("structure", ["gnb-a", "tan", "nb"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_pyagrum_has_the_same_posteriors(suffix, structure, n_classes, tmp_path):
    X, y = mixed_table(200, n_classes, ODD_NAMES)
    clf = counted(structure, n_bins=3).fit(X, np.array(["b ad", "good", "Bäd"])[y])
    rows = with_gaps(X[:50])
    theirs = list(posteriors(read_back(clf, suffix, tmp_path), clf, rows))
    np.testing.assert_allclose(clf.predict_proba(rows), theirs, rtol=0, atol=ATOL[suffix])


@pytest.mark.parametrize("suffix", FORMATS)
def test_only_features_that_are_used(suffix, tmp_path):
    X, y = mixed_table(100, 2, ["a", "b", "c", "d", "e"])
    clf = counted(n_features=2).fit(X, y)
    network = read_back(clf, suffix, tmp_path)
    assert network.names() == {"class", *(X.columns[j] for j in clf.feature_order_)}
    theirs = list(posteriors(network, clf, with_gaps(X[:10])))
    np.testing.assert_allclose(clf.predict_proba(with_gaps(X[:10])), theirs, rtol=0, atol=ATOL[suffix])


@pytest.mark.parametrize("suffix", FORMATS)
def test_features_of_one_value_are_left_out(suffix, tmp_path):
    X, y = mixed_table(100, 2, ["a", "b", "c"])
    X = X.assign(constant=1.0, empty=None)
    clf = counted().fit(X, y)
    network = read_back(clf, suffix, tmp_path)
    assert network.names() == {"class", "a", "b", "c"}
    theirs = list(posteriors(network, clf, X[:20]))
    np.testing.assert_allclose(clf.predict_proba(X[:20]), theirs, rtol=0, atol=ATOL[suffix])


def test_daughter_of_a_feature_of_one_value():
    clf = counted("nb").fit([[1.0, "u"], [1.0, "v"], [1.0, "v"]], [0, 1, 1])
    before = to_bif(clf)
    clf.tree_.mother[1] = 0
    assert to_bif(clf) == before


@pytest.mark.parametrize("suffix", FORMATS)
def test_arcs_are_those_of_the_tree(suffix, tmp_path):
    X, y = mixed_table(100, 2, ["a", "b", "c", "d", "e"])
    clf = counted().fit(X, y)
    network = read_back(clf, suffix, tmp_path)
    arcs = {(network.variable(tail).name(), network.variable(head).name()) for tail, head in network.arcs()}
    mothers = {(X.columns[m], X.columns[j]) for j, m in enumerate(clf.tree_.mother.tolist()) if m >= 0}
    assert arcs == mothers | {("class", name) for name in X.columns}


@pytest.mark.parametrize("suffix", FORMATS)
def test_names_of_states(suffix, tmp_path):
    X = pd.DataFrame(
        {
            "age": [30.0, 50.0, 70.0, 70.0],
            "answer": ["missing", None, "1st", "1 st"],
            "change": [-1.5, 0.0, 2.0, 2.0],
            "smokes": [True, False, True, False],
        }
    )
    clf = counted("nb", discretizer={"age": [-40, 60.5]}).fit(X, [3, -1, 3, -1])
    network = read_back(clf, suffix, tmp_path)
    states = {name: network.variable(name).labels() for name in network.names()}
    assert states == {
        "class": ("minus_1", "value_3"),
        "age": ("below_minus_40", "from_minus_40_to_60_5", "from_60_5"),
        "answer": ("value_1_st", "value_1st", "missing", "missing_2"),
        "change": ("minus_1_5", "value_0", "value_2"),
        "smokes": ("False", "True"),
    }


@pytest.mark.parametrize("suffix", FORMATS)
def test_names_are_identifiers_that_differ(suffix, tmp_path):
    X, y = mixed_table(100, 2, ODD_NAMES)
    network = read_back(counted().fit(X, y), suffix, tmp_path)
    assert len(network.names()) == len(ODD_NAMES) + 1
    assert {"class", "class_", "class__"} < network.names()
    for name in network.names():
        assert re.fullmatch(r"[A-Za-z]\w*", name, flags=re.ASCII)
        assert all(re.fullmatch(r"[A-Za-z]\w*", state, flags=re.ASCII) for state in network.variable(name).labels())


def test_comments_give_the_original_names():
    X, y = mixed_table(100, 2, ['a "b"\nc'])
    text = to_bif(counted().fit(X, y))
    assert '  // a_b_c: a "b" c\n' in text
    assert '  // yes_a: a "b" c = yes, \'a"\n' in text


def test_properties_give_the_original_names():
    X, y = mixed_table(100, 2, ["<a> & b"])
    root = ET.fromstring(to_xmlbif(counted().fit(X, y)))
    properties = [element.text for element in root.findall(".//VARIABLE[NAME='a_b']/PROPERTY")]
    assert properties[:3] == ["original = <a> & b", "original value = <a> & b = ", "original value_3 = <a> & b = -3"]


def test_both_formats_have_the_same_numbers():
    X, y = mixed_table(300, 3, ["a", "b", "c", "d", "e", "f"])
    clf = counted().fit(X, y)
    in_bif = re.findall(r"^  (?:table|\(.*\)) (.*);$", to_bif(clf), flags=re.MULTILINE)
    tables = ET.fromstring(to_xmlbif(clf)).findall(".//TABLE")
    in_xml = [line.strip() for table in tables for line in table.text.strip().splitlines()]
    assert [line.replace(",", "") for line in in_bif] == in_xml


def test_rows_sum_to_one():
    X, y = mixed_table(300, 3, ["a", "b", "c", "d", "e", "f"])
    clf = counted(smoothing="backoff", class_prior=[0.3, 0.3, 0.4 + 1e-9]).fit(X, y)
    tables = ET.fromstring(to_xmlbif(clf)).findall(".//TABLE")
    sums = [sum(map(float, line.split())) for table in tables for line in table.text.strip().splitlines()]
    np.testing.assert_allclose(sums, 1, rtol=0, atol=1e-12)


def test_zeros_of_the_paper_are_written():
    clf = counted("nb", smoothing="paper").fit([["u"], ["v"], ["v"]], [0, 1, 1])
    assert "  (value_0) 1, 0;\n  (value_1) 0, 1;\n" in to_bif(clf)


@pytest.mark.parametrize("write", [to_bif, to_xmlbif])
def test_repaired_tables_are_refused(write):
    message = (
        "BIF and XMLBIF hold probabilities that sum to 1, which those repaired by smoothing='repair' do not; fit with "
        "smoothing='additive' or 'backoff' instead."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        write(counted(smoothing="repair").fit([["u"], ["v"], ["v"]], [0, 1, 1]))


@pytest.mark.parametrize("write", [to_bif, to_xmlbif])
def test_a_row_without_probability(write):
    clf = counted(smoothing="paper").fit([["u", "a"], ["v", "b"], ["v", "a"]], [0, 1, 1])
    message = (
        "feature 'x1' has no probabilities where class = 0, x0 = v: no training row is there, and a network needs a "
        "probability everywhere; fit with smoothing='additive' or 'backoff' instead."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        write(clf)


@pytest.mark.parametrize("write", [to_bif, to_xmlbif])
def test_of_a_weighted_model_the_joint_distribution_is_written(write):
    X, y = load_iris(return_X_y=True)
    clf = GeneralizedNB(interactions="tree").fit(X, y)
    text = write(clf)
    assert "the classifier's own P(class | features) differs" in text.replace("&#x27;", "'").replace("&apos;", "'")
    names = re.findall(r"below_\w+|minus_\w+", text)
    assert len(set(names)) >= 1
    assert clf.joint_.cardinalities.max() <= 16
