"""Every picture is drawn for real, and looked at by measuring it."""

import sys
from dataclasses import replace
from itertools import combinations

import matplotlib as mpl
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from classifiers import counted
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.pipeline import make_pipeline

from gnbayes import (
    EffectDisplay,
    ExplanationDisplay,
    GeneralizedNB,
    ImportanceDisplay,
    SelectionCurve,
    SelectionCurveDisplay,
    StabilityDisplay,
    TreeDisplay,
    WeightDisplay,
    selection_curve,
    to_dot,
    to_networkx,
)

mpl.use("Agg")
pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def fitted():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return counted().fit(X, y), X, y


def chain(d):
    """A deep tree with long names."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, d)).cumsum(axis=1)
    frame = pd.DataFrame(X, columns=[f"a rather long name of feature number {j}" for j in range(d)])
    return counted("tan").fit(frame, (X[:, -1] > 0).astype(int))


@pytest.mark.parametrize(
    "which", [*(pytest.param(name, marks=pytest.mark.slow) for name in ("wdbc", "chain of 60")), "chain of 6", "two"]
)
def test_labels_of_the_tree_never_overlap_and_are_never_cut(which, fitted):
    clf = fitted[0] if which == "wdbc" else chain({"chain of 60": 60, "chain of 6": 6, "two": 2}[which])
    display = TreeDisplay.from_estimator(clf)
    display.figure_.canvas.draw()
    boxes = [label.get_window_extent() for label in display.labels_]
    assert len(boxes) == len(clf.features_)
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    area = display.figure_.bbox
    assert all(area.x0 <= box.x0 and box.x1 <= area.x1 and area.y0 <= box.y0 and box.y1 <= area.y1 for box in boxes)


def test_the_tree_shows_mothers_above_their_daughters(fitted):
    display = TreeDisplay.from_estimator(fitted[0])
    clf = fitted[0]
    name = [feature.name for feature in clf.features_]
    for line, mother in enumerate(display.mother):
        feature = name.index(display.names[line])
        assert mother < line
        assert (name.index(display.names[mother]) if mother >= 0 else -1) == clf.tree_.mother[feature]
        assert display.depth[line] == (display.depth[mother] + 1 if mother >= 0 else 0)
    total = display.edge_information.sum() + display.class_information.sum()
    assert total == pytest.approx(clf.weight_)


def test_naive_bayes_is_a_list():
    X, y = load_iris(return_X_y=True)
    assert TreeDisplay.from_estimator(counted("nb").fit(X, y)).mother == [-1] * 4


def test_weight(fitted):
    display = WeightDisplay.from_estimator(fitted[0])
    assert max(bar.get_x() + bar.get_width() for bar in display.ax_.patches) == pytest.approx(fitted[0].weight_)
    assert [label.get_text() for label in display.ax_.get_yticklabels()][:2] == ["worst radius", "worst area"]


def test_importances(fitted):
    display = ImportanceDisplay.from_estimator(fitted[0])
    widths = [bar.get_width() for bar in display.ax_.patches]
    assert sum(widths[:30]) == pytest.approx(100)
    assert sum(widths[30:]) == pytest.approx(100)


@pytest.mark.parametrize(
    "scoring", [None, *(pytest.param(scoring, marks=pytest.mark.slow) for scoring in (["accuracy"], ["neg_log_loss"]))]
)
def test_curves(fitted, scoring):
    _, X, y = fitted
    display = SelectionCurveDisplay.from_estimator(counted(), X, y, scoring=scoring)
    drawn = [line.get_label() for line in display.ax_.get_lines()]
    assert f"{display.chosen} features" in drawn
    assert (display.loss_ax_ is not None) == (scoring is None)
    curve = selection_curve(counted(), X, y, cv=3, scoring=["f1", "neg_log_loss"])
    other = SelectionCurveDisplay.from_curve(curve, chosen=5, scoring=["f1"])
    assert len(other.ax_.collections) == 1  # the spread over folds


def test_the_final_model_is_a_diamond(fitted):
    _, X, y = fitted
    curve = replace(
        selection_curve(counted(), X, y, cv=3, scoring="accuracy"), final={"accuracy": np.array([0.5, 0.7])}
    )
    display = SelectionCurveDisplay.from_curve(curve)
    diamonds = [line for line in display.ax_.get_lines() if line.get_marker() == "D"]
    assert [line.get_label() for line in diamonds] == ["_", "final model, all features"]
    assert diamonds[0].get_xydata().tolist() == [[len(curve.order), pytest.approx(0.6)]]


def test_costs_are_the_horizontal_axis(fitted):
    _, X, y = fitted
    curve = selection_curve(counted(), X.iloc[:, :3], y, cv=3, scoring="neg_log_loss")
    curve = replace(curve, costs=np.array([1.0, 5.0, 50.0]))
    display = SelectionCurveDisplay.from_curve(curve, chosen=1)
    assert display.ax_.get_xlabel() == "total cost of the features (mean over the splits)"
    assert display.ax_.get_lines()[0].get_xdata().tolist() == [1.0, 5.0, 50.0]
    labels = [text.get_text() for text in display.figure_.legends[0].get_texts()]
    assert labels == ["log-loss", "± one standard error", "1 feature"]


def test_many_numbers_have_a_logarithmic_axis(fitted):
    _, X, y = fitted
    curve = selection_curve(counted(), X.iloc[:, :3], y, cv=3, scoring="neg_log_loss")
    assert SelectionCurveDisplay.from_curve(curve).ax_.get_xscale() == "linear"
    many = replace(curve, n_features=np.array([1, 30, 300]))
    assert SelectionCurveDisplay.from_curve(many).ax_.get_xscale() == "log"


def test_features_that_no_split_chooses_are_shown_without_a_bar():
    orders = (("a", "b", "c", "d"), ("a", "b", "d", "c"))
    scores = {"accuracy": np.zeros((2, 4))}
    curve = SelectionCurve(np.arange(1, 5), scores, {}, ("a", "d", "b", "c"), orders=orders)
    display = StabilityDisplay.from_curve(curve, n_features=2)
    assert [tick.get_text() for tick in display.ax_.get_yticklabels()] == ["a", "b", "d"]
    assert [bar.get_width() for bar in display.ax_.patches] == [100, 100, 0]
    assert display.ax_.get_title(loc="right") == "unstable: other rows, other features"


def test_stability(fitted):
    _, X, y = fitted
    curve = selection_curve(counted(), X, y, cv=3, scoring=["neg_log_loss"])
    display = StabilityDisplay.from_curve(curve, n_features=4)
    widths = [bar.get_width() for bar in display.ax_.patches]
    assert widths == [100 * share for share in curve.stability(4).values()]
    assert StabilityDisplay.from_curve(curve).n_features == curve.within_noise("neg_log_loss")


def test_a_row(fitted):
    clf, X, _ = fitted
    display = ExplanationDisplay.from_estimator(clf, X, 3, n=5)
    assert len(display.steps) == 1 + 5 + 1
    joint = clf.predict_joint_log_proba(X[3:4])[0]
    assert display.log_odds.sum() == pytest.approx(joint[1] - joint[0])
    assert ExplanationDisplay.from_estimator(clf, X, 0, n=30).steps[-1] != "0 other features"


def test_pictures_go_where_they_are_told(fitted):
    _, axes = plt.subplots(1, 2)
    assert WeightDisplay.from_estimator(fitted[0], ax=axes[1]).ax_ is axes[1]


def test_without_matplotlib(monkeypatch, fitted):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"plots need matplotlib; install it with: pip install 'gnbayes\[plot\]'"):
        WeightDisplay.from_estimator(fitted[0])


@pytest.mark.slow
def test_names_with_signs_of_mathematics_and_long_names():
    frame = pd.DataFrame(
        {"a$_$b": [0, 1, 0, 1] * 5, "tax $ per $ unit": [0, 1, 1, 0] * 5, "very long " * 12: [0, 0, 1, 1] * 5}
    )
    clf = counted().fit(frame, ["<$50K", ">$50K"] * 10)
    for display in (
        TreeDisplay.from_estimator(clf),
        WeightDisplay.from_estimator(clf),
        ImportanceDisplay.from_estimator(clf),
        ExplanationDisplay.from_estimator(clf, frame),
    ):
        display.figure_.canvas.draw()


def test_an_impossible_class_is_said_and_not_drawn():
    clf = counted(smoothing="paper").fit([[0.0], [0.0], [1.0]], [0, 0, 1])
    display = ExplanationDisplay.from_estimator(clf, [[0.0]])
    assert display.ax_.get_title() == "impossible for 1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"chosen": 99}, "chosen must be a number of features up to 30 on the curve, got 99"),
        ({"scoring": []}, "scoring must name at least one score"),
        ({"scoring": "kappa"}, "'kappa' is not on this curve"),
    ],
)
def test_curves_with_wrong_arguments(arguments, message, fitted):
    curve = selection_curve(counted(), fitted[1], fitted[2], scoring="accuracy")
    with pytest.raises(ValueError, match=message):
        SelectionCurveDisplay.from_curve(curve, **arguments)


def test_pictures_are_of_our_own_classifier(fitted):
    pipeline = make_pipeline(counted()).fit(fitted[1], fitted[2])
    with pytest.raises(
        TypeError, match="estimator must be a fitted GeneralizedNB, got Pipeline instead; pass its last"
    ):
        TreeDisplay.from_estimator(pipeline)


def test_networkx(fitted):
    graph = to_networkx(fitted[0])
    assert nx.is_arborescence(graph)
    assert sum(nx.get_node_attributes(graph, "gain").values()) == pytest.approx(fitted[0].weight_)
    edges = sum(nx.get_edge_attributes(graph, "information").values())
    alone = sum(nx.get_node_attributes(graph, "class_information").values())
    assert edges + alone == pytest.approx(fitted[0].weight_)


def test_dot_quotes_names():
    frame = pd.DataFrame({'a "b" \\': [0, 1, 0, 1], "c\nd": [0, 1, 1, 0]})
    text = to_dot(counted().fit(frame, [0, 1, 1, 0]))
    assert r'"a \"b\" \\" -> "c\nd"' in text


def test_without_networkx(monkeypatch, fitted):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match="to_networkx needs networkx; install it with: pip install networkx"):
        to_networkx(fitted[0])


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3])
def test_an_overview(n_classes):
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = GeneralizedNB(n_fits=1).fit(X, y if n_classes == 3 else y == 2)
    display = clf.plot()
    display.figure_.canvas.draw()
    terms, *effects = display.axes_
    names = [text.get_text() for text in terms.get_yticklabels()]
    assert names[0] == " x ".join(X.columns[j] for j in clf.terms_[0].features)
    widths = [bar.get_width() for bar in terms.patches]
    assert widths == sorted(widths, reverse=True)
    assert sum(widths) == pytest.approx(100)
    assert len(effects) == 4
    assert effects[0].get_title().startswith(names[0] + ": log-odds of ")
    with pytest.raises(ValueError, match="'x' is not a class"):
        clf.plot(label="x")


@pytest.mark.slow
def test_the_whole_model_on_one_page():
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = GeneralizedNB(n_fits=1, interactions=[(0, 1), (0, 1, 2)]).fit(X, y == 2)
    display = clf.plot(n_effects=None)
    display.figure_.canvas.draw()
    _, *effects = display.axes_
    assert len(effects) == len(clf.terms_) == 6
    titles = [ax.get_title() for ax in effects]
    assert "sepal length (cm) x\nsepal width (cm) x\npetal length (cm)" in titles
    assert display.figure_.get_suptitle() == "Log-odds of True"
    for effect, ax in zip(display.effects, effects, strict=True):
        assert len(ax.child_axes) == (
            min(map(len, (axis.labels for axis in effect.axes))) if len(effect.axes) == 3 else 0
        )


@pytest.mark.parametrize("n_effects", [0, -1, 2.5, "all"])
def test_a_wrong_number_of_effects(fitted, n_effects):
    with pytest.raises(ValueError, match="n_effects must be a whole number from 1 on, or None for all effects, got"):
        fitted[0].plot(n_effects=n_effects)


@pytest.mark.slow
def test_a_triple_has_a_heat_map_for_each_value_of_one_feature():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 2, (600, 2)), columns=["a", "b"]).assign(c=rng.normal(size=600))
    clf = GeneralizedNB(interactions=[("a", "b", "c")], n_fits=1).fit(X, X["a"] ^ X["b"] ^ (X["c"] > 0))
    effect = clf.effect(("a", "b", "c"))
    maps = EffectDisplay(effect).plot().ax_.child_axes
    assert [ax.get_title() for ax in maps] == list(effect.axes[0].labels)
    for at, ax in enumerate(maps):
        np.testing.assert_array_equal(
            ax.images[0].get_array().filled(0.0), np.where(effect.shares > 0, effect.log_odds, 0)[at].T
        )
