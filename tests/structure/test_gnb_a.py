import numpy as np
import pytest
from hypothesis import given
from strategies import coded_rows
from twins import gnb_a as literal_gnb_a
from twins import weight

from gnbayes.structure import Information, gnb_a, information_of_rows


@given(coded_rows(min_features=2, max_features=6))
def test_equals_the_algorithm_as_printed(rows):
    tree = gnb_a(information_of_rows(rows))
    clusters = literal_gnb_a(rows.codes, rows.labels)
    assert [cluster[1:] for cluster in tree.clusters] == clusters
    assert tree.weight == pytest.approx(weight(rows.codes, rows.labels, clusters), abs=1e-12)


def test_wdbc_order_and_weight(wdbc_rows):
    tree = gnb_a(information_of_rows(wdbc_rows))
    published = "20 23 22 2 0 3 7 27 6 26 25 5 16 15 13 10 12 17 19 29 9 4 24 8 28 21 1 11 14 18"
    assert tree.order.tolist() == [int(feature) for feature in published.split()]
    assert tree.weight == pytest.approx(19.714312, abs=5e-7)


def test_one_feature_has_no_cherry():
    tree = gnb_a(Information(np.array([0.3]), np.zeros((1, 1))))
    assert tree.order.tolist() == [0]
    assert tree.clusters == (("Y", 0),)
