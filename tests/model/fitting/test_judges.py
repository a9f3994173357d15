"""Rows by which different ways to fit the same terms are compared."""

import numpy as np
import pytest

from gnbayes.model import distinct_rows
from gnbayes.model.fitting import Balance, families, team_of


def some_rows(n=4000, weights=None, groups=None):
    labels = np.random.default_rng(0).integers(0, 2, n)
    return distinct_rows(np.arange(n)[:, None], labels, weights, 2, groups)


def balance(n, judge=print):
    return Balance(np.ones(1), np.ones(n, dtype=bool), judge=judge)


@pytest.fixture(autouse=True)
def _few_are_enough(monkeypatch):
    monkeypatch.setattr(families, "_LEAST_JUDGES", 100)


def test_judges_have_chosen_nothing_and_nothing_is_fitted_to_them():
    rows = some_rows()
    few = rows.thinned(500)
    rest, judges = balance(4000).take_judges(rows, few)
    assert 500 < len(judges) < 800
    assert not np.isin(judges.index, few.index).any()
    assert sorted([*rest.index, *judges.index]) == sorted(rows.index)
    assert balance(4000, None).take_judges(rows, few) == (rows, None)


def test_judges_share_no_group_with_rows_that_chose():
    rows = some_rows(groups=np.arange(4000) // 8)
    few = rows.some(rows.groups < 100)
    rest, judges = balance(4000).take_judges(rows, few)
    assert len(judges) > 100
    assert not np.isin(judges.groups, few.groups).any()
    assert not np.isin(judges.groups, rest.groups).any()


def test_a_few_rows_of_great_weight_do_not_judge():
    weights = np.where(np.arange(4000) % 1000 == 0, 1e6, 1.5)
    rows = some_rows(weights=weights)
    assert balance(4000).take_judges(rows, rows.thinned(500)) == (rows, None)
    rows = some_rows(weights=np.where(np.arange(4000) % 2 == 0, 3.0, 1.5))
    assert balance(4000).take_judges(rows, rows.thinned(500))[1] is not None


def test_rows_that_count_several_times_judge_as_often(monkeypatch):
    monkeypatch.setattr(families, "_LEAST_JUDGES", 2000)
    rows, few = some_rows(weights=np.full(4000, 10.0)), some_rows().some(np.arange(4000) < 500)
    assert balance(4000).take_judges(rows, few)[1] is not None
    assert balance(4000).take_judges(some_rows(), few)[1] is None


def test_teams_are_not_larger_than_there_are_cores():
    with team_of(5000) as team:
        assert team is None or type(team).__name__ == "PyCapsule"
