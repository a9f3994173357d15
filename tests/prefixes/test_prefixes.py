import numpy as np
import pandas as pd
import pytest
from classifiers import weighted
from scipy.special import softmax

from gnbayes import GeneralizedNB
from gnbayes.base import as_batch
from gnbayes.encoding import check_table
from gnbayes.prefixes import (
    Fold,
    HeldOut,
    Means,
    beats_shares,
    choose_numbers,
    class_shares,
    evidence_of,
    means_of_rows,
    means_of_splits,
    own_folds,
    path_scores,
    surplus,
)


def batch_of(X, y, weights=None):
    return as_batch(check_table(GeneralizedNB(), X, reset=True), y, weights)


@pytest.mark.parametrize("parameters", [{"interactions": "tree"}, pytest.param({}, marks=pytest.mark.slow)], ids=str)
def test_few_features_are_the_model_of_their_columns(wdbc, parameters):
    X, y = wdbc[0][:300, :6], wdbc[1][:300]
    clf = GeneralizedNB(n_features=4, **parameters).fit(X, y)
    columns = np.sort(clf.feature_order_)
    alone = GeneralizedNB(**parameters).fit(X[:, columns], y)
    np.testing.assert_array_equal(clf.predict_proba(X), alone.predict_proba(X[:, columns]))
    assert clf.n_features_ == 4
    assert sorted(clf.tree_.order) == sorted(clf.feature_order_)


def test_all_features_are_the_model_of_all(wdbc):
    X, y = wdbc[0][:300, :6], wdbc[1][:300]
    chosen, plain = weighted(n_features=6).fit(X, y), weighted().fit(X, y)
    np.testing.assert_array_equal(chosen.predict_proba(X), plain.predict_proba(X))
    np.testing.assert_array_equal(plain.feature_order_, plain.tree_.order)


def test_a_copy_is_the_last_to_join(wdbc):
    X, y = wdbc[0][:300, :5], wdbc[1][:300]
    clf = weighted(n_features=6).fit(np.column_stack([X, 3 * X[:, 2] + 1]), y)
    assert clf.feature_order_[-1] in (2, 5)


@pytest.mark.parametrize(
    "given",
    [{}, {"class_prior": [0.2, 0.8]}, {"monotonic_cst": [1, 0, 0, -1, 0]}, {"monotonic_cst": {"a": -1, "c": 1}}],
    ids=["plain", "prior", "signs", "signs by name"],
)
@pytest.mark.parametrize("has_unknown", [False, True])
@pytest.mark.filterwarnings("ignore:.*never seen in training")
def test_scores_of_the_first_features_are_those_of_their_model(wdbc, given, has_unknown):
    X, y = pd.DataFrame(wdbc[0][:200, :4], columns=list("abcd")), wdbc[1][:200]
    X["t"] = np.where(X["a"] > 13, "large", "small")
    if has_unknown:
        X.loc[150:155, "t"] = "other"
    fold = Fold(batch_of(X[:150], y[:150]), batch_of(X[150:], y[150:]))
    clf = weighted(**given).fit(X[:150], y[:150])
    numbers = np.array([2, 5])
    found = path_scores(clf._settings(clf.classes_, 5, in_batches=False), clf.classes_, fold, numbers=numbers)
    for n, scores in zip(found.numbers, found.scores, strict=True):
        model = weighted(n_features=int(n), **given).fit(X[:150], y[:150])
        np.testing.assert_array_equal(model.feature_order_, found.order[:n])
        np.testing.assert_allclose(model.predict_proba(X[150:]), softmax(scores, axis=1), atol=1e-12)


@pytest.mark.slow
def test_the_order_of_rows_does_not_matter(wdbc):
    X, y = wdbc[0][:200, :6], wdbc[1][:200]
    shuffled = np.random.default_rng(0).permutation(200)
    first, second = (
        GeneralizedNB(n_features="auto").fit(X, y),
        GeneralizedNB(n_features="auto").fit(X[shuffled], y[shuffled]),
    )
    np.testing.assert_array_equal(first.feature_order_, second.feature_order_)
    np.testing.assert_array_equal(first.predict_proba(X), second.predict_proba(X))


