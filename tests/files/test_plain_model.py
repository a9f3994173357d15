"""The model in Python alone and in SQL: the same answers as ours, by the real engines."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from functools import cache

import duckdb
import numpy as np
import pandas as pd
import pytest
from classifiers import counted, weighted
from column_kinds import random_table, with_gaps_and_strangers
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import FunctionTransformer
from with_triples import with_three_features

from gnbayes import GeneralizedNB, to_python, to_sql
from gnbayes.encoding import Feature
from gnbayes.files.plain_model import number_ranges

# What is written down follows from the tables of the model alone.
pytestmark = pytest.mark.once

UNSEEN = "ignore:.* were never seen in training:UserWarning"
CATEGORIES = ["ward", "ward with gaps"]


def by_python(clf, X):
    """Probabilities by the module, NaN where it gives none; and the labels."""
    module = {}
    exec(to_python(clf), module)
    rows = X.astype(object).to_dict("records")
    nothing = [np.nan] * len(clf.classes_)
    return [module["predict_proba"](row) or nothing for row in rows], [module["predict"](row) for row in rows]


def by_sqlite(clf, X):
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        numbered = X.assign(**{'the "key"': range(len(X))})
        numbered.to_sql("two words", database, index=False)
        query = to_sql(clf, dialect="sqlite", table='"two words"', keep=['the "key"'])
        return sorted_rows(database.execute(query).fetchall())


def by_duckdb(clf, X):
    with contextlib.closing(duckdb.connect()) as database:
        numbered = X.assign(**{'the "key"': range(len(X))})
        database.register("patients", numbered)
        query = to_sql(clf, dialect="duckdb", table="patients", keep=['the "key"'])
        return sorted_rows(database.execute(query).fetchall())


def sorted_rows(rows):
    """Probabilities and labels in the order of the key, which comes first."""
    rows = sorted(rows)
    proba = [[np.nan if share is None else share for share in row[2:]] for row in rows]
    return proba, [row[1] for row in rows]


RUNNERS = {"python": by_python, "sqlite": by_sqlite, "duckdb": by_duckdb}


def assert_same(run, clf, X):
    """The same answers, or none where a value is unknown."""
    proba, labels = run(clf, X)
    is_unknown = ~clf.explain(X).parts.is_known.all(axis=1)
    expected = np.where(is_unknown[:, None], np.nan, clf.predict_proba(X))
    np.testing.assert_allclose(np.array(proba, dtype=float), expected, rtol=0, atol=1e-9)
    wanted = [None if unknown else label for label, unknown in zip(clf.predict(X).tolist(), is_unknown, strict=True)]
    assert labels == wanted
    return is_unknown


@pytest.mark.filterwarnings(UNSEEN)
@pytest.mark.parametrize("run", RUNNERS.values(), ids=RUNNERS)
@pytest.mark.parametrize(
    "parameters",
    [{"interactions": 3, "n_fits": 1}, {"weighting": None}, pytest.param({"structure": "nb"}, marks=pytest.mark.slow)],
    ids=str,
)
@pytest.mark.parametrize("n_classes", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_every_kind_of_column(run, parameters, n_classes):
    X, _ = random_table(150, n_classes)
    clf = fitted(n_classes, **parameters)
    assert_same(run, clf, X)
    mixed = pd.concat([X[:40], with_gaps_and_strangers(X)[:60]], ignore_index=True)
    is_unknown = assert_same(run, clf, typed_like(mixed, X))
    assert is_unknown.any()
    assert not is_unknown.all()


@cache
def fitted(n_classes, **parameters):
    return GeneralizedNB(categorical_features=CATEGORIES, **parameters).fit(*random_table(150, n_classes))


def typed_like(mixed, X):
    """A table with gaps and strangers whose columns databases can hold: numbers as numbers, text as text."""
    return pd.DataFrame({name: mixed[name] if "text" in name else mixed[name].astype(float) for name in X.columns})


@pytest.mark.parametrize("run", RUNNERS.values(), ids=RUNNERS)
def test_terms_of_three_features(run):
    X, y = random_table(150, 3)
    assert_same(run, with_three_features(weighted().fit(X, y)), X)


@pytest.mark.parametrize("run", RUNNERS.values(), ids=RUNNERS)
def test_values_on_edges(run):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300).round(2)})
    clf = weighted().fit(X, X["a"] + X["b"] > rng.normal(size=300))
    edges = [edge for feature in clf.features_ for edge in feature.edges]
    near = np.concatenate([edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)])
    assert_same(run, clf, pd.DataFrame({"a": near, "b": near}))


@pytest.mark.parametrize("run", RUNNERS.values(), ids=RUNNERS)
def test_hostile_names_and_values(run):
    hostile = ["it's", 'a "quote"', "back\\slash", "`tick`", "'; DROP TABLE x; --", "größer\nline", "{0}", "%s"]
    X = pd.DataFrame({name: [hostile[(i + j) % 8] for i in range(64)] for j, name in enumerate(hostile[:6])})
    y = np.array(["it's", 'a "class"', "\\n"])[np.arange(64) % 3]
    assert_same(run, counted("nb").fit(X, y), X)


@pytest.mark.parametrize("run", RUNNERS.values(), ids=RUNNERS)
@pytest.mark.parametrize("y", [[True, False], [3, 7], [1.0, 2.0]], ids=str)
def test_classes_that_are_no_text(run, y):
    X = pd.DataFrame({"a": np.arange(40.0)})
    labels = np.array(y)[(np.arange(40) > 17).astype(int)]
    assert_same(run, counted().fit(X, labels), X)


@pytest.mark.parametrize("run", RUNNERS.values(), ids=RUNNERS)
def test_a_class_that_the_prior_rules_out(run):
    X, y = random_table(100, 3)
    assert_same(run, weighted(class_prior=[0.0, 0.3, 0.7], interactions="tree").fit(X, y), X)
    assert_same(run, counted(class_prior=[0.5, 0.5, 0.0]).fit(X, y), X)


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNNERS.values(), ids=RUNNERS)
def test_many_columns(run):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 300)), columns=[f"c{j}" for j in range(300)])
    assert_same(run, counted(n_bins=3).fit(X, X["c0"] > 0), X)


def test_numbers_of_float32_are_their_categories_in_duckdb():
    X = pd.DataFrame({"share": np.tile([0.1, 0.2, 0.7, 1.0], 10)})
    clf = counted(categorical_features=["share"]).fit(X, np.arange(40) % 4 > 1)
    assert_same(by_duckdb, clf, X.astype("float32"))


@given(
    st.lists(st.one_of(st.floats(-1e30, 1e30), st.sampled_from([0.1, 0.3, 1.0, 2.5])), min_size=1, unique=True),
    st.lists(st.floats(-1e31, 1e31), max_size=5),
    st.data(),
)
def test_ranges_hold_the_numbers_that_count_as_a_category(categories, others, data):
    feature = Feature("a", "category", categories=tuple(sorted(categories)))
    ranges = number_ranges(feature.categories)
    ends = [end for pair in ranges for end in pair]
    near = [np.nextafter(end, toward) for end in ends for toward in (-np.inf, np.inf)]
    numbers = np.array([*categories, *others, *ends, *near, *np.array(categories, dtype=np.float32).tolist()])
    codes = np.searchsorted(feature.cuts, numbers, side="right")
    is_known = feature.are_known(codes, numbers)
    for number, code, known in zip(numbers.tolist(), codes.tolist(), is_known.tolist(), strict=True):
        found = [at for at, (low, high) in enumerate(ranges) if low <= number <= high]
        assert found == ([code] if known else [])


def test_the_module_needs_only_python(tmp_path):
    X, y = random_table(60, 2)
    clf = counted().fit(X, y)
    assert to_python(clf, tmp_path / "model.py") == (tmp_path / "model.py").read_text(encoding="utf-8")
    code = "import sys, model; print(model.CLASSES, sorted(set(sys.modules) & {'numpy', 'gnbayes', 'sklearn'}))"
    told = subprocess.run([sys.executable, "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert told.stdout == "[0, 1] []\n"


def test_the_module_refuses_what_a_column_cannot_hold():
    X = pd.DataFrame({"age": [30.0, 50.0, 60.0, 70.0] * 5, "sex": ["f", "m"] * 10})
    module = {}
    exec(to_python(counted().fit(X, np.arange(20) % 4 > 1)), module)
    with pytest.raises(TypeError, match=r"column 'age' must be a number, got '44' instead\."):
        module["predict"]({"age": "44", "sex": "f"})
    with pytest.raises(TypeError, match=r"column 'sex' must be text, got 1 instead\."):
        module["predict"]({"age": 44, "sex": 1})
    with pytest.raises(ValueError, match=r"column 'age' must be a finite number, got inf instead\."):
        module["predict"]({"age": float("inf"), "sex": "f"})


def test_text_in_a_column_of_numbers_gives_no_answer_in_sqlite():
    X = pd.DataFrame({"age": [30.0, 50.0, 60.0, 70.0] * 5})
    clf = counted().fit(X, np.arange(20) % 4 > 1)
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE data (age)")
        database.execute("INSERT INTO data VALUES (50), ('50'), ('abc'), (NULL)")
        labels = [row[0] for row in database.execute(to_sql(clf, dialect="sqlite"))]
    assert labels.count(None) == 3


def test_a_table_without_a_column_is_an_error():
    clf = counted().fit(pd.DataFrame({"age": [30.0, 50.0] * 5}), [0, 1] * 5)
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        by_sqlite(clf, pd.DataFrame({"years": [1.0]}))


@pytest.mark.parametrize(
    ("write", "name"), [(to_python, "to_python"), (lambda clf: to_sql(clf, dialect="duckdb"), "to_sql")]
)
def test_models_that_are_no_sums_of_tables_are_refused(write, name):
    X, y = random_table(60, 2)
    with pytest.raises(ValueError, match=f"{name} needs a classifier with smoothing='additive' or 'backoff'"):
        write(GeneralizedNB.as_published().fit(X, y))
    clf = counted(discretizer=FunctionTransformer(np.floor)).fit(X[["number"]], y)
    with pytest.raises(ValueError, match=f"which {name} cannot export; fit with discretizer="):
        write(clf)


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "spark"])
def test_names_that_differ_only_in_case_are_refused(dialect):
    X = pd.DataFrame({"age": [1.0, 2.0] * 20, "Age": [1.0, 1.0, 2.0, 2.0] * 10})
    clf = counted("nb").fit(X, np.arange(40) % 3 > 0)
    with pytest.raises(ValueError, match=r"columns '[aA]ge' and '[aA]ge' differ only in case"):
        to_sql(clf, dialect=dialect)
    clf = counted("nb").fit(X[["age"]], np.arange(40) % 3 > 0)
    with pytest.raises(ValueError, match=r"columns 'age' and 'AGE' differ only in case"):
        to_sql(clf, dialect=dialect, keep=["AGE"])
    with pytest.raises(ValueError, match=r"^keep names 'Gnbayes_c0', and names with 'gnbayes_' are used in the query"):
        to_sql(clf, dialect=dialect, keep=["Gnbayes_c0"])
    assert "AS prediction" in to_sql(clf, dialect=dialect, keep=["age"])


def test_more_columns_than_sqlite_allows():
    X = pd.DataFrame(np.arange(4.0)[:, None] + np.zeros(2001), columns=[f"c{j}" for j in range(2001)])
    clf = counted("nb", n_bins=2).fit(X, [0, 0, 1, 1])
    with pytest.raises(ValueError, match=r"^the query needs 2001 columns of .*, and SQLite allows 2000"):
        to_sql(clf, dialect="sqlite")
    clf = counted("nb", n_bins=2).fit(X.iloc[:, :2000], [0, 0, 1, 1])
    assert_same(by_python, clf, X.iloc[:, :2000])
    assert_same(by_sqlite_without_key, clf, X.iloc[:, :2000])


def by_sqlite_without_key(clf, X):
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        X.to_sql("data", database, index=False)
        found = database.execute(to_sql(clf, dialect="sqlite")).fetchall()
    return [row[1:] for row in found], [row[0] for row in found]


@pytest.mark.parametrize("run", RUNNERS.values(), ids=RUNNERS)
def test_extreme_numbers(run):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"select": rng.normal(size=300), "b": rng.normal(size=300)})
    clf = weighted().fit(X, X["select"] * X["b"] > rng.normal(size=300))
    ends = [1e308, -1e308, 5e-324, -5e-324, -0.0, 0.0, 2.0**53, 2.0**53 + 2, 1e15, -1e15]
    assert_same(run, clf, pd.DataFrame({"select": ends, "b": ends[::-1]}))


def test_an_unknown_dialect():
    clf = counted().fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match=r"dialect must be one of 'duckdb', 'sqlite', 'spark', got 'oracle' instead\."):
        to_sql(clf, dialect="oracle")


@pytest.mark.cluster
@pytest.mark.xdist_group("spark")
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
@pytest.mark.skipif(
    shutil.which("java") is None and "JAVA_HOME" not in os.environ, reason="there is no Java runtime for Spark"
)
@pytest.mark.filterwarnings(UNSEEN)
def test_spark(spark):
    hostile = pd.DataFrame({"it's `odd`": ["a'b", "c\\d", 'e"f', "{0}"] * 10})
    tables = [(GeneralizedNB(), random_table(150, 3)), (counted("nb"), (hostile, np.array(["x'y", "z\\n"] * 20)))]
    for clf, (X, y) in tables:
        clf.fit(X, y)
        assert_same(lambda clf, X: by_spark(spark, clf, X), clf, X)
    X, y = random_table(150, 3)
    clf = with_three_features(GeneralizedNB(categorical_features=CATEGORIES).fit(X, y))
    mixed = pd.concat([X[:40], with_gaps_and_strangers(X)[:60]], ignore_index=True)
    assert_same(lambda clf, X: by_spark(spark, clf, X), clf, typed_like(mixed, X))


def by_spark(session, clf, X):
    import pyarrow as pa

    table = pa.Table.from_pandas(X.assign(the_key=range(len(X))), preserve_index=False)
    empty = [field.name for field in table.schema if pa.types.is_null(field.type)]
    for name in empty:
        table = table.set_column(table.schema.get_field_index(name), name, table[name].cast(pa.float64()))
    session.createDataFrame(table).createOrReplaceTempView("patients")
    query = to_sql(clf, dialect="spark", table="patients", keep=["the_key"])
    return sorted_rows([tuple(row) for row in session.sql(query).collect()])
