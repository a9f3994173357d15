"""Fit and predict on a real Dask cluster of two worker processes."""

from __future__ import annotations

import os
import pickle
import re
import signal
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scale_tables import assert_same, in_uneven_parts, mixed_frame, together

from gnbayes import GeneralizedNB, counted_tree
from gnbayes.model.fitting import families, learn, training
from gnbayes.scale import Limits, fit_dask, predict_dask, summarize_batches
from gnbayes.scale.cluster import KeptCodes

dask = pytest.importorskip("dask", reason="dask is not installed")
pytest.importorskip("dask.callbacks")
dd = pytest.importorskip("dask.dataframe", reason="dask.dataframe is not installed")
distributed = pytest.importorskip("distributed", reason="distributed is not installed")

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("dask")]


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
    return in_uneven_parts(mixed_frame(1200))


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
        {"weighting": None, "discretizer": "mdlp", "structure": "gnb-o", "categorical_features": ["few"]},
        {"weighting": None, "structure": "nb", "discretizer": {"number": [0, 1]}},
        {"weighting": "discriminative", "n_bins": "auto"},
    ],
    ids=["quantile", "mdlp", "edges", "weights"],
)
def test_the_same_model_as_one_fit(client, parts, frame, parameters):
    whole, X, y = together(parts)
    clf = GeneralizedNB(**parameters)
    assert fit_dask(clf, frame, "y") is clf
    assert_same(clf, GeneralizedNB(**parameters).fit(X, y), whole)


@pytest.mark.parametrize("is_wide", [False, True])
def test_counts_in_blocks_are_the_same(client, parts, frame, monkeypatch, is_wide):
    if is_wide:
        monkeypatch.setattr(counted_tree, "MAX_KEPT_CELLS", 1000)
    whole, X, y = together(parts)
    found = fit_dask(GeneralizedNB("gnb-o", weighting=None), frame, "y", max_bytes=3000)
    assert_same(found, GeneralizedNB("gnb-o", weighting=None).fit(X, y), whole)
    assert (found.counts_.pairs is not None) == is_wide


def test_no_message_is_larger_than_said(frame):
    sizes = {}

    def measure(key, result, *_):
        if str(key).startswith(("together", "_work_on_part")):
            sizes[key] = len(pickle.dumps(result))

    clf = GeneralizedNB(n_bins=40, weighting=None)
    with dask.config.set(scheduler="sync"), dask.callbacks.Callback(posttask=measure):
        fit_dask(clf, frame, "y", max_bytes=200_000)
    assert clf.counts_.cells.nbytes > 200_000
    assert len(sizes) > 4 * frame.npartitions
    assert 40_000 < max(sizes.values()) <= 200_000


@pytest.mark.parametrize("reading", [1, 2], ids=["summaries", "counts"])
def test_a_killed_worker_changes_nothing(client, parts, tmp_path, reading):
    def kill_once(number):
        if number == 6:
            (tmp_path / f"{len(list(tmp_path.iterdir()))}").touch()
            if len(list(tmp_path.iterdir())) == reading:
                os.kill(os.getpid(), signal.SIGKILL)

    whole, X, y = together(parts)
    client.wait_for_workers(2, timeout=120)
    before = set(client.run(os.getpid).values())
    found = fit_dask(GeneralizedNB(weighting=None), as_dask(parts, kill_once), "y")
    assert len(list(tmp_path.iterdir())) >= 3
    assert not before <= set(client.run(os.getpid).values())
    assert_same(found, GeneralizedNB(weighting=None).fit(X, y), whole)


@pytest.fixture
def small_sample(monkeypatch):
    """Penalties are chosen from some of the rows, so that the tables need passes over all of them."""
    monkeypatch.setattr(training, "_MANY_ROWS", 400)
    monkeypatch.setattr(learn, "_PENALTY_ROWS", 150)
    monkeypatch.setattr(learn, "_BALANCE_ROWS", 150)
    monkeypatch.setattr(families, "_LEAST_JUDGES", 10)


def test_weights_are_learned_from_all_rows(client, parts, frame, small_sample, capsys):
    whole, X, y = together(parts)
    found = fit_dask(GeneralizedNB(verbose=1), frame, "y")
    assert_same(found, GeneralizedNB().fit(X, y), whole)
    (n_passes,) = re.findall(r"weights were learned in (\d+) passes over the rows", capsys.readouterr().err)
    assert 8 < int(n_passes) < 60


def test_rows_and_partitions_in_any_order_give_the_same_bits(client, parts, small_sample):
    whole, X, _ = together(parts)
    first = fit_dask(GeneralizedNB(), as_dask(parts), "y").predict_proba(X)
    rng = np.random.default_rng(0)
    for ends in ([0, 1, 1, 700, 1200, 1200], range(0, 1201, 100)):
        mixed = whole.iloc[rng.permutation(len(whole))].reset_index(drop=True)
        other = [mixed.iloc[start:stop] for start, stop in pairwise(ends)]
        assert sum(map(len, other)) == len(whole)
        np.testing.assert_array_equal(fit_dask(GeneralizedNB(), as_dask(other), "y").predict_proba(X), first)


