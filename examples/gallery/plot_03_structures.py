"""
Four structures
===============

Naive Bayes has no dependencies, GNB-A grows a tree greedily, GNB-O finds the heaviest tree that contains the most
informative pair, and TAN finds the heaviest tree of all. A heavier tree is closer to the training data: that is a
theorem. Whether it predicts better is a question for cross-validation.
"""

# %%
# The weight of each structure, in nats, and its log-loss on held-out rows.
import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

from gnbayes import GeneralizedNB, TreeDisplay

X, y = load_wine(return_X_y=True, as_frame=True)
folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
weights, losses = {}, {}
for structure in ("nb", "gnb-a", "gnb-o", "tan"):
    clf = GeneralizedNB(structure, n_bins=5, weighting=None)
    weights[structure] = clf.fit(X, y).weight_
    losses[structure] = -cross_val_score(clf, X, y, cv=folds, scoring="neg_log_loss").mean()

fig, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
for ax, title, values in zip(axes, ("weight (nats)", "log-loss, held-out rows"), (weights, losses), strict=True):
    ax.bar_label(ax.bar(list(values), list(values.values())), fmt="%.3f")
    ax.set_title(title)

# %%
# The tree of GNB-O. On such a small table, 178 wines, the simpler model may well predict better.
TreeDisplay.from_estimator(GeneralizedNB("gnb-o", n_bins=5, weighting=None).fit(X, y))
