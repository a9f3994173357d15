"""Curve, selector, classifier, shell and page: the same model, the same order, the same numbers."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline

from gnbayes import GeneralizedNB, GNBSelector, selection_curve
from gnbayes.selection import predict_prefixes

# Curves are of models whose pairs are those of the tree, fitted once.
PLAIN = {name: value for name, value in {"interactions": "tree", "n_fits": 1}.items() if hasattr(GeneralizedNB(), name)}
RULES = {"auto": "within_noise", "few": "one_standard_error"}


@pytest.fixture(scope="module")
def patients():
    """A table with a number that has gaps, text, a copy and noise."""
    rng = np.random.default_rng(3)
    n = 260
    a, b, noise = rng.normal(size=(3, n))
    t = rng.choice(["no", "some", "much"], n)
    y = np.where(a + 0.8 * b + (t == "much") + rng.normal(0, 0.6, n) > 0.3, "ill", "well")
    frame = pd.DataFrame({"noise": noise, "a": a, "t": t, "copy": 2 * a, "b": b})
    frame.loc[::7, "b"] = np.nan
    return frame, y


@pytest.fixture(scope="module")
def curve(patients):
    return selection_curve(GeneralizedNB(), *patients, scoring=["accuracy", "neg_log_loss"])


@pytest.mark.slow
def test_curve_and_classifier_have_the_same_order(patients, curve):
    X, y = patients
    clf = GeneralizedNB(n_features=5).fit(X, y)
    assert curve.order == tuple(X.columns[clf.feature_order_])
    assert curve.order[-1] in ("a", "copy")
    for n in (1, 3):
        fewer = GeneralizedNB(n_features=n).fit(X, y)
        assert curve.order[:n] == tuple(X.columns[fewer.feature_order_])


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_curve_and_classifier_choose_the_same_number(patients, curve, rule):
    clf = GeneralizedNB(n_features=rule).fit(*patients)
    assert clf.n_features_ == getattr(curve, RULES[rule])("neg_log_loss")


@pytest.mark.parametrize("weighting", [None, pytest.param("discriminative", marks=pytest.mark.slow)])
@pytest.mark.parametrize("rule", RULES)
def test_class_weights_do_not_weigh_the_scores_that_choose_a_number(rule, weighting):
    rng = np.random.default_rng(0)
    z, noise = rng.normal(size=(2, 400))
    X = np.column_stack([z + rng.normal(size=400), noise, z + 0.5 * rng.normal(size=400), rng.normal(size=400)])
    y = (z + 0.5 * rng.normal(size=400) > 1).astype(int)
    clf = GeneralizedNB(weighting=weighting, class_weight={0: 1, 1: 20}, **PLAIN)
    chosen = getattr(selection_curve(clf, X, y, scoring="neg_log_loss"), RULES[rule])("neg_log_loss")
    assert clone(clf).set_params(n_features=rule).fit(X, y).n_features_ == chosen


@pytest.mark.slow
def test_every_point_is_the_model_that_the_classifier_is(patients):
    X, y = patients
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    curve = selection_curve(GeneralizedNB(), X, y, cv=cv, scoring="neg_log_loss")
    for split, (train, test) in enumerate(cv.split(X, y)):
        for n in (1, 2, 5):
            clf = GeneralizedNB(n_features=n, **PLAIN).fit(X.iloc[train], y[train])
            loss = log_loss(y[test], clf.predict_proba(X.iloc[test]))
            assert -curve.scores["neg_log_loss"][split, n - 1] == pytest.approx(loss, abs=1e-12)
            assert curve.orders[split][:n] == tuple(X.columns[clf.feature_order_])


@pytest.mark.slow
def test_the_score_of_the_final_model_stands_beside(patients):
    X, y = patients
    cv = StratifiedKFold(2)
    curve = selection_curve(GeneralizedNB(), X, y, cv=cv, scoring="neg_log_loss")
    for split, (train, test) in enumerate(cv.split(X, y)):
        proba = GeneralizedNB().fit(X.iloc[train], y[train]).predict_proba(X.iloc[test])
        assert -curve.final["neg_log_loss"][split] == pytest.approx(log_loss(y[test], proba), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("n_features", [2, "auto", "few", "best"])
def test_selector_and_curve(patients, curve, n_features):
    X, y = patients
    selector = GNBSelector(n_features=n_features).fit(X, y)
    number = {
        2: 2,
        "auto": curve.within_noise("neg_log_loss"),
        "few": curve.one_standard_error("neg_log_loss"),
        "best": curve.best("neg_log_loss"),
    }[n_features]
    assert set(selector.get_feature_names_out()) == set(curve.order[:number])


@pytest.mark.parametrize(
    ("n_features", "parameters"),
    [(3, PLAIN), *(pytest.param(n_features, {}, marks=pytest.mark.slow) for n_features in (3, "few"))],
)
def test_selector_in_a_pipeline_and_classifier(patients, n_features, parameters):
    X, y = patients
    model = GeneralizedNB(**parameters)
    pipeline = make_pipeline(GNBSelector(model, n_features=n_features), model).fit(X, y)
    clf = GeneralizedNB(n_features=n_features, **parameters).fit(X, y)
    np.testing.assert_allclose(pipeline.predict_proba(X), clf.predict_proba(X), rtol=0, atol=1e-12)


def run(*arguments):
    command = [sys.executable, "-m", "gnbayes", *map(str, arguments)]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


@pytest.fixture(scope="module")
def file(patients, tmp_path_factory):
    path = tmp_path_factory.mktemp("agreement") / "patients.csv"
    patients[0].assign(y=patients[1]).to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_shell_and_curve(curve, file):
    told = run("select", file, "--target", "y", "--json")
    assert tuple(told["order"]) == curve.order
    np.testing.assert_allclose(told["scores"]["neg_log_loss"], curve.mean("neg_log_loss"), atol=1e-12)
    np.testing.assert_allclose(told["errors"]["neg_log_loss"], curve.errors["neg_log_loss"], atol=1e-12)
    assert told["final"]["neg_log_loss"] == pytest.approx(curve.final["neg_log_loss"].mean(), abs=1e-12)
    assert told["best"] == curve.best("neg_log_loss")
    assert told["auto"] == curve.within_noise("neg_log_loss")
    assert told["one_standard_error"] == curve.one_standard_error("neg_log_loss")


@pytest.mark.slow
@pytest.mark.parametrize("n_features", ["3", "few"])
def test_fit_and_select_of_the_shell(curve, file, n_features):
    told = run("fit", file, "--target", "y", "--n-features", n_features, "--no-score", "--json")
    number = 3 if n_features == "3" else curve.one_standard_error("neg_log_loss")
    used = {part["feature"] for part in told["model"]["important"]}
    assert used == set(curve.order[:number])


@pytest.mark.slow
def test_groups_stay_together_and_weights_count(patients):
    X, y = patients
    groups = np.arange(len(y)) // 5
    grouped = selection_curve(GeneralizedNB(), X, y, cv=GroupKFold(3), groups=groups, scoring="neg_log_loss")
    assert grouped.scores["neg_log_loss"].shape == (3, 5)
    weights = np.where(y == "ill", 2.0, 1.0)
    weighted = selection_curve(GeneralizedNB(), X, y, sample_weight=weights, scoring=["neg_log_loss", "roc_auc"])
    clf = GeneralizedNB(n_features="few").fit(X, y, sample_weight=weights)
    assert clf.n_features_ == weighted.one_standard_error("neg_log_loss")


@pytest.fixture(scope="module")
def visits():
    """Eight rows of each of 30 patients: weight names the patient, and only dose is informative about new ones."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 8)
    dose = rng.normal(size=30)
    y = (dose + rng.normal(0, 1.5, 30) > 0).astype(int)[groups]
    weight = rng.normal(size=30)[groups] + rng.normal(0, 1e-3, 240)
    dose = dose[groups] + rng.normal(0, 0.3, 240)
    return pd.DataFrame({"weight": weight, "dose": dose, "noise": rng.normal(size=240)}), y, groups


