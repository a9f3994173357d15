"""
Related classifiers: AODE, averaged TAN, selective naive Bayes
==============================================================

Other ways to relax the independence assumption of naive Bayes, with the same interface: average over models with one
parent each (AODE), over all roots of the TAN tree (averaged TAN), or leave features out (selective naive Bayes).
"""

# %%
# Log-loss by cross-validation on three small tables.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_score

from gnbayes import AODE, AveragedTAN, GeneralizedNB, SelectiveNB

tables = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
models = {
    "naive Bayes": GeneralizedNB("nb", weighting=None),
    "selective NB": SelectiveNB(),
    "AODE": AODE(),
    "averaged TAN": AveragedTAN(),
    "GNB-O, counted": GeneralizedNB(weighting=None),
    "default": GeneralizedNB(),
}
folds = StratifiedKFold(5, shuffle=True, random_state=0)
losses = np.array(
    [
        [
            -cross_val_score(model, *load(return_X_y=True), cv=folds, scoring="neg_log_loss").mean()
            for load in tables.values()
        ]
        for model in models.values()
    ]
)

# %%
# One group of bars per table; lower is better.
fig, ax = plt.subplots(figsize=(8, 4), layout="constrained")
places = np.arange(len(tables))
for number, (name, row) in enumerate(zip(models, losses, strict=True)):
    ax.bar(places + 0.13 * (number - 2.5), row, 0.12, label=name)
ax.set(xticks=places, xticklabels=list(tables), ylabel="log-loss, 5-fold cross-validation")
ax.legend(ncols=2)
