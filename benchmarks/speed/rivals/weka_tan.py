"""WEKA's tree-augmented naive Bayes, of Debian's package `weka`.

The Java machine runs inside this process (JPype): only WEKA's own `buildClassifier` and its predictions are timed, not
the start of the machine and not the reading of the ARFF file. A first run on a corner of the table has warmed it up.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import jpype
import numpy as np

_JAR = Path("/usr/share/java/weka.jar")
_SEARCH = "weka.classifiers.bayes.net.search.local.TAN"
_ESTIMATOR = "weka.classifiers.bayes.net.estimate.SimpleEstimator"
# Rows whose probabilities are brought over from Java to be checked; all rows are predicted.
_N_CHECKED = 1000


def prepare(X: Any, y: Any) -> Any:
    """Rows and classes as WEKA's Instances, read from an ARFF file; not timed."""
    _start_java()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.arff")
        _write_arff(path, X, y)
        reader = jpype.java.io.BufferedReader(jpype.java.io.FileReader(str(path)))
        instances = jpype.JClass("weka.core.Instances")(reader)
        reader.close()
    instances.setClassIndex(instances.numAttributes() - 1)
    return instances


def fit(data: Any) -> Any:
    """Fit with add-one smoothing."""
    model = jpype.JClass("weka.classifiers.bayes.BayesNet")()
    model.setOptions(f"-D -Q {_SEARCH} -- -S BAYES -E {_ESTIMATOR} -- -A 1.0".split())
    model.buildClassifier(data)
    return model


def predict_proba(model: Any, data: Any) -> Any:
    """Predict all training rows inside Java; probabilities of the first of them, shape (at most 1000, 2)."""
    predictions = jpype.JClass("weka.classifiers.evaluation.EvaluationUtils")().getTestPredictions(model, data)
    first = range(min(_N_CHECKED, predictions.size()))
    return np.array([predictions.elementAt(i).distribution()[:] for i in first])


def _start_java() -> None:
    if jpype.isJVMStarted():
        return
    if shutil.which("java") is None:
        raise ImportError("there is no Java")
    if not _JAR.exists():
        raise ImportError(f"there is no {_JAR} (Debian: apt-get install weka)")
    # Headless: WEKA's classes look for a screen otherwise. The heap is what 1,000,000 x 100 needs, and more.
    jpype.startJVM("-Xmx8g", "-Djava.awt.headless=true", classpath=[str(_JAR)])


def _write_arff(path: Path, X: Any, y: Any) -> None:
    with path.open("w") as file:
        file.write("@relation table\n")
        for j, column in enumerate([*X.T, y]):
            values = ",".join(map(str, range(int(column.max()) + 1)))
            file.write(f"@attribute {'y' if j == X.shape[1] else f'x{j}'} {{{values}}}\n")
        file.write("@data\n")
        for row, label in zip(X.tolist(), y.tolist(), strict=True):
            file.write(",".join(map(str, [*row, label])) + "\n")
