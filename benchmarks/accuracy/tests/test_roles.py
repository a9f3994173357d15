"""Development and confirmation tables."""

import os

import pytest
from roles import CONFIRMATION, DEVELOPMENT, SUITE, WIDE_AND_LARGE, named


def test_each_table_has_one_role():
    assert len(SUITE) == len(set(SUITE)) == 53
    assert set(DEVELOPMENT) | set(CONFIRMATION) == set(SUITE)
    assert not set(DEVELOPMENT) & set(CONFIRMATION)
    assert (len(DEVELOPMENT), len(CONFIRMATION)) == (37, 16)


def test_names_in_the_order_of_the_suite():
    assert named(["zoo", "iris", "zoo"]) == ["iris", "zoo"]
    assert named(["CONFIRMATION", "iris"]) == ["iris", *CONFIRMATION]


@pytest.mark.skipif("GNBAYES_DATA" not in os.environ, reason="needs the tables")
def test_the_suite_is_what_the_folder_has_and_the_first_half_is_for_development():
    from datasets import catalogue
    from ingredients import tables_of

    assert [entry.name for entry in catalogue() if entry.size in ("small", "medium")] == list(SUITE)
    assert {entry.name for entry in catalogue()} == {*SUITE, *WIDE_AND_LARGE}
    assert set(tables_of("development")) <= set(DEVELOPMENT)
