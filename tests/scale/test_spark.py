"""Fit and predict on a real Spark session with two threads, each with Python processes of its own."""

from __future__ import annotations

import os
import shutil
import sys

import numpy as np
import pytest
from uneven_parts import uneven_parts, whole

from gnbayes import GeneralizedNB
from gnbayes.scale.spark import predict_spark

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

pytestmark = [
    pytest.mark.xdist_group("spark"),
    # Spark's own word on any function in Python, where pandas is new.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.skipif(
        shutil.which("java") is None and "JAVA_HOME" not in os.environ, reason="there is no Java runtime for Spark"
    ),
]


@pytest.fixture(scope="module")
def spark():
    """Two threads; a task may fail three times."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2, 4]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()


@pytest.fixture(scope="module")
def parts():
    return uneven_parts()


@pytest.fixture(scope="module")
def frame(spark, parts):
    return as_spark(spark, parts)


def as_spark(spark, parts):
    """One partition a part, each made by a worker."""
    tables = [pa.Table.from_pandas(part, preserve_index=False) for part in parts]

    def make_part(batches):
        for batch in batches:
            for number in batch.column("id").to_pylist():
                yield from tables[number].to_batches()

    schema = spark.createDataFrame(tables[0]).schema
    return spark.range(0, len(parts), 1, len(parts)).mapInArrow(make_part, schema)


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_predictions_are_those_of_the_whole_table(frame, parts, method):
    X, y = whole(parts)
    clf = GeneralizedNB(weighting=None).fit(X, y)
    predicted = predict_spark(clf, frame, method)
    gives = ["prediction"] if method == "predict" else [f"probability of {label}" for label in clf.classes_]
    assert predicted.columns == [*X.columns, "state", *gives]
    found = predicted.toArrow().to_pandas()
    expected = getattr(clf, method)(X)
    assert np.array_equal(found[gives].to_numpy().reshape(expected.shape), expected)
