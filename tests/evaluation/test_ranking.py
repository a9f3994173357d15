import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit
from scipy.stats import bootstrap, norm
from sklearn.metrics import roc_auc_score

from gnbayes.evaluation import auroc, wilson_interval


def standard_error(found):
    """What the interval on the scale of log-odds was made from."""
    reach = (logit(found.high) - logit(found.low)) / 2
    return reach / norm.ppf(0.975) * found.value * (1 - found.value)


def delong_error(score, is_positive):
    """DeLong's formula over all pairs, one by one."""
    positives, negatives = score[is_positive], score[~is_positive]
    kernel = np.array([[1.0 if x > y else 0.5 if x == y else 0.0 for y in negatives] for x in positives])
    of_positives, of_negatives = kernel.mean(axis=1), kernel.mean(axis=0)
    return np.sqrt(of_positives.var(ddof=1) / len(positives) + of_negatives.var(ddof=1) / len(negatives))


def obuchowski_error(score, is_positive, clusters):
    """Obuchowski's formula (1997), term by term."""
    positives, negatives = np.flatnonzero(is_positive), np.flatnonzero(~is_positive)
    m, n = len(positives), len(negatives)

    def kernel(i, j):
        return 1.0 if score[i] > score[j] else 0.5 if score[i] == score[j] else 0.0

    above = {i: np.mean([kernel(i, j) for j in negatives]) for i in positives}
    below = {j: np.mean([kernel(i, j) for i in positives]) for j in negatives}
    area = np.mean(list(above.values()))
    groups = sorted(set(clusters.tolist()))
    sums_10 = [sum(above[i] - area for i in positives if clusters[i] == c) for c in groups]
    sums_01 = [sum(below[j] - area for j in negatives if clusters[j] == c) for c in groups]
    i_10, i_01, i_all = len(set(clusters[positives])), len(set(clusters[negatives])), len(groups)
    s_10 = i_10 / ((i_10 - 1) * m) * sum(x**2 for x in sums_10)
    s_01 = i_01 / ((i_01 - 1) * n) * sum(x**2 for x in sums_01)
    s_11 = i_all / (i_all - 1) * sum(x * y for x, y in zip(sums_10, sums_01, strict=True))
    return np.sqrt(s_10 / m + s_01 / n + 2 * s_11 / (m * n))


def rows(seed, n=60, shift=1.0, digits=1):
    rng = np.random.default_rng(seed)
    is_positive = rng.random(n) < 0.4
    return (rng.normal(size=n) + shift * is_positive).round(digits), is_positive


@given(st.integers(0, 10_000))
def test_the_area_is_that_of_scikit_learn(seed):
    score, is_positive = rows(seed)
    assert auroc(score, is_positive).value == pytest.approx(roc_auc_score(is_positive, score))


@given(st.integers(0, 10_000))
def test_the_error_is_that_of_delong(seed):
    score, is_positive = rows(seed)
    assert standard_error(auroc(score, is_positive)) == pytest.approx(delong_error(score, is_positive))


@given(st.integers(0, 10_000))
def test_the_error_of_clusters_is_that_of_obuchowski(seed):
    score, is_positive = rows(seed)
    clusters = np.random.default_rng(seed).integers(0, 15, len(score))
    found = auroc(score, is_positive, clusters)
    assert standard_error(found) == pytest.approx(obuchowski_error(score, is_positive, clusters))


@pytest.mark.slow
def test_the_error_is_near_that_of_the_bootstrap():
    score, is_positive = rows(1, n=300)

    def area(at):
        return roc_auc_score(is_positive[at], score[at])

    resampled = bootstrap((np.arange(300),), area, n_resamples=2000, vectorized=False, method="percentile", rng=0)
    assert standard_error(auroc(score, is_positive)) == pytest.approx(resampled.standard_error, rel=0.05)


@pytest.mark.slow
def test_the_interval_covers_the_truth():
    truth = norm.cdf(1 / np.sqrt(2))
    covered = 0
    for seed in range(400):
        found = auroc(*rows(seed, n=120, digits=12))
        covered += found.low <= truth <= found.high
    assert 0.92 <= covered / 400 <= 0.98


def test_strata_compare_only_their_own_rows():
    score = np.array([0.1, 0.2, 0.8, 0.9])
    is_positive = np.array([False, True, False, True])
    assert auroc(score, is_positive).value == 0.75
    assert auroc(score, is_positive, strata=np.array([0, 0, 1, 1])).value == 1.0
    assert auroc(score, is_positive, strata=np.array([0, 1, 0, 1])) is None


def test_one_stratum_is_none():
    score, is_positive = rows(3)
    assert auroc(score, is_positive, strata=np.zeros(60, dtype=int)) == auroc(score, is_positive)


def test_strata_are_weighted_by_their_pairs():
    score, is_positive = rows(4, n=90)
    strata = np.repeat([0, 1, 2], [20, 30, 40])
    areas, pairs = [], []
    for at in range(3):
        part = strata == at
        areas.append(roc_auc_score(is_positive[part], score[part]))
        pairs.append(is_positive[part].sum() * (~is_positive[part]).sum())
    assert auroc(score, is_positive, strata=strata).value == pytest.approx(np.average(areas, weights=pairs))


def test_where_all_pairs_agree_the_interval_is_not_empty():
    found = auroc(np.arange(10.0), np.arange(10) >= 7)
    assert found == wilson_interval(1.0, 3)
    assert found.low < 0.5


def test_too_few_rows():
    assert auroc(np.array([0.1, 0.2]), np.array([True, True])) is None
    one = auroc(np.array([0.1, 0.2, 0.3]), np.array([False, True, False]))
    assert (one.value, one.low) == (0.5, None)
