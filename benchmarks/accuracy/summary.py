"""From rows of results to tables of means: numbers only, no text."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from ranks import ranks
from results import DONE, METRICS, TIMES, Row

# The direction in which a metric is good.
_LARGER_IS_BETTER = ("auc", "accuracy")


@dataclass(frozen=True, eq=False)
class Summary:
    """Means over splits of each metric and of the times, one frame (tables, classifiers) for each.

    `splits` are the splits of each table over which means are taken; `missing` says of each table that is left out why:
    the classifiers that have no result there, with the status.
    """

    means: dict[str, pd.DataFrame]
    splits: dict[str, list[int]]
    missing: dict[str, dict[str, str]]

    @property
    def tables(self) -> list[str]:
        """The tables that all classifiers have done."""
        return list(self.splits)

    @property
    def classifiers(self) -> list[str]:
        """The classifiers compared."""
        return list(self.means["log_loss"].columns)

    def ranks(self, metric: str) -> pd.DataFrame:
        """Ranks (tables, classifiers) by a metric, 1 is the best."""
        frame = self.means[metric]
        losses = -frame if metric in _LARGER_IS_BETTER else frame
        return pd.DataFrame(ranks(losses.to_numpy()), frame.index, frame.columns)


def summarize(rows: list[Row], classifiers: Sequence[str], tables: Sequence[str]) -> Summary:
    """Means of these classifiers over the splits that all of them have done, of the tables where there are any."""
    found = {(row["table"], row["split"], row["classifier"]): row for row in rows}
    all_splits = sorted({row["split"] for row in rows})
    splits, missing = {}, {}
    for table in tables:
        common = [s for s in all_splits if all(_done(found, (table, s, name)) for name in classifiers)]
        if common:
            splits[table] = common
        else:
            missing[table] = _reasons(found, table, all_splits, classifiers)
    means = {
        metric: pd.DataFrame(
            [[_mean(found, table, splits[table], name, metric) for name in classifiers] for table in splits],
            index=list(splits),
            columns=list(classifiers),
            dtype=float,
        )
        for metric in (*METRICS, *TIMES)
    }
    return Summary(means, splits, missing)


Found = dict[tuple[str, int, str], Row]


def _done(found: Found, key: tuple[str, int, str]) -> bool:
    return key in found and found[key]["status"] == DONE


def _reasons(found: Found, table: str, splits: list[int], classifiers: Sequence[str]) -> dict[str, str]:
    """Status of each classifier that has done no split of a table."""
    reasons = {}
    for name in classifiers:
        rows = [found[table, split, name] for split in splits if (table, split, name) in found]
        if not any(row["status"] == DONE for row in rows):
            reasons[name] = rows[-1]["status"] if rows else "not run"
    return reasons


def _mean(found: Found, table: str, splits: list[int], name: str, metric: str) -> float:
    # The area under the curve does not exist where a test part has one class only.
    return float(pd.Series([found[table, split, name][metric] for split in splits]).mean())
