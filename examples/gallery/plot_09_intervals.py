"""
Four ways to bin numbers
========================

Numbers are binned. Quantile bins contain equally many rows, uniform bins have equal width, MDLP cuts where the class
distribution changes, and you can give your own edges. All discretizers are scikit-learn transformers.
"""

# %%
# Petal lengths of three species, and the cuts of four discretizers.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

from gnbayes import FixedDiscretizer, MDLPDiscretizer, QuantileDiscretizer, UniformDiscretizer

data = load_iris(as_frame=True)
X, y = data.data[["petal length (cm)"]], data.target
discretizers = {
    "quantiles": QuantileDiscretizer(5),
    "equal width": UniformDiscretizer(5),
    "MDLP": MDLPDiscretizer(),
    "your own": FixedDiscretizer({"petal length (cm)": [2, 5]}),
}
fig, axes = plt.subplots(len(discretizers), 1, figsize=(7, 7), sharex=True, layout="constrained")
for ax, (name, discretizer) in zip(axes, discretizers.items(), strict=True):
    lengths = [X.loc[y == species, "petal length (cm)"] for species in range(3)]
    ax.hist(lengths, bins=np.arange(1, 7.2, 0.2), stacked=True, label=data.target_names)
    for edge in discretizer.fit(X, y).bin_edges_[0][1:-1]:
        ax.axvline(edge, color="k", lw=1)
    ax.set(ylabel=name, yticks=[])
axes[0].legend(ncols=3)
axes[-1].set_xlabel("petal length (cm)")

# %%
# Bins have readable labels, which explanations and reports use.
print("\n".join(discretizers["MDLP"].bin_labels_[0]))