@pytest.mark.slow
def test_groups_count_in_every_order(visits):
    X, y, groups = visits
    model = GeneralizedNB(**PLAIN)
    curve = selection_curve(model, X, y, groups=groups, scoring="neg_log_loss")
    selector = GNBSelector(model, n_features=1).fit(X, y, groups=groups)
    clf = GeneralizedNB(n_features=3, **PLAIN).fit(X, y, groups=groups)
    assert curve.order[0] == "dose"
    assert tuple(X.columns[selector.order_]) == curve.order
    assert tuple(X.columns[clf.feature_order_]) == curve.order
    # Without groups patients are told by their weight.
    assert GNBSelector(model, n_features=1).fit(X, y).get_feature_names_out().tolist() == ["weight"]


@pytest.mark.slow
def test_groups_count_in_the_order_of_the_page(visits):
    X, y, groups = visits
    folds = list(GroupKFold(2).split(X, y, groups))
    curve = selection_curve(GeneralizedNB(**PLAIN), X, y, cv=folds, groups=groups, scoring="neg_log_loss")
    found = predict_prefixes(GeneralizedNB(**PLAIN), X, y, folds, [1, 2], groups)
    assert tuple(tuple(X.columns[order]) for order in found.orders) == curve.orders
    for at, (_, test) in enumerate(folds):
        assert -log_loss(y[test], found.proba[1][test]) == pytest.approx(curve.scores["neg_log_loss"][at, 1], abs=1e-12)