@pytest.mark.slow
def test_a_wide_table_keeps_the_most_informative_columns():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 330)), rng.integers(0, 2, 120)
    X[:, 7] += 2.5 * y
    clf = GeneralizedNB(n_features=2).fit(X, y)
    assert clf.feature_order_[0] == 7
    columns = np.sort(clf.feature_order_)
    alone = GeneralizedNB().fit(X[:, columns], y)
    np.testing.assert_array_equal(clf.predict_proba(X), alone.predict_proba(X[:, columns]))
    assert choose_numbers(330)[-2:].tolist() == [300, 330]
    assert choose_numbers(9000)[-2:].tolist() == [300, 2000]


def test_folds_hold_every_row_once_and_keep_its_class_shares():
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame({"a": rng.normal(size=103), "t": rng.choice(["x", "y", None], 103)}), rng.integers(0, 2, 103)
    folds = own_folds(batch_of(X, y))
    assert len(folds) == 5
    assert sum(len(fold.test.labels) for fold in folds) == 103
    for fold in folds:
        assert len(fold.train.labels) + len(fold.test.labels) == 103
        assert abs(fold.test.labels.sum() - y.sum() / 5) < 1.5


def test_folds_spread_equal_rows_and_keep_copies_together():
    rng = np.random.default_rng(0)
    few = rng.integers(0, 2, (200, 2)).astype(float)
    folds = own_folds(batch_of(few, rng.integers(0, 2, 200)))
    assert all(len(fold.test.labels) == 8 for fold in folds)  # the 4 kinds of rows in both classes
    assert sum(fold.test.weights.sum() for fold in folds) == 200
    X, y = rng.normal(size=(60, 3)), np.arange(60) % 2
    copies = own_folds(batch_of(np.tile(X, (3, 1)), np.tile(y, 3)))
    for fold in copies:
        test, train = ({tuple(row) for row in np.stack(part.table.columns, axis=1)} for part in (fold.test, fold.train))
        assert not test & train


def test_equal_rows_with_fractional_weights_go_to_folds_one_by_one():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (200, 2)).astype(float), rng.integers(0, 2, 200)
    weights = np.exp(1e-3 * rng.normal(size=200))
    plain, folds = own_folds(batch_of(X, y)), own_folds(batch_of(X, y, weights))
    np.testing.assert_allclose(sum(fold.test.weights.sum() for fold in folds), 200)  # their mean is 1
    for fold, expected in zip(folds, plain, strict=True):
        assert len(fold.train.labels) + len(fold.test.labels) == 200
        for part, whole in ((fold.train, expected.train), (fold.test, expected.test)):
            rows = np.column_stack([*part.table.columns, part.labels])
            single = np.column_stack([*whole.table.columns, whole.labels])
            kinds, n_rows = np.unique(rows, axis=0, return_counts=True)
            order = np.lexsort(single.T[::-1])
            np.testing.assert_array_equal(kinds, single[order])
            np.testing.assert_array_equal(n_rows, whole.weights[order])
    X = rng.normal(size=(200, 2))
    copies = own_folds(batch_of(np.tile(X, (3, 1)), np.tile(y, 3), np.tile(weights, 3)))
    for fold in copies:
        test, train = ({tuple(row) for row in np.stack(part.table.columns, axis=1)} for part in (fold.test, fold.train))
        assert not test & train


@pytest.mark.slow
def test_whole_weights_are_as_good_as_repeated_rows(wdbc):
    X, y = wdbc[0][:120, :4], wdbc[1][:120]
    weights = np.random.default_rng(0).integers(0, 3, 120)
    heavy = GeneralizedNB(n_features="few").fit(X, y, sample_weight=weights)
    repeated = GeneralizedNB(n_features="few").fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_array_equal(heavy.feature_order_, repeated.feature_order_)
    np.testing.assert_array_equal(heavy.predict_proba(X), repeated.predict_proba(X))


