"""WEKA by its command line: one Java process to fit, one to predict, tables as ARFF files. Needs Debian's `weka`.

WEKA prints probabilities with six decimals, which is the bound of our log-loss, too.
"""

import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from preparation import Categories

_JARS = ("/usr/share/java/weka.jar", "/usr/share/java/java-cup-0.11b-runtime.jar")
_JAVA = ["java", "-Xmx6g", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=1", "-cp", ":".join(_JARS)]


@dataclass(frozen=True)
class WekaModel:
    """A folder with the fitted model, and how to write rows for it."""

    folder: Any
    categories: Categories
    n_classes: int


def unavailable() -> str | None:
    """Why WEKA cannot run here; nothing where it can."""
    if shutil.which("java") is None:
        return "there is no java"
    return None if Path(_JARS[0]).is_file() else f"there is no {_JARS[0]} (apt install weka)"


def fit(X: pd.DataFrame, y: NDArray[np.intp], classifier: list[str], options: list[str]) -> WekaModel:
    """Fit a classifier, the name of a Java class, with options."""
    folder = tempfile.TemporaryDirectory()
    model = WekaModel(folder, Categories.learn(X), int(y.max()) + 1)
    _write(model, "train.arff", X, y)
    _java([*classifier, "-t", "train.arff", "-d", "model", "-no-cv", "-v", *options], folder.name)
    return model


def predict_proba(model: WekaModel, X: pd.DataFrame) -> NDArray[np.float64]:
    """Probabilities of the rows, shape (n, k)."""
    _write(model, "test.arff", X, None)
    filter_name = "weka.filters.supervised.attribute.AddClassification"
    command = [filter_name, "-serialized", "model", "-distribution", "-i", "test.arff", "-o", "out.arff", "-c", "last"]
    _java(command, model.folder.name)
    lines = (Path(model.folder.name) / "out.arff").read_text().splitlines()
    rows = [line for line in lines[lines.index("@data") + 1 :] if line]
    proba = np.array([row.rsplit(",", model.n_classes)[1:] for row in rows], dtype=float)
    return proba / proba.sum(axis=1, keepdims=True)


def _write(model: WekaModel, file: str, X: pd.DataFrame, y: NDArray[np.intp] | None) -> None:
    """Write rows as ARFF; values that are not of the training part are written as missing."""
    header = ["@relation table"]
    columns = []
    for (name, column), values in zip(model.categories(X).items(), model.categories.values.values(), strict=True):
        kind = "numeric" if values is None else "{" + ",".join(f"v{code}" for code in range(len(values))) + "}"
        header.append(f"@attribute {name} {kind}")
        columns.append(_cells(column, values is not None))
    header.append("@attribute class {" + ",".join(f"c{code}" for code in range(model.n_classes)) + "}")
    columns.append(["?"] * len(X) if y is None else [f"c{label}" for label in y])
    lines = (",".join(row) for row in zip(*columns, strict=True))
    (Path(model.folder.name) / file).write_text("\n".join([*header, "@data", *lines, ""]))


def _cells(column: pd.Series, categorical: bool) -> list[str]:
    if categorical:
        return ["?" if code < 0 else f"v{code}" for code in column.cat.codes]
    return ["?" if number != number else repr(float(number)) for number in column]


def _java(arguments: list[str], folder: str) -> None:
    done = subprocess.run([*_JAVA, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode == -signal.SIGXCPU:
        raise TimeoutError
    if done.returncode != 0 or "Exception" in done.stderr or "Error" in done.stderr:
        raise ChildProcessError(f"java ended with {done.returncode}: {done.stderr.strip()[:300]}")
