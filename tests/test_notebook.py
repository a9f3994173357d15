"""What notebooks show: short texts, and tables in which names are text and nothing else."""

from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from classifiers import counted, weighted
from sklearn import config_context
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gnbayes import AODE, GeneralizedNB, load, save, selection_curve
from gnbayes.evidence import evaluate

# What is shown follows from the model alone.
pytestmark = pytest.mark.once

HOSTILE = "<script>alert('1')</script>"


class Reader(HTMLParser):
    """Tags and texts of HTML."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.cells = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.cells.append(data)


@pytest.fixture(scope="module")
def wdbc_fitted():
    data = load_breast_cancer(as_frame=True)
    return weighted().fit(data.data, data.target_names[data.target]), data.data


@pytest.fixture(scope="module")
def hostile():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({HOSTILE: rng.choice([HOSTILE, "b"], 80), "b": rng.normal(size=80)})
    y = np.where((X[HOSTILE] == "b") ^ (X["b"] > 0), HOSTILE, "well")
    return weighted(interactions=1, n_fits=1).fit(X, y), X, y


def test_scores_of_a_model_file_are_shown(hostile, tmp_path):
    _, X, y = hostile
    clf = counted().fit(X, y)
    save(clf, tmp_path / "m.json", evaluation=evaluate(clf, X, y))
    found = load(tmp_path / "m.json")
    accuracy = found.evaluation_.classification.accuracy
    cells = Reader(found._repr_mimebundle_()["text/html"]).cells
    start = cells.index("Scores of 80 held-out rows")
    shown = f"{accuracy.value:.3f} ({accuracy.low:.3f} to {accuracy.high:.3f})"
    assert cells[start + 1 : start + 5] == ["95 % interval", "without features", "accuracy", shown]
    assert "AUROC" in cells
    assert "without features" not in Reader(clf._repr_mimebundle_()["text/html"]).cells


def test_a_fitted_classifier_shows_its_model(wdbc_fitted):
    clf, _ = wdbc_fitted
    cells = Reader(clf._repr_mimebundle_()["text/html"]).cells
    assert cells[-1] == "and 18 more"
    for text in ("Classes", "benign", "62.7%", "Tree", "the class alone"):
        assert text in cells
    first = clf.terms_[0]
    share = first.importance / sum(term.importance for term in clf.terms_)
    at = cells.index("Terms, the most important first")
    assert cells[at + 3 : at + 5] == [" x ".join(clf.features_[j].name for j in first.features), f"{share:.1%}"]
    assert f"and {len(clf.terms_) - 12} more" in cells
    assert clf._model_html() in clf._repr_html_()


def test_before_a_fit_there_is_nothing_to_show():
    assert "Classes" not in GeneralizedNB()._repr_html_()
    assert "Classes" not in AODE()._repr_html_()


def test_plain_text_stays_plain_text(wdbc_fitted):
    with config_context(display="text"):
        assert list(wdbc_fitted[0]._repr_mimebundle_()) == ["text/plain"]
        assert not hasattr(wdbc_fitted[0], "_repr_html_")


def test_a_pipeline_shows_its_own_picture(wdbc_fitted):
    clf, X = wdbc_fitted
    pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), GeneralizedNB(weighting=None))
    assert "GeneralizedNB" in pipeline.fit(X, clf.predict(X))._repr_html_()


def test_short_texts(wdbc_fitted):
    clf, X = wdbc_fitted
    assert repr(clf.explain(X[:3])) == f"Explanation of 3 rows by {len(clf.model_.terms)} terms, 2 classes"
    assert repr(clf.explain(X[:1])).startswith("Explanation of 1 row by")
    assert repr(clf.effect("worst area")).startswith("Effect('worst area' on 'malignant', importance ")
    assert repr(clf.counts_).startswith("Counts of 569 rows: 30 features, 2 classes, ")
    curve = selection_curve(counted(), X.iloc[:, :4], clf.predict(X), scoring=["accuracy", "neg_log_loss"])
    assert repr(curve) == "SelectionCurve of 1 to 4 features: accuracy, neg_log_loss"
    cells = Reader(curve._repr_html_()).cells
    assert str(curve.best("accuracy")) in cells
    assert f"{curve.mean('accuracy').max():.4f}" in cells


def test_tables_of_explanations_effects_and_counts(wdbc_fitted):
    clf, X = wdbc_fitted
    explanation = clf.explain(X[:2])
    cells = Reader(explanation._repr_html_()).cells
    top = int(explanation.top(1)[0])
    assert explanation.words(0, top) in cells
    assert "(the first of 2 rows)" in cells[0]
    effect = clf.effect("worst area")
    cells = Reader(effect._repr_html_()).cells
    assert effect.axes[0].labels[0] in cells
    assert f"{effect.log_odds[0]:+.3f}" in cells
    assert "357" in Reader(clf.counts_._repr_html_()).cells


def test_unknown_features_have_a_line(wdbc_fitted):
    clf, X = wdbc_fitted
    assert "unknown features, averaged" in Reader(clf.explain(X[:1], unknown=["worst area"])._repr_html_()).cells


def test_hostile_names_are_text(hostile):
    clf, X, y = hostile
    shown = [
        *(clf.explain(X[:1]), clf.effect(HOSTILE), clf.effect("b"), clf.counts_),
        selection_curve(counted(), X, y, scoring="accuracy"),
    ]
    pages = [one._repr_html_() for one in shown] + [clf._model_html()]
    for page in pages:
        assert set(Reader(page).tags) <= {"div", "table", "caption", "tr", "th", "td"}
        assert "<script" not in page
    assert HOSTILE in Reader(clf._model_html()).cells
