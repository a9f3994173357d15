"""Model files, and tables that are read for a model."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.messages import note
from gnbayes.cli.options import source_of
from gnbayes.cli.reading import Opened, Source
from gnbayes.encoding import Feature
from gnbayes.estimator import GeneralizedNB
from gnbayes.files import ModelFileError, load


def load_model(path: str) -> GeneralizedNB:
    """Read a model file, or fail with a one-sentence error."""
    try:
        return load(path)
    except FileNotFoundError:
        raise CommandError(f"there is no file {path!r}.") from None
    except ModelFileError as error:
        raise CommandError(str(error)) from None


def column_types(features: Iterable[Feature]) -> dict[str, str]:
    """How to read the columns of a table for the features of a model."""
    kinds = {}
    for feature in features:
        if feature.is_text or not feature.n_values:
            kinds[feature.name] = "text"
        else:
            kinds[feature.name] = "bool" if isinstance((*feature.categories, 0.0)[0], bool) else "number"
    return kinds


def class_type(classes: NDArray[Any]) -> str | None:
    """How to read a column of classes; None for integers, which are read unchanged."""
    return {"O": "text", "U": "text", "b": "bool"}.get(classes.dtype.kind)


def model_source(arguments: argparse.Namespace, model: GeneralizedNB, keep: Sequence[str] = ()) -> Source:
    """The columns that a model needs, wherever they are in the table, and those to be copied unchanged."""
    types = column_types(model.features_)
    kept = tuple(name for name in keep if name not in types)
    return source_of(arguments, types, tuple(dict.fromkeys([*types, *keep])), kept)


def model_columns(model: GeneralizedNB, table: Any) -> Any:
    """The columns that a model needs, in its order and in the form that it expects."""
    import pyarrow as pa

    whole = table if isinstance(table, pa.Table) else pa.Table.from_batches([table])
    chosen = whole.select([feature.name for feature in model.features_])
    return chosen if hasattr(model, "feature_names_in_") else chosen.to_pandas().to_numpy()


def class_named(model: GeneralizedNB, text: str) -> Any:
    """The class with this name."""
    names = {str(label): label for label in model.classes_.tolist()}
    if text not in names:
        raise no_such("class", text, names)
    return names[text]


def say_detected(source: Source, opened: Opened) -> None:
    """Print what was detected, unless it is a plain CSV file."""
    if not opened.is_plain:
        note(f"{source.name}: {opened.words}")
