import json
import random
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scale_tables import assert_same, mixed_frame

from gnbayes import GeneralizedNB
from gnbayes.documents import checksum
from gnbayes.scale import (
    SiteFileError,
    add_noise,
    count_site,
    fit_sites,
    load_counts,
    load_features,
    merge_summaries,
    propose_features,
    save_counts,
    save_features,
    summarize,
    suppress,
)
from gnbayes.scale.counts_file import reveals
from gnbayes.scale.privacy import discrete_laplace, repaired
from gnbayes.scale.sites import _as_counts

PARAMETERS = {"weighting": None, "n_bins": 4, "structure": "gnb-o"}


def three_sites(frame):
    return [frame.iloc[:100], frame.iloc[100:180], frame.iloc[180:]]


def features_of(frame):
    parts = [summarize(part, "y") for part in three_sites(frame)]
    return propose_features(merge_summaries(parts), "y", GeneralizedNB(**PARAMETERS))


@pytest.fixture(scope="module")
def frame():
    return mixed_frame(300)


@pytest.fixture(scope="module")
def sites(frame):
    features = features_of(frame)
    return [count_site(features, [part[:50], part[50:]]) for part in three_sites(frame)]


class TestExact:
    @pytest.mark.parametrize("structure", ["gnb-a", "gnb-o", "tan", "nb"])
    def test_three_sites_give_the_model_of_one_fit(self, frame, sites, structure, tmp_path):
        for at, site in enumerate(sites):
            save_counts(site, tmp_path / f"{at}.counts")
        read = [load_counts(path) for path in sorted(tmp_path.glob("*.counts"))[::-1]]
        parameters = {**PARAMETERS, "structure": structure}
        one = GeneralizedNB(**parameters).fit(frame.drop(columns="y"), frame["y"])
        assert_same(one, fit_sites(GeneralizedNB(**parameters), read), frame)

    def test_without_pairs(self, frame):
        features = features_of(frame)
        sites = [count_site(features, [part], pairs=False) for part in three_sites(frame)]
        one = GeneralizedNB(**{**PARAMETERS, "structure": "nb"}).fit(frame.drop(columns="y"), frame["y"])
        assert_same(one, fit_sites(GeneralizedNB(**{**PARAMETERS, "structure": "nb"}), sites), frame)
        with pytest.raises(ValueError, match="structure='gnb-o' needs counts of pairs, and these have none"):
            fit_sites(GeneralizedNB(**PARAMETERS), sites)

    def test_one_column(self):
        frame = pd.DataFrame({"a": ["p", "q", "p"], "y": ["u", "v", "v"]})
        features = propose_features(summarize(frame, "y"), "y")
        clf = fit_sites(GeneralizedNB(**PARAMETERS), [count_site(features, [frame])])
        assert_same(GeneralizedNB(**PARAMETERS).fit(frame[["a"]], frame["y"]), clf, frame)

    def test_too_wide_to_keep_all_pairs(self, frame, sites, monkeypatch):
        monkeypatch.setattr("gnbayes.learning.MAX_KEPT_CELLS", 100)
        one = GeneralizedNB(**PARAMETERS).fit(frame.drop(columns="y"), frame["y"])
        assert_same(one, fit_sites(GeneralizedNB(**PARAMETERS), sites), frame)

    def test_refuses_other_features(self, frame, sites):
        other = propose_features(summarize(frame[:200], "y"), "y", GeneralizedNB(**PARAMETERS))
        with pytest.raises(ValueError, match=r"site 2 were made with other Features than those of site 1 \(column"):
            fit_sites(GeneralizedNB(**PARAMETERS), [sites[0], count_site(other, [frame[:200]])])

    def test_refuses_pairs_at_some_sites_only(self, frame, sites):
        other = count_site(sites[0].features, [frame], pairs=False)
        with pytest.raises(ValueError, match="of sites 1 and 2 only one has counts of pairs"):
            fit_sites(GeneralizedNB(**PARAMETERS), [sites[0], other])

    def test_weights_need_rows(self, sites):
        with pytest.raises(ValueError, match="weighting='discriminative' learns from rows, which sites do not share"):
            fit_sites(GeneralizedNB(weighting="discriminative"), sites)

    def test_no_sites_and_no_rows(self, frame, sites):
        with pytest.raises(ValueError, match="there are no counts"):
            fit_sites(GeneralizedNB(**PARAMETERS), [])
        with pytest.raises(ValueError, match="hold no rows"):
            fit_sites(GeneralizedNB(**PARAMETERS), [count_site(sites[0].features, [frame[:0]])])

    def test_says_what_it_reveals(self, sites):
        text = reveals(sites[0])
        assert f"{len(sites[0].cells)} cells" in text
        assert "The smallest cell above 0 counts 1." in text
        few = int(((sites[0].cells > 0) & (sites[0].cells < 5)).sum())
        assert f"{few} cells count 1 to 4" in text


