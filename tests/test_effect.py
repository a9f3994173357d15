import csv
import io

import numpy as np
import pandas as pd
import pytest
from classifiers import counted, weighted
from scipy.stats import spearmanr
from sklearn.inspection import permutation_importance

from gnbayes import EffectDisplay, GeneralizedNB, to_effects
from gnbayes.datasets import fetch_heart

# Effects follow from the tables of the model alone.
pytestmark = pytest.mark.once


def table(n=400, seed=0):
    rng = np.random.default_rng(seed)
    age, dose = rng.normal(50, 10, n), rng.integers(0, 3, n).astype(float)
    color = rng.choice(["red", "blue", None], n)
    y = np.where(age / 10 + dose + rng.normal(0, 1, n) > 6, "ill", "well")
    visits = rng.integers(0, 30, n).astype(float)
    visits[::9] = np.nan
    return pd.DataFrame({"age": age, "dose": dose, "color": color, "visits": visits}), y


@pytest.fixture(scope="module", params=[{"interactions": "tree"}, {"weighting": None}], ids=["weighted", "counted"])
def clf(request):
    return GeneralizedNB(**request.param).fit(*table())


def test_effects_of_one_row_sum_to_its_log_odds(clf):
    """Mean scores and all effects together are the score: nothing is lost on the way to what is shown."""
    X, _ = table()
    codes = clf._codes(X)
    total = sum(term.contributions(codes) for term in clf.model_.effects)
    odds = total[:, 1] - total[:, 0]
    rest = clf.decision_function(X) - odds
    np.testing.assert_allclose(rest, rest[0], atol=1e-9)


def test_an_effect_has_values_log_odds_and_shares(clf):
    effect = clf.effect("age", label="ill")
    assert effect.label == "ill"
    assert effect.log_odds[0] < effect.log_odds[-1]
    assert effect.shares.sum() == pytest.approx(1)
    assert (effect.log_odds * effect.shares).sum() == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(effect.log_odds, -clf.effect("age").log_odds)
    np.testing.assert_allclose(effect.odds_factor, np.exp(effect.log_odds))
    assert len(effect.axes[0].labels) == len(effect.log_odds) == len(effect.axes[0].edges) + 1
    frame = effect.to_frame()
    columns = ["age", "log_odds", "odds_factor", "share_of_rows"]
    assert list(frame) == (columns if effect.spread is None else [*columns, "standard_error"])
    assert (effect.spread is None) == (clf.weighting is None)
    assert repr(effect).startswith("Effect('age' on 'ill', importance ")


def test_categories_and_gaps_are_values(clf):
    assert clf.effect("color").axes[0].labels == ("blue", "red", "missing")
    assert clf.effect(3).axes[0].labels[-1] == "missing"
    assert clf.effect("color").axes[0].edges is None


