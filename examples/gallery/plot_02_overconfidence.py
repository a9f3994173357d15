"""
Naive Bayes is overconfident, Generalized Naive Bayes is not
============================================================

Features of a cell nucleus are redundant. Naive Bayes multiplies their evidence as if each were new information, so
its probabilities cluster at 0 and 1. A tree of dependencies corrects most of that, and tables fitted to predict the
class correct the rest.
"""

# %%
# Out-of-fold probabilities of three models: naive Bayes, the paper's GNB-O, and the default.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from gnbayes import GeneralizedNB

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
folds = StratifiedKFold(10, shuffle=True, random_state=0)
models = {
    "naive Bayes": GeneralizedNB("nb", n_bins=5, weighting=None),
    "GNB-O": GeneralizedNB("gnb-o", n_bins=5, weighting=None),
    "default": GeneralizedNB(),
}
probabilities = {
    name: cross_val_predict(model, X, y, cv=folds, method="predict_proba")[:, 1] for name, model in models.items()
}

# %%
# How confident is each model when it is wrong? The left plot shows the probability that each model gave to the wrong
# class when it was wrong, the right one the log-loss, which penalizes overconfidence.
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for place, p in enumerate(probabilities.values()):
    wrong = (p > 0.5) != y.to_numpy()
    given = np.maximum(p, 1 - p)[wrong]
    left.plot(given, np.full(len(given), place) + np.linspace(-0.2, 0.2, len(given)), "o", alpha=0.6)
left.set(xlabel="probability of the predicted class, where it is wrong", yticks=range(3), yticklabels=list(models))
losses = [log_loss(y, p) for p in probabilities.values()]
bars = right.bar(list(models), losses, color=["C0", "C1", "C2"])
right.bar_label(bars, fmt="%.3f")
right.set_ylabel("log-loss")
