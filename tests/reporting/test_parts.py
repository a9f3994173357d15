"""Parts of the rows, by columns of the table or by values that are given."""

import numpy as np
import pandas as pd
import pytest

from gnbayes.reporting.given import read_given
from gnbayes.reporting.parts import make_parts
from gnbayes.reporting.subject import make_subject


@pytest.fixture(scope="module")
def parts_of(binary):
    clf, frame, labels = binary

    def make(by, dictionary=None):
        subject = make_subject(clf, dictionary, "ill")
        return make_parts(clf, subject, read_given(clf, frame, labels, None), by)

    return make


def sizes(part):
    return {part.names[code]: int(n) for code, n in zip(*np.unique(part.codes, return_counts=True), strict=True)}


def test_categories_by_their_names(binary, parts_of):
    _, frame, _ = binary
    [part] = parts_of("sex", {"columns": {"sex": {"label": "Sex", "codes": {"f": "women", "m": "men"}}}})
    assert part.name == "Sex"
    assert sizes(part) == {"women": (frame["sex"] == "f").sum(), "men": (frame["sex"] == "m").sum()}


def test_gaps_are_a_part(binary, parts_of):
    _, frame, _ = binary
    [part] = parts_of(["ward"])
    assert sizes(part)["not recorded"] == frame["ward"].isna().sum()
    [part] = parts_of(["marker"])
    assert sizes(part)["not recorded"] == frame["marker"].isna().sum()


def test_numbers_in_three_parts_of_about_the_same_size(binary, parts_of):
    _, frame, _ = binary
    [part] = parts_of(["age"], {"columns": {"age": {"unit": "years"}}})
    found = sizes(part)
    assert len(found) == 3
    assert max(found.values()) - min(found.values()) < 40
    below, between, above = found
    cut = float(below.removeprefix("below ").removesuffix(" years"))
    assert found[below] == (frame["age"] < cut).sum()
    assert between.startswith(f"{cut:g} to below ")
    assert above.endswith(" years or more")


def test_values_that_are_given(parts_of):
    hospitals = np.where(np.arange(400) % 2, "north", "south")
    few = np.arange(400) % 3
    part, other = parts_of({"hospital": hospitals, "few": few})
    assert sizes(part) == {"north": 200, "south": 200}
    assert list(sizes(other)) == ["0", "1", "2"]
    [gaps] = parts_of({"score": [None if i % 4 == 0 else i for i in range(400)]})
    assert sizes(gaps)["not recorded"] == 100
    assert len(gaps.names) == 4
    [frame] = parts_of({"x": pd.Series([True, False] * 200)})
    assert sizes(frame) == {"False": 200, "True": 200}


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("agee", "by: there is no column 'agee' in the model; did you mean 'age'?"),
        (
            "hospital",
            "by: there is no column 'hospital' in the model; give its values as a mapping: by={name: values}.",
        ),
        ({"x": [1]}, "by: 'x' must be one value per row of X, 400, got the shape (1,) instead."),
        ({"x": [f"v{i}" for i in range(400)]}, "by: 'x' has 400 different values; choose a column with at most 20."),
    ],
)
def test_wrong_parts(by, message, parts_of):
    with pytest.raises(ValueError, match="by: ") as error:
        parts_of(by)
    assert str(error.value) == message
