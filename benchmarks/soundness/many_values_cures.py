"""What a random column of 100 values costs the counted tree, and what cures of its tables would give.

For ten tables, log-loss of five-fold cross-validation without the column and with it, the mean over three such columns.
All models have the same tree; only the tables P(x_j | x_mother, y) that predictions use differ:

- plain: one alpha for all features, as with `information="plug-in"`, but for the tree.
- now: as `GeneralizedNB(weighting=None)` has them: classes of values drawn to those of all, with more than 20 values.
- class-free: a feature whose corrected information about the class given its mother is not above 0 says nothing.
- shrunk: log-odds of every feature times the share of its information that the correction leaves.
- Bayes: the same, times the posterior probability that the feature depends on the class given its mother.
- own alpha: every feature has its own alpha, at least 1, under which its values are most probable.
- all pooled: as now, for features of any number of values.

With `structure="nb"` none of them would be CategoricalNB, so that they are for trees alone.

    python benchmarks/soundness/many_values_cures.py [table ...]

Reads the tables from the folder that GNBAYES_DATA names.
"""

import argparse
import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd
from many_values import N_COLUMNS, N_FOLDS, TABLES, with_random_column
from numpy.typing import NDArray
from scipy.special import expit, gammaln, softmax, xlogy
from sklearn.model_selection import StratifiedKFold

from gnbayes import GeneralizedNB
from gnbayes.model.parameters import daughter_counts, pooled_table
from gnbayes.model.pooling import STRENGTHS, log_evidence

Array = NDArray[np.float64]
CURES = ("plain", "class-free", "shrunk", "Bayes", "own alpha", "all pooled", "now")
# Pseudo-counts of a value to choose from.
_ALPHAS = 2.0 ** np.arange(0, 13)


def main() -> None:
    """Print a Markdown table."""
    from datasets import load

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", default=TABLES)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"| table | {' | '.join(f'{cure} | cost' for cure in CURES)} |")
    print("| --- " + "| ---: " * (2 * len(CURES)) + "|")
    for name in arguments.tables:
        table = load(name)
        without = losses(table.X, table.y)
        with_it = np.mean([losses(with_random_column(table.X, seed), table.y) for seed in range(N_COLUMNS)], axis=0)
        cells = (f"{a:.3f} | {b / a - 1:+.1%}" for a, b in zip(without, with_it, strict=True))
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def losses(X: pd.DataFrame, y: NDArray[np.intp]) -> Array:
    """Mean log-loss of cross-validation by cure, in nats."""
    found = []
    for train, test in StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(X, y):
        clf = GeneralizedNB(weighting=None).fit(X.iloc[train], y[train])
        codes = clf._codes(X.iloc[test]).astype(np.intp)
        by_feature = [cure_tables(clf, j) for j in range(clf.tree_.n_features)]
        found.append([_loss(clf, codes, tables, y[test]) for tables in zip(*by_feature, strict=True)])
    return np.mean(found, axis=0)


def cure_tables(clf: GeneralizedNB, j: int) -> list[Array]:
    """The table of a feature by cure, shape (v_mother, v_j, k); what all classes have in common may be left out."""
    cells = daughter_counts(clf.counts_, clf.tree_, j).astype(np.float64)
    table = _log_shares(cells + 1.0)
    gain = class_gain(cells)
    left = gain - optimism(cells)
    factors = (1.0, left > 0, max(0.0, left / gain) if gain > 0 else 0.0, expit(log_bayes_factor(cells)))
    return [*(factor * table for factor in factors), own_alpha(cells), pooled(cells), clf.joint_.tables[j]]


def own_alpha(cells: Array) -> Array:
    """Log P(x_j | x_mother, y) with the alpha of the largest evidence."""
    flat = np.ones(cells.shape)
    alpha = max(_ALPHAS, key=lambda each: _evidence_of(cells, each * flat))
    return _log_shares(cells + alpha)


def pooled(cells: Array) -> Array:
    """The table with the classes of each value drawn to those of all values."""
    return pooled_table(cells, 1.0, max(STRENGTHS, key=lambda strength: log_evidence(cells, strength)))


def _evidence_of(cells: Array, pseudo: Array) -> float:
    """Log-probability of the values, given class and mother, with Dirichlet priors of these pseudo-counts."""
    both = cells + pseudo
    values = (gammaln(both) - gammaln(pseudo)).sum(axis=1)
    return float((values + gammaln(pseudo.sum(axis=1)) - gammaln(both.sum(axis=1))).sum())


def _log_shares(counts: Array) -> Array:
    return np.log(counts / counts.sum(axis=1, keepdims=True))


def class_gain(cells: Array) -> float:
    """Plug-in I(X_j; Y | X_mother) of counts by mother, value and class, in nats."""
    parts = (cells, -cells.sum(axis=2), -cells.sum(axis=1), cells.sum(axis=(1, 2)))
    return float(sum(xlogy(part, np.abs(part)).sum() for part in parts) / cells.sum())


def optimism(cells: Array) -> float:
    """What the correction of information takes off, from the degrees of freedom for each row."""
    n_values = (cells.sum(axis=2) > 0).sum(axis=1)
    per_row = np.maximum(n_values - 1, 0).sum() * (cells.shape[2] - 1) / cells.sum()
    return float(1.5 * np.log1p(per_row + per_row**2) / 2)


def log_bayes_factor(cells: Array) -> float:
    """For a feature that depends on the class given its mother, with a uniform prior for every distribution."""
    return _log_evidence(cells.swapaxes(1, 2)) - _log_evidence(cells.sum(axis=2))


def _log_evidence(counts: Array) -> float:
    v = counts.shape[-1]
    return float((gammaln(v) - gammaln(v + counts.sum(axis=-1)) + gammaln(1 + counts).sum(axis=-1)).sum())


def _loss(clf: GeneralizedNB, codes: NDArray[np.intp], tables: Sequence[Array], y: NDArray[np.intp]) -> float:
    """Log-loss of rows; a feature with a value that training never saw, or whose mother has one, says nothing."""
    scores = np.tile(clf.joint_.log_prior, (len(codes), 1))
    for j, table in enumerate(tables):
        mother = clf.tree_.mother[j]
        above = codes[:, mother] if mother >= 0 else np.zeros(len(codes), dtype=np.intp)
        known = (codes[:, j] < table.shape[1]) & (above < table.shape[0])
        scores[known] += table[above[known], codes[known, j]]
    own = softmax(scores, axis=1)[np.arange(len(y)), y]
    return float(-np.log(np.maximum(own, 1e-15)).mean())


if __name__ == "__main__":
    main()
