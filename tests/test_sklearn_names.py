"""Private names of scikit-learn are imported in one place, and what that place offers works."""

import ast
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import gnbayes
from gnbayes._sklearn import take_rows

SOURCE = Path(__file__).parent.parent / "src" / "gnbayes"


def private_imports(path):
    """Every import of a private name or module of scikit-learn."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sklearn":
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.split(".")[0] == "sklearn"]
        else:
            continue
        yield from (name for name in names if "._" in name)


@pytest.mark.slow
@pytest.mark.once
def test_private_names_of_scikit_learn_are_imported_in_one_module():
    found = {path.relative_to(SOURCE).as_posix(): list(private_imports(path)) for path in SOURCE.rglob("*.py")}
    assert [path for path, names in found.items() if names] == ["_sklearn.py"]
    assert "sklearn.utils._param_validation.Interval" in found["_sklearn.py"]


@pytest.mark.parametrize("table", [np.array, pd.DataFrame, pl.DataFrame, lambda rows: pa.table({"a": rows[:, 0]})])
def test_rows_are_taken_from_every_kind_of_table(table):
    X = table(np.arange(8).reshape(4, 2))
    taken = take_rows(X, np.array([2, 0]))
    assert type(taken) is type(X)
    assert [row[0] for row in np.asarray(taken).tolist()] == [4, 0]


def test_an_estimator_links_to_its_page():
    page = "https://gnbayes.github.io/gnbayes/reference/generated/gnbayes.GeneralizedNB.html"
    assert gnbayes.GeneralizedNB()._get_doc_link() == page
    assert f'href="{page}"' in gnbayes.GeneralizedNB()._repr_html_()
    assert gnbayes.GNBSelector()._get_doc_link().endswith("/gnbayes.GNBSelector.html")
    assert gnbayes.MDLPDiscretizer()._get_doc_link().endswith("/gnbayes.MDLPDiscretizer.html")
