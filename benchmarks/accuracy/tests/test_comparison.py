"""Ours beside rivals: ratios on common splits."""

from comparison import comparison


def row(table, split, classifier, loss, status="done"):
    found = {"table": table, "split": split, "classifier": classifier, "status": status}
    return found | {"log_loss": loss, "fit_seconds": 1.5}


def test_a_rival_is_compared_on_the_splits_that_both_have_done():
    ours = [row("a", 1, "gnbayes", 0.2), row("a", 2, "gnbayes", 0.6)]
    text = comparison(ours, [row("a", 1, "EBM", 0.1), row("a", 3, "EBM", 9.0)])
    assert text.splitlines()[1].split() == ["a", "2", "0.4000", "-", "-", "-", "-", "-", "-", "0.1000", "2.000"]
    assert "EBM: mean ratio 2.000, mean log-loss 0.2000 to 0.1000, better on 0 of 1 tables" in text
    assert "processor seconds of all fits: 3.0" in text


def test_the_mean_ratio_is_geometric_and_solved_tables_count_as_equal():
    ours = [row("a", 1, "gnbayes", 0.2), row("b", 1, "gnbayes", 0.1), row("c", 1, "gnbayes", 0.0001)]
    stored = [row("a", 1, "CatBoost", 0.1), row("b", 1, "CatBoost", 0.2), row("c", 1, "CatBoost", 0.0)]
    assert "CatBoost: mean ratio 1.000" in comparison(ours, stored)
    assert "better on 1 of 3" in comparison(ours, stored)


def test_what_failed_is_said():
    ours = [row("a", 1, "gnbayes", 0.2), row("b", 1, "gnbayes", float("nan"), "time limit")]
    assert comparison(ours, []).endswith("b 1: time limit")
