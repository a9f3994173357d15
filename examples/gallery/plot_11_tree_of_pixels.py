"""
The tree of 64 pixels
=====================

Give the model the pixels of handwritten digits, without telling it which pixels are adjacent. It discovers this: most
pixels depend on a neighbor. Those that do not are nearly always blank, in the corners.
"""

# %%
# Each line joins a pixel to its parent, over the mean of all images.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from gnbayes import GeneralizedNB

X, y = load_digits(return_X_y=True)
clf = GeneralizedNB("gnb-o", n_bins=4, weighting=None).fit(X, y)
mother = clf.tree_.mother
pairs = [(pixel, mother[pixel]) for pixel in range(64) if mother[pixel] >= 0]

fig, ax = plt.subplots(figsize=(5, 5), layout="constrained")
ax.imshow(X.mean(axis=0).reshape(8, 8), cmap="Greys", alpha=0.6)
for pixel, other in pairs:
    (row, column), (row_of_mother, column_of_mother) = divmod(pixel, 8), divmod(other, 8)
    ax.plot([column, column_of_mother], [row, row_of_mother], color="C3", lw=1.5)
ax.plot(*np.divmod(np.arange(64), 8)[::-1], "o", color="C3", ms=4)
ax.set_axis_off()

# %%
# How far away is the parent? One step is a neighbor to the side, above or below.
steps = [abs(a // 8 - b // 8) + abs(a % 8 - b % 8) for a, b in pairs]
for distance, pixels in zip(*np.unique(steps, return_counts=True), strict=True):
    print(f"{pixels:3} pixels have their mother at distance {distance}")
