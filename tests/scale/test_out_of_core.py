import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.dataset as pads
import pyarrow.feather as pf
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scale_tables import assert_same, in_batches, mixed_frame
from sklearn.preprocessing import KBinsDiscretizer

from gnbayes import GeneralizedNB, load, report, save
from gnbayes.encoding import read_frame
from gnbayes.model.fitting import families, learn, training
from gnbayes.scale import Limits, fit_batches, summarize_batches
from gnbayes.scale import out_of_core as fitting

SETTINGS = {
    "quantile": {"n_bins": 5},
    "uniform": {"discretizer": "uniform", "n_bins": 7, "structure": "tan"},
    "mdlp": {"discretizer": "mdlp", "structure": "gnb-a"},
    "edges": {"discretizer": {"number": [0.0, 1.0]}, "n_bins": 3},
    "naive": {"structure": "nb", "smoothing": "backoff"},
    "categories": {"categorical_features": ["many whole", "few"], "n_features": 4},
    "prior": {"class_prior": [0.2, 0.3, 0.5], "smoothing": "paper"},
}


def one_fit(frame, **parameters):
    return GeneralizedNB(**parameters).fit(frame.drop(columns="y"), frame["y"])


class TestBatches:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", SETTINGS)
    def test_any_size_and_order_gives_the_model_of_one_fit(self, name):
        frame = mixed_frame(400)
        parameters = {"weighting": None, **SETTINGS[name]}
        one = one_fit(frame, **parameters)
        for size in (9, 150, 1000):
            assert_same(one, fit_batches(GeneralizedNB(**parameters), in_batches(frame, size), "y"), frame)

    @pytest.mark.slow
    @given(sizes=st.lists(st.integers(0, 40), min_size=1, max_size=8), seed=st.integers(0, 99))
    @settings(max_examples=12)
    def test_batches_of_uneven_sizes(self, sizes, seed):
        frame = mixed_frame(max(12, sum(sizes)), seed)
        ends = [*np.cumsum(sizes).tolist(), len(frame)]
        batches = [frame.iloc[start:stop] for start, stop in zip([0, *ends], ends, strict=False)]
        parameters = {"weighting": None, "n_bins": 4, "structure": "gnb-o"}
        assert_same(one_fit(frame, **parameters), fit_batches(GeneralizedNB(**parameters), batches, "y"), frame)

    @pytest.mark.slow
    def test_weights_of_all_rows_are_those_of_one_fit(self):
        frame = mixed_frame(500)
        parameters = {"weighting": "discriminative", "n_bins": "auto", "structure": "gnb-o"}
        one = one_fit(frame, **parameters)
        assert_same(one, fit_batches(GeneralizedNB(**parameters), in_batches(frame, 70), "y"), frame)

    @pytest.mark.slow
    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_weights_of_more_rows_than_are_sampled_are_those_of_one_fit(self, monkeypatch, n_jobs, tmp_path):
        monkeypatch.setattr(training, "_MANY_ROWS", 600)
        monkeypatch.setattr(learn, "_PENALTY_ROWS", 200)
        monkeypatch.setattr(learn, "_BALANCE_ROWS", 200)
        monkeypatch.setattr(families, "_LEAST_JUDGES", 20)
        frame = mixed_frame(3000)
        one = one_fit(frame)
        for batches in (in_batches(frame, 700), in_batches(frame, 131)[::-1]):
            assert_same(one, fit_batches(GeneralizedNB(n_jobs=n_jobs), batches, "y", cache=tmp_path), frame)
        assert list(tmp_path.iterdir()) == []

    def test_every_frame_and_pairs_of_arrays(self):
        frame = mixed_frame(200)[["number", "few", "y"]]
        parameters = {"weighting": None, "n_bins": 5}
        one = one_fit(frame, **parameters)
        table = pa.Table.from_pandas(frame, preserve_index=False)
        for batches in ([table[:90], table[90:]], table.to_batches(max_chunksize=30), [frame]):
            assert_same(one, fit_batches(GeneralizedNB(**parameters), batches, "y"), frame)
        X, y = frame[["number", "few"]].to_numpy(), frame["y"].to_numpy(dtype=object)
        clf = fit_batches(GeneralizedNB(**parameters), [(X[:50], y[:50]), (X[50:], y[50:])])
        assert not hasattr(clf, "feature_names_in_")
        assert np.array_equal(clf.predict_proba(X), GeneralizedNB(**parameters).fit(X, y).predict_proba(X))

    def test_names_that_are_numbers(self):
        rng = np.random.default_rng(0)
        X, y = pd.DataFrame(rng.normal(size=(60, 3))), rng.integers(0, 2, 60)
        one = GeneralizedNB(weighting=None, n_bins=3).fit(X, y)
        frames = [X.assign(y=y)[:20], X.assign(y=y)[20:]]
        for batches, target in ((frames, "y"), ([(X[:30], y[:30]), (X[30:], y[30:])], None)):
            other = fit_batches(GeneralizedNB(weighting=None, n_bins=3), batches, target)
            assert np.array_equal(other.predict_proba(X), one.predict_proba(X))
            assert not hasattr(other, "feature_names_in_")

    def test_a_table_too_wide_to_keep_all_pairs(self, monkeypatch):
        monkeypatch.setattr("gnbayes.counted_tree.MAX_KEPT_CELLS", 100)
        monkeypatch.setattr(fitting, "_BLOCK_BYTES", 30_000)
        frame = mixed_frame(300)
        parameters = {"weighting": None, "n_bins": 5, "structure": "gnb-o"}
        one = one_fit(frame, **parameters)
        other = fit_batches(GeneralizedNB(**parameters), in_batches(frame, 70), "y")
        assert one.counts_.pairs is not None
        assert np.array_equal(one.counts_.pairs, other.counts_.pairs)
        assert_same(one, other, frame)

    def test_the_result_is_a_classifier_like_any_other(self, tmp_path):
        frame = mixed_frame(200).drop(columns=["empty"])
        X = frame.drop(columns="y")
        clf = fit_batches(GeneralizedNB(weighting=None, n_bins=5), in_batches(frame, 60), "y")
        save(clf, tmp_path / "model.gnb.json")
        assert np.array_equal(load(tmp_path / "model.gnb.json").predict_proba(X), clf.predict_proba(X))
        explanation = clf.explain(X[:3])
        total = explanation.base + explanation.contributions.sum(axis=1)
        assert np.allclose(total, clf.predict_joint_log_proba(X[:3]))
        assert "<html" in report(clf).html[:500]
        clf.partial_fit(X, frame["y"])
        assert clf.counts_.n == 400


