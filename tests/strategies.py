"""Random small tables for property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gnbayes.counting import CodedRows


@st.composite
def coded_rows(
    draw, min_features=1, max_features=5, max_values=4, min_classes=1, max_classes=3, min_rows=1, max_rows=30
):
    """Rows whose codes and labels may be anything, with cardinalities at least as large as needed."""
    n = draw(st.integers(min_rows, max_rows))
    d = draw(st.integers(min_features, max_features))
    k = draw(st.integers(min_classes, max_classes))
    cardinalities = draw(arrays(np.intp, d, elements=st.integers(1, max_values)))
    raw = draw(arrays(np.uint8, (n, d), elements=st.integers(0, max_values - 1)))
    labels = draw(arrays(np.intp, n, elements=st.integers(0, k - 1)))
    codes = np.asfortranarray(raw % cardinalities.astype(np.uint8))
    return CodedRows(codes, labels, cardinalities, k)
