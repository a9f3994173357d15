"""
Predictions for one row, in microseconds
========================================

A service receives one row at a time. Most of the time of ``predict_proba`` is then spent on creating and checking a
table. ``scorer`` looks up the values of one row directly, and gives the same probabilities.
"""

# %%
# The same probabilities from the classifier and from its scorer.
import time

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from gnbayes import GeneralizedNB

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
clf = GeneralizedNB().fit(X, y)
scorer = clf.scorer()
rows = X[:100].to_dict("records")
found = np.array([scorer.predict_proba(row) for row in rows])
print(f"largest difference: {np.abs(found - clf.predict_proba(X[:100])).max():.1e}")

# %%
# Features that a row omits are unknown, and the result is the average over their possible values.
print(scorer.predict_proba({"worst area": 800.0, "worst texture": 31.0}).round(3))


# %%
# Times for single rows, on the machine that built this page.
def times(answer, arguments):
    """Microseconds of each call."""
    found = []
    for argument in arguments:
        start = time.perf_counter()
        answer(argument)
        found.append(1e6 * (time.perf_counter() - start))
    return found


frames = [X[at : at + 1] for at in range(100)]
fig, ax = plt.subplots(figsize=(7, 2.6), layout="constrained")
for place, found in enumerate([times(clf.predict_proba, frames), times(scorer.predict_proba, rows)]):
    ax.plot(found, place + np.linspace(-0.25, 0.25, len(found)), "o", ms=3, alpha=0.6)
_ = ax.set(xscale="log", xlabel="microseconds for one row", yticks=[0, 1], yticklabels=["predict_proba", "scorer"])