class TestFiles:
    def write(self, frame, folder, kind):
        for at in range(0, len(frame), 100):
            part = pa.Table.from_pandas(frame.iloc[at : at + 100], preserve_index=False)
            path = folder / f"part-{at:03d}.{kind}"
            if kind == "parquet":
                pq.write_table(part, path, row_group_size=30)
            elif kind == "feather":
                pf.write_feather(part, str(path))
            else:
                pa.csv.write_csv(part, path)
        (folder / "_SUCCESS").write_text("")

    @pytest.mark.parametrize("kind", ["parquet", "feather", "csv"])
    @pytest.mark.parametrize("batch_rows", [60, 10_000])
    def test_a_folder_gives_the_model_of_one_fit(self, tmp_path, kind, batch_rows):
        frame = mixed_frame(350).drop(columns=["empty", 'odd "name", é\n'] if kind == "csv" else [])
        self.write(frame, tmp_path, kind)
        parameters = {"weighting": None, "n_bins": 5}
        other = fit_batches(GeneralizedNB(**parameters), tmp_path, "y", batch_rows=batch_rows)
        assert_same(one_fit(frame, **parameters), other, frame)

    def test_columns_and_rows_are_chosen_while_reading(self, tmp_path):
        frame = mixed_frame(350)
        self.write(frame, tmp_path, "parquet")
        parameters = {"weighting": None, "n_bins": 5}
        chosen = frame.loc[frame["few"] > 0, ["number", "flag", "y"]]
        other = fit_batches(
            GeneralizedNB(**parameters), tmp_path, "y", columns=["number", "flag"], row_filter=pc.field("few") > 0
        )
        assert_same(one_fit(chosen, **parameters), other, chosen)

    def test_lists_of_paths_and_datasets(self, tmp_path):
        frame = mixed_frame(350)
        self.write(frame, tmp_path, "parquet")
        parameters = {"weighting": None, "n_bins": 5}
        one = one_fit(frame, **parameters)
        paths = sorted(tmp_path.glob("*.parquet"))
        assert_same(one, fit_batches(GeneralizedNB(**parameters), paths, "y"), frame)
        assert_same(one, fit_batches(GeneralizedNB(**parameters), pads.dataset(paths), "y"), frame)

    def test_categories_and_missing_values_in_some_files_only(self, tmp_path):
        first = pd.DataFrame({"a": ["x", "x", "y"], "b": [1.0, 2.0, 3.0], "y": [0, 1, 0]})
        second = pd.DataFrame({"a": ["z", None, "x"], "b": [4.0, np.nan, 5.0], "y": [2, 1, 0]})
        frame = pd.concat([first, second], ignore_index=True)
        for name, part in (("1", first), ("2", second)):
            pq.write_table(pa.Table.from_pandas(part), tmp_path / f"{name}.parquet")
        parameters = {"weighting": None, "n_bins": 2}
        assert_same(one_fit(frame, **parameters), fit_batches(GeneralizedNB(**parameters), tmp_path, "y"), frame)

    def test_fractions_after_whole_numbers_in_csv(self, tmp_path):
        (tmp_path / "1.csv").write_text("a,y\n1,u\n2,v\n")
        (tmp_path / "2.csv").write_text("a,y\n1.5,u\n?,v\n")
        clf = fit_batches(GeneralizedNB(weighting=None, n_bins=5), tmp_path, "y")
        assert clf.features_[0].categories == (1.0, 1.5, 2.0)
        assert clf.features_[0].has_missing

    def test_folders_that_are_columns(self, tmp_path):
        frame = mixed_frame(200)
        table = pa.Table.from_pandas(frame, preserve_index=False)
        flavor = pads.partitioning(pa.schema([("few", pa.int64())]), flavor="hive")
        pads.write_dataset(table, tmp_path, format="parquet", partitioning=flavor)
        dataset = pads.dataset(tmp_path, partitioning=flavor)
        columns = ["number", "few", "flag"]
        other = fit_batches(GeneralizedNB(weighting=None, n_bins=5), dataset, "y", columns=columns)
        assert_same(one_fit(frame[[*columns, "y"]], weighting=None, n_bins=5), other, frame[[*columns, "y"]])

    def test_a_column_whose_kind_comes_late(self, tmp_path):
        # Later than in the first megabyte, from which types are inferred.
        (tmp_path / "1.csv").write_text("a,b,y\n" + "1,,u\n2,,v\n" * 120_000 + "1,2,u\n2,3,v\n")
        with pytest.raises(ValueError, match=r"1.csv' cannot be read: .*conversion error.* pass a pyarrow dataset"):
            fit_batches(GeneralizedNB(weighting=None), tmp_path, "y")

    def test_shows_how_far_it_has_come(self, tmp_path, monkeypatch, capsys):
        now = iter(range(10_000))
        monkeypatch.setattr("gnbayes.progress.time.monotonic", lambda: next(now))
        self.write(mixed_frame(350), tmp_path, "parquet")
        fit_batches(GeneralizedNB(weighting=None, verbose=1), tmp_path, "y", batch_rows=30)
        shown = capsys.readouterr().err
        assert "learning features:  " in shown
        assert shown.count("learning features: 100%") == 1
        assert shown.count("counting: 100%") == 1


