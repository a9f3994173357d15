"""The smaller verbs: select, inspect, export, info, paper and demo."""

import json

import duckdb
import numpy as np
import pandas as pd
import pytest
from patients import patients

from gnbayes import GeneralizedNB, load, selection_curve
from gnbayes.cli.inspect import describe
from gnbayes.cli.main import main
from gnbayes.cli.select import _verdict
from gnbayes.evaluation import make_folds
from gnbayes.versions import versions


def test_select(heart, run, tmp_path):
    told = run("select", heart, "--target", "disease", "--weighting", "none", "--cv", 3, "--plot", "curve.png")
    assert "best by neg_log_loss:" in told.out
    assert "(3-fold cross-validation)" in told.out
    assert " in every fold: " in told.out
    assert (tmp_path / "curve.png").read_bytes()[:4] == b"\x89PNG"
    found = json.loads(run("select", heart, "--target", "disease", "--weighting", "none", "--json").out)
    assert found["method"] == "5-fold cross-validation"
    assert found["n_features"] == [1, 2, 3, 4]
    assert len(found["scores"]["accuracy"]) == 4
    assert found["best_by"] == "neg_log_loss"


@pytest.mark.slow
def test_select_does_not_flatter_noise_unless_asked_by_name(run, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(100, 60)), columns=[f"x{j}" for j in range(60)])
    frame.assign(y=rng.integers(0, 2, 100)).to_csv(tmp_path / "t.csv", index=False)
    scores = json.loads(run("select", "t.csv", "--target", "y", "--json").out)["scores"]
    assert max(scores["accuracy"]) < 0.7
    loo = run("select", "t.csv", "--target", "y", "--weighting", "none", "--cv", "loo", "--json")
    assert max(json.loads(loo.out)["scores"]["accuracy"]) > 0.85
    assert json.loads(loo.out)["method"] == "leave-one-out, bins and tree fixed"
    assert json.loads(loo.out)["errors"] == {}
    assert [json.loads(loo.out)[rule] for rule in ("auto", "one_standard_error", "stability")] == [None, None, None]
    assert "leave-one-out: bins and tree have seen every row, so scores are too optimistic" in loo.err


def test_select_keeps_groups_together(heart, run):
    words = ("select", heart, "--target", "disease", "--group", "ward nr")
    assert "best by" in run(*words, "--weighting", "none", "--cv", 3).out
    err = run(*words, "--cv", "loo", code=1).err
    assert "--group needs folds" in err


@pytest.mark.posix
def test_a_folder_is_not_a_model_file(run, tmp_path):
    (tmp_path / "models").mkdir()
    assert run("inspect", "models", code=1).err == "gnbayes: 'models' cannot be opened: is a directory.\n"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--cv", "loo"], "--cv loo needs --weighting none; a weighted model needs folds, such as --cv 5."),
        (["--scoring", "accurate"], "there is no scorer 'accurate'; did you mean 'accuracy'?"),
        (["--plot", "curve.foo"], "'curve.foo' must end with the format of the plot: ."),
        (["--n-features", "2"], "select scores every number of features; --n-features is an option of 'gnbayes fit'."),
    ],
)
def test_select_refuses_before_it_works_and_in_the_words_of_the_command(heart, run, options, sentence):
    assert f"gnbayes: {sentence}" in run("select", heart, "--target", "disease", *options, code=1).err


@pytest.mark.slow
def test_select_shows_errors_and_the_final_model(heart, run):
    out = run("select", heart, "--target", "disease", "--cv", 2, "--scoring", "neg_log_loss").out
    assert out.startswith("  n  neg_log_loss   error  feature\n")
    assert (
        "the curve is of models with the pairs of the tree, fitted once; the final model with all: neg_log_loss" in out
    )


@pytest.mark.slow
def test_select_holds_out_whole_groups_also_inside_the_folds(run, tmp_path):
    rng = np.random.default_rng(0)
    person, y = np.repeat(np.arange(16), 5), np.repeat(np.arange(16) % 2, 5)
    X = rng.normal(size=(16, 3))[person] + 0.05 * rng.normal(size=(80, 3))
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=y, person=person)
    frame.to_csv(tmp_path / "t.csv", index=False)
    words = ("select", "t.csv", "--target", "y", "--group", "person", "--interactions", "tree", "--json")
    for options, cv in ((), None), (("--cv", "3"), make_folds(y, person, 3)):
        found = json.loads(run(*words, *options).out)["scores"]["neg_log_loss"]
        how = {"cv": cv, "groups": person, "scoring": "neg_log_loss"}
        expected = selection_curve(GeneralizedNB(interactions="tree"), frame[["a", "b", "c"]], y, **how)
        assert found == pytest.approx(expected.mean("neg_log_loss").tolist())


