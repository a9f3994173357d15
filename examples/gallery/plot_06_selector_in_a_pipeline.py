"""
Feature selection for another classifier
========================================

``GNBSelector`` keeps the features that contribute most to the held-out log-loss of a GeneralizedNB. In a pipeline it
works in front of any estimator, and its number of features can be tuned like any other parameter.
"""

# %%
# Logistic regression after the selector, with 1 to 10 of the ten "worst" measurements.
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gnbayes import GNBSelector

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X.iloc[:, 20:]
pipeline = make_pipeline(GNBSelector(), StandardScaler(), LogisticRegression())
numbers = [1, 2, 3, 4, 6, 8, 10]
search = GridSearchCV(pipeline, {"gnbselector__n_features": numbers}, scoring="neg_log_loss", cv=5).fit(X, y)

# %%
# The selector is fitted inside each fold, so the scores are honest.
fig, ax = plt.subplots(layout="constrained")
mean, spread = -search.cv_results_["mean_test_score"], search.cv_results_["std_test_score"]
ax.errorbar(numbers, mean, spread, marker="o", capsize=3)
ax.set(xlabel="features kept", ylabel="log-loss of logistic regression")

# %%
# Four of them:
selector = GNBSelector(n_features=4).fit(X, y)
print("\n".join(selector.get_feature_names_out()))