class TestSuppressed:
    def test_small_cells_are_gone(self, sites):
        few = suppress(sites[0], 5)
        assert not ((few.cells > 0) & (few.cells < 5)).any()
        assert np.array_equal(few.cells[sites[0].cells >= 5], sites[0].cells[sites[0].cells >= 5])
        assert "fewer than 5 rows are written as 0" in reveals(few)

    def test_merged_tables_are_valid_and_agree(self, frame, sites):
        check_tables([suppress(site, 5) for site in sites])
        clf = fit_sites(GeneralizedNB(**PARAMETERS), [suppress(site, 3) for site in sites])
        proba = clf.predict_proba(frame.drop(columns="y"))
        assert np.allclose(proba.sum(axis=1), 1)

    def test_a_threshold_without_effect_changes_nothing_much(self, frame):
        big = pd.concat([frame] * 40, ignore_index=True)
        site = count_site(features_of(frame), [big])
        one = fit_sites(GeneralizedNB(**PARAMETERS), [site])
        other = fit_sites(GeneralizedNB(**PARAMETERS), [suppress(site, 2)])
        X = frame.drop(columns="y")
        assert np.abs(one.predict_proba(X) - other.predict_proba(X)).max() < 1e-3

    @pytest.mark.parametrize("threshold", [1, 0, 2.5])
    def test_threshold_is_checked(self, sites, threshold):
        with pytest.raises(ValueError, match="threshold must be a whole number from 2"):
            suppress(sites[0], threshold)


def check_tables(sites):
    """Non-negative tables whose totals agree."""
    total = np.sum([site.cells for site in sites], axis=0)
    merged = type(sites[0])(sites[0].features, sites[0].has_pairs, total, sites[0].privacy)
    values, pairs = _as_counts(merged)
    assert values.singles.min() >= 0
    assert pairs.cells.min() >= 0
    for j in range(values.n_features):
        assert np.allclose(values.single(j).sum(axis=0), values.classes)
    for i, j in pairs.pairs.tolist():
        assert np.allclose(pairs.pair(i, j).sum(axis=1), values.single(i))
        assert np.allclose(pairs.pair(i, j).sum(axis=0), values.single(j))


class TestNoise:
    @pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(3), Fraction(45, 2)])
    def test_is_discrete_laplace(self, scale):
        noise = discrete_laplace(20_000, scale, random.Random(1))
        q = np.exp(-1 / float(scale))
        # P(x) = (1 - q) / (1 + q) q^|x|; five standard errors.
        for x in (0, 1, -1, 2, -3):
            wanted = (1 - q) / (1 + q) * q ** abs(x)
            assert abs((noise == x).mean() - wanted) < 5 * np.sqrt(wanted / 20_000)
        variance = 2 * q / (1 - q) ** 2
        assert abs(noise.mean()) < 5 * np.sqrt(variance / 20_000)
        assert 0.85 < noise.var() / variance < 1.15

    def test_scale_is_tables_over_epsilon(self, sites):
        noisy = add_noise(sites[0], "0.5", seed=3)
        n_tables = len(sites[0].tables)
        assert noisy.privacy.sensitivity == n_tables == 9 * 8 // 2
        q = np.exp(-0.5 / n_tables)
        added = noisy.cells - sites[0].cells
        assert 0.8 < added.var() / (2 * q / (1 - q) ** 2) < 1.25
        assert f"noise of scale {n_tables}/0.5" in reveals(noisy)
        assert "no privacy at all" in reveals(noisy)

    def test_one_row_changes_one_cell_of_every_table(self, frame, sites):
        without = count_site(sites[0].features, [frame[:99]])
        with_row = count_site(sites[0].features, [frame[:100]])
        change = np.abs(with_row.cells - without.cells)
        assert change.max() == 1
        assert change.sum() == len(sites[0].tables)

    def test_every_call_draws_anew(self, sites):
        one, other = (add_noise(sites[0], 1) for _ in range(2))
        assert not np.array_equal(one.cells, other.cells)
        assert "seed" not in reveals(one)

    def test_merged_tables_are_valid_and_agree(self, frame, sites):
        noisy = [add_noise(site, 1, seed=at) for at, site in enumerate(sites)]
        assert min(site.cells.min() for site in noisy) < 0
        check_tables(noisy)
        clf = fit_sites(GeneralizedNB(**PARAMETERS), noisy)
        proba = clf.predict_proba(frame.drop(columns="y"))
        assert np.isfinite(proba).all()
        assert np.allclose(proba.sum(axis=1), 1)

    def test_little_noise_changes_little(self, frame):
        big = pd.concat([frame] * 400, ignore_index=True)
        site = count_site(features_of(frame), [big])
        one = fit_sites(GeneralizedNB(**PARAMETERS), [site])
        other = fit_sites(GeneralizedNB(**PARAMETERS), [add_noise(site, 1000, seed=0)])
        X = frame.drop(columns="y")
        assert np.abs(one.predict_proba(X) - other.predict_proba(X)).max() < 0.01

    def test_repair_leaves_valid_tables_as_they_are(self):
        rng = np.random.default_rng(0)
        rows = rng.integers(5, 50, (3, 4, 2)).astype(float)
        classes, singles, tables = repaired({(0, 1): rows}, np.array([3, 4]), 2)
        assert np.allclose(classes, rows.sum(axis=(0, 1)))
        assert np.allclose(singles[0], rows.sum(axis=1))
        assert np.allclose(tables[0, 1], rows, rtol=1e-4)

    @pytest.mark.parametrize("epsilon", [0, -1, "many", "nan", float("inf"), 1e-300])
    def test_epsilon_is_checked(self, sites, epsilon):
        with pytest.raises(ValueError, match="epsilon must be a number from 1e-6"):
            add_noise(sites[0], epsilon)

    def test_only_once(self, sites):
        with pytest.raises(ValueError, match="something was done to these counts already"):
            suppress(add_noise(sites[0], 1, seed=0), 5)


