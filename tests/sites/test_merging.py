"""Exact counts give the model of all rows; noisy ones a model that is worth having."""

import numpy as np
import pandas as pd
import pytest
from scale_tables import assert_same
from site_tables import PARAMETERS, features_of, mixed_frame, three_sites, two_steps
from sklearn.metrics import log_loss

from gnbayes import GeneralizedNB, load, save
from gnbayes.scale import summarize
from gnbayes.sites import (
    SiteTree,
    add_noise,
    choose_tree,
    count_site,
    fit_sites,
    load_counts,
    propose_features,
    save_counts,
)


@pytest.fixture(scope="module")
def frame():
    return mixed_frame(300)


@pytest.fixture(scope="module")
def sites(frame):
    features = features_of(frame)
    return [count_site(features, [part[:50], part[50:]]) for part in three_sites(frame)]


def correlated(n, seed=0, n_values=4):
    """Columns that copy each other: naive Bayes is far too sure, and the tree is not."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    shares = np.arange(1, n_values + 1) / np.arange(1, n_values + 1).sum()
    base = np.where(y, rng.choice(n_values, n, p=shares), rng.choice(n_values, n, p=shares[::-1]))
    changed = [(rng.random(n) < 0.05, rng.integers(0, n_values, n)) for _ in range(4)]
    frame = pd.DataFrame({f"copy {at}": np.where(*change, base) for at, change in enumerate(changed)})
    frame["other"] = np.where(rng.random(n) < 0.7, y, rng.random(n) < 0.5)
    for name in frame:
        frame[name] = frame[name].astype(str)
    return frame.assign(y=np.where(y, "ill", "well"))


def loss(clf, frame):
    return log_loss(frame["y"], clf.predict_proba(frame.drop(columns="y")), labels=clf.classes_)


class TestExact:
    @pytest.mark.parametrize("structure", ["gnb-a", "gnb-o", "tan", "nb"])
    def test_three_sites_give_the_model_of_one_fit(self, frame, sites, structure, tmp_path):
        for at, site in enumerate(sites):
            save_counts(site, tmp_path / f"{at}.counts")
        read = [load_counts(path) for path in sorted(tmp_path.glob("*.counts"))[::-1]]
        parameters = {**PARAMETERS, "structure": structure}
        one = GeneralizedNB(**parameters).fit(frame.drop(columns="y"), frame["y"])
        assert_same(one, fit_sites(GeneralizedNB(**parameters), read), frame)

    @pytest.mark.parametrize("most_cells", [100, 10**9])
    @pytest.mark.parametrize("information", ["corrected", "plug-in"])
    def test_the_tree_is_chosen_by_the_information_of_the_setting(
        self, frame, sites, information, most_cells, monkeypatch
    ):
        monkeypatch.setattr("gnbayes.counted_tree.MAX_KEPT_CELLS", most_cells)
        parameters = {**PARAMETERS, "information": information}
        one = GeneralizedNB(**parameters).fit(frame.drop(columns="y"), frame["y"])
        other = GeneralizedNB(**{**parameters, "information": "plug-in" if information == "corrected" else "corrected"})
        assert_same(one, fit_sites(GeneralizedNB(**parameters), sites), frame)
        assert fit_sites(other, sites).tree_.mother.tolist() != one.tree_.mother.tolist()

    def test_columns_alone_give_naive_bayes(self, frame):
        features = features_of(frame)
        sites = [count_site(features, [part], "columns") for part in three_sites(frame)]
        one = GeneralizedNB(**{**PARAMETERS, "structure": "nb"}).fit(frame.drop(columns="y"), frame["y"])
        assert_same(one, fit_sites(GeneralizedNB(**{**PARAMETERS, "structure": "nb"}), sites), frame)
        with pytest.raises(ValueError, match="structure='gnb-o' needs counts of pairs, and these have none"):
            fit_sites(GeneralizedNB(**PARAMETERS), sites)

    def test_a_known_tree_gives_its_model(self, frame, sites):
        one = GeneralizedNB(**{**PARAMETERS, "structure": "tan"}).fit(frame.drop(columns="y"), frame["y"])
        edges = tuple(tuple(edge) for edge in one.tree_.edges.tolist())
        tree = SiteTree(sites[0].features.fingerprint, edges)
        counted = [count_site(sites[0].features, [part], tree) for part in three_sites(frame)]
        clf = fit_sites(GeneralizedNB(**PARAMETERS), counted)
        X = frame.drop(columns="y")
        kept = {tuple(edge) for edge in clf.tree_.edges.tolist()}
        assert {edge for edge in edges if frozenset(edge) & {7, 8} == set()} <= kept  # not those of constant columns
        assert np.allclose(clf.predict_proba(X), one.predict_proba(X), atol=1e-12)

    def test_one_column(self):
        frame = pd.DataFrame({"a": ["p", "q", "p"], "y": ["u", "v", "v"]})
        features = propose_features(summarize(frame, "y"), "y")
        clf = fit_sites(GeneralizedNB(**PARAMETERS), [count_site(features, [frame])])
        assert_same(GeneralizedNB(**PARAMETERS).fit(frame[["a"]], frame["y"]), clf, frame)

    def test_too_wide_to_keep_all_pairs(self, frame, sites, monkeypatch):
        monkeypatch.setattr("gnbayes.counted_tree.MAX_KEPT_CELLS", 100)
        one = GeneralizedNB(**PARAMETERS).fit(frame.drop(columns="y"), frame["y"])
        assert_same(one, fit_sites(GeneralizedNB(**PARAMETERS), sites), frame)

    def test_weights_need_rows(self, sites):
        with pytest.raises(ValueError, match=r"weighting='discriminative' learns from rows.* or rounds of sums"):
            fit_sites(GeneralizedNB(weighting="discriminative"), sites)

    def test_no_sites_and_no_rows(self, frame, sites):
        with pytest.raises(ValueError, match="there are no counts"):
            fit_sites(GeneralizedNB(**PARAMETERS), [])
        with pytest.raises(ValueError, match="hold no rows"):
            fit_sites(GeneralizedNB(**PARAMETERS), [count_site(sites[0].features, [frame[:0]])])
        with pytest.raises(ValueError, match="there are no rows to count"):
            count_site(sites[0].features, [])

    def test_the_report_counts_releases_and_rows(self, sites):
        clf = fit_sites(GeneralizedNB(**PARAMETERS), sites)
        assert str(clf.site_report_) == "releases  3, of 300 rows"

    def test_the_report_does_not_outlive_a_fit_on_rows(self, frame, sites):
        clf = fit_sites(GeneralizedNB(**PARAMETERS), sites)
        assert not hasattr(clf.fit(frame.drop(columns="y"), frame["y"]), "site_report_")


class TestNoise:
    @pytest.mark.slow
    def test_little_noise_changes_little(self, frame):
        big = pd.concat([frame] * 400, ignore_index=True)
        site = count_site(features_of(frame), [big])
        one = fit_sites(GeneralizedNB(**PARAMETERS), [site])
        other = fit_sites(GeneralizedNB(**PARAMETERS), [add_noise(site, 1000, seed=0)])
        X = frame.drop(columns="y")
        assert np.abs(one.predict_proba(X) - other.predict_proba(X)).mean() < 0.02

    @pytest.mark.parametrize(
        "structure", [*(pytest.param(name, marks=pytest.mark.slow) for name in ("gnb-a", "tan")), "gnb-o", "nb"]
    )
    def test_much_noise_leaves_the_shares_of_the_classes(self, structure):
        train, test = correlated(2000), correlated(1000, seed=1)
        features = propose_features(summarize(train, "y"), "y")
        what = "columns" if structure == "nb" else "pairs"
        site = count_site(features, [train], what)
        losses = [
            loss(fit_sites(GeneralizedNB(structure, weighting=None), [add_noise(site, "0.02", seed=seed)]), test)
            for seed in range(5)
        ]
        prior = -(0.3 * np.log(0.3) + 0.7 * np.log(0.7))
        assert np.mean(losses) < prior + 0.08

    def test_edges_hidden_by_noise_fall_back_to_naive_bayes(self):
        train = correlated(3000)
        features = propose_features(summarize(train, "y"), "y")
        site = count_site(features, [train])
        edges = [
            len(fit_sites(GeneralizedNB(weighting=None), [add_noise(site, epsilon, seed=0)]).tree_.edges)
            for epsilon in ("100", "0.01")
        ]
        assert edges[0] >= 3
        assert edges[1] == 0

    def test_the_tree_beats_naive_bayes_where_columns_are_copies(self):
        train, test = correlated(8000), correlated(4000, seed=1)
        features = propose_features(summarize(train, "y"), "y")
        pairs, columns = (
            [add_noise(count_site(features, [train[at::2]], what), 1, seed=at) for at in range(2)]
            for what in ("pairs", "columns")
        )
        tree = loss(fit_sites(GeneralizedNB(weighting=None), pairs), test)
        naive = loss(fit_sites(GeneralizedNB("nb", weighting=None), columns), test)
        assert tree < naive - 0.1

    def test_the_report_says_how_noisy(self, frame, sites):
        clf = fit_sites(GeneralizedNB(**PARAMETERS), [add_noise(site, 1, seed=at) for at, site in enumerate(sites)])
        report = str(clf.site_report_)
        assert report.startswith("releases  3, of about ")
        assert "noise     epsilon at most 1 per release" in report
        assert f"edges     {len(clf.tree_.edges)} of at most 8 stand out from the noise" in report

    def test_a_model_of_noisy_counts_can_be_saved(self, frame, sites, tmp_path):
        clf = fit_sites(GeneralizedNB(**PARAMETERS), [add_noise(site, 1, seed=at) for at, site in enumerate(sites)])
        save(clf, tmp_path / "m.gnb.json")
        X = frame.drop(columns="y")
        assert np.array_equal(load(tmp_path / "m.gnb.json").predict_proba(X), clf.predict_proba(X))

    def test_exact_and_noisy_sites_merge(self, frame, sites):
        clf = fit_sites(GeneralizedNB(**PARAMETERS), [sites[0], add_noise(sites[1], 10, seed=0), sites[2]])
        assert abs(clf.site_report_.n_rows - 300) < 60


class TestTwoSteps:
    def test_both_steps_give_a_model(self):
        frame = mixed_frame(300)
        surveys, tables, tree = two_steps(frame, "5")
        clf = fit_sites(GeneralizedNB(**PARAMETERS), [*surveys, *tables])
        assert {tuple(edge) for edge in clf.tree_.edges.tolist()} <= set(tree.edges)
        proba = clf.predict_proba(frame.drop(columns="y"))
        assert np.allclose(proba.sum(axis=1), 1)

    @pytest.mark.slow
    def test_two_steps_beat_one_where_tables_are_large(self):
        rng = np.random.default_rng(5)
        train, test = (correlated(n, seed=n, n_values=12) for n in (8000, 3000))
        for frame in (train, test):
            for at in range(6):
                frame.insert(0, f"idle {at}", rng.choice(list("abcdefgh"), len(frame)))
        features = propose_features(summarize(train, "y"), "y")
        one, two = [], []
        for draw in range(3):
            parts = [train[at::2] for at in range(2)]
            pairs = [add_noise(count_site(features, [p]), 1, seed=10 * draw + at) for at, p in enumerate(parts)]
            one.append(loss(fit_sites(GeneralizedNB(weighting=None), pairs), test))
            surveys = [
                add_noise(count_site(features, [p], "survey", site=str(at)), "0.5", seed=10 * draw + at)
                for at, p in enumerate(parts)
            ]
            tree = choose_tree(surveys)
            tables = [
                add_noise(count_site(features, [p], tree, site=str(at)), "0.5", seed=50 + 10 * draw + at)
                for at, p in enumerate(parts)
            ]
            two.append(loss(fit_sites(GeneralizedNB(weighting=None), [*surveys, *tables]), test))
        assert np.mean(two) < np.mean(one)

    def test_tables_without_the_surveys(self):
        frame = mixed_frame(300)
        _, tables, tree = two_steps(frame, "0.5")
        assert all(7 not in table for table in tree.tables)  # a constant column
        with pytest.raises(ValueError, match=r"no table contains column .*; also merge the surveys"):
            fit_sites(GeneralizedNB(**PARAMETERS), tables)

    def test_a_tree_of_public_counts_has_every_column(self, sites):
        tree = choose_tree(sites)
        assert tree.tables[0] == ()
        assert {j for table in tree.tables for j in table} == set(range(9))
        assert len(tree.chosen_from) == 3

    def test_a_tree_needs_surveys_or_pairs(self, frame):
        columns = count_site(features_of(frame), [frame], "columns")
        with pytest.raises(ValueError, match="a tree is chosen from the surveys, or from the counts of pairs"):
            choose_tree([columns])
        survey = count_site(features_of(frame), [frame], "survey")
        with pytest.raises(
            ValueError, match="the surveys have no noise; give epsilon, what each site will spend in the second step"
        ):
            choose_tree([survey])

    def test_a_tree_of_other_features(self, frame, sites):
        with pytest.raises(ValueError, match="the tree was made with other Features"):
            count_site(sites[0].features, [frame], SiteTree("other", ((0, 1),)))
