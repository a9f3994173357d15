"""The model of rounds: that of all rows in one place, as near as few rounds come to it."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from round_tables import round_sites, three_sites, weighted_features
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import log_loss

from gnbayes import GeneralizedNB
from gnbayes.files import load, save
from gnbayes.sites.rounds import Answer, CountQuestion, fit_rounds


@pytest.fixture(scope="module")
def fitted(recorded):
    _, sites, clf = recorded
    return clf, sites


def unequal(frame, by):
    """Training rows at sites by the value of a column, and rows to be scored: every third."""
    train, test = frame[np.arange(len(frame)) % 3 > 0], frame[np.arange(len(frame)) % 3 == 0]
    return [part for _, part in train.groupby(by)], train, test


def test_all_but_the_tables_is_that_of_all_rows_to_the_last_bit(frame, fitted):
    clf, pooled = fitted[0], GeneralizedNB(interactions="tree").fit(frame.drop(columns="y"), frame["y"])
    assert clf.features_ == pooled.features_
    assert np.array_equal(clf.tree_.mother, pooled.tree_.mother)
    assert np.array_equal(clf.tree_.gain, pooled.tree_.gain)
    assert clf.feature_names_in_.tolist() == pooled.feature_names_in_.tolist()
    for mine, theirs in zip(clf.joint_.tables, pooled.joint_.tables, strict=True):
        assert np.array_equal(mine, theirs)
    for mine, theirs in zip(clf.model_.terms, pooled.model_.terms, strict=True):
        assert mine.features == theirs.features
        assert np.array_equal(mine.rows, theirs.rows)


@pytest.mark.slow
def test_log_loss_is_near_that_of_all_rows():
    table = load_breast_cancer(as_frame=True).frame
    group = pd.qcut(table["mean area"], [0, 0.1, 0.4, 1], labels=False).rename("group")
    parts, train, test = unequal(table, group.reindex(table.index))
    features = weighted_features(parts, "target")
    clf = fit_rounds(GeneralizedNB(), features, round_sites(parts, features))
    pooled = GeneralizedNB().fit(train.drop(columns="target"), train["target"])
    losses = [log_loss(test["target"], each.predict_proba(test.drop(columns="target"))) for each in (clf, pooled)]
    assert losses[0] < losses[1] + 0.015


def test_the_number_of_rounds(fitted):
    questions = fitted[1][0].questions
    assert [isinstance(question, CountQuestion) for question in questions[:3]] == [True, True, False]
    assert [question.number for question in questions] == list(range(1, len(questions) + 1))
    assert len(questions) in (13, 17)


@pytest.mark.slow
def test_the_order_of_sites_does_not_matter(frame, fitted):
    parts = three_sites(frame)[::-1]
    features = weighted_features(parts)
    other = fit_rounds(GeneralizedNB(), features, round_sites(parts, features))
    X = frame.drop(columns="y")
    assert np.array_equal(other.predict_proba(X), fitted[0].predict_proba(X))


@pytest.mark.slow
@pytest.mark.parametrize("parameters", [{"structure": "nb"}, {"class_prior": [0.2, 0.3, 0.5]}, {"structure": "tan"}])
def test_other_settings(frame, parameters):
    parts = three_sites(frame)
    features = weighted_features(parts)
    clf = fit_rounds(GeneralizedNB(**parameters), features, round_sites(parts, features))
    pooled = GeneralizedNB(**parameters, interactions="tree").fit(frame.drop(columns="y"), frame["y"])
    assert np.array_equal(clf.tree_.order, pooled.tree_.order)
    proba = [each.predict_proba(frame.drop(columns="y")) for each in (clf, pooled)]
    assert np.abs(proba[0] - proba[1]).mean() < 0.06


def test_one_column():
    table = load_iris(as_frame=True).frame[["petal length (cm)", "target"]]
    features = weighted_features([table], "target")
    clf = fit_rounds(GeneralizedNB(), features, round_sites([table[::2], table[1::2]], features))
    assert clf.score(table[["petal length (cm)"]], table["target"]) > 0.9


@pytest.mark.slow
def test_a_site_that_lacks_a_class_and_most_values(frame):
    parts = [frame[frame["y"] == "u"][:3], frame]
    features = weighted_features(parts)
    clf = fit_rounds(GeneralizedNB(), features, round_sites(parts, features))
    assert np.isfinite(clf.predict_proba(frame.drop(columns="y"))).all()


def test_the_model_is_an_ordinary_one(frame, fitted, tmp_path):
    clf, X = fitted[0], frame.drop(columns="y")
    save(clf, tmp_path / "model.gnb.json")
    assert np.array_equal(load(tmp_path / "model.gnb.json").predict_proba(X), clf.predict_proba(X))


class TestErrors:
    def test_no_sites(self, fitted):
        with pytest.raises(ValueError, match="there are no sites to ask"):
            fit_rounds(GeneralizedNB(), fitted[1][0].site.features, [])

    def test_counts_need_no_rounds(self, fitted):
        site = fitted[1][0].site
        with pytest.raises(ValueError, match="weighting=None needs no rounds; count once, and use fit_sites"):
            fit_rounds(GeneralizedNB(weighting=None), site.features, [site])

    def test_the_first_features_need_rows(self, fitted):
        site = fitted[1][0].site
        with pytest.raises(
            ValueError, match="n_features=3 with weighting='discriminative' takes the features that lower"
        ):
            fit_rounds(GeneralizedNB(n_features=3), site.features, [site])

    def test_triples(self, fitted):
        site = fitted[1][0].site
        names = site.features.names[:3]
        with pytest.raises(
            ValueError, match=f"interactions names three columns, '{names[0]}', .* and rounds learn pairs"
        ):
            fit_rounds(GeneralizedNB(interactions=[names]), site.features, [site])

    def test_a_site_twice(self, fitted):
        site = fitted[1][0].site
        with pytest.raises(ValueError, match="site 'a' has answered twice; its rows would count twice"):
            fit_rounds(GeneralizedNB(), site.features, [site, site])

    def test_an_answer_to_another_question(self, fitted):
        site = fitted[1][0].site

        def late(question):
            return Answer("sha256:0", ("a",), site(question).numbers)

        with pytest.raises(ValueError, match="the answers to question 1 belong to another question"):
            fit_rounds(GeneralizedNB(), site.features, [late])

    def test_other_numbers(self, fitted):
        site = fitted[1][0].site

        def short(question):
            answer = site(question)
            return Answer(answer.question, ("a",), {"values": answer.numbers["values"][:-1]})

        with pytest.raises(
            ValueError, match="the answer of site 'a' does not have the numbers that question 1 asks for"
        ):
            fit_rounds(GeneralizedNB(), site.features, [short])

    def test_counts_below_nothing(self, fitted):
        site = fitted[1][0].site

        def negative(question):
            answer = site(question)
            return Answer(answer.question, ("a",), {name: -numbers for name, numbers in answer.numbers.items()})

        with pytest.raises(ValueError, match="the answer of site 'a' counts fewer than 0 rows"):
            fit_rounds(GeneralizedNB(), site.features, [negative])

    def test_nothing_is_left_of_a_fit_that_failed(self, frame, fitted):
        site, clf = fitted[1][0].site, GeneralizedNB()
        with pytest.raises(ValueError, match="answered twice"):
            fit_rounds(clf, site.features, [site, site])
        assert not hasattr(clf, "model_")


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize(("name", "group"), [("heart_statlog", "chest"), ("magic", "fLength")])
def test_real_subgroups_of_unequal_size(name, group):
    path = Path(os.environ["GNBAYES_DATA"]) / "suite" / f"{name}.csv.gz"
    frame = pd.read_csv(path, dtype={"target": str}).sample(frac=1, random_state=0)
    by = frame[group] if frame[group].nunique() < 10 else frame[group] > frame[group].quantile(0.1)
    parts, train, test = unequal(frame, by)
    features = weighted_features(parts, "target")
    clf = fit_rounds(GeneralizedNB(), features, round_sites(parts, features))
    pooled = GeneralizedNB().fit(train.drop(columns="target"), train["target"])
    losses = [log_loss(test["target"], each.predict_proba(test.drop(columns="target"))) for each in (clf, pooled)]
    assert losses[0] < losses[1] + 0.015
