"""What each ingredient of the default contributes: one of them is removed at a time, on the development tables.

Ingredients are switched off by putting simpler parts in their place. Prints a Markdown table; progress goes to
standard error.
"""

import argparse
import contextlib
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from environment import enter_environment

if __name__ == "__main__":
    enter_environment()

import numpy as np
import pandas as pd
from arguments import table_names
from datasets import Table, load
from metrics import aligned, scores
from roles import DEVELOPMENT
from splits import stratified_splits

from gnbayes import GeneralizedNB
from gnbayes.encoding.discretizers import _nested as nested
from gnbayes.encoding.discretizers import _nested_block as nested_block
from gnbayes.model.fitting import families, learn
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.interactions import choice, grids, mixing, several

Context = Callable[[], contextlib.AbstractContextManager[None]]
_NOTHING: Context = contextlib.nullcontext


def _without(owner: Any, name: str, simpler: Any) -> Context:
    """Put a simpler part in the place of one of a module or class, for a while."""

    @contextlib.contextmanager
    def replaced() -> Iterator[None]:
        part = getattr(owner, name)
        setattr(owner, name, simpler)
        try:
            yield
        finally:
            setattr(owner, name, part)

    return replaced


def _both(first: Context, second: Context) -> Context:
    @contextlib.contextmanager
    def replaced() -> Iterator[None]:
        with first(), second():
            yield

    return replaced


def _no_rounds(_codes: Any, rows: Any, held_out: Any, n_classes: int, *_given: Any, **_how: Any) -> tuple[int, Any]:
    """No rounds of boosting, and the scores after them."""
    return 0, np.zeros((len(rows), held_out.shape[1], 1 if n_classes == 2 else n_classes))


_WITHOUT_BOOSTING = _without(mixing, "choose_rounds", _no_rounds)
_WITHOUT_LINES = _without(mixing, "line_terms", lambda _specs: [])
_WITHOUT_NAIVE = _without(mixing, "naive_terms", lambda _features, _used: [])
_WITHOUT_SCALE = _without(mixing, "_scale", lambda *_given: 1.0)
_WITHOUT_LIMIT = _without(several, "_best_of_all", lambda chosen, _most: {term for own in chosen for term in own})
_WITHOUT_TRIPLES = _without(several, "most_triples", lambda _n_features: 0)
_WITHOUT_PATHS = _without(choice, "path_gains", lambda *_given: {})
_WITHOUT_SCALES = _without(families, "_UPDATES", 0)
_WITHOUT_SURFACES = _without(grids, "is_ordered", lambda _feature: False)
_WITHOUT_PENALTIES = _without(learn, "update_penalties", lambda _objective, _x, penalties: penalties)
_WITHOUT_WALK = _without(TermSpec, "is_free", True)
# The kernel that bins many short columns at once always moves cuts.
_WITHOUT_MOVES = _both(
    _without(nested, "_moved", lambda starts, _to, _rows, _n_bins: starts), _without(nested_block, "_MOST_ROWS", 0)
)

# What is taken away, by what, and with which arguments of GeneralizedNB.
VARIANTS: dict[str, tuple[Context, dict[str, Any]]] = {
    "the default": (_NOTHING, {}),
    "boosted tables": (_WITHOUT_BOOSTING, {}),
    "straight lines": (_WITHOUT_LINES, {}),
    "naive Bayes": (_WITHOUT_NAIVE, {}),
    "straight lines and naive Bayes": (_both(_WITHOUT_LINES, _WITHOUT_NAIVE), {}),
    "the scale of all scores": (_WITHOUT_SCALE, {}),
    "the limit on terms over all fits": (_WITHOUT_LIMIT, {}),
    "triples on paths of boosted trees (by residuals alone)": (_WITHOUT_PATHS, {}),
    "triples": (_WITHOUT_TRIPLES, {}),
    "triples and further pairs (the tree's alone)": (_NOTHING, {"interactions": "tree", "n_fits": 1}),
    "a multiplier for each family": (_WITHOUT_SCALES, {}),
    "surfaces (free cells instead)": (_WITHOUT_SURFACES, {}),
    "the mean of several fits": (_NOTHING, {"n_fits": 1}),
    "a ridge penalty for each table": (_WITHOUT_PENALTIES, {}),
    "random walk along bins": (_WITHOUT_WALK, {}),
    "fine bins (5 everywhere)": (_NOTHING, {"n_bins": 5}),
    "cuts moved to where the class changes": (_WITHOUT_MOVES, {}),
    "pairs (naive Bayes)": (_NOTHING, {"structure": "nb"}),
    "GNB-O (GNB-A instead)": (_NOTHING, {"structure": "gnb-a"}),
    "weights (counted, 5 bins)": (_NOTHING, {"weighting": None, "n_bins": 5}),
}


def main() -> None:
    """Go through the tables, and print means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=table_names, default=list(DEVELOPMENT), help="names (default: DEVELOPMENT)")
    parser.add_argument("--repeats", type=int, default=1, help="splits of each table (default: 1)")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    lines = []
    for name in arguments.tables:
        lines += _measure(load(name), arguments.repeats)
        print(name, file=sys.stderr, flush=True)
    print(_table(pd.DataFrame(lines)))


def _measure(table: Table, repeats: int) -> list[dict[str, Any]]:
    lines = []
    for train, test in stratified_splits(table.y, repeats):
        X_train, X_test = (table.X.iloc[rows].reset_index(drop=True) for rows in (train, test))
        for name, (context, arguments) in VARIANTS.items():
            with context():
                clf = GeneralizedNB(**arguments).fit(X_train, table.y[train])
            proba = aligned(clf.predict_proba(X_test), np.unique(table.y[train]), table.n_classes)
            lines.append({"table": table.name, "variant": name, **scores(table.y[test], proba)})
    return lines


def _table(frame: pd.DataFrame) -> str:
    heads = ["without", "log-loss", "Brier", "accuracy", "calibration error", "tables with a larger log-loss"]
    means = {m: frame.pivot_table(index="table", columns="variant", values=m) for m in ("log_loss", "brier")}
    means |= {m: frame.pivot_table(index="table", columns="variant", values=m) for m in ("accuracy", "ece")}
    loss = means["log_loss"]
    lines = []
    for name in VARIANTS:
        numbers = [f"{values[name].mean():.4f}" for values in means.values()]
        worse = int((loss[name] > loss["the default"] + 1e-6).sum())
        lines.append([name, *numbers, f"{worse} of {len(loss)}"])
    rule = ["---"] + ["---:"] * (len(heads) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [heads, rule, *lines])


if __name__ == "__main__":
    main()
