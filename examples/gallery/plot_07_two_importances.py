"""
Two questions about importance
==============================

How much of the model's fit to the data comes from a feature? And how much news about the class does it bring, beyond
its mother? A copy of another feature scores high on the first question and zero on the second.
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
# In numbers: the copy has a large share of the weight, and tells nothing new.
place = X.columns.get_loc("copy_of_flavanoids")
original = X.columns.get_loc("flavanoids")
for feature in (original, place):
    share, gain = clf.feature_importances_[feature], clf.class_gain_[feature]
    print(f"{X.columns[feature]:20} {share:6.1%} of the weight, {gain:.3f} nats about the class")

# %%
# The weight, feature by feature, in the order in which they joined.
WeightDisplay.from_estimator(clf)