@pytest.mark.slow
def test_select_by_prices(heart, run, tmp_path):
    prices = {"age": 1, "sex": 1, "smokes": 1, "ward nr": 200}
    pd.Series(prices, name="price").rename_axis("feature").to_csv(tmp_path / "costs.csv")
    words = ("select", heart, "--target", "disease", "--interactions", "tree", "--cost", "costs.csv")
    found = json.loads(run(*words, "--json").out)
    assert found["order"][-1] == "ward nr"
    assert found["costs"][-1] == 203
    told = run(*words).out
    assert "cost  feature" in told
    assert "(few)" not in told
    assert told.endswith("'gnbayes fit --n-features' knows no costs: leave out the other features with --drop\n")


@pytest.mark.slow
@pytest.mark.parametrize(("options", "is_named"), [((), True), (("--cv", 3), False), (("--scoring", "f1"), False)])
def test_auto_and_few_are_named_where_fit_chooses_the_same_number(heart, run, options, is_named):
    told = run("select", heart, "--target", "disease", "--weighting", "none", *options).out
    assert ("(auto)" in told, "(few)" in told) == (is_named, is_named)
    assert "--drop" not in told


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("feature,price\nage,1\n", "costs must have an entry for every column, and 'sex' has none"),
        ("feature,price\nage,1\nage,2\n", "has two costs for 'age'; leave one out"),
        ("feature,price,unit\nage,1,x\n", "must have two columns, features and their costs, got 3 instead"),
        ("feature,price\nage,-1\nsex,1\nsmokes,1\nward nr,1\n", "costs must be numbers from 0, got -1"),
        ("feature,price\nage,x\nsex,1\nsmokes,1\nward nr,1\n", "costs must be numbers from 0, got 'x'"),
        (
            "feature,price\nage,1\nsex,x\nsmokes,1\nward nr,1\n",
            "costs must be numbers from 0, got 'x' for column 'sex'",
        ),
    ],
)
def test_wrong_prices(heart, run, tmp_path, text, message):
    (tmp_path / "costs.csv").write_text(text)
    assert message in run("select", heart, "--target", "disease", "--cost", "costs.csv", code=1).err


def test_inspect(model, run):
    out = run("inspect", model).out
    assert out.startswith("structure gnb-o, weighting discriminative\n")
    assert "importance " in out
    told = json.loads(run("inspect", model, "--json").out)
    assert {one["feature"] for one in told["features"]} == {"age", "sex", "smokes", "ward nr"}
    assert sum(told["classes"].values()) == 150


def test_a_strength_that_was_chosen_is_shown(wdbc):
    clf = GeneralizedNB("nb", weighting=None, n_bins=5, alpha="auto").fit(*wdbc)
    assert clf.alpha_ != 1
    assert f"smoothing additive (alpha {clf.alpha_:g})" in describe(clf)


@pytest.mark.parametrize("kind", ["bif", "xmlbif", "onnx", "python", "dot", "picture"])
def test_export(kind, heart, run, tmp_path):
    run("fit", heart, "--target", "disease", "--weighting", "none", "--no-score", "-o", "m.gnb.json")
    path = tmp_path / ("m.png" if kind == "picture" else "m.out")
    told = run("export", "m.gnb.json", "--to", kind, "-o", path, "--json").out
    assert json.loads(told) == {"format": kind, "output": str(path)}
    assert path.stat().st_size > 100


def test_export_of_a_weighted_model(model, run, tmp_path):
    run("export", model, "--to", "bif", "-o", "m.bif")
    assert "the classifier's own P(class | features) differs" in (tmp_path / "m.bif").read_text()
    run("export", model, "--to", "effects", "-o", "effects.csv")
    assert (tmp_path / "effects.csv").read_text().startswith("class,term,feature,value")


