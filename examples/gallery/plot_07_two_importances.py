"""
Two measures of importance
==========================

How much does a feature move the predictions? And how informative is it about the class, given its parent? The paper's
share of the weight answers a third question, how much of the tree's fit comes from a feature: there a copy scores
high.
"""

# %%
# Add a copy of the most informative feature, and look at both.
from sklearn.datasets import load_wine

from gnbayes import GeneralizedNB, ImportanceDisplay, WeightDisplay

X, y = load_wine(return_X_y=True, as_frame=True)
X = X.assign(copy_of_flavanoids=X["flavanoids"])
clf = GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(X, y)
ImportanceDisplay.from_estimator(clf)

# %%
# In numbers: the copy has a large share of the weight, but adds no information about the class.
place = X.columns.get_loc("copy_of_flavanoids")
original = X.columns.get_loc("flavanoids")
for feature in (original, place):
    share, gain = clf.tree_.weight_shares[feature], clf.class_gain_[feature]
    print(f"{X.columns[feature]:20} {share:6.1%} of the weight, {gain:.3f} nats about the class")

# %%
# The cumulative weight, feature by feature, in the order in which they joined.
WeightDisplay.from_estimator(clf)