class TestManyNumbers:
    """Columns with more different numbers than are kept."""

    @pytest.fixture
    def few_are_kept(self, monkeypatch):
        for room in ("encoding.discretizers._base", "scale.column_summary"):
            monkeypatch.setattr(f"gnbayes.{room}.most_numbers", lambda *_: 60)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "parameters",
        [
            {"weighting": None, "n_bins": 5},
            {"weighting": None, "n_bins": "auto"},
            {"weighting": None, "discretizer": "uniform"},
            {"weighting": None, "discretizer": "mdlp"},
            {"weighting": None, "discretizer": {"number": [0.0, 1.0]}},
            {"n_fits": 1},
        ],
        ids=repr,
    )
    def test_the_model_is_that_of_one_fit(self, few_are_kept, parameters):
        frame = mixed_frame(700)
        frame["dense"] = np.where(np.arange(700) % 2, 1000 + frame["number"] / 1e6, frame["many whole"])
        one = one_fit(frame, **parameters)
        for size in (90, 600):
            assert_same(one, fit_batches(GeneralizedNB(**parameters), in_batches(frame, size), "y"), frame)

    def test_a_class_that_comes_late_and_numbers_far_apart(self, few_are_kept):
        rng = np.random.default_rng(0)
        a = np.concatenate([rng.normal(size=500), 1e9 + rng.normal(size=500), -np.exp(40 * rng.normal(size=500))])
        frame = pd.DataFrame({"a": a, "y": np.repeat(["p", "q", "r"], 500)})
        batches = [frame[:10], frame[10:700], frame[700:]]
        one = one_fit(frame, weighting=None, discretizer="mdlp")
        assert_same(one, fit_batches(GeneralizedNB(weighting=None, discretizer="mdlp"), batches, "y"), frame)

    def test_numbers_that_are_dense_in_places_are_looked_at_again(self, tmp_path):
        rng = np.random.default_rng(0)
        dense = np.where(rng.random(30_000) < 0.5, 1000 + 0.01 * rng.random(30_000), rng.normal(size=30_000))
        frame = pd.DataFrame({"a": rng.normal(size=30_000), "dense": dense, "y": rng.integers(0, 2, 30_000)})
        pq.write_table(pa.Table.from_pandas(frame), tmp_path / "a.parquet", row_group_size=9000)
        clf = GeneralizedNB(weighting=None, n_bins=20)
        features = summarize_batches(tmp_path, "y", Limits(exact_bytes=0), batch_rows=7000).features(clf)
        for seed in (0, 1):
            batches = in_batches(frame, 4000, seed)
            assert summarize_batches(batches, "y", Limits(exact_bytes=0)).features(clf) == features
        for feature in features:
            ranks = np.searchsorted(np.sort(frame[feature.name]), feature.edges) / 30_000
            assert np.abs(ranks - np.arange(1, 20) / 20).max() < 0.002

    @pytest.mark.parametrize("discretizer", ["quantile", "uniform"])
    def test_more_bins_than_runs_are_no_categories(self, discretizer):
        rng = np.random.default_rng(0)
        frame = pd.DataFrame({"a": rng.normal(size=20_000), "y": rng.integers(0, 2, 20_000)})
        clf = GeneralizedNB(weighting=None, n_bins=5000, discretizer=discretizer)
        fit_batches(clf, in_batches(frame, 9000), "y", exact_bytes=0)
        assert clf.features_[0].kind == "interval"
        assert (clf.model_.encoder.encode(read_frame(frame[["a"]])) < clf.features_[0].n_values).all()

    def test_dense_numbers_of_arrays(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(20_000, 3)), rng.integers(0, 2, 20_000)
        X[::2, 1] = 1000 + 0.01 * rng.random(10_000)
        of_arrays = summarize_batches([(X[:9000], y[:9000]), (X[9000:], y[9000:])], None, Limits(exact_bytes=0))
        of_frame = summarize_batches([pd.DataFrame(X, columns=["x0", "x1", "x2"]).assign(y=y)], "y", Limits(0))
        clf = GeneralizedNB(weighting=None, n_bins=20)
        assert of_arrays.features(clf) == of_frame.features(clf)

    def test_cuts_are_near_the_quantiles(self):
        rng = np.random.default_rng(0)
        frame = pd.DataFrame({"a": rng.normal(size=20_000), "y": rng.integers(0, 2, 20_000)})
        clf = fit_batches(GeneralizedNB(weighting=None, n_bins=4), in_batches(frame, 3000), "y", exact_bytes=0)
        ranks = np.searchsorted(np.sort(frame["a"]), clf.features_[0].edges) / len(frame)
        assert np.abs(ranks - [0.25, 0.5, 0.75]).max() < 0.005
        assert clf.counts_.n == 20_000
        mean = frame.loc[clf.features_[0].lower_bounds[3] <= frame["a"], "a"].mean()
        assert abs(clf.features_[0].means[3] - mean) < 0.01

    def test_a_category_of_too_many_numbers(self):
        frame = pd.DataFrame({"a": np.arange(5000.0), "y": np.arange(5000) % 2})
        clf = GeneralizedNB(weighting=None, categorical_features=["a"])
        with pytest.raises(ValueError, match="column 'a' is a category with more than 4096 different numbers"):
            fit_batches(clf, [frame], "y", exact_bytes=0)


