"""interactions, n_fits and predict_interval, as a user meets them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

from gnbayes import GeneralizedNB, load, save


def table(n=900, seed=0):
    """The class is a product of two numbers, and whether three answers agree; the rest is noise."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, 4)), columns=["a", "b", "c", "d"])
    for name in ("u", "v", "w"):
        frame[name] = rng.choice(["yes", "no"], n)
    parity = (frame[["u", "v", "w"]] == "yes").sum(axis=1) % 2
    score = 2 * frame["a"] * frame["b"] + 3 * parity - 1.5
    return frame, (score + rng.logistic(size=n) > 0).astype(int).to_numpy()


def loss(clf, seed=1):
    X, y = table(3000, seed)
    return log_loss(y, clf.predict_proba(X))


@pytest.fixture(scope="module")
def auto():
    return GeneralizedNB().fit(*table())


def test_pairs_and_triples_are_found(auto):
    terms = [tuple(auto.features_[j].name for j in term.features) for term in auto.terms_[:8]]
    assert ("a", "b") in terms
    assert ("u", "v", "w") in terms
    assert loss(auto) < 0.85 * loss(GeneralizedNB(interactions="tree").fit(*table()))


def test_a_number_of_pairs_and_no_triples():
    clf = GeneralizedNB(interactions=2, n_fits=1).fit(*table())
    pairs = [term.features for term in clf.terms_ if len(term.features) == 2]
    assert len(pairs) == 6 + 2
    assert (0, 1) in pairs
    assert not any(len(term.features) == 3 for term in clf.terms_)


def test_terms_that_are_named_take_the_place_of_the_tree():
    clf = GeneralizedNB(interactions=[("b", "a"), (6, "u", "v")]).fit(*table())
    assert {term.features for term in clf.terms_ if len(term.features) > 1} == {(0, 1), (4, 5, 6)}
    assert loss(clf) < loss(GeneralizedNB(interactions="tree").fit(*table()))


def test_no_more_terms_than_a_person_can_look_at(auto):
    n_terms = np.bincount([len(term.features) for term in auto.terms_])
    assert n_terms[1] == 7
    assert n_terms[2] <= 3 * 7
    assert n_terms[3] <= 12  # one per feature, and 12 where features are few


def test_naive_bayes_has_terms_of_one_feature_only():
    clf = GeneralizedNB("nb").fit(*table(200))
    assert all(len(term.features) == 1 for term in clf.terms_)


@pytest.mark.slow
@pytest.mark.parametrize("parameters", [{}, pytest.param({"n_fits": 3}, marks=pytest.mark.once)])
def test_order_of_rows_and_threads_change_nothing(parameters):
    X, y = table(500)
    proba = GeneralizedNB(**parameters).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(GeneralizedNB(n_jobs=2, **parameters).fit(X, y).predict_proba(X), proba)
    order = np.random.default_rng(0).permutation(500)
    turned = GeneralizedNB(**parameters).fit(X.iloc[order], y[order]).predict_proba(X)
    np.testing.assert_allclose(turned, proba, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("parameters", [{"n_fits": 1}, {"interactions": "tree", "n_fits": 1}])
def test_two_threads_that_share_even_short_work_change_no_bit(parameters, monkeypatch):
    X, y = table(500)
    one = GeneralizedNB(**parameters).fit(X, y)
    monkeypatch.setattr("gnbayes.kernels.threads._LEAST_VALUES", 0)
    two = GeneralizedNB(n_jobs=2, **parameters).fit(X, y)
    np.testing.assert_array_equal(two.predict_proba(X), one.predict_proba(X))
    np.testing.assert_array_equal(two.predict_joint_log_proba(X), one.predict_joint_log_proba(X))
    np.testing.assert_array_equal(two.training_hashes, one.training_hashes)


@pytest.mark.parametrize("n_fits", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_files_keep_terms_and_spreads(n_fits, tmp_path):
    X, y = table(200)
    clf = GeneralizedNB(interactions=[("a", "b"), ("u", "v", "w")], n_fits=n_fits).fit(X, y)
    save(clf, tmp_path / "m.json")
    found = load(tmp_path / "m.json")
    np.testing.assert_array_equal(found.predict_interval(X), clf.predict_interval(X))
    assert found.get_params()["interactions"] == [("a", "b"), ("u", "v", "w")]
    assert found.n_fits == n_fits


@pytest.mark.parametrize("n_fits", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_intervals_hold_the_prediction_and_grow_with_the_level(n_fits):
    X, y = table(400)
    clf = GeneralizedNB(n_fits=n_fits).fit(X, y)
    proba = clf.predict_proba(X)
    narrow, wide = clf.predict_interval(X, 0.5), clf.predict_interval(X, 0.99)
    assert (narrow[..., 0] <= proba).all()
    assert (proba <= narrow[..., 1]).all()
    assert (wide[..., 0] <= narrow[..., 0]).all()
    assert (narrow[..., 1] <= wide[..., 1]).all()
    np.testing.assert_allclose(narrow[:, 0, 0], 1 - narrow[:, 1, 1], atol=1e-12)


def test_more_rows_make_intervals_narrower():
    few, many = (GeneralizedNB(interactions="tree").fit(*table(n)) for n in (200, 3000))
    X, _ = table(500, seed=5)
    widths = [np.ptp(np.log(p / (1 - p)), axis=-1).mean() for p in (m.predict_interval(X)[:, 1] for m in (few, many))]
    assert widths[1] < 0.7 * widths[0]


BAD = [
    ({"interactions": [("a", "x")]}, r"interactions names 'x', which is no column of X; columns are 'a', 'b'"),
    ({"interactions": [("a", "b", "c", "d")]}, r"must have two or three different columns, got \('a', 'b', 'c', 'd'\)"),
    ({"interactions": [("a", "a")]}, r"must have two or three different columns, got \('a', 'a'\) with 1 instead"),
    ({"interactions": ["ab"]}, r"interactions must list tuples of two or three columns, got 'ab' among them"),
    ({"interactions": [(0, 7)]}, r"interactions names 7, which is no column of X"),
    ({"interactions": "all"}, r"The 'interactions' parameter of GeneralizedNB must be"),
    ({"interactions": -1}, r"The 'interactions' parameter of GeneralizedNB must be"),
    ({"n_fits": 0}, r"The 'n_fits' parameter of GeneralizedNB must be"),
]


@pytest.mark.parametrize(("parameters", "message"), BAD)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        GeneralizedNB(**parameters).fit(*table(60))


def test_bad_levels_and_models_without_a_spread(auto):
    X, y = table(60)
    for level in (0, 1, "most"):
        with pytest.raises(ValueError, match=r"level must be a number above 0 and below 1, got .* instead"):
            auto.predict_interval(X, level)
    with pytest.raises(ValueError, match=r"predict_interval needs the spread of the terms"):
        GeneralizedNB(weighting=None).fit(X, y).predict_interval(X)
