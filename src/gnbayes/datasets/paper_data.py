"""The data sets of the paper (section "Description of Datasets"), with the names and values used by UCI."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer

from gnbayes.datasets.dataset import Dataset
from gnbayes.datasets.source import Source, find_file

HEART = Source(
    "heart-disease/processed.cleveland.data", "a74b7efa387bc9d108d7d0115d831fe9b414b29ae7124f331b622b4efa0427c8"
)
DIABETES = Source("00529/diabetes_data_upload.csv", "7889d9d0beb7dd1ccc58da99f72763f16afb259b5dbbaa086f8195366ff66137")
THYROID = Source("thyroid-disease/ann-train.data", "3da53a156bda36cb0c97e9f4b6b111c9226c54c4aa00230de5604b787c47e3a6")
PARKINSONS = Source("parkinsons/parkinsons.data", "a36116c2deac07895b79ce97a2f99a1b3720ac4892995ff5c3b9ccb397ed2bc5")

# fmt: off
_HEART_NAMES = [
    "age", "sex", "cp", "trestbps", "chol", "fbs", "restecg", "thalach", "exang", "oldpeak", "slope", "ca",
    "thal",
]
_THYROID_NAMES = [
    "age", "sex", "on_thyroxine", "query_on_thyroxine", "on_antithyroid_medication", "sick", "pregnant",
    "thyroid_surgery", "I131_treatment", "query_hypothyroid", "query_hyperthyroid", "lithium", "goitre", "tumor",
    "hypopituitary", "psych", "TSH", "T3", "TT4", "T4U", "FTI",
]
# fmt: on

Folder = str | os.PathLike[str] | None


def load_wdbc() -> Dataset:
    """Breast cancer Wisconsin, from the copy in scikit-learn: 569 rows, 30 features.

    Returns
    -------
    dataset : Dataset
        Classes "malignant" (the positive one) and "benign".

    Examples
    --------
    >>> from gnbayes.datasets import load_wdbc
    >>> wdbc = load_wdbc()
    >>> wdbc.data.columns[20], wdbc.target[0].item()
    ('worst radius', 'malignant')
    """
    _import_pandas()
    bunch = load_breast_cancer(as_frame=True)
    target = bunch.target_names[bunch.target.to_numpy()]
    return Dataset("wdbc", bunch.data, target, "malignant", None, "Cell nuclei of breast tumors, measured in images.")


def fetch_heart(*, data_home: Folder = None) -> Dataset:
    """Heart disease, Cleveland: 303 rows, 13 features, 6 rows with missing values.

    Parameters
    ----------
    data_home : path, optional
        Folder for the download; the user's cache by default. Ignored if the environment variable GNBAYES_DATA names a
        folder that contains the file below `paper/`.

    Returns
    -------
    dataset : Dataset
        Classes "present" (the positive one; UCI's values 1 to 4) and "absent" (0).

    Examples
    --------
    >>> from gnbayes.datasets import fetch_heart
    >>> fetch_heart().data.shape  # doctest: +SKIP
    (303, 13)
    """
    pd = _import_pandas()
    names = [*_HEART_NAMES, "num"]
    frame = pd.read_csv(find_file(HEART, data_home), header=None, names=names, na_values="?")
    target = np.where(frame["num"].to_numpy() > 0, "present", "absent")
    return Dataset(
        "heart", frame[_HEART_NAMES], target, "present", None, "Narrowed heart vessels in patients from Cleveland."
    )


def fetch_diabetes(*, data_home: Folder = None) -> Dataset:
    """Early symptoms of diabetes: 520 rows, 16 features; 269 rows are duplicates of others.

    Parameters
    ----------
    data_home : path, optional
        As in `fetch_heart`.

    Returns
    -------
    dataset : Dataset
        Classes "Positive" (the positive one) and "Negative".

    Examples
    --------
    >>> from gnbayes.datasets import fetch_diabetes
    >>> fetch_diabetes().data.shape  # doctest: +SKIP
    (520, 16)
    """
    pd = _import_pandas()
    frame = pd.read_csv(find_file(DIABETES, data_home))
    target = frame.pop("class").to_numpy(dtype=str)
    return Dataset("diabetes", frame, target, "Positive", None, "Symptoms of diabetes, from a hospital in Sylhet.")


def fetch_thyroid(*, data_home: Folder = None) -> Dataset:
    """Thyroid disease, the file ann-train: 3772 rows, 21 features.

    Parameters
    ----------
    data_home : path, optional
        As in `fetch_heart`.

    Returns
    -------
    dataset : Dataset
        Classes "normal" (UCI's class 3, the positive one in the paper) and "abnormal" (1 and 2 combined).

    Examples
    --------
    >>> from gnbayes.datasets import fetch_thyroid
    >>> fetch_thyroid().data.shape  # doctest: +SKIP
    (3772, 21)
    """
    pd = _import_pandas()
    names = [*_THYROID_NAMES, "class"]
    frame = pd.read_csv(find_file(THYROID, data_home), sep=r"\s+", header=None, names=names)
    target = np.where(frame["class"].to_numpy() == 3, "normal", "abnormal")
    return Dataset(
        "thyroid", frame[_THYROID_NAMES], target, "normal", None, "Function of the thyroid, from hospital records."
    )


def fetch_parkinsons(*, data_home: Folder = None) -> Dataset:
    """Voices of people with and without Parkinson's disease: 195 recordings of 32 people, 22 features.

    Parameters
    ----------
    data_home : path, optional
        As in `fetch_heart`.

    Returns
    -------
    dataset : Dataset
        Classes "parkinsons" (the positive one) and "healthy"; `groups` contains the person of each recording.

    Examples
    --------
    >>> from gnbayes.datasets import fetch_parkinsons
    >>> fetch_parkinsons().groups[:2].tolist()  # doctest: +SKIP
    ['S01', 'S01']
    """
    pd = _import_pandas()
    frame = pd.read_csv(find_file(PARKINSONS, data_home))
    # A recording is named phon_R01_S01_1: the third part is the person.
    people = np.array([name.split("_")[2] for name in frame.pop("name")])
    target = np.where(frame.pop("status").to_numpy() == 1, "parkinsons", "healthy")
    return Dataset(
        "parkinsons", frame, target, "parkinsons", people, "Measures of recorded voices, about six per person."
    )


def _import_pandas() -> Any:
    try:
        import pandas  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError("data sets need pandas; install it with: pip install 'gnbayes[datasets]'") from error
    return pandas