# A fit that ends as by a lack of memory or power, in one of its stages; notes of what is done come after every batch.
_KILLED = """
import os, signal, sys
from gnbayes import GeneralizedNB
from gnbayes.scale import Limits, fit_batches, summarize_batches
from gnbayes.scale import out_of_core as fitting

stage, folder, state, weighting = sys.argv[1:]
fitting._SECONDS_BETWEEN_STATES = 0.0
read, make_plan, n_read = fitting.read_batch, fitting.make_plan, {"features": 0}

def kill(*arguments, **options):
    os.kill(os.getpid(), signal.SIGKILL)

def read_and_count(*arguments):
    now = list(n_read)[-1]
    n_read[now] += 1
    return kill() if now == stage and n_read[now] == 6 else read(*arguments)

def plan_and_go_on(*arguments, **options):
    n_read["codes"] = 0
    return make_plan(*arguments, **options)

fitting.read_batch, fitting.make_plan = read_and_count, plan_and_go_on
if stage == "learning":
    fitting.fit_tally = kill
clf = GeneralizedNB(weighting=None if weighting == "None" else weighting, n_bins=5, n_fits=1)
fit_batches(clf, folder, "y", batch_rows=30, resume=state)
"""


def interrupted_fit(monkeypatch, clf, path, state):
    """A fit that is interrupted when both passes are done."""

    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(fitting, "fit_tally", interrupt)
        with pytest.raises(KeyboardInterrupt):
            fit_batches(clf, path, "y", resume=state)


