"""The verb report, run as a user runs it."""

import io
import json
import subprocess
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from classifiers import counted
from mixed_tables import mixed_frame
from page_forms import page_json

from gnbayes import load, save
from gnbayes.cli.main import main

COMMAND = Path(sys.executable).with_name("gnbayes")
pytestmark = [pytest.mark.slow, pytest.mark.once]


def gnbayes(*arguments, stdin=None):
    """Run the verb in this process, and give its code and what it says."""
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(io.StringIO()), pytest.MonkeyPatch.context() as patch:
        if stdin is not None:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))
        with warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            try:
                code = main(["report", *map(str, arguments)])
            except SystemExit as end:
                code = end.code
    return code, said.getvalue()


def data_of(path):
    return json.loads(page_json(path.read_text(encoding="utf-8")))


@pytest.fixture
def files(tmp_path):
    """A model file and a table of rows it has not seen, with their classes."""
    frame, labels = mixed_frame()
    frame = frame.assign(smokes=frame["smokes"].map({True: "yes", False: "no"}))
    clf = counted().fit(frame[:300], labels[:300])
    save(clf, tmp_path / "heart.gnb.json")
    frame[300:].assign(disease=labels[300:], note="x").to_csv(tmp_path / "test.csv", index=False)
    return tmp_path / "heart.gnb.json", tmp_path / "test.csv", tmp_path / "heart.html"


def test_a_model_alone(files):
    model, _, page = files
    said = f"written to {page}; no rows of data are in it\n"
    assert gnbayes(model, "-o", page, "--positive", "ill") == (0, said)
    assert data_of(page)["evaluation"] is None


def test_the_scores_that_fit_kept_need_no_table(tmp_path):
    frame, labels = mixed_frame()
    table, model, page = tmp_path / "t.csv", tmp_path / "m.gnb.json", tmp_path / "m.html"
    frame.assign(disease=labels).to_csv(table, index=False)
    told = io.StringIO()
    with redirect_stderr(io.StringIO()), redirect_stdout(told):
        assert main(["fit", str(table), "--target", "disease", "--weighting", "none", "--json", "-o", str(model)]) == 0
    before, score = model.read_bytes(), json.loads(told.getvalue())["score"]
    assert gnbayes(model, "-o", page, "--positive", "well")[0] == 0
    data = data_of(page)["evaluation"]
    assert (data["origin"], data["rows"], data["folds"]) == ("kept", 400, 5)
    assert data["assessed"][0]["auroc"][0] == pytest.approx(score["auroc"]["well"]["value"], abs=1e-5)
    assert data["classification"]["accuracy"][1] == pytest.approx(score["accuracy"]["low"], abs=1e-5)
    assert "The scores are kept in the model file" in page.read_text(encoding="utf-8")
    # A page with a table does not touch the file either.
    assert gnbayes(model, table, "-o", page, "--positive", "well", "--bootstrap", "0")[0] == 0
    assert data_of(page)["evaluation"]["origin"] == "seen"
    assert model.read_bytes() == before


def test_a_fit_without_scores_keeps_none(tmp_path):
    frame, labels = mixed_frame()
    table, model = tmp_path / "t.csv", tmp_path / "m.gnb.json"
    frame.assign(disease=labels).to_csv(table, index=False)
    words = ["fit", str(table), "--target", "disease", "--weighting", "none", "--no-score", "-o", str(model)]
    with redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO()):
        assert main(words) == 0
    assert load(model).evaluation_ is None


