"""Only splits that all rivals have done are compared."""

import pytest
from registry import RIVALS
from results import METRICS
from summary import summarize
from targets import check

OURS, NETWORK, BLACK_BOX = "gnbayes:default", "CategoricalNB", "HistGradientBoosting"


def row(table, split, rival, loss, status="done"):
    scores = dict.fromkeys(METRICS, loss) | {"accuracy": 1 - loss, "auc": 1 - loss}
    return {"table": table, "split": split, "rival": rival, "status": status, "size": "small", **scores} | {
        "fit_seconds": loss,
        "predict_seconds": 0.1,
    }


def test_splits_that_one_rival_has_not_done_do_not_count():
    rows = [row("a", 0, NETWORK, 0.2), row("a", 1, NETWORK, 0.9), row("b", 0, NETWORK, 0.1)]
    rows += [row("a", 0, OURS, 0.1), row("a", 1, OURS, 0.9, status="time limit")]
    summary = summarize(rows, [NETWORK, OURS])
    assert summary.tables == ["a"]
    assert summary.left_out == ["b"]
    assert summary.means["log_loss"].loc["a"].to_dict() == pytest.approx({NETWORK: 0.2, OURS: 0.1})


def test_rank_1_is_the_best_in_every_metric():
    summary = summarize([row("a", 0, NETWORK, 0.2), row("a", 0, OURS, 0.1)], [NETWORK, OURS])
    for metric in METRICS:
        assert summary.ranks(metric)[OURS].tolist() == [1.0]


@pytest.mark.parametrize(("loss", "reached"), [(0.05, True), (0.5, False)])
def test_targets(loss, reached):
    rivals = [NETWORK, BLACK_BOX, "LogisticRegression", OURS]
    rows = [row("a", 0, name, loss if name == OURS else 0.2) for name in rivals]
    found = list(check(summarize(rows, rivals), OURS))
    assert len(found) == 7
    assert {target.reached for target in found} == {reached}


def test_accuracy_may_be_a_little_below_a_black_box():
    rows = [row("a", 0, BLACK_BOX, 0.2), row("a", 0, OURS, 0.209)]
    found = {t.text: t.reached for t in check(summarize(rows, [BLACK_BOX, OURS]), OURS)}
    assert found["mean accuracy within 0.01 of the best black box"]


def test_every_rival_has_a_file():
    from importlib.util import find_spec

    assert all(find_spec(f"rivals.{rival.file}") for rival in RIVALS.values())