class TestResume:
    def test_goes_on_where_it_was_interrupted(self, tmp_path, monkeypatch):
        frame = mixed_frame(350)
        folder, state = tmp_path / "data", tmp_path / "state.gnb"
        folder.mkdir()
        TestFiles().write(frame, folder, "parquet")
        parameters = {"weighting": None, "n_bins": 5}
        read, n_read = fitting.read_batch, []

        def breaks(*arguments):
            n_read.append(len(arguments[0]))
            if len(n_read) == 6:
                raise KeyboardInterrupt
            return read(*arguments)

        monkeypatch.setattr(fitting, "read_batch", breaks)
        with pytest.raises(KeyboardInterrupt):
            fit_batches(GeneralizedNB(**parameters), folder, "y", batch_rows=30, resume=state)
        before = sum(n_read[:5])
        n_read.clear()
        n_read.extend([0] * 6)
        other = fit_batches(GeneralizedNB(**parameters), folder, "y", batch_rows=30, resume=state)
        assert before >= 100
        # The rest of the first pass, and the second.
        assert sum(n_read) == len(frame) - before + len(frame)
        assert_same(one_fit(frame, **parameters), other, frame)

    @pytest.mark.slow
    @pytest.mark.once
    @pytest.mark.parametrize("weighting", [None, "discriminative"])
    @pytest.mark.parametrize("stage", ["features", "codes", "learning"])
    def test_goes_on_after_the_process_was_killed(self, tmp_path, monkeypatch, stage, weighting):
        frame = mixed_frame(350)
        folder, state = tmp_path / "data", tmp_path / "state.gnb"
        folder.mkdir()
        TestFiles().write(frame, folder, "parquet")
        run = subprocess.run([sys.executable, "-c", _KILLED, stage, str(folder), str(state), str(weighting)])
        assert run.returncode == -signal.SIGKILL
        read, n_read = fitting.read_batch, []
        monkeypatch.setattr(fitting, "read_batch", lambda *given: n_read.append(len(given[0])) or read(*given))
        clf = GeneralizedNB(weighting=weighting, n_bins=5, n_fits=1)
        fit_batches(clf, folder, "y", batch_rows=30, resume=state)
        assert_same(one_fit(frame, weighting=weighting, n_bins=5, n_fits=1), clf, frame)
        most = {"features": 2 * len(frame) - 60, "codes": len(frame) - 60, "learning": 0}[stage]
        assert sum(n_read) <= most
        assert [path.name for path in tmp_path.iterdir() if "codes" in path.name] == []

    def test_codes_of_other_settings_are_not_used(self, tmp_path, monkeypatch):
        frame, state = mixed_frame(100), tmp_path / "state"
        pq.write_table(pa.Table.from_pandas(frame), tmp_path / "a.parquet")
        interrupted_fit(monkeypatch, GeneralizedNB(weighting=None, n_bins=5), tmp_path / "a.parquet", state)
        assert (tmp_path / "state.codes").stat().st_size == 100 * frame.shape[1]
        clf = fit_batches(GeneralizedNB(weighting=None, n_bins=3), tmp_path / "a.parquet", "y", resume=state)
        assert_same(one_fit(frame, weighting=None, n_bins=3), clf, frame)

    @pytest.mark.parametrize("name", ["state.codes", "state.codes.json"])
    def test_damaged_codes_are_not_used(self, tmp_path, monkeypatch, name):
        frame, state = mixed_frame(100), tmp_path / "state"
        pq.write_table(pa.Table.from_pandas(frame), tmp_path / "a.parquet")
        interrupted_fit(monkeypatch, GeneralizedNB(weighting=None), tmp_path / "a.parquet", state)
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-50])
        clf = fit_batches(GeneralizedNB(weighting=None), tmp_path / "a.parquet", "y", resume=state)
        assert_same(one_fit(frame, weighting=None), clf, frame)

    def test_a_finished_first_pass_is_not_done_again(self, tmp_path, monkeypatch):
        frame = mixed_frame(100)
        pq.write_table(pa.Table.from_pandas(frame), tmp_path / "a.parquet")
        state = tmp_path / "state"
        fit_batches(GeneralizedNB(weighting=None), tmp_path / "a.parquet", "y", resume=state)
        monkeypatch.setattr(fitting, "summarize_table", None)
        other = fit_batches(GeneralizedNB(weighting=None), tmp_path / "a.parquet", "y", resume=state)
        assert other.counts_.n == 100

    def test_refuses_other_files(self, tmp_path):
        frame = mixed_frame(100)
        path, state = tmp_path / "a.parquet", tmp_path / "state"
        pq.write_table(pa.Table.from_pandas(frame), path)
        fit_batches(GeneralizedNB(weighting=None), path, "y", resume=state)
        pq.write_table(pa.Table.from_pandas(frame[:90]), path)
        with pytest.raises(ValueError, match="is the state of other files, columns or settings"):
            fit_batches(GeneralizedNB(weighting=None), path, "y", resume=state)

    def test_needs_files(self):
        with pytest.raises(ValueError, match="resume is for files"):
            fit_batches(GeneralizedNB(weighting=None), [mixed_frame(20)], "y", resume="state")


