"""Settings and data that many tests share."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import settings
from sklearn.datasets import load_breast_cancer

from gnbayes import GeneralizedNB
from gnbayes.counting import CodedRows
from gnbayes.encoding import QuantileDiscretizer

# Examples are drawn from a fixed seed: a red test is red everywhere.
settings.register_profile("gnbayes", deadline=None, derandomize=True, max_examples=60)
settings.register_profile("quick", settings.get_profile("gnbayes"), max_examples=10)
settings.load_profile("gnbayes")


# Rooms that call no kernel themselves: what they get is tested on both paths in the rooms before them.
ROOMS_OF_ONE_PATH = {
    *("cli", "datasets", "dictionary", "documents", "evaluation", "evidence", "files", "plot", "prefixes", "reporting"),
    *("reproduction", "selection", "sites"),
}


# Tests of clusters alone, in which importing takes more than a second.
FILES_OF_CLUSTERS = {"test_dask.py", "test_spark.py"}


def pytest_ignore_collect(collection_path, config):
    """Do not import what `-m "not cluster"` would leave out."""
    is_left_out = "not cluster" in config.getoption("markexpr", "")
    return True if is_left_out and collection_path.name in FILES_OF_CLUSTERS else None


# The modules of so many libraries make every full garbage collection long, and none of them is garbage.
gc.disable()


def pytest_collection_finish(session):
    gc.freeze()
    gc.enable()


def pytest_sessionfinish(session):
    gc.unfreeze()


def pytest_collection_modifyitems(config, items):
    """Give tests the markers that follow from where they are and what they use, and skip what cannot run here."""
    no_data = pytest.mark.skip(reason="GNBAYES_DATA names no folder with the files")
    no_posix = pytest.mark.skip(reason="Windows has no such links, pipes and devices")
    rooms = {path: set(path.relative_to(config.rootpath).parent.parts) for path in {item.path for item in items}}
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
        if ROOMS_OF_ONE_PATH & rooms[item.path]:
            item.add_marker(pytest.mark.once)
        if item.get_closest_marker("data") and "GNBAYES_DATA" not in os.environ:
            item.add_marker(no_data)
        if item.get_closest_marker("posix") and os.name != "posix":
            item.add_marker(no_posix)


# A cluster can wait for ever, as for a worker that its nanny failed to restart (dask/distributed#3196): then its test
# has to fail, and not to hold up all others.
SECONDS_OF_CLUSTER = 300


@contextmanager
def patience(item):
    """Let a test of a cluster fail when a step of it takes too long, with the stacks of all threads."""
    if item.get_closest_marker("cluster") is None or not hasattr(signal, "SIGALRM"):
        yield
        return

    def give_up(signum, frame):
        faulthandler.dump_traceback(file=sys.__stderr__)
        pytest.fail(f"the cluster has not finished within {SECONDS_OF_CLUSTER} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS_OF_CLUSTER)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    with patience(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    with patience(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    with patience(item):
        return (yield)


@pytest.fixture(scope="session")
def wdbc():
    """Features and classes of the breast cancer data that ships with scikit-learn."""
    return load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="session")
def wdbc_frame():
    """The same as a data frame and a series."""
    return load_breast_cancer(return_X_y=True, as_frame=True)


@pytest.fixture(scope="session")
def wdbc_default(wdbc_frame):
    """The default classifier, fitted to that frame; tests must not change it."""
    return GeneralizedNB().fit(*wdbc_frame)


@pytest.fixture(scope="session")
def wdbc_rows(wdbc):
    """The same, coded by the paper's quantile rule."""
    X, y = wdbc
    codes = QuantileDiscretizer(5).fit_transform(X).astype(np.uint8)
    return CodedRows(np.asfortranarray(codes), y.astype(np.intp), codes.max(axis=0).astype(np.intp) + 1, 2)


@pytest.fixture(scope="session")
def random_codes():
    """500 rows of seven features of different cardinality that depend on each other and on three classes."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, 3, 500)
    cardinalities = np.array([2, 3, 5, 4, 3, 2, 6])
    codes = np.zeros((500, 7), dtype=np.uint8)
    for j, v in enumerate(cardinalities):
        pull = codes[:, j - 1] if j else 0
        codes[:, j] = (rng.integers(0, v, 500) * (rng.random(500) < 0.6) + y * (j % 2) + pull) % v
    return codes, y


@pytest.fixture(scope="session")
def spark():
    """A real Spark of two threads; a task may fail three times. Tests that use it are of the group "spark"."""
    from pyspark.sql import SparkSession

    # Less to compile, which is most of the time of so small a table.
    options = {
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2, 4]").config(map=options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()