def test_the_caution_stands_until_it_is_stated_otherwise(files, capsys):
    model, table, page = files
    caution = "valid only for rows not used in training"
    words = ["report", str(model), str(table), "-o", str(page), "--positive", "ill", "--json"]
    assert main(words) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["validity"] == caution
    assert f"scores are {caution}  (otherwise: --new-rows)\n" in told.err
    assert caution in page.read_text(encoding="utf-8").casefold()
    assert main([*words, "--new-rows"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["validity"] == "for rows not used in training, as stated by --new-rows"
    assert caution not in told.err
    body = page.read_text(encoding="utf-8").partition('id="data"')[0]
    assert caution not in body.casefold()
    code, said = gnbayes(model, "-o", page, "--positive", "ill", "--new-rows")
    assert (code, "--new-rows needs a table." in said) == (1, True)


def test_with_a_table_whose_classes_are_found(files):
    model, table, page = files
    code, said = gnbayes(model, table, "-o", page, "--rows", 2, "--title", "Heart", "--positive", "ill")
    assert code == 0, said
    assert "using column 'disease' for the classes  (otherwise: --target COLUMN)" in said
    assert "2 rows of data are in it" in said
    data = data_of(page)
    assert (data["title"], data["event"]["at"], len(data["rows"])) == ("Heart", 0, 2)
    clf, (frame, labels) = load(model), mixed_frame()
    frame = frame.assign(smokes=frame["smokes"].map({True: "yes", False: "no"}))
    expected = clf.score(frame[300:], labels[300:])
    assert data["evaluation"]["classification"]["accuracy"][0] == pytest.approx(expected, abs=1e-5)
    assert data["evaluation"]["rows"] == 100


def test_the_classes_can_be_named_and_rows_without_one_are_left_out(files):
    model, table, page = files
    lines = table.read_text().splitlines()
    lines[1] = ",".join([*lines[1].split(",")[:-2], "", "x"])
    code, said = gnbayes(
        model, "-", "-o", page, "--target", "disease", "--positive", "ill", stdin="\n".join(lines).encode()
    )
    assert code == 0, said
    assert "1 rows without 'disease' are left out" in said
    assert data_of(page)["evaluation"]["rows"] == 99


def test_without_classes_there_are_no_scores(files):
    model, table, page = files
    lines = [line.rpartition(",")[0].rpartition(",")[0] for line in table.read_text().splitlines()]
    code, said = gnbayes(model, "-", "-o", page, "--positive", "ill", stdin="\n".join(lines).encode())
    assert code == 0
    assert "no scores: no other column holds the classes of the model  (--target COLUMN)" in said
    assert data_of(page)["evaluation"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--positive", "il"), "there is no class 'il'; did you mean 'ill'?"),
        (("--target", "diseas"), "there is no column 'diseas'; did you mean 'disease'?"),
        (
            ("--target", "note", "--positive", "ill"),
            "column 'note' holds 'x', which is not a class of the model; its classes are 'ill', 'well'.",
        ),
        (
            (),
            "which class is the event whose risk the page shows, 'ill' or 'well'? Say it with pos_label (in the shell ",
        ),
        (("--positive", "ill", "--by", "sex,agee"), "there is no column 'agee'; did you mean 'age'?"),
        (("--positive", "ill", "--group", "warrd"), "there is no column 'warrd'; did you mean 'ward'?"),
        (("--positive", "ill", "--dictionary", "no.yaml"), "no.yaml: there is no such file."),
        (("--positive", "ill", "--bootstrap", "1"), "bootstrap must be a number of refits from 2, 0 for none"),
    ],
)
def test_mistakes_are_said_in_a_sentence(arguments, message, files):
    model, table, page = files
    code, said = gnbayes(model, table, "-o", page, *arguments)
    assert code == 1
    assert message in said
    assert not page.exists()


def test_other_mistakes(files, tmp_path):
    model, table, page = files
    for option, value in (("--rows", 2), ("--by", "sex"), ("--group", "ward")):
        assert f"{option} needs a table." in gnbayes(model, "-o", page, option, value)[1]
    assert "its folder does not exist" in gnbayes(model, "-o", tmp_path / "no" / "x.html")[1]
    assert "it is a folder" in gnbayes(model, "-o", tmp_path)[1]
    assert "there is no file" in gnbayes("nothing.json", "-o", page)[1]
    assert "must be a whole number from 0, got '-3'" in gnbayes(model, table, "-o", page, "--rows", "-3")[1]
    (tmp_path / "short.csv").write_text("age,sex\n50,f\n")
    assert "there is no column 'pressure'" in gnbayes(model, tmp_path / "short.csv", "-o", page)[1]


def test_dictionary_parts_groups_and_checklist(files, tmp_path):
    model, table, page = files
    dictionary = tmp_path / "heart.yaml"
    dictionary.write_text(
        "page: {title: Wards, intended use: at admission}\n"
        "target: {column: disease, event: ill, meaning: a fall}\n"
        "columns: {age: {label: Age, unit: years, lowest: 0}}\n"
    )
    checklist = tmp_path / "tripod.md"
    code, said = gnbayes(
        model, table, "-o", page, "--dictionary", dictionary, "--by", "sex,note", "--group", "ward",
        "--bootstrap", 0, "--tripod", checklist,
    )  # fmt: skip
    assert code == 0, said
    assert said.endswith(f"written to {checklist}: the TRIPOD+AI checklist\n")
    data = data_of(page)
    assert data["title"] == "Wards"
    assert [part["name"] for part in data["evaluation"]["parts"]] == ["sex", "note"]
    assert data["evaluation"]["hasGroups"]
    assert [feature["name"] for feature in data["model"]["features"]].count("Age") == 1
    text = checklist.read_text(encoding="utf-8")
    assert "heart.html" in text
    assert "| 3b | " in text


def test_training_rows_are_recognised_and_refitted(tmp_path):
    frame, labels = mixed_frame(120)
    labels = ["yes" if label == "ill" else "no" for label in labels]
    frame = frame[["age", "pressure"]]
    save(counted().fit(frame, labels), tmp_path / "m.json")
    frame.assign(fell=labels).to_csv(tmp_path / "t.csv", index=False)
    code, said = gnbayes(tmp_path / "m.json", tmp_path / "t.csv", "-o", tmp_path / "p.html", "--bootstrap", 3)
    assert code == 0, said
    assert "using 'fell = yes' as the event  (otherwise: --positive CLASS)" in said
    data = data_of(tmp_path / "p.html")
    assert (data["evaluation"]["seen"], data["evaluation"]["instability"]["refits"]) == (120, 3)
    assert data["classes"] == ["fell = no", "fell = yes"]


def test_without_jinja(files):
    model, _, page = files
    code = (
        "import sys; sys.modules['jinja2'] = None; from gnbayes.cli.main import main; "
        f"sys.exit(main(['report', {str(model)!r}, '-o', {str(page)!r}, '--positive', 'ill']))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stderr == "gnbayes: the report needs jinja2; install it with: pip install 'gnbayes[report]'\n"