@pytest.mark.slow
def test_groups_count_in_the_shell(visits, tmp_path):
    X, y, groups = visits
    X.assign(y=y, patient=groups).to_csv(tmp_path / "visits.csv", index=False)
    words = (tmp_path / "visits.csv", "--target", "y", "--group", "patient", "--interactions", "tree", "--json")
    curve = selection_curve(GeneralizedNB(interactions="tree"), X, y, groups=groups, scoring="neg_log_loss")
    told = run("select", *words)
    assert tuple(told["order"]) == curve.order
    np.testing.assert_allclose(told["scores"]["neg_log_loss"], curve.mean("neg_log_loss"), atol=1e-12)
    fitted = run("fit", *words, "--n-features", "1", "--no-score")
    assert {part["feature"] for part in fitted["model"]["important"]} == set(curve.order[:1])


@pytest.mark.slow
def test_the_order_of_the_tree_on_request(patients):
    X, y = patients
    tree = selection_curve(GeneralizedNB(), X, y, order="tree", scoring="neg_log_loss", cv=3)
    chosen = GNBSelector(n_features=2, order="tree").fit(X, y)
    assert set(chosen.get_feature_names_out()) == set(tree.order[:2])
    assert GNBSelector(n_features=0.3, order="tree").fit(X, y).n_features_ < 5
    with pytest.raises(ValueError, match=r"n_features=0.3 is a share of the tree's weight, and this order is not"):
        GNBSelector(n_features=0.3).fit(X, y)


def test_of_the_first_pair_the_more_informative_feature_begins(wdbc):
    paper = GeneralizedNB.as_published(n_features=30).fit(*wdbc)
    ours = GeneralizedNB("gnb-a", n_bins=5, weighting=None, n_features=30).fit(*wdbc)
    alone = [GeneralizedNB("nb", n_bins=5, weighting=None).fit(wdbc[0][:, [j]], wdbc[1]).weight_ for j in range(30)]
    assert paper.feature_order_[0] < paper.feature_order_[1]
    assert alone[ours.feature_order_[0]] > alone[ours.feature_order_[1]]
    whole = GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(*wdbc)
    assert ours.weight_ == pytest.approx(whole.weight_, abs=1e-10)


