"""
From the study to the clinic: a different prevalence
====================================================

Studies often include as many patients with the disease as without. In a clinic the disease is rarer. ``class_prior``
specifies how rare, and the probabilities follow from Bayes' rule.
"""

# %%
# The same patients, with the prevalence of the study and with a prevalence of 5%.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from gnbayes import GeneralizedNB

data = load_breast_cancer(as_frame=True)
X, diagnosis = data.data, data.target_names[data.target]
X_train, X_test, y_train, _ = train_test_split(X, diagnosis, stratify=diagnosis, random_state=0)
study = GeneralizedNB().fit(X_train, y_train)
clinic = GeneralizedNB(class_prior=[0.95, 0.05]).fit(X_train, y_train)
print(study.classes_)

# %%
# All log-odds are shifted by the same number, the change of the prior log-odds.
malignant = [clf.predict_proba(X_test)[:, 1] for clf in (study, clinic)]
fig, ax = plt.subplots(figsize=(4.5, 4.5), layout="constrained")
ax.plot(*malignant, "o", alpha=0.5)
ax.plot([0, 1], [0, 1], color="0.6", ls=":")
ax.set(xlabel="probability with the prevalence of the study", ylabel="with a prevalence of 5%")
shift = np.subtract(*(np.log(p / (1 - p)) for p in malignant))
print(f"shift of the log-odds: {shift.min():.6f} to {shift.max():.6f}")