def test_a_worker_that_is_killed_while_weights_are_learned_changes_nothing(client, parts, small_sample, monkeypatch):
    whole, X, y = together(parts)
    expected = GeneralizedNB().fit(X, y)
    client.wait_for_workers(2, timeout=120)
    before = set(client.run(os.getpid).values())
    add_up, n_passes = KeptCodes.add_up, []

    def kill_in_the_ninth(rows, work):
        n_passes.append(1)
        if len(n_passes) == 9:
            os.kill(min(client.run(os.getpid).values()), signal.SIGKILL)
        return add_up(rows, work)

    monkeypatch.setattr(KeptCodes, "add_up", kill_in_the_ninth)
    found = fit_dask(GeneralizedNB(), as_dask(parts), "y")
    assert len(n_passes) > 9
    client.wait_for_workers(2, timeout=120)
    assert not before <= set(client.run(os.getpid).values())
    assert_same(found, expected, whole)


def test_a_column_of_too_many_numbers_is_cut_as_on_one_machine(client):
    rng = np.random.default_rng(0)
    x = rng.normal(size=20_000)
    z = np.where(rng.random(20_000) < 0.5, x, 1e6 + x / 1e6)
    table = pd.DataFrame({"x": x, "z": z, "y": rng.integers(0, 2, 20_000)})
    summary = summarize_batches([table], "y", Limits(exact_bytes=200_000))
    assert summary.rounded == ("x", "z")
    clf = GeneralizedNB(n_bins=5, weighting=None)
    for n_parts in (3, 4):
        frame = dd.from_pandas(table, npartitions=n_parts)
        assert fit_dask(clf, frame, "y", max_bytes=100_000).features_ == summary.features(clf)


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_predictions_are_those_of_the_whole_table(client, parts, frame, method):
    _, X, y = together(parts)
    clf = GeneralizedNB(weighting=None).fit(X, y)
    predicted = predict_dask(clf, frame, method)
    assert predicted.npartitions == len(parts)
    found = predicted.compute()
    assert np.array_equal(found.to_numpy(), getattr(clf, method)(X))
    assert found.index.equals(pd.concat(parts).index)
    if method == "predict":
        assert (found.name, found.dtype) == ("prediction", predicted.dtype)
    else:
        assert list(found.columns) == ["probability of u", "probability of v", "probability of w"]


def test_a_class_of_numbers(client, parts):
    numbered = [part.assign(y=part["y"].map({"u": 3, "v": 1, "w": 7}).astype(int)) for part in parts]
    whole, X, y = together(numbered)
    expected = GeneralizedNB(weighting=None).fit(X, y)
    found = fit_dask(GeneralizedNB(weighting=None), as_dask(numbered), "y")
    assert_same(found, expected, whole)
    assert predict_dask(found, as_dask(numbered)).compute().tolist() == expected.predict(X).tolist()


def test_what_is_refused(parts, frame):
    _, X, y = together(parts)
    clf = GeneralizedNB(weighting=None)
    with pytest.raises(
        TypeError, match=r"^frame must be a dask.dataframe.DataFrame, got pandas.DataFrame instead; use"
    ):
        fit_dask(clf, X, "y")
    with pytest.raises(ValueError, match=r"^target 'stat' is not a column of frame; it has 'number', 'many whole'"):
        fit_dask(clf, frame, "stat")
    with dask.config.set(scheduler="sync"):
        with pytest.raises(
            ValueError, match=r"^frame has no rows or no columns besides the target; there is nothing to learn from\.$"
        ):
            fit_dask(clf, frame.partitions[1], "y")
        with pytest.raises(
            ValueError, match=r"^target 'odd \"name\", é\\n' has \d+ missing values in one batch, and every"
        ):
            fit_dask(clf, frame, 'odd "name", é\n')
        with pytest.raises(ValueError, match="raise max_bytes, merge rare values"):
            fit_dask(clf, frame, "y", max_bytes=100)
        with pytest.raises(ValueError, match=r"^max_bytes must be a whole number of at least 1, got 0\.5 instead\.$"):
            fit_dask(clf, frame, "y", max_bytes=0.5)
    with pytest.raises(ValueError, match="not fitted"):
        predict_dask(clf, frame)
    clf.fit(X, y)
    with pytest.raises(ValueError, match=r"^method must be 'predict' or 'predict_proba', got 'score' instead\.$"):
        predict_dask(clf, frame, "score")
    with pytest.raises(
        ValueError, match=r"^frame has no column 'number', which clf was fitted on; it has 'many whole'"
    ):
        predict_dask(clf, frame.drop(columns="number"))
    clf.fit(X[["number", "few"]].to_numpy(), y)
    with pytest.raises(ValueError, match=r"^clf was fitted on columns without names, and cannot find them in frame"):
        predict_dask(clf, frame)
