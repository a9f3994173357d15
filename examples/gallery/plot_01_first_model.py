"""
A first model, and the tree that it learned
===========================================

Fit the default classifier on the Wisconsin breast cancer data, check it on held-out rows, and draw the tree: every
feature hangs below the one it depends on, its mother.
"""

# %%
# The classifier takes the table as it is. There is nothing to scale.
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
# A dark dot is a feature that is informative about the class by itself. A wide line joins features that depend strongly
# on each other once the class is known: naive Bayes would count their evidence twice.
TreeDisplay.from_estimator(clf)
