"""Distributions, classes, instability and subgroups against literal formulas."""

import numpy as np
import pytest
from sklearn import metrics

from gnbayes.evidence import Risks, assess, classify, distribute, measure_instability, split_risks


def test_every_row_is_in_one_bin(risks):
    found = distribute(risks)
    assert found.events.sum() == risks.n_events
    assert found.events.sum() + found.others.sum() == risks.n
    inside = (risks.risk >= 0.15) & (risks.risk < 0.2)
    assert found.events[3] == (inside & risks.is_event).sum()
    assert found.others[3] == (inside & ~risks.is_event).sum()
    assert distribute(Risks([1.0], [True])).events[-1] == 1


def test_classes_are_scored_as_by_scikit_learn():
    rng = np.random.default_rng(0)
    proba = rng.dirichlet([1, 1, 1], 200)
    labels = rng.integers(0, 3, 200)
    found = classify(proba, labels)
    predicted = proba.argmax(axis=1)
    assert found.confusion.tolist() == metrics.confusion_matrix(labels, predicted).tolist()
    assert found.accuracy.value == pytest.approx(metrics.accuracy_score(labels, predicted))
    assert found.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(labels, predicted))
    assert found.log_loss.value == pytest.approx(metrics.log_loss(labels, proba))
    shares = np.bincount(labels) / 200
    assert found.prior_log_loss == pytest.approx(metrics.log_loss(labels, np.tile(shares, (200, 1))))
    assert found.commonest_share == shares.max()


def test_a_class_without_rows_does_not_count():
    found = classify(np.array([[0.9, 0.1, 0.0], [0.2, 0.8, 0.0]]), np.array([0, 1]))
    assert found.balanced_accuracy == 1.0
    assert found.prior_log_loss == pytest.approx(np.log(2))


def test_instability_by_its_definition():
    rng = np.random.default_rng(0)
    risk = rng.random(60)
    refitted = np.clip(risk + 0.1 * rng.normal(size=(30, 60)), 0, 1)
    found = measure_instability(risk, refitted)
    by_row = [np.mean([abs(refitted[b, i] - risk[i]) for b in range(30)]) for i in range(60)]
    assert found.mape == pytest.approx(np.mean(by_row))
    assert found.mape_90 == pytest.approx(np.quantile(by_row, 0.9))
    assert len(found.risk) == 12
    first = np.argsort(risk)[:5]
    assert found.risk[0] == pytest.approx(risk[first].mean())
    assert found.high[0] == pytest.approx(np.quantile(refitted[:, first], 0.975))
    assert found.bin_mape[0] == pytest.approx(np.mean([by_row[i] for i in first]))
    assert (found.low <= found.lower).all()
    assert (found.lower <= found.upper).all()


def test_parts_are_measured_as_by_r(risks, by_r):
    codes = (np.arange(1, risks.n + 1) % 2).astype(np.intp)
    for part, group in zip(split_risks(risks, codes, ["even", "odd"]), (0, 1), strict=True):
        assert part.intercept.value == pytest.approx(by_r[f"part_intercept_{group}"], abs=1e-5)
        assert part.slope.value == pytest.approx(by_r[f"part_slope_{group}"], abs=1e-5)
    assert [part.name for part in split_risks(risks, codes, ["even", "odd"])] == ["even", "odd"]


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        (lambda x: x, "fine"),
        (lambda x: x - 1, "too low"),
        (lambda x: x + 1, "too high"),
        (lambda x: 2 * x, "too extreme"),
        (lambda x: x / 2, "too moderate"),
    ],
)
def test_verdicts(change, verdict):
    rng = np.random.default_rng(0)
    x = 2 * rng.normal(size=2000)
    is_event = rng.random(2000) < 1 / (1 + np.exp(-x))
    part = split_risks(Risks(1 / (1 + np.exp(-change(x))), is_event), np.zeros(2000, dtype=np.intp), ["all"])[0]
    assert part.verdict == verdict


def test_few_rows_are_not_judged_and_rows_of_no_part_are_left_out():
    rng = np.random.default_rng(0)
    risks = Risks(rng.random(100), np.arange(100) < 9)
    codes = np.where(np.arange(100) < 50, 1, -1)
    (part,) = split_risks(risks, codes, ["a", "b"])
    assert (part.name, part.n, part.verdict) == ("b", 50, "few")


def test_all_at_once(risks):
    found = assess(risks)
    assert (found.n, found.n_events) == (600, risks.n_events)
    assert found.decisions.n_events == risks.n_events


def test_copies_of_rows_in_clusters_leave_every_interval_as_it_is(risks):
    n = 300
    once = Risks(risks.risk[:n], risks.is_event[:n], np.arange(n))
    rows = np.repeat(np.arange(n), 4)
    copied = Risks(once.risk[rows], once.is_event[rows], rows)
    for found, expected in zip(_intervals(copied), _intervals(once), strict=True):
        assert (found.value, found.low, found.high) == pytest.approx(
            (expected.value, expected.low, expected.high), rel=1e-3
        )
    apart = next(_intervals(Risks(copied.risk, copied.is_event)))
    wide = next(_intervals(copied))
    assert wide.high - wide.low == pytest.approx(2 * (apart.high - apart.low), rel=0.05)


def _intervals(risks):
    found = assess(risks)
    yield from (found.calibration.observed, found.calibration.intercept, found.calibration.slope)
    yield from (found.overall.brier, found.overall.scaled_brier, found.overall.log_loss, found.auroc)
    said = classify(np.stack([1 - risks.risk, risks.risk], axis=1), risks.is_event.astype(np.intp), risks.clusters)
    yield from (said.accuracy, said.log_loss)