@pytest.mark.slow
def test_prices_come_before_what_they_buy(patients):
    X, y = patients
    prices = {"noise": 1, "a": 100, "t": 1, "copy": 100, "b": 0}
    curve = selection_curve(GeneralizedNB(), X, y, costs=prices, scoring="neg_log_loss")
    assert curve.order[0] == "b"
    np.testing.assert_allclose(curve.costs[-1], sum(prices.values()))
    assert (np.diff(curve.costs) >= 0).all()
    assert GNBSelector(n_features=1, costs=prices).fit(X, y).get_feature_names_out().tolist() == ["b"]


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"noise": 1, "a": 1, "t": 1, "copy": 1}, "costs must have an entry for every column, and 'b' has none"),
        (
            {"noise": 1, "a": -1, "t": 1, "copy": 1, "b": 1},
            "costs must be numbers from 0, got -1 for column 'a' instead",
        ),
        ({"noise": 1, "a": "x", "t": 1, "copy": 1, "b": 1}, "costs must be numbers from 0, got 'x' for column 'a'"),
        (
            {"noise": 1, "a": 1, "t": 1, "copy": 1, "b": 1, "z": 1},
            "costs has an entry for 'z', which is not a column of X",
        ),
        ([1, 2], "costs must be one number for each of the 5 columns, got 2 numbers instead"),
        (7, "costs must be one number for each of the 5 columns, got 7 instead"),
        ([1, 2, 3, np.nan, 5], "costs must be numbers from 0, got nan for column 'copy' instead"),
        ({1, 2, 3, 4, 5}, "costs must be a mapping of columns to costs, or one cost per column .* got a set instead"),
        (pd.DataFrame({"price": [1] * 5}), "costs must be a mapping of columns to costs, .* got a DataFrame instead"),
        (np.ones((5, 2)), "costs must be a mapping of columns to costs, .* got a ndarray instead"),
    ],
)
def test_wrong_prices(patients, costs, message):
    with pytest.raises(ValueError, match=message):
        selection_curve(GeneralizedNB(), *patients, costs=costs)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"interactions": [("a", "z")]}, "interactions names 'z', which is no column of X"),
        ({"monotonic_cst": {"z": 1}}, "monotonic_cst names 'z', which is no column of X"),
        ({"monotonic_cst": [1, 0]}, "monotonic_cst must have one entry per column, 5, got 2 instead"),
        ({"monotonic_cst": [2, 0, 0, 0, 0]}, "monotonic_cst must be -1, 0 or 1 for each column, got 2 instead"),
    ],
)
def test_columns_that_are_not_there_are_refused_before_any_work(patients, monkeypatch, given, message):
    def work(*_, **__):
        raise AssertionError("work has begun")

    monkeypatch.setattr("gnbayes.prefixes.order.learn_codes", work)
    X, y = patients
    with pytest.raises(ValueError, match=message):
        selection_curve(GeneralizedNB(**given), X, y)
    for n_features in (2, "few"):
        with pytest.raises(ValueError, match=message):
            GeneralizedNB(n_features=n_features, **given).fit(X, y)


def test_what_cannot_be_done(patients):
    X, y = patients
    with pytest.raises(ValueError, match="costs need order='auto' and a model with weighting"):
        selection_curve(GeneralizedNB(), X, y, costs=[1] * 5, order="tree")
    with pytest.raises(ValueError, match="order must be 'auto' or 'tree', got 'best' instead"):
        selection_curve(GeneralizedNB(), X, y, order="best")
    for cv in ("loo", "prefit"):
        with pytest.raises(ValueError, match=f"cv='{cv}' is for weighting=None: the first features of a weighted"):
            selection_curve(GeneralizedNB(), X, y, cv=cv)


@pytest.mark.slow
def test_stability_counts_splits(curve):
    for n in (1, 3, 5):
        shares = curve.stability(n)
        assert sum(shares.values()) == pytest.approx(n)
        assert max(shares.values()) <= 1
        for name, share in shares.items():
            assert share == np.mean([name in order[:n] for order in curve.orders])
    assert curve.is_stable(5)
    for number in (6, 0, 2.5, "few", True, None):
        with pytest.raises(ValueError, match=f"n_features must be a whole number from 1 to 5, got {number!r} instead"):
            curve.stability(number)


@pytest.mark.slow
def test_a_choice_among_noise_is_unstable():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 25)), rng.integers(0, 2, 80)
    curve = selection_curve(GeneralizedNB("nb"), X, y, scoring="neg_log_loss")
    assert not curve.is_stable(3)
    assert curve.is_stable(25)  # there is nothing to choose
    # Most features are among the first 22 by chance.
    assert np.mean([curve.stability(22).get(name, 0.0) for name in curve.order[:22]]) > 0.8
    assert not curve.is_stable(22)


def test_scores_that_cannot_be_computed_are_refused_before_any_work(monkeypatch):
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.append(np.arange(59) % 2, 2)
    monkeypatch.setattr("gnbayes.selection.scoring.score_split", None)
    with pytest.raises(ValueError, match="'roc_auc_ovr' cannot be computed in split 1, where not all classes have"):
        selection_curve(GeneralizedNB(), X, y, scoring="roc_auc_ovr")
