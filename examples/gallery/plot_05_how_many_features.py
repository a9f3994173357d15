"""
How many features are enough?
=============================

Features join one by one, each time the one that lowers the log-loss of held-out rows most. ``selection_curve`` scores
the models of the first 1, 2, ... of them by cross-validation.
"""

# %%
# Five-fold cross-validation. Bins, order, tree and tables are learned again in each fold.
from sklearn.datasets import load_breast_cancer

from gnbayes import GeneralizedNB, SelectionCurveDisplay, StabilityDisplay, selection_curve

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X.iloc[:, 20:]
curve = selection_curve(GeneralizedNB(), X, y, scoring=["accuracy", "neg_log_loss"])
SelectionCurveDisplay.from_curve(curve, chosen=curve.within_noise("neg_log_loss"))

# %%
# The best number, and the smallest number within one standard error of it.
print(curve.best("neg_log_loss"), curve.one_standard_error("neg_log_loss"))

# %%
# Each fold chooses its own features. How often is each among the first three?
StabilityDisplay.from_curve(curve, n_features=3)
