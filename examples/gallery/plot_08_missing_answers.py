"""
Predictions with missing values
===============================

A counted model is a joint distribution, so an unknown feature is summed out exactly: the probability is the mean over
all of its possible values. No imputation, no second model.
"""

# %%
# Hide more and more values of the held-out rows. There were no missing values in training.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gnbayes import GeneralizedNB

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, test_size=0.5, random_state=0)
counted = GeneralizedNB("gnb-o", n_bins=5, weighting=None).fit(X_train, y_train)
imputed = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression()).fit(X_train, y_train)

rng = np.random.default_rng(0)
shares = np.linspace(0, 0.95, 12)
order = rng.random(X_test.shape)
losses = {"GNB-O, summed out": [], "logistic regression, means filled in": []}
for share in shares:
    known = np.where(order < share, np.nan, X_test)
    for clf, values in zip((counted, imputed), losses.values(), strict=True):
        values.append(log_loss(y_test, clf.predict_proba(known)))

# %%
# With nearly everything hidden, the model falls back to the class frequencies.
fig, ax = plt.subplots(layout="constrained")
for name, values in losses.items():
    ax.plot(shares, values, "o-", label=name)
prior = np.full(len(y_test), y_train.mean())
ax.axhline(log_loss(y_test, prior), color="0.5", ls=":", label="share of each class")
ax.set(xlabel="share of values that are missing", ylabel="log-loss on held-out rows", ylim=0)
ax.legend()