def test_formulas_among_effects_are_escaped_on_request(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "=1,@ill\nb,well\n" * 20)
    run("fit", "t.csv", "--target", "y", "--weighting", "none", "--no-score", "-o", "m.json")
    run("export", "m.json", "--to", "effects", "-o", "effects.csv", "--escape-formulas")
    assert ",a,'=1," in (tmp_path / "effects.csv").read_text()
    told = run("export", "m.json", "--to", "bif", "-o", "m.bif", "--escape-formulas", code=1).err
    assert "--escape-formulas is for --to effects, and --to is bif; leave it out." in told


def test_export_to_sql(heart, model, run, tmp_path):
    words = ("export", model, "--to", "sql", "-o", "m.sql")
    run(*words, "--dialect", "duckdb", "--table", "read_csv('heart.csv')", "--keep", "age")
    with duckdb.connect() as database:
        found = database.execute((tmp_path / "m.sql").read_text().replace("heart.csv", str(heart)))
        names = [column[0] for column in found.description]
        assert names == ["age", "prediction", "probability of ill", "probability of well"]
        assert len(found.fetchall()) == len(patients())
    assert "--to sql needs --dialect, one of duckdb, sqlite, spark." in run(*words, code=1).err
    told = run("export", model, "--to", "bif", "-o", "m.bif", "--keep", "age", code=1).err
    assert "--keep is for --to sql, and --to is bif; leave it out." in told


def test_info(run):
    assert "scikit-learn" in run("info").out
    assert json.loads(run("info", "--json").out) == versions()


@pytest.mark.slow
def test_paper_leaves_out_what_it_cannot_get(run, tmp_path, monkeypatch):
    monkeypatch.setenv("GNBAYES_DATA", str(tmp_path))
    told = run("paper", "--repeats", 2, "--honest-repeats", 2)
    assert "heart is left out: " in told.err
    assert "wdbc" in told.out
    assert "repeats and honest_repeats must be at least 2" in run("paper", "--repeats", 0, code=1).err


@pytest.mark.slow
def test_the_demo(run, tmp_path):
    out = run("demo").out
    for number in ("6.094354", "19.714312", "19.817118"):
        assert number in out
    for row in ("naive Bayes      0.937   0.986     0.585", "GNB-A            0.950   0.990     0.158"):
        assert row in out
    assert "Next: gnbayes demo -o FOLDER" in out


@pytest.mark.slow
def test_the_demo_in_a_folder(run, tmp_path):
    told = run("demo", "-o", "shown", "--json")
    assert [one["structure"] for one in json.loads(told.out)["scores"]] == [
        *("naive Bayes", "GNB-A", "GNB-O", "TAN", "the default")
    ]
    made = {path.name for path in (tmp_path / "shown").iterdir()}
    assert made == {
        *("train.csv", "new.csv", "wdbc.gnb.json", "wdbc.html", "predictions.csv"),
        *("curve.png", "tree.png", "weight.png", "importances.png", "explanation.png"),
    }
    assert load(tmp_path / "shown" / "wdbc.gnb.json").counts_.n == 379
    assert "Scores of 190 rows with 95 % intervals, for rows not used in training" in told.err


def test_the_demo_says_what_it_lacks(run, monkeypatch):
    monkeypatch.setattr("gnbayes.cli.demo.find_spec", lambda name: None if name == "matplotlib" else name)
    told = run("demo", "-o", "shown", code=1)
    assert told.out == ""
    assert "-o needs matplotlib; install with: pip install 'gnbayes[plot]'" in told.err


def test_the_demo_needs_a_folder(heart, run):
    assert "is a file; give a folder" in run("demo", "-o", heart, code=1).err


@pytest.mark.parametrize(
    ("number", "is_stable", "words"),
    [
        (2, True, "of the first 2, 1 is among the first 2 in every fold: stable"),
        (
            2,
            False,
            "of the first 2, 1 is among the first 2 in every fold: unstable: other rows would give other features",
        ),
        (3, True, "all 3 features are used: there is no choice to be unstable"),
    ],
)
def test_whether_a_choice_is_stable(number, is_stable, words):
    steady = {"n_features": number, "shares": {"a": 1.0, "b": 0.6, "c": 0.4}, "is_stable": is_stable}
    assert _verdict(steady, ["a", "b", "c"]) == words


def test_the_help_of_select_shows_no_option_that_it_refuses(capsys):
    for verb, is_shown in (("fit", True), ("select", False)):
        with pytest.raises(SystemExit):
            main([verb, "--help"])
        assert ("--n-features N" in capsys.readouterr().out) == is_shown
