"""
The whole model on one page
===========================

A model is a sum of tables, so all of it can be drawn: a curve for each feature, a heat map for each pair, and a row of
heat maps for each triple. ``plot(n_effects=None)`` draws every term, the most important first. Bands are intervals of
90 %; cells without training rows are gray.
"""

# %%
# Iris: is it virginica? Four curves say nearly everything; pairs and triples hardly matter.
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from gnbayes import GeneralizedNB

X, y = load_iris(return_X_y=True, as_frame=True)
clf = GeneralizedNB().fit(X, y == 2)
clf.plot(n_effects=None)

# %%
# Wine: is it from the first of three cultivars? Here only the pairs of the tree are used.
X, y = load_wine(return_X_y=True, as_frame=True)
clf = GeneralizedNB(interactions="tree").fit(X, y == 0)
clf.plot(n_effects=None)

# %%
# Breast cancer, by the means of ten measurements of cell nuclei: the score grows with the odds of a malignant tumor.
X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X.filter(like="mean")
clf = GeneralizedNB().fit(X, y == 0)
clf.plot(n_effects=None)
