import numpy as np
import pytest
from hypothesis import given
from strategies import coded_rows

from gnbayes.structure import Information, information_of_rows, naive


@given(coded_rows())
def test_weight_is_the_sum_of_class_information(rows):
    info = information_of_rows(rows)
    assert naive(info).weight == pytest.approx(info.with_class.sum(), abs=1e-12)


def test_features_come_by_class_information_and_then_by_position():
    info = Information(np.array([0.1, 0.3, 0.1, 0.4]), np.zeros((4, 4)))
    assert naive(info).order.tolist() == [3, 1, 0, 2]


def test_wdbc_weight(wdbc_rows):
    assert naive(information_of_rows(wdbc_rows)).weight == pytest.approx(6.094354, abs=5e-7)
