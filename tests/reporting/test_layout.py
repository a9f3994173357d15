"""Labels never meet, lines lead from mothers to daughters, and deep trees stay narrow."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.reporting.layout import INDENT, LONGEST_LABEL, draw_tree, shorten

MOTHERS = st.integers(1, 40).flatmap(
    lambda d: st.tuples(*(st.integers(-1 if j < 2 else 0, j - 1) if j else st.just(-1) for j in range(d)))
)


def drawn(mother):
    return draw_tree([f"f{j}" for j in range(len(mother))], mother, [0.1] * len(mother))


@given(MOTHERS)
def test_every_feature_has_a_line_of_its_own_below_its_mother(mother):
    drawing = drawn(mother)
    assert sorted(node["feature"] for node in drawing["nodes"]) == list(range(len(mother)))
    assert all(low["y"] < high["y"] for low, high in pairwise(drawing["nodes"]))
    place = {node["feature"]: node for node in drawing["nodes"]}
    for j, m in enumerate(mother):
        if m >= 0:
            assert place[j]["y"] > place[m]["y"]
            assert place[j]["x"] - place[m]["x"] in (0, INDENT)
    assert {link["feature"] for link in drawing["links"]} == {j for j, m in enumerate(mother) if m >= 0}


@given(MOTHERS)
def test_at_most_one_daughter_goes_straight_down_and_no_other_feature_stands_on_her_line(mother):
    drawing = drawn(mother)
    nodes = drawing["nodes"]
    place = {node["feature"]: node for node in nodes}
    for m in range(len(mother)):
        straight = [j for j, its in enumerate(mother) if its == m and place[j]["x"] == place[m]["x"]]
        assert len(straight) <= 1
        for j in straight:
            between = [node for node in nodes if place[m]["y"] < node["y"] < place[j]["y"]]
            assert all(node["x"] > place[m]["x"] for node in between)


def test_a_chain_is_as_narrow_as_one_feature():
    chain = drawn([-1, *range(59)])
    assert len({node["x"] for node in chain["nodes"]}) == 1


def test_wide_lines_for_strong_dependences():
    drawing = draw_tree(["a", "b", "c"], [-1, 0, 0], [0.0, 0.4, 0.1])
    thick = {link["feature"]: link["thickness"] for link in drawing["links"]}
    assert thick[1] > thick[2] > 0


def test_long_names_are_cut():
    drawing = draw_tree(["x" * 160], [-1], [0.0])
    assert len(drawing["nodes"][0]["label"]["text"]) == LONGEST_LABEL
    assert drawing["width"] < 330


def test_paths_end_where_the_daughter_stands():
    drawing = draw_tree(["a", "b", "c", "d"], [-1, 0, 0, 2], [0.0, 0.1, 0.1, 0.1])
    assert [link["path"] for link in drawing["links"]] == ["M18 16V38Q18 48 28 48H44", "M18 16V80", "M18 80V112"]
    assert drawing["height"] == pytest.approx(128)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("x" * 34, "x" * 34),
        ("x" * 35, "x" * 33 + "…"),
        ("Large vessels coloured at fluoroscopy", "Large vessels coloured at…"),
        ("a word that ends at the edge here: yes, here", "a word that ends at the edge…"),
    ],
)
def test_long_names_are_cut_between_words(name, label):
    assert shorten(name) == label
    assert len(shorten(name)) <= LONGEST_LABEL
