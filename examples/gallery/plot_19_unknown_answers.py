"""
A few answers are enough to start with
======================================

A form is filled in one answer at a time. What is not yet known is averaged over, given what is known, so there is a
probability from the first answer on, and it changes as answers come in.
"""

# %%
# The answers of one patient, the most important first. Before the first one, the probability is the class frequency.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from gnbayes import GeneralizedNB

data = load_breast_cancer(as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(data.data, data.target == 0, random_state=0)
clf = GeneralizedNB().fit(X_train, y_train)
scorer = clf.scorer()
questions = data.data.columns[np.argsort(-clf.feature_importances_)]


def as_answers_come_in(row):
    """Probability of malignant after 0, 1, 2, ... answers."""
    return [scorer.predict_proba(row[questions[:n]].to_dict())[1] for n in range(len(questions) + 1)]


# %%
# Six patients: three with a malignant tumor, three without.
chosen = [*np.flatnonzero(y_test)[:3], *np.flatnonzero(~y_test)[:3]]
fig, ax = plt.subplots(figsize=(8, 4), layout="constrained")
for at in chosen:
    color = "C3" if y_test.iloc[at] else "C0"
    ax.plot(as_answers_come_in(X_test.iloc[at]), color=color, alpha=0.8)
ax.axhline(y_train.mean(), color="0.5", ls=":")
ax.set(xlabel="number of answers", ylabel="probability of malignant", ylim=(0, 1))
