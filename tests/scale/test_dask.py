"""Fit and predict on a real Dask cluster of two worker processes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from uneven_parts import uneven_parts, whole

from gnbayes import GeneralizedNB
from gnbayes.scale.dask import predict_dask

dd = pytest.importorskip("dask.dataframe", reason="dask is not installed")
distributed = pytest.importorskip("distributed", reason="distributed is not installed")

pytestmark = pytest.mark.xdist_group("dask")


@pytest.fixture(scope="module")
def client():
    """A cluster of two processes of one thread each."""
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def parts():
    return uneven_parts()


def as_dask(parts):
    """One partition a part, each made on the worker."""
    return dd.from_map(lambda part: part, parts, meta=parts[0].iloc[:0])


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_predictions_are_those_of_the_whole_table(client, parts, method):
    X, y = whole(parts)
    clf = GeneralizedNB(weighting=None).fit(X, y)
    predicted = predict_dask(clf, as_dask(parts), method)
    assert predicted.npartitions == len(parts)
    found = predicted.compute()
    expected = getattr(clf, method)(X)
    assert np.array_equal(found.to_numpy(), expected)
    assert found.index.equals(pd.concat(parts).index)
    pd.testing.assert_index_equal(found.index, pd.concat(parts).index)
    assert type(found) is type(predicted._meta)
    names = [found.name] if method == "predict" else list(found.columns)
    assert names == (["prediction"] if method == "predict" else [f"probability of {c}" for c in clf.classes_])
