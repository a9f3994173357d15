from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given
from strategies import coded_rows
from twins import entropy as literal_entropy

from gnbayes.counting import count
from gnbayes.structure import entropy, gnb_a, gnb_o, information_of_rows, kl_divergence, naive, tan, weight


@given(coded_rows(max_features=6))
def test_the_papers_formula_for_the_weight_is_the_sum_of_the_gains(rows):
    info = information_of_rows(rows)
    for learn in (naive, gnb_a, gnb_o, tan):
        tree = learn(info)
        assert weight(info, tree) == pytest.approx(tree.weight, abs=1e-11)


def literal_divergence(rows, tree):
    """Sum of P log P / P_tree over the rows, with P_tree from relative frequencies."""
    n = rows.n_rows
    counts = count(rows)
    total = 0.0
    table = Counter(map(tuple, np.column_stack([rows.codes, rows.labels]).tolist()))
    for (*values, y), times in table.items():
        probability = counts.classes[y] / n
        for j, mother in enumerate(tree.mother.tolist()):
            if mother < 0:
                probability *= counts.single(j)[values[j], y] / counts.classes[y]
            else:
                cell = counts.pair(mother, j)[values[mother], values[j], y]
                probability *= cell / counts.single(mother)[values[mother], y]
        total += times / n * log(times / n / probability)
    return total


@given(coded_rows(max_features=5))
def test_divergence_equals_its_definition(rows):
    info = information_of_rows(rows)
    for learn in (naive, gnb_a, gnb_o, tan):
        tree = learn(info)
        assert kl_divergence(rows, tree) == pytest.approx(literal_divergence(rows, tree), abs=1e-11)


@given(coded_rows())
def test_entropy_equals_its_definition(rows):
    assert entropy(np.bincount(rows.labels)) == pytest.approx(literal_entropy(rows.labels), abs=1e-12)
