"""A model with a given number of features, or a number chosen on held-out rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from gnbayes.counted_tree import MOST_FEATURES
from gnbayes.model import WEIGHTINGS
from gnbayes.pipeline import Batch, Learned, Rows, check_columns, learn
from gnbayes.prefixes.evidence import class_shares, evidence_of
from gnbayes.prefixes.folds import own_folds
from gnbayes.prefixes.models import learn_first
from gnbayes.prefixes.number import means_of_rows
from gnbayes.prefixes.order import MOST_CANDIDATES, order_features
from gnbayes.prefixes.path import counted_path_scores, path_scores
from gnbayes.progress import part_of, progress_line
from gnbayes.settings import Settings


def learn_chosen(settings: Settings, classes: NDArray[Any], batch: Batch) -> Learned:
    """Learn a model of `n_features` features: a given number, or one chosen on held-out rows.

    Parameters
    ----------
    settings : Settings
    classes : ndarray of shape (k,)
    batch : Batch

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.encoding import read_array
    >>> from gnbayes.pipeline import Batch
    >>> from gnbayes.prefixes import learn_chosen
    >>> from gnbayes.settings import Settings
    >>> X, y = load_iris(return_X_y=True)
    >>> batch = Batch(read_array(X), y, None)
    >>> parameters = GeneralizedNB(weighting=None, n_features=2).get_params()
    >>> del parameters["class_weight"]
    >>> settings = Settings(**parameters)
    >>> learned = learn_chosen(settings, np.arange(3), batch)
    >>> len(learned.tree.order)
    2
    """
    check_columns(settings, batch.table.names, len(classes))
    n = settings.n_features
    if isinstance(n, str):
        n = _chosen_number(settings, classes, batch, n)
    if not WEIGHTINGS[settings.weighting].needs_rows:
        return learn(replace(settings, n_features=int(n)), classes, Rows(batch))
    progress = progress_line("ordering features", settings.verbose)
    ordered = order_features(settings, classes, batch, n_steps=int(n), progress=progress)
    return learn_first(settings, classes, ordered, int(n))


def _chosen_number(settings: Settings, classes: NDArray[Any], batch: Batch, rule: str) -> int:
    """The number of features that a rule selects from the log-losses of held-out rows."""
    progress = progress_line("choosing the number of features", settings.verbose)
    folds = own_folds(batch)
    if not folds:
        return min(batch.table.n_columns, MOST_FEATURES)
    is_weighted = WEIGHTINGS[settings.weighting].needs_rows
    score = path_scores if is_weighted else counted_path_scores
    shown = [part_of(progress, at, len(folds)) for at in range(len(folds))]
    parts = [score(settings, classes, fold, progress=own) for fold, own in zip(folds, shown, strict=True)]
    progress(1.0)
    shares = class_shares([part.labels for part in parts], [part.weights for part in parts], len(classes))
    told = [part.held_out(shares) for part in parts]
    rows = ([part.losses for part in told], [part.weights for part in told], [part.groups for part in told])
    evidence = evidence_of(told)
    is_wide = is_weighted and batch.table.n_columns > MOST_CANDIDATES and evidence.of_all
    means = replace(means_of_rows(*rows, is_wide=is_wide), has_learned=evidence.of_any)
    return int(parts[0].numbers[means.at(rule)])
