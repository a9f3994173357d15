"""Information of pairs where classes are short: terms of small counts are looked up in registers."""

import numpy as np
import pytest

from gnbayes.counting import CodedRows
from gnbayes.kernels import native
from gnbayes.structure import information_of_rows

pytestmark = pytest.mark.skipif(native is None, reason="without the C kernels")


def table(n_by_class, sizes=(2, 3, 5, 5, 8, 15, 16, 17, 4, 2), seed=0):
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(len(n_by_class)), n_by_class)
    codes = np.stack([rng.integers(0, size, len(labels)) // rng.integers(1, 3) for size in sizes], axis=1)
    return CodedRows(codes, rng.permutation(labels), np.array(sizes), len(n_by_class))


@pytest.mark.parametrize("level", ["avx2", "avx512-base", "avx512"])
@pytest.mark.parametrize("n_by_class", [(3, 1), (12, 14), (50, 52), (31, 150), (120, 60, 30), (500, 70), (600, 5)])
def test_information_is_the_same_bits_for_all_instructions(set_level, level, n_by_class):
    rows = table(n_by_class)
    set_level("portable")
    expected = information_of_rows(table(n_by_class)).given_class
    set_level(level)
    np.testing.assert_array_equal(information_of_rows(rows).given_class, expected)
