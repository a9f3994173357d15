from dataclasses import replace

import numpy as np
import pytest
from fitting import build
from hypothesis import given
from hypothesis import strategies as st
from strategies import coded_rows

from gnbayes.counting import count
from gnbayes.model import build_joint, leave_one_out_prefixes
from gnbayes.structure import gnb_a, gnb_o, naive


@pytest.mark.parametrize("learn", [gnb_a, gnb_o, naive])
@pytest.mark.parametrize("smoothing", ["additive", "backoff"])
@given(rows=coded_rows(min_rows=3, max_rows=12, min_classes=2, max_features=4), data=st.data())
@pytest.mark.slow
def test_equals_real_refits_with_the_structure_held_fixed(learn, smoothing, rows, data):
    alpha = data.draw(st.floats(0.1, 3))
    if data.draw(st.booleans()):
        rows = replace(rows, weights=np.array([data.draw(st.sampled_from([1.0, 2.0, 0.5])) for _ in rows.labels]))
    prior = np.full(rows.n_classes, 1 / rows.n_classes) if data.draw(st.booleans()) else None
    model, counts = build(rows, learn, smoothing, alpha), count(rows)
    prefixes = [part.copy() for part in leave_one_out_prefixes(model, counts, rows, smoothing, alpha, prior)]
    for i in range(rows.n_rows):
        weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights.copy()
        weights[i] = max(weights[i] - 1, 0)
        rest = replace(rows, weights=weights)
        refitted = build_joint(model.tree, count(rest), smoothing, alpha, prior)
        expected = refitted.prefix_log_joint(rows.codes[[i]])[0]
        for t, part in enumerate(prefixes):
            np.testing.assert_allclose(np.exp(part[i]), np.exp(expected[t]), rtol=1e-10, atol=1e-12)
