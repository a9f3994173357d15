"""
A first model, and its tree
===========================

Fit the default classifier to the Wisconsin breast cancer data, evaluate it on held-out rows, and plot the tree: each
feature is shown below its parent, the feature it depends on (the paper calls it the mother).
"""

# %%
# The classifier needs no preprocessing, and no scaling.
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

from gnbayes import GeneralizedNB, TreeDisplay

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
clf = GeneralizedNB().fit(X_train, y_train)
probability = clf.predict_proba(X_test)[:, 1]
print(f"AUC      {roc_auc_score(y_test, probability):.3f}")
print(f"log-loss {log_loss(y_test, probability):.3f}")

# %%
# A dark dot is a feature that is informative about the class by itself. A wide line joins features that depend
# strongly on each other given the class: naive Bayes would count their evidence twice.
TreeDisplay.from_estimator(clf)
