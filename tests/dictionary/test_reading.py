"""Dictionaries from files: what is read, and what is refused in one sentence."""

import re
from pathlib import Path

import pytest

from gnbayes.dictionary import Dictionary, DictionaryError, read_dictionary

HEART = """
page:
  title: Heart disease
  authors: [A. Detrano, B. Janosi]
  Intended use: in clinic
  date: 2026-03-01
target:
  column: num
  labels: {0: no disease, 1: disease}
  event: disease
  meaning: a narrowing of more than 50 %
columns:
  chol:
    label: Serum cholesterol
    unit: mg/dL
    second-unit: mmol/L
    factor: 38.67
    lowest: 50
    highest: 1000
    decimals: 0
    order: 2
    group: Laboratory
  sex: {label: Sex, codes: {0: female, 1: male}, asked: no}
  smokes:
    codes: {no: never, yes: daily}
  "on":
"""

HEART_CSV = """role,name,label,unit,second_unit,factor,description,codes,lowest,highest,decimals,order,group,asked,event
page,title,Heart disease
page,authors,"A. Detrano, B. Janosi"
page,intended use,in clinic
page,date,2026-03-01
target,num,,,,,a narrowing of more than 50 %,0=no disease; 1=disease,,,,,,,disease
,chol,Serum cholesterol,mg/dL,mmol/L,38.67,,,50,1000,0,2,Laboratory
column,sex,Sex,,,,,0=female; 1=male,,,,,,no

,smokes,,,,,,no=never;yes=daily
,on
"""


@pytest.fixture(params=["heart.yaml", "heart.csv"])
def heart(request, tmp_path):
    path = tmp_path / request.param
    path.write_text(HEART if path.suffix == ".yaml" else HEART_CSV, encoding="utf-8-sig")
    return read_dictionary(path)


def test_entries(heart):
    found = heart
    assert found.page.title == "Heart disease"
    assert found.page.intended_use == "in clinic"
    assert found.page.date == "2026-03-01"
    chol = found.columns["chol"]
    assert (chol.label, chol.unit, chol.second_unit, chol.factor) == ("Serum cholesterol", "mg/dL", "mmol/L", 38.67)
    assert (chol.lowest, chol.highest, chol.decimals, chol.order, chol.group) == (50, 1000, 0, 2, "Laboratory")
    assert "on" in found.columns
    assert found.page.authors == "A. Detrano, B. Janosi"
    assert found.target.column == "num"
    assert dict(found.target.labels) == {"0": "no disease", "1": "disease"}
    assert (found.target.event, found.target.meaning) == ("disease", "a narrowing of more than 50 %")
    assert dict(found.columns["sex"].codes) == {"0": "female", "1": "male"}
    assert not found.columns["sex"].asked
    assert chol.asked


@pytest.mark.parametrize("sign", [";", "\t"])
def test_other_signs_between_the_cells(sign, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f'name{sign}label{sign}codes\nsex{sign}Sex{sign}"0=f; 1=m"\n', encoding="utf-8")
    sex = read_dictionary(path).columns["sex"]
    assert (sex.label, dict(sex.codes)) == ("Sex", {"0": "f", "1": "m"})


def test_words_that_yaml_takes_for_truth_stay_words(tmp_path):
    path = tmp_path / "a.yml"
    path.write_text("columns:\n  smokes:\n    codes: {no: never, yes: daily}\n", encoding="utf-8")
    assert dict(read_dictionary(path).columns["smokes"].codes) == {"no": "never", "yes": "daily"}


def test_what_is_not_described_has_its_name_only():
    found = read_dictionary({"columns": {}, "page": None})
    assert found.column("age").label == ""
    assert found.column("age").asked
    assert read_dictionary(found) is found
    assert isinstance(read_dictionary({}), Dictionary)


