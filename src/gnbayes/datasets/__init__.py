"""The five data sets of the paper."""

from gnbayes.datasets.dataset import Dataset
from gnbayes.datasets.paper_data import fetch_diabetes, fetch_heart, fetch_parkinsons, fetch_thyroid, load_wdbc

__all__ = ["Dataset", "fetch_diabetes", "fetch_heart", "fetch_parkinsons", "fetch_thyroid", "load_wdbc"]
