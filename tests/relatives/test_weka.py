"""AODE against WEKA's, which its authors wrote; left out where there is no Java or no WEKA."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gnbayes import AODE

pytestmark = [pytest.mark.slow, pytest.mark.once]
BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "accuracy"


@pytest.fixture
def weka(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARK))
    weka = pytest.importorskip("weka")
    reason = weka.unavailable()
    if reason:
        pytest.skip(reason)
    return weka


@pytest.mark.parametrize("min_count", [1, 30, 150])
def test_probabilities_agree_with_all_the_digits_weka_prints(weka, random_codes, min_count):
    codes, y = random_codes
    text = pd.DataFrame(codes.astype(str), columns=list("abcdefg"))
    some = text.head(200).copy()
    gaps = np.random.default_rng(0).random(some.shape) < 0.2
    some = some.mask(gaps, None)
    some.iloc[0] = None
    model = weka.fit(text, y, ["weka.classifiers.bayes.AODE"], ["-F", str(min_count)])
    ours = AODE(min_count=min_count).fit(text, y).predict_proba(some)
    theirs = weka.predict_proba(model, some)
    model.folder.cleanup()
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=2e-6)
