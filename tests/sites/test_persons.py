import numpy as np
import pandas as pd
import pytest
from site_tables import features_of, mixed_frame

from gnbayes.sites import Persons, count_site


@pytest.fixture(scope="module")
def visits():
    frame = mixed_frame(300)
    return frame.assign(who=[f"p{at % 70}" for at in range(300)])


@pytest.mark.parametrize("most", [1, 2, 4])
@pytest.mark.parametrize("size", [40, 300])
def test_the_first_rows_of_a_person_count(visits, most, size):
    features = features_of(visits.drop(columns="who"))
    batches = [visits[at : at + size] for at in range(0, 300, size)]
    found = count_site(features, batches, persons=Persons("who", most))
    kept = visits[visits.groupby("who").cumcount() < most]
    assert np.array_equal(found.cells, count_site(features, [kept]).cells)
    assert found.persons == Persons("who", most)


def test_leaving_out_a_person_leaves_the_rows_of_others(visits):
    features = features_of(visits.drop(columns="who"))
    whole, without = (
        count_site(features, [part], "columns", persons=Persons("who", 2))
        for part in (visits, visits[visits["who"] != "p3"])
    )
    assert np.abs(whole.cells - without.cells).sum() == 2 * 9


@pytest.mark.parametrize("missing", [None, np.nan])
def test_every_row_needs_a_person(visits, missing):
    bad = visits.assign(who=pd.Series([missing, *visits["who"][1:]], dtype=object))
    with pytest.raises(ValueError, match="column 'who' has missing values, and every row needs a person"):
        count_site(features_of(visits.drop(columns="who")), [bad], persons=Persons("who"))


def test_the_column_must_be_there(visits):
    with pytest.raises(ValueError, match="there is no column 'patient', which should identify the person of each row"):
        count_site(features_of(visits.drop(columns="who")), [visits], persons=Persons("patient"))


def test_at_least_one_row():
    with pytest.raises(ValueError, match="most_rows must be a whole number from 1, got 0 instead"):
        Persons("who", 0)