class TestFiles:
    def test_features_read_back_are_the_same(self, frame, tmp_path):
        features = features_of(frame)
        save_features(features, tmp_path / "f.json")
        read = load_features(tmp_path / "f.json")
        assert read.features == features.features
        assert read.fingerprint == features.fingerprint
        assert read.classes.tolist() == ["u", "v", "w"]

    @pytest.mark.parametrize("change", [lambda c: c, lambda c: suppress(c, 4), lambda c: add_noise(c, "0.1", seed=1)])
    def test_counts_read_back_are_the_same(self, sites, tmp_path, change):
        counts = change(sites[0])
        save_counts(counts, tmp_path / "a.counts")
        read = load_counts(tmp_path / "a.counts")
        assert np.array_equal(read.cells, counts.cells)
        assert read.privacy == counts.privacy
        assert read.features.fingerprint == counts.features.fingerprint

    def test_a_file_with_noise_tells_no_numbers_of_rows(self, sites, tmp_path):
        save_counts(add_noise(sites[0], 1), tmp_path / "a.counts")
        content = json.loads((tmp_path / "a.counts").read_text())["counts"]
        assert set(content) == {"reveals", "fingerprint", "features", "privacy", "has_pairs", "tables"}
        assert "smallest" not in content["reveals"]

    @given(st.data())
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
    def test_a_truncated_or_altered_file_is_one_clear_error(self, sites, tmp_path, data):
        path = tmp_path / "a.counts"
        save_counts(sites[0], path)
        whole = path.read_bytes()
        at = data.draw(st.integers(0, len(whole) - 2))
        changed = whole[:at]
        if data.draw(st.booleans()):
            changed += bytes([data.draw(st.integers(0, 255))]) + whole[at + 1 :]
        path.write_bytes(changed)
        try:
            read = load_counts(path)
        except SiteFileError as error:
            assert str(error).startswith("a.counts ")  # noqa: PT017
        else:  # white space, or a word outside of the content
            assert np.array_equal(read.cells, sites[0].cells)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda c: c["tables"].pop(), "counts.tables must be one for each pair"),
            (lambda c: c["tables"][0]["counts"].append(1), "must have .* cells"),
            (lambda c: c["tables"][0]["counts"].__setitem__(0, 1.5), "must be whole numbers"),
            (lambda c: c["tables"][0]["counts"].__setitem__(0, -1), "must not be below 0"),
            (lambda c: c["tables"][0]["counts"].__setitem__(0, 10**30), "must be whole numbers"),
            (lambda c: c["tables"][0]["counts"].__setitem__(0, 77), "must agree on the rows of each value"),
            (lambda c: c["tables"][0].update(features=[0, 2]), "must be there, in order"),
            (lambda c: c["features"].update(target="z"), "counts.fingerprint must be that of the features"),
            (lambda c: c["features"]["features"][0].update(edges=[3.0, 1.0]), "edges must increase"),
            (lambda c: c["privacy"].update(epsilon=3), "privacy.epsilon must be null or text"),
            (lambda c: c["privacy"].update(epsilon="1"), "privacy.sensitivity must be the number of tables"),
            (lambda c: c["privacy"].update(suppressed_below=1), "suppressed_below must be null or from 2"),
            (lambda c: c.pop("has_pairs"), "lacks 'has_pairs'"),
        ],
    )
    def test_unsound_content_with_a_right_checksum(self, sites, tmp_path, change, message):
        path = tmp_path / "a.counts"
        save_counts(sites[0], path)
        document = json.loads(path.read_text())
        change(document["counts"])
        document["checksum"] = checksum(document["counts"])
        path.write_text(json.dumps(document))
        with pytest.raises(SiteFileError, match=f"a.counts is not a sound counts file: .*{message}"):
            load_counts(path)


def test_a_site_that_is_given_twice_is_refused(sites):
    with pytest.raises(ValueError, match="sites 1 and 3 have the same counts, cell by cell"):
        fit_sites(GeneralizedNB(weighting=None), [sites[0], sites[1], sites[0]])


def test_counts_of_which_nothing_is_left_are_refused(sites):
    hidden = [suppress(site, 10**6) for site in sites]
    with pytest.raises(ValueError, match="hold no rows"):
        fit_sites(GeneralizedNB(weighting=None), hidden)
