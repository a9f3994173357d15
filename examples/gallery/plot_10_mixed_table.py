"""
Numbers, categories and missing values in one table
===================================================

Text, booleans, categories and missing values need no preprocessing. A missing value in a column that had missing
values in training is a category of its own: the fact that something was not measured is often informative.
"""

# %%
# A fictitious clinic: the test was ordered when the doctor was worried.
import numpy as np
import pandas as pd

from gnbayes import ExplanationDisplay, GeneralizedNB, TreeDisplay

rng = np.random.default_rng(0)
n = 1500
age = rng.normal(55, 15, n).round()
smokes = rng.choice(["never", "former", "daily"], n, p=[0.5, 0.3, 0.2])
worried = (age > 60) & (smokes == "daily") | (rng.random(n) < 0.2)
marker = np.where(worried, rng.gamma(2 + (smokes == "daily"), 2.0, n).round(1), np.nan)
risk = 0.05 * (age - 60) + 1.2 * (smokes == "daily") + 0.25 * np.nan_to_num(marker) - 0.5
table = pd.DataFrame({"age": age, "smokes": pd.Categorical(smokes), "marker": marker, "insured": rng.random(n) < 0.8})
ill = np.where(rng.random(n) < 1 / (1 + np.exp(-risk)), "ill", "well")

clf = GeneralizedNB().fit(table, ill)
TreeDisplay.from_estimator(clf)

# %%
# A patient without the marker: its absence counts, and the explanation says so.
patient = pd.DataFrame({"age": [71.0], "smokes": ["daily"], "marker": [np.nan], "insured": [True]})
explanation = clf.explain(patient)
print(explanation.text(positive="ill"))
ExplanationDisplay.from_explanation(explanation, positive="ill")
