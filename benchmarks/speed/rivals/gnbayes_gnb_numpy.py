"""GeneralizedNB with the paper's greedy structure, without the kernels in C: what an install without a compiler has."""

import os

# Before gnbayes is imported, which reads it.
os.environ["GNBAYES_KERNELS"] = "numpy"

from rivals.gnbayes_gnb import fit, predict_proba, prepare

__all__ = ["fit", "predict_proba", "prepare"]
