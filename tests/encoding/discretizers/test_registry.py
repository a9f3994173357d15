import numpy as np
import pytest

from gnbayes.cli.main import main
from gnbayes.encoding import (
    DISCRETIZERS,
    DiscretizerChoice,
    FixedDiscretizer,
    UniformDiscretizer,
    choose_discretizer,
)


@pytest.mark.parametrize("name", DISCRETIZERS)
def test_a_choice_says_what_it_needs(name):
    choice = DISCRETIZERS[name]
    three, seven = choice.build(3, None), choice.build(7, None)
    assert choice.takes_n_bins == (three.get_params() != seven.get_params())
    assert choice.needs_labels == three.uses_labels
    assert choice.description


@pytest.mark.parametrize("name", DISCRETIZERS)
@pytest.mark.parametrize("n_rows", [None, 1000])
def test_every_choice_has_an_automatic_number_of_bins(name, n_rows):
    X, y = np.arange(60.0)[:, None], np.arange(60) // 30
    assert choose_discretizer(name, "auto", n_rows).fit(X, y).n_bins_[0] > 1


def test_columns_without_edges_are_cut_as_quantiles_are():
    for n_bins, n_rows in ((4, None), ("auto", None), ("auto", 500)):
        fixed = choose_discretizer({0: [1.0]}, n_bins, n_rows)
        assert isinstance(fixed, FixedDiscretizer)
        quantile = choose_discretizer("quantile", n_bins, n_rows)
        X, y = np.random.default_rng(0).normal(size=(200, 2)), np.arange(200) % 2
        np.testing.assert_array_equal(fixed.fit(X, y).bin_edges_[1], quantile.fit(X, y).bin_edges_[1])


@pytest.mark.parametrize("choice", ["quantile", "uniform", "mdlp", {0: [1.0]}])
@pytest.mark.parametrize("n_bins", [3, "auto"])
def test_the_number_of_values_left_alone_is_the_largest_that_is(choice, n_bins):
    discretizer = choose_discretizer(choice, n_bins)

    def is_cut(n_values):
        column = np.tile(np.arange(n_values) + 0.5, 40)  # not whole: nothing is known before it is sorted
        X = np.column_stack([column, column])
        return len(discretizer.fit(X, (column > 1).astype(int)).bin_edges_[1]) > 0

    most = discretizer.most_left_alone
    assert not is_cut(most) if most else choice == "mdlp"
    assert is_cut(most + 1) or most == 0


def test_a_new_discretizer_is_known_to_the_shell(monkeypatch, capsys):
    halves = DiscretizerChoice(lambda _n_bins, _n_rows: UniformDiscretizer(2), False, False, "in halves")
    monkeypatch.setitem(DISCRETIZERS, "halves", halves)
    assert choose_discretizer("halves", "auto").n_bins == 2
    for verb in ("fit", "features"):
        with pytest.raises(SystemExit):
            main([verb, "--help"])
        assert "halves" in capsys.readouterr().out
