"""The model file: its name, version and checksum.

A file contains one JSON object::

    {"format": "gnbayes-model", "version": 3, "library": "0.1.0", "checksum": "sha256:...", "model": {...}}

`version` is an integer that increases by one whenever a reader of the older version could misread a newer file. Every
version that was ever released stays readable; files of each version are kept among the tests. The checksum covers
`model` only, serialized without white space and with sorted keys, in UTF-8.

Version 2 added weighted models: the setting `weighting`, the part `weights`, and `coarse` codes of features. Version 3
replaced `weights` with `terms`, an intercept and a list of tables of one to three features, and added `joint`, from
which the joint distribution is estimated. If the setting `alpha` is "auto", the part `alpha` is the chosen amount of
smoothing. The setting `class_weight`, "balanced" or a number per class, is present only if it was given; readers that
do not know it reject the file. The same holds for `pooling`, the strength of pooling of features that have one. Readers
that do not know the settings `interactions` and `n_fits` reject the file, too; the first files of this version lack
them, and without them the pairs are those of the tree, from one fit. `spread` of a term is its
standard error, and `spread_ratio` the variance of a score divided by the sum of the variances of its terms. The part
`evaluation`, if present, has scores and curves of a cross-validation; probabilities do not depend on it.
"""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from gnbayes.documents import DocumentError
from gnbayes.estimator import GeneralizedNB
from gnbayes.evidence import Evaluation

FORMAT = "gnbayes-model"
VERSION = 3


class ModelFileError(DocumentError):
    """A model file that cannot be read; nothing was loaded.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from gnbayes import ModelFileError, load
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "list.json"
    >>> _ = path.write_text("[]")
    >>> try:
    ...     load(path)
    ... except ModelFileError as error:
    ...     print(error)
    list.json is not a gnbayes model file.
    """


def check_classifier(clf: Any) -> None:
    """Raise an error unless it is a fitted GeneralizedNB: only these can be written."""
    if not isinstance(clf, GeneralizedNB):
        hint = "; pass its last step" if hasattr(clf, "steps") else ""
        raise TypeError(f"what is written must be a fitted GeneralizedNB, got {type(clf).__name__} instead{hint}.")
    check_is_fitted(clf)


def check_kept(evaluation: Any, n_classes: int) -> None:
    """Raise an error unless the evaluation has the same number of classes as the model."""
    if not isinstance(evaluation, Evaluation):
        raise TypeError(
            f"evaluation must be an Evaluation, from gnbayes.evidence.evaluate, got {type(evaluation).__name__} "
            "instead."
        )
    if len(evaluation.assessed) != n_classes:
        raise ValueError(
            f"evaluation is of {len(evaluation.assessed)} classes, but the model has {n_classes}; evaluate the rows "
            "that the model was fitted to."
        )
