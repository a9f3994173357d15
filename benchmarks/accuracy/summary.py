"""From rows of results to tables of means: numbers only, no text."""

from dataclasses import dataclass

import pandas as pd
from ranks import ranks
from results import DONE, METRICS, Row

# The direction in which a metric is good.
_LARGER_IS_BETTER = ("auc", "accuracy")


@dataclass(frozen=True, eq=False)
class Summary:
    """Means over splits of each metric and of the times: one frame (tables, rivals) for each; and what is left out."""

    means: dict[str, pd.DataFrame]
    left_out: list[str]

    @property
    def tables(self) -> list[str]:
        """The tables that all rivals have done."""
        return list(self.means["log_loss"].index)

    def ranks(self, metric: str) -> pd.DataFrame:
        """Ranks (tables, rivals) by a metric, 1 is the best."""
        frame = self.means[metric]
        losses = -frame if metric in _LARGER_IS_BETTER else frame
        return pd.DataFrame(ranks(losses.to_numpy()), frame.index, frame.columns)


def summarize(rows: list[Row], rivals: list[str]) -> Summary:
    """Means of these rivals over the splits that all of them have done, of the tables where there are any."""
    frame = pd.DataFrame([row for row in rows if row["rival"] in rivals])
    done = frame[frame["status"] == DONE]
    finished = done.groupby(["table", "split"])["rival"].transform("nunique") == len(rivals)
    common = done[finished]
    names = (*METRICS, "fit_seconds", "predict_seconds")
    means = {name: _pivot(common, name, rivals) for name in names}
    kept = set(common["table"])
    return Summary(means, [table for table in frame["table"].unique() if table not in kept])


def _pivot(rows: pd.DataFrame, name: str, rivals: list[str]) -> pd.DataFrame:
    order = list(rows["table"].unique())
    return rows.pivot_table(index="table", columns="rival", values=name).reindex(index=order, columns=rivals)
