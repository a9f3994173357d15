"""
Explaining one patient
======================

Each prediction is a sum of a base value and one contribution per feature, given the value of its parent. On the
log-odds scale the contributions add up; as factors on the odds they multiply.
"""

# %%
# One patient, held out from training.
from sklearn.datasets import load_breast_cancer

from gnbayes import ExplanationDisplay, GeneralizedNB

data = load_breast_cancer(as_frame=True)
X, diagnosis = data.data, data.target_names[data.target]
patient = X.iloc[[73]]
clf = GeneralizedNB().fit(X.drop(index=73), diagnosis[X.index != 73])
explanation = clf.explain(patient)
print(explanation.text(n=6))

# %%
# The same as a plot: the bars lead from the base to the prediction.
ExplanationDisplay.from_explanation(explanation, n=10)

# %%
# The sum is exact, not an approximation.
odds = explanation.log_odds()
first, second = (list(clf.classes_).index(name) for name in explanation.classes[list(explanation.against())])
log_proba = clf.predict_log_proba(patient)[0]
print(f"{odds.total:.6f} = {log_proba[first] - log_proba[second]:.6f}")
