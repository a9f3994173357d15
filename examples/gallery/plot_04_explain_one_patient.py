"""
Explaining one patient
======================

Each prediction is the sum of a base value and one contribution per term: a feature, a pair or a triple of features. On
the log-odds scale the contributions add up; as factors on the odds they multiply.
"""

# %%
# One patient who was not used in training.
from sklearn.datasets import load_breast_cancer

from gnbayes import ExplanationDisplay, GeneralizedNB

data = load_breast_cancer(as_frame=True)
X, diagnosis = data.data, data.target_names[data.target]
clf = GeneralizedNB().fit(X[:400], diagnosis[:400])
patient = X[473:474]
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
