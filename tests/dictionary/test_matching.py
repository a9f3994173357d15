"""A dictionary must fit the model it describes."""

import pytest

from gnbayes.dictionary import (
    DictionaryError,
    Known,
    check_columns,
    code_intervals,
    find_event,
    match_codes,
    name_classes,
    read_dictionary,
)

KNOWN = [
    Known("age", "number", means=(34.6, 50.0, 71.0), edges=(40.5, 60.5)),
    Known("ca", "number", means=(0.0, 1.0, 2.5), edges=(0.5, 1.5)),
    Known("sex", "choice", values=("0", "1")),
    Known("ward", "choice", values=("Medicine", "surgery")),
    Known("empty", "number"),
]


def columns(**entries):
    return read_dictionary({"columns": entries})


def test_a_dictionary_that_fits():
    check_columns(
        columns(
            age={"lowest": 0, "highest": 120, "unit": "years"},
            ca={"codes": {"0": "none", "1": "one", "2": "two", "3": "three"}},
            sex={"codes": {"0.0": "f", "1": "m"}},
            ward={"codes": {"medicine": "M"}},
            empty={"lowest": 5},
        ),
        KNOWN,
    )


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"agee": {}}, "the dictionary describes column 'agee', which the model does not have; did you mean 'age'?"),
        ({"a1": {}, "b2": {}}, "columns that the model does not have: 'a1' and 'b2'; remove or rename them."),
        (
            {"sex": {"unit": "kg"}},
            "column 'sex' has unit, but the model treats it as categorical ('0' and '1'); remove",
        ),
        (
            {"sex": {"codes": {"2": "x"}}},
            "column 'sex': codes names '2', which did not occur in training; the values there were '0' and '1'.",
        ),
        ({"ca": {"codes": {"none": "x"}}}, "column 'ca': codes names 'none', but the column holds numbers."),
        ({"ca": {"codes": {"0": "a", "1": "b"}}}, "codes omits values that occurred in training, around 2.5; name all"),
        ({"age": {"highest": 50}}, "column 'age': highest is 50, but training has values around 71; is it in another"),
        ({"age": {"lowest": 40}}, "column 'age': lowest is 40, but training has values around 34.6; is it in another"),
    ],
)
def test_what_does_not_fit_is_named(entries, message):
    with pytest.raises(DictionaryError) as error:
        check_columns(columns(**entries), KNOWN)
    assert message in str(error.value)


def test_codes_of_numbers_lie_in_intervals():
    column = columns(ca={"codes": {"0": "none", "0.5": "half", "3": "three"}}).columns["ca"]
    assert code_intervals(column, (0.5, 1.5)) == [0, 1, 2]


def test_codes_match_texts_numbers_and_case():
    assert match_codes({"1": "a", "yes": "b", "x": "c"}, ["1.0", "Yes", "no"]) == {0: "a", 1: "b"}
    assert match_codes({"A": "1", "a": "2"}, ["a", "A"]) == {1: "1", 0: "2"}


def test_classes_and_event():
    heart = read_dictionary({"target": {"labels": {"0": "healthy", "1": "ill"}, "event": "ill"}})
    assert name_classes(heart, ["0", "1"]) == ["healthy", "ill"]
    assert find_event(heart, ["0", "1"]) == 1
    assert find_event(read_dictionary({"target": {"event": 0}}), ["0", "1"]) == 0
    assert find_event(read_dictionary({}), ["0", "1"]) is None
    assert name_classes(read_dictionary({}), ["a", "b"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ({"event": "sick"}, "target: event is 'sick', which is not a class; the classes are 'ill' and 'well'."),
        ({"labels": {"sick": "x"}}, "target: labels names the class 'sick'; the classes are 'ill' and 'well'."),
    ],
)
def test_classes_that_are_not_there(target, message):
    with pytest.raises(DictionaryError) as error:
        find_event(read_dictionary({"target": {"event": "ill", **target}}), ["ill", "well"])
    assert message in str(error.value)
