"""Fit and predict on a real Spark session with two threads, each with Python processes of its own."""

from __future__ import annotations

import os
import shutil
import signal

import numpy as np
import pytest
from scale_tables import assert_same, in_uneven_parts, mixed_frame, together

from gnbayes import GeneralizedNB, counted_tree
from gnbayes.model.fitting import families, learn, training
from gnbayes.scale import Limits, fit_spark, predict_spark, summarize_batches
from gnbayes.scale.cluster import KeptCodes

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.xdist_group("spark"),
    # Spark's own word on any function in Python, where pandas is new.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.skipif(
        shutil.which("java") is None and "JAVA_HOME" not in os.environ, reason="there is no Java runtime for Spark"
    ),
]


@pytest.fixture(scope="module")
def parts():
    """Spark has no categories besides text."""
    return in_uneven_parts(mixed_frame(1200).astype({"category": str}))


@pytest.fixture(scope="module")
def frame(spark, parts):
    """Made once; its partitions stay as they are."""
    frame = as_spark(spark, parts).cache()
    assert frame.rdd.getNumPartitions() == len(parts)
    return frame


def as_spark(spark, parts, before_reading=None):
    """One partition a part, each made by a worker."""
    tables = [pa.Table.from_pandas(part, preserve_index=False) for part in parts]

    def make_part(batches):
        for batch in batches:
            for number in batch.column("id").to_pylist():
                if before_reading is not None:
                    before_reading(number)
                yield from tables[number].to_batches()

    schema = spark.createDataFrame(tables[0]).schema
    return spark.range(0, len(parts), 1, len(parts)).mapInArrow(make_part, schema)


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_predictions_are_those_of_the_whole_table(frame, parts, method):
    _, X, y = together(parts)
    clf = GeneralizedNB(weighting=None).fit(X, y)
    predicted = predict_spark(clf, frame, method)
    gives = ["prediction"] if method == "predict" else [f"probability of {label}" for label in clf.classes_]
    assert predicted.columns == [*X.columns, "y", *gives]
    found = predicted.toArrow().to_pandas()
    expected = getattr(clf, method)(X)
    assert np.array_equal(found[gives].to_numpy().reshape(expected.shape), expected)


def test_classes_of_any_whole_numbers_are_predicted(frame, parts):
    _, X, y = together(parts)
    clf = GeneralizedNB(weighting=None).fit(X, y.map({"u": 3, "v": 1, "w": 7}).to_numpy(np.int8))
    found = predict_spark(clf, frame).select("prediction").toArrow()["prediction"]
    assert found.type == pa.int64()
    assert found.to_pylist() == clf.predict(X).tolist()


@pytest.mark.parametrize(
    "parameters",
    [{"weighting": None}, {"weighting": "discriminative", "n_bins": "auto"}],
    ids=["counts", "weights"],
)
def test_the_same_model_as_one_fit(parts, frame, parameters):
    whole, X, y = together(parts)
    clf = GeneralizedNB(**parameters)
    assert fit_spark(clf, frame, "y") is clf
    assert_same(clf, GeneralizedNB(**parameters).fit(X, y), whole)


def test_counts_of_a_wide_table_come_in_blocks(parts, frame, monkeypatch):
    monkeypatch.setattr(counted_tree, "MAX_KEPT_CELLS", 1000)
    whole, X, y = together(parts)
    found = fit_spark(GeneralizedNB("gnb-o", weighting=None), frame, "y", max_bytes=6000)
    assert_same(found, GeneralizedNB("gnb-o", weighting=None).fit(X, y), whole)
    assert len(found.counts_.pairs) == len(X.columns) - 1


def test_a_column_of_too_many_numbers_is_cut_as_on_one_machine(spark):
    rng = np.random.default_rng(0)
    x = rng.normal(size=20_000)
    z = np.where(rng.random(20_000) < 0.5, x, 1e6 + x / 1e6)
    table = pa.table({"x": x, "z": z, "y": rng.integers(0, 2, 20_000)}).to_pandas()
    frame = as_spark(spark, [table[at : at + 4000] for at in range(0, 20_000, 4000)])
    clf = GeneralizedNB(n_bins=5, weighting=None)
    expected = summarize_batches([table], "y", Limits(exact_bytes=200_000)).features(clf)
    assert fit_spark(clf, frame, "y", max_bytes=100_000).features_ == expected


def test_a_python_worker_that_dies_changes_nothing(spark, parts, tmp_path):
    def die_once(number):
        if number == 6:
            (tmp_path / f"{len(list(tmp_path.iterdir()))}").touch()
            if len(list(tmp_path.iterdir())) in (1, 3):
                os.kill(os.getpid(), signal.SIGKILL)

    whole, X, y = together(parts)
    found = fit_spark(GeneralizedNB(weighting=None), as_spark(spark, parts, die_once), "y")
    assert len(list(tmp_path.iterdir())) == 4
    assert_same(found, GeneralizedNB(weighting=None).fit(X, y), whole)


def test_weights_are_learned_from_all_rows_though_a_worker_dies(spark, parts, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "_MANY_ROWS", 400)
    monkeypatch.setattr(learn, "_PENALTY_ROWS", 150)
    monkeypatch.setattr(learn, "_BALANCE_ROWS", 150)
    monkeypatch.setattr(families, "_LEAST_JUDGES", 10)
    whole, X, y = together(parts)
    expected = GeneralizedNB().fit(X, y)
    add_up, n_passes = KeptCodes.add_up, []

    def die_in_the_ninth(rows, work):
        def die_once(part):
            if not list(tmp_path.iterdir()):
                (tmp_path / "died").touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return work(part)

        n_passes.append(1)
        return add_up(rows, die_once if len(n_passes) == 9 else work)

    monkeypatch.setattr(KeptCodes, "add_up", die_in_the_ninth)
    found = fit_spark(GeneralizedNB(), as_spark(spark, parts), "y")
    assert 9 < len(n_passes) < 60
    assert list(tmp_path.iterdir())
    assert_same(found, expected, whole)


def test_an_error_in_a_worker_is_told_in_its_own_words(frame):
    with pytest.raises(
        ValueError, match=r"^target 'odd \"name\", é\\n' has \d+ missing values in one batch, and every row"
    ):
        fit_spark(GeneralizedNB(weighting=None), frame, 'odd "name", é\n')


def test_what_is_refused(spark, parts, frame):
    _, X, y = together(parts)
    clf = GeneralizedNB(weighting=None)
    with pytest.raises(TypeError, match=r"^frame must be a pyspark.sql.DataFrame, got pandas.DataFrame instead; use"):
        fit_spark(clf, X, "y")
    with pytest.raises(ValueError, match=r"^target 'stat' is not a column of frame; it has 'number', 'many whole'"):
        fit_spark(clf, frame, "stat")
    with pytest.raises(
        ValueError, match=r"^frame has no rows or no columns besides the target; there is nothing to learn from\.$"
    ):
        fit_spark(clf, as_spark(spark, [parts[1]]), "y")
    clf.fit(X, y)
    with pytest.raises(ValueError, match=r"^frame has a column 'prediction' already; rename or drop it\.$"):
        predict_spark(clf, frame.withColumnRenamed("y", "prediction"))
