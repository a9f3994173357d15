"""
Feature selection for another classifier
========================================

``GNBSelector`` keeps the features that contribute most to the held-out log-loss of a GeneralizedNB. In a pipeline it
works in front of any estimator, and its number of features can be tuned like any other parameter.
"""

# %%
# Logistic regression after the selector, with 2 to 30 of 30 features.
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gnbayes import GNBSelector

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
pipeline = make_pipeline(GNBSelector(), StandardScaler(), LogisticRegression())
numbers = [2, 4, 6, 8, 11, 15, 20, 25, 30]
search = GridSearchCV(pipeline, {"gnbselector__n_features": numbers}, scoring="neg_log_loss", cv=5).fit(X, y)

# %%
# The selector is fitted inside each fold, so the scores are honest.
fig, ax = plt.subplots(layout="constrained")
mean, spread = -search.cv_results_["mean_test_score"], search.cv_results_["std_test_score"]
ax.errorbar(numbers, mean, spread, marker="o", capsize=3)
ax.set(xlabel="features kept", ylabel="log-loss of logistic regression")

# %%
# Eight of them:
selector = GNBSelector(n_features=8).fit(X, y)
print("\n".join(selector.get_feature_names_out()))
