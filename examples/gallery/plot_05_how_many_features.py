"""
How many features are enough?
=============================

Features join the tree in an order, and every prefix of the order is a model. ``selection_curve`` scores all of them
at once, by exact leave-one-out or by cross-validation.
"""

# %%
# Five-fold cross-validation. Bins and tree are learned again in each fold.
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from gnbayes import GeneralizedNB, SelectionCurveDisplay, selection_curve

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
curve = selection_curve(GeneralizedNB("gnb-a"), X, y, cv=5, scoring=["accuracy", "neg_log_loss"])
SelectionCurveDisplay.from_curve(curve)

# %%
# The best number, and the smallest number within one standard error of it.
print(curve.best("neg_log_loss"), curve.one_standard_error("neg_log_loss"))

# %%
# Leave-one-out takes one pass instead of 569 fits. It is meant for selection: bins and tree have seen every row, so
# report scores from cross-validation.
quick = selection_curve(GeneralizedNB("gnb-a"), X, y, cv="loo", scoring=["neg_log_loss"])
fig, ax = plt.subplots(layout="constrained")
ax.plot(curve.n_features, -curve.mean("neg_log_loss"), label="5-fold cross-validation")
ax.plot(quick.n_features, -quick.mean("neg_log_loss"), "--", label="leave-one-out")
ax.set(xlabel="number of features", ylabel="log-loss")
ax.legend()