def test_empty_entries_are_not_stated(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(
        "page: {title: , version: ~, contact: null}\ntarget:\ncolumns:\n  age:\n    unit: ''\n    lowest:\n"
    )
    found = read_dictionary(path)
    assert (found.page.title, found.page.version, found.page.contact) == ("", "", "")
    assert (found.columns["age"].unit, found.columns["age"].lowest) == ("", None)


def test_a_file_of_nothing_says_nothing(tmp_path):
    (tmp_path / "a.yaml").write_text("")
    assert read_dictionary(tmp_path / "a.yaml") == read_dictionary({})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"colums": {}}, "the dictionary has no part 'colums'; did you mean 'columns'?"),
        ({"columns": {"age": {"lable": "Age"}}}, "column 'age' has no entry 'lable'; did you mean 'label'?"),
        ({"page": {"autor": "x"}}, "page has no entry 'autor'; did you mean 'authors'?"),
        ({"target": {"positive": "x"}}, "target has no entry 'positive'; there are 'column', 'label', 'labels',"),
        ({"columns": ["age"]}, "columns must be entries with names, got ['age'] instead."),
        ({"columns": {"age": 5}}, "column 'age' must be entries with names, got 5 instead."),
        (
            {"columns": {"a": {"lowest": 9, "highest": 3}}},
            "column 'a': lowest is 9 and highest 3; lowest must be below",
        ),
        ({"columns": {"a": {"lowest": "9,5"}}}, "column 'a': lowest must be a number with a decimal point, got '9,5'."),
        ({"columns": {"a": {"lowest": "nan"}}}, "column 'a': lowest must be a number with a decimal point, got 'nan'."),
        ({"columns": {"a": {"factor": 2}}}, "column 'a' has a factor but no second_unit; give both or neither."),
        ({"columns": {"a": {"second_unit": "g"}}}, "column 'a' has a second_unit but no factor; give both or neither."),
        ({"columns": {"a": {"second_unit": "g", "factor": 2}}}, "has a second_unit but no unit; say in which unit"),
        ({"columns": {"a": {"unit": "g", "second_unit": "g", "factor": 2}}}, "unit and second_unit are both 'g'."),
        ({"columns": {"a": {"unit": "g", "second_unit": "kg", "factor": 0}}}, "factor must be above 0, got 0."),
        ({"columns": {"a": {"decimals": 1.5}}}, "decimals must be a whole number from 0 to 9, got 1.5."),
        ({"columns": {"a": {"asked": "perhaps"}}}, "column 'a': asked must be yes or no, got 'perhaps'."),
        ({"columns": {"a": {"codes": {"0": "no", "1": "no"}}}}, "codes calls both '0' and '1' 'no'."),
        ({"columns": {"a": {"codes": {"0": ""}}}}, "codes gives '0' no name; name it or leave it out."),
        (
            {"columns": {"a": {"codes": {"0": "no"}, "unit": "g"}}},
            "column 'a' has codes and also unit; with codes there are",
        ),
        ({"columns": {"a": {"label": {"x": 1}}}}, "column 'a': label must be text, got entries with names instead."),
        ({"columns": {"a": {"label": "X"}, "X": {}}}, "columns 'a' and 'X' have the same label 'X'."),
        (
            {"columns": {"a": {"second unit": "g", "second_unit": "kg"}}},
            "column 'a' has the entry 'second_unit' twice.",
        ),
    ],
)
def test_unknown_and_contradictory_entries_are_named(content, message):
    with pytest.raises(DictionaryError) as error:
        read_dictionary(content)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.yaml", "columns:\n  age: {unit: years\n", "a.yaml: the file is not YAML in line"),
        ("a.yaml", "columns:\n  age:\n  age:\n", "a.yaml: 'age' is given twice, again in line 3."),
        ("a.yaml", "page: &x [a]\ntarget: *x\n", "a.yaml: line 1 is used again by an alias; write it out."),
        ("a.yaml", "page: {[1, 2]: x}\n", "a.yaml: line 1 has a name that is not text."),
        pytest.param(
            "a.yaml",
            "[" * 1500,
            "a.yaml: the file is not YAML that a dictionary can have: it is nested too deeply.",
            marks=pytest.mark.slow,
        ),
        ("a.yaml", "a: !!python/object/apply:os.system [echo]\n", "a.yaml: the dictionary has no part 'a'; there are"),
        ("a.csv", "label\nx\n", "a.csv: its header lacks 'name', the names of the columns."),
        ("a.csv", "name,lable\nage,x\n", "a.csv: there is no entry 'lable' in its header; did you mean 'label'?"),
        ("a.csv", "name,role\nage,colum\n", "a.csv: line 2: there is no role 'colum'; did you mean 'column'?"),
        ("a.csv", "name,label\nage,x\nage,y\n", "a.csv: 'age' is given twice, again in line 3."),
        ("a.csv", "name,label\n,x\n", "a.csv: line 2 has no name."),
        ("a.csv", "name,label\nage,x,y\n", "a.csv: line 2 has 3 cells, the header 2."),
        ("a.csv", "name,codes\nage,0 no\n", "a.csv: line 2: codes must be such as 0=no; 1=yes, got '0 no'."),
        ("a.csv", "name,codes\nage,0=no; 0=yes\n", "a.csv: line 2: the code '0' is given twice."),
        ("a.csv", "name,event\nage,x\n", "a.csv: line 2: event belongs to the target, not to 'age'."),
        ("a.csv", "role,name,unit\ntarget,y,kg\n", "a.csv: line 2: the target has no entry 'unit'."),
        ("a.csv", "role,name\ntarget,y\ntarget,z\n", "a.csv: line 3 describes the target for the second time."),
        ("a.txt", "", "a.txt: a dictionary must be a file that ends with .yaml, .yml or .csv."),
    ],
)
def test_wrong_files(name, text, message, tmp_path):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DictionaryError) as error:
        read_dictionary(path)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_are_not_there_not_text_or_too_large(tmp_path):
    with pytest.raises(DictionaryError, match=r"no\.yaml: there is no such file"):
        read_dictionary(tmp_path / "no.yaml")
    (tmp_path / "a.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DictionaryError, match=r"a\.yaml: the file is not in UTF-8; save it in that encoding"):
        read_dictionary(tmp_path / "a.yaml")
    (tmp_path / "b.yaml").write_bytes(b" " * (2**22 + 1))
    with pytest.raises(DictionaryError, match=r"b\.yaml: the file is larger than 4 MB, too large for a dictionary"):
        read_dictionary(tmp_path / "b.yaml")
    with pytest.raises(TypeError, match="dictionary must be a file, a mapping or a Dictionary, got int instead"):
        read_dictionary(3)


def test_the_example_in_the_docs_is_a_dictionary(tmp_path):
    docs = Path(__file__).parents[2] / "docs" / "guide" / "report.md"
    [example] = re.findall(r"```yaml\n(.*?)```", docs.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "heart.yaml"
    path.write_text(example, encoding="utf-8")
    found = read_dictionary(path)
    assert found.page.not_for == "screening of healthy people"
    assert found.columns["chol"].factor == 38.67
    assert not found.columns["hospital"].asked
