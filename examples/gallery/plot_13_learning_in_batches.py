"""
Learning in batches
===================

A counted model consists of counts, and counts can be added. ``partial_fit`` continues from the counts so far, and the
result does not depend on how the rows were divided into batches.
"""

# %%
# Digits arrive in batches of 100. After each batch, the log-loss on held-out rows.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from gnbayes import GeneralizedNB

X, y = load_digits(return_X_y=True)
X = X > 8
X = X[:, (X.mean(axis=0) > 0.1) & (X.mean(axis=0) < 0.9)]  # pixels that are on and off in every batch
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
sizes = range(100, len(X_train), 100)
fig, ax = plt.subplots(layout="constrained")
for structure in ("nb", "gnb-o"):
    clf = GeneralizedNB(structure, weighting=None)
    losses = []
    for size in sizes:
        batch = slice(size - 100, size)
        clf.partial_fit(X_train[batch], y_train[batch], classes=range(10))
        losses.append(log_loss(y_test, clf.predict_proba(X_test)))
    ax.plot(sizes, losses, "o-", label=structure)
ax.set(xlabel="rows so far", ylabel="log-loss on held-out rows", yscale="log")
ax.legend()

# %%
# One fit on all rows gives the same model, bit for bit.
whole = GeneralizedNB("gnb-o", weighting=None).fit(X_train[:size], y_train[:size])
print(np.array_equal(whole.predict_proba(X_test), clf.predict_proba(X_test)))
