"""Fit and predict on a real Dask cluster of two worker processes."""

from __future__ import annotations

import os
import signal

import numpy as np
import pandas as pd
import pytest
from same_model import assert_same_model
from uneven_parts import uneven_parts, whole

from gnbayes import GeneralizedNB, learning
from gnbayes.scale import fit_dask, predict_dask, rank_error

dask = pytest.importorskip("dask", reason="dask is not installed")
dd = pytest.importorskip("dask.dataframe", reason="dask.dataframe is not installed")
distributed = pytest.importorskip("distributed", reason="distributed is not installed")

pytestmark = pytest.mark.xdist_group("dask")


@pytest.fixture(scope="module")
def client():
    """A cluster of two processes of one thread each."""
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def parts():
    return uneven_parts()


@pytest.fixture(scope="module")
def frame(parts):
    return as_dask(parts)


def as_dask(parts, before_reading=None):
    """One partition a part, each made by a worker."""

    def read(number):
        if before_reading is not None:
            before_reading(number)
        return parts[number]

    return dd.from_map(read, range(len(parts)), meta=parts[0].iloc[:0])


@pytest.mark.parametrize(
    "parameters",
    [
        {"weighting": None},
        {"weighting": None, "discretizer": "mdlp", "structure": "gnb-o", "categorical_features": ["stage"]},
        {"weighting": None, "structure": "nb", "discretizer": {"age": [40, 60]}},
        {"weighting": "discriminative", "n_bins": "auto"},
    ],
    ids=["quantile", "mdlp", "edges", "weights"],
)
def test_the_same_model_as_one_fit(client, parts, frame, parameters):
    X, y = whole(parts)
    clf = GeneralizedNB(**parameters)
    assert fit_dask(clf, frame, "state") is clf
    assert_same_model(clf, GeneralizedNB(**parameters).fit(X, y), X)


@pytest.mark.parametrize("is_wide", [False, True])
def test_counts_in_blocks_are_the_same_and_no_message_is_larger(client, parts, frame, monkeypatch, is_wide):
    if is_wide:
        monkeypatch.setattr(learning, "MAX_KEPT_CELLS", 1000)
    X, y = whole(parts)
    client.run(lambda dask_worker: dask_worker.transfer_incoming_log.clear())
    found = fit_dask(GeneralizedNB("gnb-o", weighting=None), frame, "state", max_bytes=2000)
    assert_same_model(found, GeneralizedNB("gnb-o", weighting=None).fit(X, y), X)
    assert (found.counts_.pairs is not None) == is_wide
    log = client.run(lambda dask_worker: [entry["keys"] for entry in dask_worker.transfer_incoming_log])
    sent = {str(key): size for entries in log.values() for keys in entries for key, size in keys.items()}
    sizes = [size for key, size in sent.items() if key.startswith(("together", "_work_on_part"))]
    assert len(sizes) > 20
    assert max(sizes) <= 2000


@pytest.mark.parametrize("reading", [1, 2], ids=["summaries", "counts"])
def test_a_killed_worker_changes_nothing(client, parts, tmp_path, reading):
    def kill_once(number):
        if number == 6:
            (tmp_path / f"{len(list(tmp_path.iterdir()))}").touch()
            if len(list(tmp_path.iterdir())) == reading:
                os.kill(os.getpid(), signal.SIGKILL)

    X, y = whole(parts)
    client.wait_for_workers(2)
    before = set(client.run(os.getpid).values())
    found = fit_dask(GeneralizedNB(weighting=None), as_dask(parts, kill_once), "state")
    assert len(list(tmp_path.iterdir())) >= 3
    assert not before <= set(client.run(os.getpid).values())
    assert_same_model(found, GeneralizedNB(weighting=None).fit(X, y), X)


def test_a_column_of_too_many_numbers_is_sketched(client):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=20_000), "y": rng.integers(0, 2, 20_000)})
    frame = dd.from_pandas(table, npartitions=4)
    (feature,) = fit_dask(GeneralizedNB(n_bins=5, weighting=None), frame, "y", max_bytes=100_000).features_
    ranks = np.searchsorted(np.sort(table["x"]), feature.edges) / len(table)
    assert np.abs(ranks - [0.2, 0.4, 0.6, 0.8]).max() <= 2 * rank_error(4000)


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_predictions_are_those_of_the_whole_table(client, parts, frame, method):
    X, y = whole(parts)
    clf = GeneralizedNB(weighting=None).fit(X, y)
    predicted = predict_dask(clf, frame, method)
    assert predicted.npartitions == len(parts)
    found = predicted.compute()
    assert np.array_equal(found.to_numpy(), getattr(clf, method)(X))
    assert found.index.equals(pd.concat(parts).index)
    if method == "predict":
        assert (found.name, found.dtype) == ("prediction", predicted.dtype)
    else:
        assert list(found.columns) == ["probability of ill", "probability of very ill", "probability of well"]


def test_a_class_of_numbers(client, parts):
    numbered = [
        part.assign(state=part["state"].map({"well": 0, "ill": 1, "very ill": 2}).astype(int)) for part in parts
    ]
    X, y = whole(numbered)
    expected = GeneralizedNB(weighting=None).fit(X, y)
    found = fit_dask(GeneralizedNB(weighting=None), as_dask(numbered), "state")
    assert_same_model(found, expected, X)
    assert predict_dask(found, as_dask(numbered)).compute().tolist() == expected.predict(X).tolist()


def test_what_is_refused(parts, frame):
    X, y = whole(parts)
    clf = GeneralizedNB(weighting=None)
    with pytest.raises(
        TypeError, match=r"^frame must be a dask.dataframe.DataFrame, got pandas.DataFrame instead; use"
    ):
        fit_dask(clf, X, "state")
    with pytest.raises(ValueError, match=r"^target 'stat' is not a column of frame; it has 'age', 'pressure'"):
        fit_dask(clf, frame, "stat")
    with dask.config.set(scheduler="sync"):
        with pytest.raises(
            ValueError, match=r"^frame has no rows or no columns besides the target; there is nothing to learn from\.$"
        ):
            fit_dask(clf, frame.partitions[1], "state")
        with pytest.raises(ValueError, match=r"target 'ward' has .* missing values"):
            fit_dask(clf, frame, "ward")
        with pytest.raises(ValueError, match="raise max_bytes, join rare values"):
            fit_dask(clf, frame, "state", max_bytes=100)
    with pytest.raises(ValueError, match="not fitted"):
        predict_dask(clf, frame)
    clf.fit(X, y)
    with pytest.raises(ValueError, match=r"^method must be 'predict' or 'predict_proba', got 'score' instead\.$"):
        predict_dask(clf, frame, "score")
    with pytest.raises(ValueError, match=r"^frame has no column 'age', which clf was fitted on; it has 'pressure', "):
        predict_dask(clf, frame.drop(columns="age"))
    clf.fit(X[["age", "marker"]].to_numpy(), y)
    with pytest.raises(ValueError, match=r"^clf was fitted on columns without names, and cannot find them in frame"):
        predict_dask(clf, frame)
