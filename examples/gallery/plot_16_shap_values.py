"""
Exact SHAP values and shap plots
================================

A model whose scores are sums of tables of at most three features has Shapley values in closed form, without sampling.
They are relative to the mean of a background, and features that are not yet known take their values from its rows.
"""

# %%
# Fit to three quarters of the rows, and explain the others relative to the training rows.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from gnbayes import GeneralizedNB

data = load_breast_cancer(as_frame=True)
X_train, X_test, y_train, _ = train_test_split(data.data, data.target == 0, random_state=0)
clf = GeneralizedNB().fit(X_train, y_train)
shap_values = clf.explain(X_test).shap_values(X_train)
print(shap_values)

# %%
# Values and base sum to the log-odds of the model.
total = shap_values.values.sum(axis=1) + shap_values.base_values
print(f"largest difference: {np.abs(total - clf.decision_function(X_test)).max():.1e}")

# %%
# Each dot is a row: how far the feature moves its log-odds, by the value of the feature.
strongest = np.argsort(-np.abs(shap_values.values).mean(axis=0))[:6]
fig, axes = plt.subplots(2, 3, figsize=(10, 5.4), layout="constrained", sharey=True)
for ax, j in zip(axes.flat, strongest, strict=True):
    ax.plot(shap_values.data[:, j], shap_values.values[:, j], "o", ms=4, alpha=0.6)
    ax.axhline(0, color="0.6", lw=0.8)
    ax.set(xlabel=shap_values.feature_names[j])
fig.supylabel("SHAP value: log-odds of malignant")

# %%
# With the shap package installed, ``shap.plots.beeswarm(shap_values.to_shap())`` and all its other plots work as
# well.
