"""A model of a number of features that is given, or chosen on held-out rows."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from gnbayes.pipeline import Batch, Learned
from gnbayes.prefixes.folds import own_folds
from gnbayes.prefixes.models import learn_first
from gnbayes.prefixes.number import means_of_rows
from gnbayes.prefixes.order import order_features
from gnbayes.prefixes.path import path_scores
from gnbayes.progress import part_of, progress_line
from gnbayes.settings import Settings


def learn_chosen(settings: Settings, classes: NDArray[Any], batch: Batch) -> Learned:
    """Learn a weighted model of `n_features` features: that many, or a number that is chosen on held-out rows.

    Parameters
    ----------
    settings : Settings
    classes : ndarray of shape (k,)
    batch : Batch
    """
    n = settings.n_features
    if isinstance(n, str):
        n = _chosen_number(settings, classes, batch, n)
    progress = progress_line("ordering features", settings.verbose)
    ordered = order_features(settings, classes, batch, n_steps=int(n), progress=progress)
    return learn_first(settings, classes, ordered, int(n))


def _chosen_number(settings: Settings, classes: NDArray[Any], batch: Batch, rule: str) -> int:
    """The number of features that a rule picks from the log-losses of held-out rows."""
    progress = progress_line("choosing the number of features", settings.verbose)
    folds = own_folds(batch)
    if not folds:
        return batch.table.n_columns
    parts = [
        path_scores(settings, classes, fold, progress=part_of(progress, at, len(folds)))
        for at, fold in enumerate(folds)
    ]
    progress(1.0)
    means = means_of_rows([part.losses for part in parts], [part.weights for part in parts])
    return int(parts[0].numbers[means.at(rule)])
