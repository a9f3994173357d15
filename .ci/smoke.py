"""A first use of an installed gnbayes, with nothing but what it needs: run on every wheel before it is published."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from sklearn.datasets import load_breast_cancer

import gnbayes

X, y = load_breast_cancer(return_X_y=True)
counted = gnbayes.GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(X, y)
assert round(counted.weight_, 6) == 19.714312, counted.weight_
assert gnbayes.GeneralizedNB().fit(X, y).score(X, y) > 0.98
if os.environ.get("GNBAYES_KERNELS") == "c":
    assert gnbayes.kernels.describe().startswith("C ("), gnbayes.kernels.describe()
command = Path(sysconfig.get_path("scripts")) / "gnbayes"
shown = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.strip()
assert shown == f"gnbayes {gnbayes.__version__}", shown
sys.stdout.write(f"{shown}: {gnbayes.kernels.describe()}\n")
