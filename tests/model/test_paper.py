import numpy as np
import pytest
from fitting import build
from hypothesis import given
from hypothesis import strategies as st
from strategies import coded_rows

from gnbayes.counting import CodedRows
from gnbayes.structure import gnb_a, gnb_o, tan


def steps_1_to_4(rows, tree, values, always=False):
    """The classification process as printed, with the errata: unnormalised P(y, x) of every class.

    With `always` steps 3 and 4 come first: every zero is repaired.

    A value of None is absent, as is a value no row has. Clusters and separators of an absent feature leave the product,
    and a daughter that loses her mother comes in as P(y, x) / P(y).
    """
    n, codes, labels = rows.n_rows, rows.codes, rows.labels
    absent = {j for j, x in enumerate(values) if x is None or not (codes[:, j] == x).any()}

    def share(y, *features):
        mask = labels == y if y is not None else np.ones(n, dtype=bool)
        for j in features:
            mask = mask & (codes[:, j] == values[j])
        return mask.sum() / n

    def pair(y, j, repair):
        return share(y, j) or (share(y) * share(None, j) if repair else 0.0)

    def cluster(y, mother, j, repair):
        whole = share(y, mother, j)
        return whole or (pair(y, mother, repair) * pair(y, j, repair) / share(y) if repair else 0.0)

    def product(y, repair):
        if not share(y):
            return 0.0
        result = share(y)
        for j in tree.order.tolist():
            mother = int(tree.mother[j])
            if j in absent:
                continue
            if mother < 0 or mother in absent:
                result *= pair(y, j, repair) / share(y)
            else:
                top, bottom = cluster(y, mother, j, repair), pair(y, mother, repair)
                result *= top / bottom if top else 0.0
        return result

    products = [product(y, False) for y in range(rows.n_classes)]
    return products if any(products) and not always else [product(y, True) for y in range(rows.n_classes)]


@pytest.mark.parametrize("smoothing", ["paper", "repair"])
@pytest.mark.parametrize("learn", [gnb_a, gnb_o, tan])
@given(rows=coded_rows(min_features=2, max_features=5, min_classes=2, max_rows=15), data=st.data())
def test_equals_the_steps_as_printed(learn, smoothing, rows, data):
    model = build(rows, learn, smoothing)
    values = [data.draw(st.integers(0, v)) for v in rows.cardinalities]
    spoken = [None if x == v else x for x, v in zip(values, rows.cardinalities.tolist(), strict=True)]
    ours = np.exp(model.log_joint(np.array([values])))[0]
    expected = steps_1_to_4(rows, model.tree, spoken, always=smoothing == "repair")
    np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=0)


@pytest.mark.parametrize("smoothing", ["paper", "repair"])
@given(rows=coded_rows(min_features=2, max_features=5, min_classes=2, max_rows=15), data=st.data())
def test_prefixes_equal_classification_with_fewer_features(smoothing, rows, data):
    model = build(rows, gnb_a, smoothing)
    values = [data.draw(st.integers(0, v - 1)) for v in rows.cardinalities]
    prefixes = np.exp(model.prefix_log_joint(np.array([values])))[0]
    for t in range(rows.n_features):
        kept = set(model.tree.order[: t + 1].tolist())
        spoken = [x if j in kept else None for j, x in enumerate(values)]
        expected = steps_1_to_4(rows, model.tree, spoken, always=smoothing == "repair")
        np.testing.assert_allclose(prefixes[t], expected, rtol=1e-10, atol=0)


@pytest.mark.parametrize("smoothing", ["paper", "repair"])
@given(rows=coded_rows(min_features=2, min_classes=2), data=st.data())
def test_contributions_sum_to_the_log_joint(smoothing, rows, data):
    model = build(rows, gnb_a, smoothing)
    values = np.array([[data.draw(st.integers(0, v + 1)) for v in rows.cardinalities] for _ in range(3)])
    total = model.log_prior + model.contributions(values).sum(axis=1)
    np.testing.assert_allclose(np.exp(total), np.exp(model.log_joint(values)), rtol=1e-12, atol=0)


def test_a_class_that_is_impossible_stays_so_while_another_is_possible():
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.uint8)
    rows = CodedRows(codes, np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    joint = np.exp(build(rows, gnb_a, "paper").log_joint(np.array([[0, 1]])))
    assert joint[0, 0] > 0
    assert joint[0, 1] == 0
