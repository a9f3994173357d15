"""The noise: its distribution, its scale, and what OpenDP says of both."""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import opendp.prelude as dp
import pytest
from scipy.stats import chi2_contingency
from site_tables import features_of, mixed_frame, three_sites

from gnbayes.sites import Persons, add_noise, count_site, reveals, suppress
from gnbayes.sites.noise import discrete_laplace
from gnbayes.sites.privacy import NoisePart

dp.enable_features("contrib")


@pytest.fixture(scope="module")
def frame():
    return mixed_frame(300)


@pytest.fixture(scope="module")
def site(frame):
    return count_site(features_of(frame), [three_sites(frame)[0]])


class TestDistribution:
    @pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(3), Fraction(45, 2)])
    def test_is_discrete_laplace(self, scale):
        noise = discrete_laplace(20_000, scale, random.Random(1))
        q = np.exp(-1 / float(scale))
        # P(x) = (1 - q) / (1 + q) q^|x|; five standard errors.
        for x in (0, 1, -1, 2, -3):
            wanted = (1 - q) / (1 + q) * q ** abs(x)
            assert abs((noise == x).mean() - wanted) < 5 * np.sqrt(wanted / 20_000)
        variance = NoisePart("tables", 1 / scale, 1).variance
        assert variance == pytest.approx(2 * q / (1 - q) ** 2)
        assert abs(noise.mean()) < 5 * np.sqrt(variance / 20_000)
        assert 0.85 < noise.var() / variance < 1.15

    @pytest.mark.slow
    @pytest.mark.parametrize("scale", [Fraction(3, 2), Fraction(20)])
    def test_opendp_draws_from_the_same_distribution(self, scale):
        space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
        theirs = np.array(dp.m.make_laplace(*space, scale=float(scale))([0] * 20_000))
        ours = discrete_laplace(20_000, scale, random.SystemRandom())
        width = float(scale)
        edges = [-np.inf, *np.unique(np.round(np.linspace(-3 * width, 3 * width, 13))), np.inf]
        table = [np.histogram(noise, edges)[0] for noise in (ours, theirs)]
        # Both are random: a false alarm once in a hundred million runs.
        assert chi2_contingency(table).pvalue > 1e-8


class TestSensitivity:
    @pytest.mark.parametrize("what", ["pairs", "columns"])
    def test_opendp_composes_to_the_same_epsilon(self, site, frame, what):
        counts = add_noise(count_site(site.features, [frame], what), "0.7", seed=0)
        spent = 0.0
        for table in counts.split():
            part = counts.privacy.parts[0 if not table else 1]
            spent += table_epsilon(len(counts.split()[table].ravel()), float(part.scale))
        assert spent == pytest.approx(0.7, rel=1e-9)

    def test_opendp_agrees_on_dependences(self, site, frame):
        counts = add_noise(count_site(site.features, [frame], "survey"), "2", seed=0)
        part = counts.privacy.parts[2]
        space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
        mechanism = dp.m.make_laplace(*space, scale=float(part.scale))
        assert mechanism.map(d_in=2 * len(counts.dependences)) == pytest.approx(float(part.epsilon), rel=1e-9)
        assert sum(each.epsilon for each in counts.privacy.parts) == 2

    def test_one_row_changes_one_cell_of_every_table(self, frame, site):
        without, with_row = (count_site(site.features, [frame[:n]]) for n in (99, 100))
        change = np.abs(with_row.cells - without.cells)
        assert change.max() == 1
        assert change.sum() == len(site.tables) == 9 * 8 // 2

    @pytest.mark.parametrize("row", [0, 40, 77])
    def test_one_row_changes_a_survey_by_its_sensitivity_at_most(self, frame, site, row):
        whole, without = (count_site(site.features, [part], "survey") for part in (frame, frame.drop(index=row)))
        parts = {part.name: part.sensitivity for part in add_noise(whole, 1, seed=0).privacy.parts}
        assert np.abs(whole.cells - without.cells).sum() == parts["tables"] == 9
        assert np.abs(whole.dependences - without.dependences).sum() <= parts["dependences"]
        assert parts["dependences"] == 2 * len(list(combinations(range(7), 2)))  # two columns are constant

    def test_a_person_changes_no_more_than_the_bound(self, frame, site):
        persons = Persons("who", 3)
        visits = frame.assign(who=np.arange(300) // 10)
        whole, without = (
            count_site(site.features, [part], persons=persons) for part in (visits, visits[visits["who"] != 4])
        )
        parts = {part.name: part.sensitivity for part in add_noise(whole, 1, seed=0).privacy.parts}
        assert parts == {"classes": 3, "tables": 3 * 36}
        assert np.abs(whole.cells - without.cells).sum() == 3 * 36


def table_epsilon(n_cells, scale):
    """What OpenDP says that the noisy counts of all cells of one table spend, for one row added or removed."""
    categories = list(range(n_cells - 1))
    domain = dp.vector_domain(dp.atom_domain(T=int))
    counts = dp.t.make_count_by_categories(
        domain, dp.symmetric_distance(), categories=categories, MO=dp.L1Distance[int]
    )
    return (counts >> dp.m.then_laplace(scale=scale)).map(d_in=1)


class TestAdding:
    def test_scale_is_tables_over_epsilon(self, site):
        noisy = add_noise(site, "0.5", seed=3)
        classes, tables = noisy.privacy.parts
        assert (classes.name, classes.sensitivity) == ("classes", 1)
        assert (tables.name, tables.sensitivity) == ("tables", 36)
        assert classes.epsilon + tables.epsilon == Fraction(1, 2)
        added = noisy.cells[3:] - site.cells
        assert 0.8 < added.var() / tables.variance < 1.25
        assert f"noise of scale {classes.scale} (classes), {tables.scale} (tables)" in reveals(noisy)
        assert "no privacy at all" in reveals(noisy)

    def test_every_call_draws_anew(self, site):
        one, other = (add_noise(site, 1) for _ in range(2))
        assert not np.array_equal(one.cells, other.cells)
        assert "seed" not in reveals(one)

    @pytest.mark.parametrize("epsilon", [0, -1, "many", "nan", float("inf"), 1e-300, "1e400", True])
    def test_epsilon_is_checked(self, site, epsilon):
        with pytest.raises(ValueError, match="epsilon must be a number from 1e-6"):
            add_noise(site, epsilon)

    def test_only_once(self, site):
        with pytest.raises(ValueError, match="these counts are suppressed or noisy already"):
            suppress(add_noise(site, 1, seed=0), 5)