class TestRefusals:
    @pytest.mark.parametrize(
        ("batches", "message"),
        [
            ([pd.DataFrame({"a": [1.0, 2.0], "y": ["u", None]})], "target 'y' has 1 missing values in one batch"),
            ([pd.DataFrame({"a": [1.0, 2.0], "y": [1.0, np.nan]})], "target 'y' has 1 missing values in one batch"),
            ([pd.DataFrame({"a": [1.0, 2.0], "z": [1, 2]})], "target 'y' is not a column of the batch; there are 'a'"),
            ([pd.DataFrame({"y": [1, 2]})], "no column besides the target 'y'"),
            (
                [pd.DataFrame({"a": [1.0], "y": [0]}), pd.DataFrame({"b": [1.0], "y": [1]})],
                "'a' is in one of them only",
            ),
            ([pd.DataFrame({"a": [1.0, 2.0], "y": [1, 1]})], "y holds only one class, 1"),
            ([pd.DataFrame({"a": [1.0], "y": [0]})[:0]], "there are no rows to learn from"),
            ([], "source has no batches"),
        ],
    )
    def test_of_batches(self, batches, message):
        with pytest.raises(ValueError, match=message):
            fit_batches(GeneralizedNB(weighting=None), batches, "y")

    def test_of_kinds_that_do_not_go_together(self):
        batches = [pd.DataFrame({"a": [1.0], "y": [0]}), pd.DataFrame({"a": ["x"], "y": [1]})]
        with pytest.raises(TypeError, match="column 'a' holds text in one batch and numbers in another"):
            fit_batches(GeneralizedNB(weighting=None), batches, "y")
        batches = [pd.DataFrame({"a": [1.0], "y": [0]}), pd.DataFrame({"a": [2.0], "y": ["u"]})]
        with pytest.raises(TypeError, match="the target holds text in one batch and numbers in another"):
            fit_batches(GeneralizedNB(weighting=None), batches, "y")

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"n_features": "auto"}, "n_features='auto' needs all rows at once"),
            (
                {"n_features": 3, "weighting": "discriminative"},
                "n_features=3 with weighting='discriminative' takes the features that lower the log-loss",
            ),
            ({"discretizer": KBinsDiscretizer()}, "is fitted on all rows at once"),
            ({"structure": "oak"}, "The 'structure' parameter of GeneralizedNB must be"),
        ],
    )
    def test_of_parameters(self, parameters, message):
        with pytest.raises(ValueError, match=message):
            fit_batches(GeneralizedNB(**{"weighting": None, **parameters}), [mixed_frame(20)], "y")

    def test_of_sources(self, tmp_path):
        clf = GeneralizedNB(weighting=None)
        with pytest.raises(TypeError, match=r"batches that can be iterated over twice, .* got generator instead"):
            fit_batches(clf, (part for part in [mixed_frame(20)]), "y")
        with pytest.raises(TypeError, match="got DataFrame instead"):
            fit_batches(clf, mixed_frame(20), "y")
        with pytest.raises(FileNotFoundError, match="there is no file or folder"):
            fit_batches(clf, tmp_path / "nothing", "y")
        with pytest.raises(ValueError, match="is a folder without files"):
            fit_batches(clf, tmp_path, "y")
        (tmp_path / "a.xls").write_text("")
        with pytest.raises(ValueError, match=r"is none of .parquet, .feather"):
            fit_batches(clf, tmp_path, "y")
        with pytest.raises(ValueError, match="target must name the column of the classes"):
            fit_batches(clf, tmp_path)
        with pytest.raises(ValueError, match="row_filter is for files"):
            fit_batches(clf, [mixed_frame(20)], "y", row_filter=pc.field("few") > 0)

    def test_a_failed_fit_leaves_the_classifier_as_it_was(self):
        frame = mixed_frame(100)
        clf = fit_batches(GeneralizedNB(weighting=None), [frame], "y")
        before = clf.predict_proba(frame.drop(columns="y"))
        with pytest.raises(ValueError, match="y holds only one class"):
            fit_batches(clf, [frame[frame["y"] == "u"]], "y")
        assert np.array_equal(clf.predict_proba(frame.drop(columns="y")), before)


@pytest.mark.parametrize("lacking", [0, 1])
def test_files_of_different_columns_are_refused(tmp_path, lacking):
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [1, 1, 2, 2], "y": ["u", "v", "u", "v"]})
    for at in range(2):
        (frame.drop(columns="b") if at == lacking else frame).to_csv(tmp_path / f"{at}.csv", index=False)
    with pytest.raises(ValueError, match=rf"{1 - lacking}.csv' has a column 'b' and .*{lacking}.csv' has not"):
        fit_batches(GeneralizedNB(weighting=None), tmp_path, "y")
