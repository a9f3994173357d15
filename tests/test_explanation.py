import json

import numpy as np
import pandas as pd
import pytest
from classifiers import counted
from sklearn.datasets import load_iris

from gnbayes import GeneralizedNB
from gnbayes.explanation import toward_text


def table(n=120, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.choice(["ill", "well"], n)
    age = rng.normal(50, 9, n).round() + 12 * (y == "ill")
    frame = pd.DataFrame({"age": age, "color": rng.choice(["red", "blue"], n), "weight": age + rng.normal(0, 2, n)})
    frame["stage"] = rng.integers(1, 4, n).astype(float)
    frame.loc[::6, "stage"] = np.nan
    return frame, y


@pytest.mark.parametrize("structure", ["gnb-a", "gnb-o", "tan", "nb"])
@pytest.mark.parametrize("smoothing", ["additive", "backoff", "paper", "repair"])
@pytest.mark.parametrize("n_features", [None, 2])
@pytest.mark.filterwarnings("ignore:.* never seen in training:UserWarning")
def test_base_and_contributions_sum_to_the_log_joint(structure, smoothing, n_features):
    frame, y = table()
    clf = counted(structure, smoothing=smoothing, n_features=n_features).fit(frame, y)
    rng = np.random.default_rng(1)
    odd = frame.astype(object).mask(rng.random(frame.shape) < 0.4, None)
    odd.loc[::5, "color"] = "green"
    explanation = clf.explain(odd)
    joint = clf.predict_joint_log_proba(odd)
    np.testing.assert_allclose(explanation.scores, joint, rtol=0, atol=1e-12)
    np.testing.assert_allclose(explanation.proba, clf.predict_proba(odd), atol=1e-12)


def test_text_says_value_mother_factor_and_class():
    frame, y = table()
    clf = counted().fit(frame, y)
    explanation = clf.explain(frame[:1])
    text = explanation.text(positive="ill")
    lines = text.splitlines()
    assert lines[0].startswith("ill against well: odds x ")
    assert len(lines) == 2 + 4
    assert "given" in text
    assert "toward ill" in text or "toward well" in text
    assert explanation.text(n=2, positive="ill").endswith("\n  ...")
    odds, swapped = explanation.log_odds(0, "ill", "well"), explanation.log_odds(0, "well", "ill")
    assert odds.base == -swapped.base
    np.testing.assert_array_equal(odds.terms, -swapped.terms)
    assert odds.total == pytest.approx(-swapped.total)
    assert f"age = {frame['age'][0]:g}" in text


def test_missing_and_unseen_values_are_said_as_such():
    frame, y = table()
    clf = counted().fit(frame, y)
    odd = frame[:1].astype(object)
    odd.loc[0, ["age", "stage"]] = None
    odd.loc[0, "color"] = "green"
    with pytest.warns(UserWarning, match="1 values of X were never seen in training"):
        text = clf.explain(odd).text()
    assert "stage missing" in text
    assert "age =" not in text
    assert "color =" not in text
    assert "given age unknown" in text or "given color unknown" in text


def test_of_more_classes_the_first_is_weighed_against_the_second():
    X, y = load_iris(return_X_y=True)
    explanation = counted().fit(X, y).explain(X[[70]])
    ranked = np.argsort(-explanation.scores[0])
    assert explanation.against(0) == (ranked[0], ranked[1])
    assert explanation.against(0, positive=0) == (0, ranked[0] if ranked[0] != 0 else ranked[1])
    assert explanation.against(0, negative=ranked[0]) == (ranked[1], ranked[0])
    with pytest.raises(ValueError, match="positive and negative must be two classes, got 1 twice"):
        explanation.against(0, 1, 1)
    with pytest.raises(ValueError, match="'setosa' is not a class; the classes are"):
        explanation.against(0, "setosa")


def test_extreme_odds_are_said_by_their_power_of_ten():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = pd.DataFrame({f"f{j}": y for j in range(300)})
    text = counted("nb").fit(X, y).explain(X[y == 1][:1]).text(n=1)
    assert "odds x 1e4" in text
    assert "more than 0.999" in text


def test_a_factor_of_one_speaks_for_nobody():
    assert toward_text(1e-9, "a", "b") == "x 1"
    assert toward_text(-np.log(2), "a", "b") == "x 2 toward b"
    assert toward_text(np.inf, "a", "b") == "impossible for b"
    assert toward_text(np.nan, "a", "b") == "impossible for both a and b"


def test_unused_columns_are_not_warned_of():
    frame, y = table()
    clf = counted(n_features=1).fit(frame, y)
    odd = frame[:3].assign(color="green") if "color" not in [clf.features_[clf.feature_order_[0]].name] else frame[:3]
    clf.explain(odd)


def test_top_features_move_the_odds_most():
    frame, y = table()
    explanation = counted().fit(frame, y).explain(frame[:5])
    added = explanation.log_odds(3).terms
    assert explanation.top(2, row=3).tolist() == np.argsort(-np.abs(added), kind="stable")[:2].tolist()


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_as_a_frame(backend):
    frame, y = table()
    lines = counted().fit(frame, y).explain(frame[:3]).to_frame(backend)
    lines = (
        pd.DataFrame(lines.to_pydict())
        if backend == "pyarrow"
        else pd.DataFrame(lines.to_dict(orient="list"))
        if (backend == "pandas")
        else pd.DataFrame(lines.to_dict(as_series=False))
    )
    assert len(lines) == 3 * 5
    total = lines.groupby("row")[["score of ill", "score of well"]].sum().to_numpy()
    np.testing.assert_allclose(total, counted().fit(frame, y).predict_joint_log_proba(frame[:3]), atol=1e-12)


def test_as_json():
    frame, y = table()
    clf = counted().fit(frame, y)
    data = json.loads(clf.explain(frame[:2]).to_json())
    assert data["classes"] == ["ill", "well"]
    row = data["rows"][1]
    assert sum(term["score"]["ill"] for term in row["terms"]) + row["base"]["ill"] == pytest.approx(row["score"]["ill"])
    assert row["unknown"] is None
    assert row["terms"][1]["features"] == [clf.features_[j].name for j in clf.model_.terms[1].features]
    assert sum(row["probability"].values()) == pytest.approx(1)


def test_a_class_that_is_impossible_has_no_logarithm_in_json():
    clf = counted(smoothing="paper").fit([[0.0], [0.0], [1.0]], [0, 0, 1])
    explanation = clf.explain([[0.0]])
    assert json.loads(explanation.to_json())["rows"][0]["score"]["1"] is None
    assert "odds x 0" in explanation.text()


def test_pairs_of_a_weighted_model_are_lines_of_their_own():
    frame, y = table()
    clf = GeneralizedNB(interactions="tree").fit(frame, y)
    explanation = clf.explain(frame[:2])
    assert len(explanation.terms) == 4 + 3
    pair = next(at for at, term in enumerate(explanation.terms) if len(term.features) == 2)
    assert explanation.words(0, pair).endswith(" together")
    assert " x " in explanation.name(pair)


def test_whole_numbers_stay_whole_and_booleans_are_words():
    frame = pd.DataFrame({"visits": [1, 2, 3, 4] * 5, "smokes": [True, False, True, True] * 5})
    explanation = counted("nb").fit(frame, [0, 1] * 10).explain(frame[:1])
    assert {explanation.value(0, 0), explanation.value(0, 1)} == {"visits = 1", "smokes = True"}