def test_a_pair_shows_what_goes_beyond_both(clf):
    pair = next(term for term in clf.terms_ if len(term.features) == 2)
    names = tuple(clf.features_[j].name for j in pair.features)
    effect = clf.effect(names)
    assert effect.name == " x ".join(names)
    assert clf.effect(names[::-1]).log_odds.shape == effect.log_odds.shape
    np.testing.assert_allclose((effect.log_odds * effect.shares).sum(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose((effect.log_odds * effect.shares).sum(axis=1), 0, atol=1e-9)
    assert len(effect.to_frame()) == effect.log_odds.size


def test_terms_and_importances_belong_together(clf):
    importances = [term.importance for term in clf.terms_]
    assert importances == sorted(importances, reverse=True)
    assert clf.feature_importances_.sum() == pytest.approx(1)
    singles = [term.features[0] for term in clf.terms_ if len(term.features) == 1]
    assert np.argmax(clf.feature_importances_) in singles[:2]


def test_what_cannot_be_shown(clf):
    with pytest.raises(ValueError, match=r"there is no feature 'weight'; the features are 'age', 'dose', 'color'"):
        clf.effect("weight")
    with pytest.raises(ValueError, match=r"'sick' is not a class; the classes are 'ill', 'well'"):
        clf.effect("age", label="sick")
    edges = {tuple(sorted(term.features)) for term in clf.terms_ if len(term.features) == 2}
    other = next((i, j) for i in range(4) for j in range(i + 1, 4) if (i, j) not in edges)
    with pytest.raises(ValueError, match=r"the model has no term of '\w+' and '\w+'; those of several features with"):
        clf.effect(other)


def test_more_than_two_classes_need_a_label():
    X, y = table()
    clf = weighted().fit(X, np.where(X["age"] > 60, "old", y))
    with pytest.raises(ValueError, match=r"label is needed with more than two classes; the classes are 'ill', 'old'"):
        clf.effect("age")
    assert clf.effect("age", "old").log_odds[-1] > 0


def test_all_effects_as_text(clf, tmp_path):
    text = to_effects(clf, tmp_path / "effects.csv")
    assert (tmp_path / "effects.csv").read_text(encoding="utf-8") == text
    lines = list(csv.DictReader(io.StringIO(text)))
    assert len(lines) == sum(term.rows.size for term in clf.terms_)
    assert {line["class"] for line in lines} == {"well"}
    age = [float(line["log_odds"]) for line in lines if line["term"] == "age"]
    np.testing.assert_array_equal(age, clf.effect("age").log_odds)


def test_formulas_among_the_names_are_escaped_on_request():
    X = pd.DataFrame({"=sum": ["@a", "b"] * 20, "n": np.arange(40.0)})
    clf = counted().fit(X, ["-ill", "+well"] * 20)
    plain, escaped = (
        list(csv.DictReader(io.StringIO(to_effects(clf, escape_formulas=escape)))) for escape in (False, True)
    )
    assert {line["class"] for line in plain} == {"-ill"}
    assert {line["class"] for line in escaped} == {"'-ill"}
    assert {line["feature"] for line in escaped} == {"'=sum", "n"}
    assert {"'@a", "b"} < {line["value"] for line in escaped}
    assert [line["log_odds"] for line in escaped] == [line["log_odds"] for line in plain]


def test_a_feature_that_never_varies_has_an_effect_of_zero():
    X = pd.DataFrame({"a": np.arange(30.0), "b": 1.0})
    effect = counted().fit(X, np.arange(30) > 14).effect("b")
    np.testing.assert_allclose(effect.log_odds, 0, atol=1e-9)


@pytest.mark.parametrize(
    "features", ["age", "color", *(pytest.param(name, marks=pytest.mark.slow) for name in ("visits", "dose"))]
)
def test_pictures(clf, features):
    display = EffectDisplay.from_estimator(clf, features, label="ill")
    assert "log-odds of ill" in display.ax_.get_title()
    display.figure_.canvas.draw()


def test_the_picture_of_a_pair(clf):
    pair = next(term for term in clf.terms_ if len(term.features) == 2)
    EffectDisplay.from_estimator(clf, pair.features).figure_.canvas.draw()


@pytest.mark.slow
def test_importances_are_those_of_the_model_that_predicts(wdbc_frame, wdbc_default):
    """Features that matter to the log-loss when they are shuffled are those with a large contribution."""
    clf = wdbc_default
    shuffled = permutation_importance(clf, *wdbc_frame, scoring="neg_log_loss", n_repeats=2, random_state=0)
    assert spearmanr(clf.feature_importances_, shuffled.importances_mean)[0] >= 0.7


@pytest.mark.data
def test_importances_of_heart_are_those_of_the_model_that_predicts():
    data = fetch_heart()
    clf = GeneralizedNB().fit(data.data, data.target)
    shuffled = permutation_importance(clf, data.data, data.target, scoring="neg_log_loss", n_repeats=5, random_state=0)
    assert spearmanr(clf.feature_importances_, shuffled.importances_mean)[0] >= 0.7


def test_features_may_be_a_list_but_not_an_empty_one():
    clf = GeneralizedNB(interactions="tree").fit(*table())
    np.testing.assert_array_equal(clf.effect(["age"]).log_odds, clf.effect("age").log_odds)
    with pytest.raises(ValueError, match=r"a column or a tuple of one to three of them, got \(\) instead"):
        clf.effect(())


def test_the_number_of_fits_is_not_a_truth_value():
    with pytest.raises(ValueError, match="n_fits must be a whole number or 'auto', got True instead"):
        GeneralizedNB(n_fits=True).fit(*table())
