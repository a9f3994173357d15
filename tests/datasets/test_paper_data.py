import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gnbayes.datasets import fetch_diabetes, fetch_heart, fetch_parkinsons, fetch_thyroid, load_wdbc


def counts(dataset):
    classes, numbers = np.unique(dataset.target, return_counts=True)
    return dict(zip(classes.tolist(), numbers.tolist(), strict=True))


def test_wdbc_is_the_copy_of_scikit_learn():
    wdbc = load_wdbc()
    assert wdbc.data.shape == (569, 30)
    assert counts(wdbc) == {"malignant": 212, "benign": 357}
    assert (wdbc.positive, wdbc.groups) == ("malignant", None)


@pytest.mark.data
def test_wdbc_equals_the_file_of_uci():
    path = Path(os.environ["GNBAYES_DATA"]) / "paper" / "wdbc.data"
    file = pd.read_csv(path, header=None)
    wdbc = load_wdbc()
    np.testing.assert_array_equal(wdbc.data.to_numpy(), file.iloc[:, 2:].to_numpy())
    assert ((file[1] == "M").to_numpy() == (wdbc.target == "malignant")).all()


@pytest.mark.data
def test_heart():
    heart = fetch_heart()
    assert heart.data.shape == (303, 13)
    assert list(heart.data.columns[[0, 4, 12]]) == ["age", "chol", "thal"]
    assert heart.data.isna().any(axis=1).sum() == 6
    assert counts(heart) == {"absent": 164, "present": 139}
    assert heart.positive == "present"


@pytest.mark.data
def test_diabetes():
    diabetes = fetch_diabetes()
    assert diabetes.data.shape == (520, 16)
    assert "class" not in diabetes.data
    assert counts(diabetes) == {"Positive": 320, "Negative": 200}
    assert diabetes.data.assign(y=diabetes.target).duplicated().sum() == 269


@pytest.mark.data
def test_thyroid():
    thyroid = fetch_thyroid()
    assert thyroid.data.shape == (3772, 21)
    assert counts(thyroid) == {"normal": 3488, "abnormal": 284}
    assert thyroid.data["hypopituitary"].sum() == 1
    assert thyroid.positive == "normal"


@pytest.mark.data
def test_parkinsons_knows_the_person_of_every_row():
    parkinsons = fetch_parkinsons()
    assert parkinsons.data.shape == (195, 22)
    assert counts(parkinsons) == {"parkinsons": 147, "healthy": 48}
    path = Path(os.environ["GNBAYES_DATA"]) / "paper" / "parkinsons_groups.csv"
    assert parkinsons.groups.tolist() == pd.read_csv(path)["subject"].tolist()
    assert len(np.unique(parkinsons.groups)) == 32


def test_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"data sets need pandas; install it with: pip install 'gnbayes\[datasets\]'"):
        load_wdbc()
