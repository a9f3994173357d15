"""
Sampling from the model
=======================

A counted model is a joint distribution of features and class, so it can be sampled: here, handwritten digits that
nobody wrote. Naive Bayes draws each pixel independently. The tree keeps strokes together.
"""

# %%
# Forty samples of each model, sorted by class.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from gnbayes import GeneralizedNB

X, y = load_digits(return_X_y=True)
rows, titles = [], []
for structure, title in (("nb", "naive Bayes"), ("gnb-o", "GNB-O")):
    clf = GeneralizedNB(structure, n_bins=8, weighting=None, alpha=0.1).fit(X, y)
    samples, labels = clf.sample(400, random_state=0)
    images = np.asarray(samples, dtype=float)
    rows.append(np.vstack([images[labels == digit][:4] for digit in range(10)]))
    titles.append(title)
rows.append(np.vstack([X[y == digit][:4] for digit in range(10)]))
titles.append("written by hand")

fig, axes = plt.subplots(1, 3, figsize=(10, 6), layout="constrained")
for ax, images, title in zip(axes, rows, titles, strict=True):
    picture = images.reshape(10, 4, 8, 8).transpose(0, 2, 1, 3).reshape(80, 32)
    ax.imshow(picture, cmap="Greys")
    ax.set(title=title, xticks=[], yticks=[])

# %%
# How typical each kind of image is under the tree: log P(x, y) per row, in nats.
clf = GeneralizedNB("gnb-o", n_bins=8, weighting=None, alpha=0.1).fit(X, y)
print(f"written by hand     {clf.log_likelihood(X, y) / len(X):7.1f}")
