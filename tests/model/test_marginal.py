import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp
from strategies import coded_rows

from gnbayes.counting import count
from gnbayes.model.marginal import contributions_with_absent
from gnbayes.model.parameters import additive_tables
from gnbayes.structure import information_of_rows, tan


def upward(codes, is_absent, tables, tree, y):
    """Plain message passing from the leaves to the root, for one row and one class."""
    d = len(tables)
    inbox = [np.zeros(tables[j].shape[1]) for j in range(d)]
    total = 0.0
    for j in tree.order[::-1].tolist():
        own = inbox[j] if is_absent[j] else np.where(np.arange(len(inbox[j])) == codes[j], inbox[j], -np.inf)
        message = logsumexp(tables[j][:, :, y] + own, axis=1)
        if tree.mother[j] < 0:
            total += message[0]
        else:
            inbox[tree.mother[j]] = inbox[tree.mother[j]] + message
    return total


@given(coded_rows(max_features=7, min_classes=2), st.data())
def test_joining_one_by_one_equals_message_passing(rows, data):
    tree = tan(information_of_rows(rows))
    tables = additive_tables(count(rows), tree, 0.5)
    n = min(rows.n_rows, 6)
    is_absent = np.array([[data.draw(st.booleans()) for _ in range(rows.n_features)] for _ in range(n)])
    out = contributions_with_absent(rows.codes[:n], is_absent, tables, tree)
    for i in range(n):
        for y in range(rows.n_classes):
            expected = upward(rows.codes[i], is_absent[i], tables, tree, y)
            assert out[i, :, y].sum() == pytest.approx(expected, abs=1e-10)
