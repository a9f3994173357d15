"""Only splits that all classifiers have done are compared."""

import pytest
from registry import CLASSIFIERS, RIVALS
from results import METRICS
from summary import summarize
from targets import check

OURS, NETWORK = "gnbayes", "CategoricalNB"


def row(table, split, classifier, loss, status="done"):
    scores = dict.fromkeys(METRICS, loss) | {"accuracy": 1 - loss, "auc": 1 - loss}
    found = {"table": table, "split": split, "classifier": classifier, "status": status, **scores}
    return found | {"fit_seconds": loss, "predict_seconds": 0.1}


def test_splits_that_one_classifier_has_not_done_do_not_count():
    rows = [row("a", 1, NETWORK, 0.2), row("a", 2, NETWORK, 0.9), row("b", 1, NETWORK, 0.1), row("c", 1, NETWORK, 0.1)]
    rows += [row("a", 1, OURS, 0.1), row("a", 2, OURS, 0.9, status="time limit"), row("c", 1, OURS, 0, "time limit")]
    summary = summarize(rows, [NETWORK, OURS], ["a", "b", "c"])
    assert summary.splits == {"a": [1]}
    assert summary.missing == {"b": {OURS: "not run"}, "c": {OURS: "time limit"}}
    assert summary.means["log_loss"].loc["a"].to_dict() == pytest.approx({NETWORK: 0.2, OURS: 0.1})


def test_means_are_over_splits():
    rows = [row("a", split, name, loss) for name in (NETWORK, OURS) for split, loss in ((1, 0.2), (2, 0.4))]
    assert summarize(rows, [NETWORK, OURS], ["a"]).means["log_loss"].loc["a"].tolist() == pytest.approx([0.3, 0.3])


def test_rank_1_is_the_best_in_every_metric():
    summary = summarize([row("a", 1, NETWORK, 0.2), row("a", 1, OURS, 0.1)], [NETWORK, OURS], ["a"])
    for metric in METRICS:
        assert summary.ranks(metric)[OURS].tolist() == [1.0]


@pytest.mark.parametrize(("loss", "reached"), [(0.01, True), (0.5, False)])
def test_targets(loss, reached):
    names = [NETWORK, "CatBoost", "LightGBM", "EBM", OURS]
    rows = [row(str(table), 1, name, loss if name == OURS else 0.2) for name in names for table in range(6)]
    found = list(check(summarize(rows, names, list("012345")), OURS))
    assert len(found) == 9
    assert {target.reached for target in found} == {reached}


@pytest.mark.parametrize(("loss", "reached"), [(0.2029, True), (0.2031, False)])
def test_accuracy_may_be_a_little_below_the_best(loss, reached):
    rows = [row("a", 1, "CatBoost", 0.2), row("a", 1, OURS, loss)]
    found = {t.text: t.reached for t in check(summarize(rows, ["CatBoost", OURS], ["a"]), OURS)}
    assert found["mean accuracy within 0.003 of the best"] == reached


def test_every_classifier_has_a_file():
    from importlib.util import find_spec

    assert all(find_spec(f"rivals.{classifier.file}") for classifier in CLASSIFIERS.values())
    assert "EBM" in RIVALS
    assert OURS not in RIVALS
