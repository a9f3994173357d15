from dataclasses import replace

import numpy as np
import pytest
from fitting import build
from hypothesis import given
from hypothesis import strategies as st
from sklearn.naive_bayes import CategoricalNB
from strategies import coded_rows

from gnbayes import SelectiveNB
from gnbayes.counting import CodedRows, count
from gnbayes.model import leave_one_out_losses, leave_one_out_prefixes
from gnbayes.relatives import selective_nb
from gnbayes.relatives.selective_nb import choose_features
from gnbayes.structure import Tree, naive


def literal(codes, y, alpha):
    """Forward selection with a refit of scikit-learn's naive Bayes for every row that is left out."""
    cardinalities, index = codes.max(axis=0).astype(np.intp) + 1, np.arange(len(y))

    def loss(columns):
        own = []
        for i in index:
            clf = CategoricalNB(alpha=alpha, min_categories=cardinalities[columns])
            clf.fit(codes[index != i][:, columns], y[index != i])
            own.append(clf.predict_log_proba(codes[[i]][:, columns])[0, y[i]])
        return -np.mean(own)

    chosen, losses = [], []
    while len(chosen) < codes.shape[1]:
        candidates = {j: loss([*chosen, j]) for j in range(codes.shape[1]) if j not in chosen}
        best = min(candidates, key=candidates.get)
        if losses and candidates[best] >= losses[-1]:
            break
        chosen.append(best)
        losses.append(candidates[best])
    return chosen, losses


@pytest.mark.parametrize("alpha", [0.5, 1.0])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_equals_real_refits(random_codes, alpha, seed):
    codes, y = random_codes
    rows = np.random.default_rng(seed).permutation(len(y))[:60]
    codes, y = codes[rows][:, 1:6], y[rows]
    clf = SelectiveNB(alpha=alpha, categorical_features=range(5)).fit(codes, y)
    chosen, losses = literal(codes, y, alpha)
    assert clf.feature_order_.tolist() == chosen
    assert clf.n_features_ == len(chosen)
    np.testing.assert_allclose(clf.losses_, losses, rtol=1e-9)


def test_probabilities_are_those_of_naive_bayes_on_the_chosen_columns(random_codes):
    codes, y = random_codes
    clf = SelectiveNB(categorical_features=range(7)).fit(codes, y)
    assert clf.n_features_ > 1
    theirs = CategoricalNB().fit(codes[:, clf.feature_order_], y).predict_proba(codes[:, clf.feature_order_])
    np.testing.assert_allclose(clf.predict_proba(codes), theirs, rtol=1e-9)


@given(rows=coded_rows(min_rows=3, min_classes=2), data=st.data())
def test_losses_are_those_of_the_leave_one_out_curve(rows, data):
    if data.draw(st.booleans()):
        rows = replace(rows, weights=np.array([data.draw(st.sampled_from([1.0, 2.0, 0.5])) for _ in rows.labels]))
    prior = np.arange(rows.n_classes) / np.arange(rows.n_classes).sum() if data.draw(st.booleans()) else None
    model, counts = build(rows, naive), count(rows)
    order, losses = choose_features(model, counts, rows, 1.0, prior)
    chosen = replace(model, tree=Tree(model.tree.mother, order, np.zeros(len(order))))
    prefixes = leave_one_out_prefixes(chosen, counts, rows, "additive", 1.0, prior)
    with np.errstate(invalid="ignore"):  # a class of prior 0 and nothing else
        expected = leave_one_out_losses(prefixes, rows)
    np.testing.assert_allclose(losses, expected, rtol=1e-9, atol=1e-12)
    assert (np.diff(losses) < 0).all()


def test_copies_and_noise_are_not_chosen():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1000)
    sign = np.where(rng.random(1000) < 0.8, y, 1 - y)
    X = np.column_stack([rng.integers(0, 5, 1000), sign, sign, sign])
    clf = SelectiveNB().fit(X, y)
    assert clf.feature_order_.tolist() == [1]


def test_what_is_not_chosen_may_hold_anything(recwarn):
    X = np.array([[0, 0], [1, 0], [0, 1], [1, 1]] * 25)
    clf = SelectiveNB().fit(X, X[:, 0])
    assert clf.feature_order_.tolist() == [0]
    clf.predict([[0, 17]])
    assert not recwarn


def test_terms_that_are_not_kept_give_the_same(random_codes, monkeypatch):
    codes, y = random_codes
    rows = CodedRows(codes, y, codes.max(axis=0).astype(np.intp) + 1, 3)
    kept = choose_features(build(rows, naive), count(rows), rows, 1.0)
    monkeypatch.setattr(selective_nb, "_MAX_KEPT_BYTES", 0)
    for mine, theirs in zip(choose_features(build(rows, naive), count(rows), rows, 1.0), kept, strict=True):
        np.testing.assert_array_equal(mine, theirs)