@pytest.mark.slow
def test_a_class_of_one_row_is_never_to_be_scored():
    X, y = np.random.default_rng(0).normal(size=(41, 2)), np.array([0, 1] * 20 + [2])
    for fold in own_folds(batch_of(X, y)):
        assert set(fold.test.labels) <= set(fold.train.labels)
    assert weighted(n_features="auto").fit(X, y).n_features_ in (1, 2)


def test_numbers_grow_by_a_tenth():
    numbers = choose_numbers(200)
    assert numbers[:30].tolist() == list(range(1, 31))
    assert numbers[-1] == 200
    assert (np.diff(numbers[29:]) <= 0.1 * numbers[29:-1] + 1).all()


def test_rules_on_made_up_losses():
    losses = np.array([[1.0, 0.5, 0.4], [3.0, 1.4, 1.6], [2.0, 1.3, 1.0]])
    means = means_of_rows([losses], [np.ones(3)])
    np.testing.assert_allclose(means.mean, losses.mean(axis=0))
    np.testing.assert_allclose(means.errors, losses.std(axis=0, ddof=1) / np.sqrt(3))
    differences = losses - losses[:, [2]]
    np.testing.assert_allclose(means.paired, differences.std(axis=0, ddof=1) / np.sqrt(3))
    assert [means.at(rule) for rule in ("best", "auto", "few")] == [2, 1, 1]


def fewest_clearly_better_than_all(rows):
    """The rule of wide tables, literally, from the losses of rows."""
    n, m = rows.shape
    means = [rows[:, t].mean() for t in range(m)]
    best = min(range(m), key=lambda t: (means[t], t))

    def error(one, other):
        return (rows[:, one] - rows[:, other]).std(ddof=1) / np.sqrt(n)

    for t in range(m):
        is_near_best = means[t] - means[best] <= error(t, best) + 1e-12
        is_clearly_better = means[-1] - means[t] >= 2.5 * error(t, m - 1) - 1e-12
        if is_near_best and is_clearly_better:
            return t
    return m - 1


def test_in_wide_tables_auto_is_clearly_better_than_all_features_or_all():
    rng, found = np.random.default_rng(0), set()
    for _ in range(200):
        rows = rng.normal(1, 0.3, (15, 1)) + rng.normal(0, 0.1, (15, 6)) + rng.normal(0, 0.08, 6)
        means = means_of_rows([rows], [np.ones(15)], is_wide=True)
        found.add(means.at("auto"))
        assert means.at("auto") == fewest_clearly_better_than_all(rows)
        np.testing.assert_allclose(means_of_splits(rows, is_wide=True).to_all, means.to_all)
    assert found == set(range(6))


def test_a_model_that_beats_the_class_shares_has_learned_something():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 300)
    for strength, expected in ((0.0, False), (0.02, False), (2.0, True)):
        scores = rng.normal(size=(300, 3)) + strength * np.eye(3)[labels]
        shares = np.bincount(labels) / 300
        probabilities = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        gain = np.log(probabilities[np.arange(300), labels]) - np.log(shares[labels])
        literal = gain.mean() > 2 * gain.std(ddof=1) / np.sqrt(300)
        assert beats_shares(-np.log(probabilities[np.arange(300), labels]), labels, np.ones(300)) == literal
        assert literal == expected


def told(proba, labels, groups=None):
    """One split of rows as they are told by models, shape (m, n, k)."""
    shares = class_shares([labels], [np.ones(len(labels))], proba.shape[2])
    losses = -np.log(proba[:, np.arange(len(labels)), labels]).T
    apart = np.stack([surplus(one, labels, shares) for one in proba], axis=1)
    return HeldOut(losses, apart, labels, np.ones(len(labels)), groups)


def literally_above(values, n_errors):
    return values.mean() > n_errors * values.std(ddof=1) / np.sqrt(len(values))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_evidence_is_of_the_best_number_and_of_the_average(n_classes):
    rng, found = np.random.default_rng(0), set()
    for _ in range(300):
        labels = rng.integers(0, n_classes, 60)
        strength = rng.uniform(0, 2, (3, 1, 1)) * rng.integers(0, 2)
        scores = rng.uniform(0.1, 2) * (rng.normal(size=(3, 60, n_classes)) + strength * np.eye(n_classes)[labels])
        proba = softmax(scores, axis=2)
        split, shares = told(proba, labels), np.bincount(labels, minlength=n_classes) / 60
        gains = -np.log(shares[labels])[:, None] - split.losses
        best, on_average = gains.mean(axis=0).argmax(), literally_above(split.surplus.mean(axis=1), 3)
        has_learned = [gains[:, at].mean() > 0 and literally_above(split.surplus[:, at], 3) for at in (best, -1)]
        evidence = evidence_of([split])
        assert evidence.of_any == ((on_average and has_learned[0]) or literally_above(gains[:, best], 2))
        assert evidence.of_all == (on_average and has_learned[1])
        found.add((evidence.of_any, evidence.of_all))
    assert {(False, False), (True, False), (True, True)} <= found


def test_probabilities_that_are_the_same_for_all_rows_say_nothing():
    rng = np.random.default_rng(0)
    labels = rng.choice(3, 90, p=[0.7, 0.2, 0.1])
    for constant in ([0.7, 0.2, 0.1], [1 / 3, 1 / 3, 1 / 3], [0.05, 0.05, 0.9]):
        split = told(np.tile(constant, (2, 90, 1)), labels)
        np.testing.assert_allclose(split.surplus.mean(axis=0), 0, atol=1e-12)
        evidence = evidence_of([split])
        assert (evidence.of_any, evidence.of_all) == (False, False)


def test_evidence_allows_for_groups():
    labels = np.arange(20) % 2
    scores = np.random.default_rng(2).normal(size=(1, 20, 2)) + 0.9 * np.eye(2)[labels]
    once = told(softmax(scores, axis=2), labels)
    many = told(softmax(np.tile(scores, (1, 20, 1)), axis=2), np.tile(labels, 20), np.tile(np.arange(20), 20))
    assert evidence_of([many]) == evidence_of([once])
    assert not evidence_of([once]).of_any
    assert evidence_of([HeldOut(many.losses, many.surplus, many.labels, many.weights)]).of_any


def test_without_evidence_rules_use_the_fewest_features():
    means = Means(np.array([1.0, 0.6, 0.2]), np.full(3, 0.01), np.full(3, 0.01), np.zeros(3), has_learned=False)
    assert [means.at(rule) for rule in ("best", "auto", "few")] == [2, 0, 0]


def test_splits_have_errors_of_their_own():
    values = np.array([[1.0, 0.4], [2.0, 0.6]])
    means = means_of_splits(values)
    np.testing.assert_allclose(means.errors, values.std(axis=0, ddof=1) / np.sqrt(2))
    assert np.isnan(means_of_splits(values[:1]).errors).all()


def test_few_is_never_more_than_auto():
    rng = np.random.default_rng(0)
    for _ in range(50):
        mean, errors = rng.random(8), 0.3 * rng.random(8)
        means = Means(mean, errors, 0.2 * rng.random(8))
        assert means.at("few") <= means.at("auto") <= means.at("best")


@pytest.mark.parametrize("rule", ["auto", "few"])
def test_rules_need_all_rows_and_a_known_word(rule, wdbc):
    with pytest.raises(ValueError, match="The 'n_features' parameter of GeneralizedNB must be"):
        GeneralizedNB(n_features="most").fit(*wdbc)
    with pytest.raises(ValueError, match=f"n_features='{rule}' needs all rows at once; use fit, or give a number"):
        GeneralizedNB(n_features=rule, weighting=None).partial_fit(*wdbc, classes=[0, 1])
    with pytest.raises(ValueError, match="n_features is 31, but X has only 30 columns"):
        GeneralizedNB(n_features=31).fit(*wdbc)
