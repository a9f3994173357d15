"""
Predictions in the database: the model as SQL
=============================================

``to_sql`` writes a fitted model as one query for DuckDB, SQLite or Spark. The rows never leave the database, and the
probabilities are those of ``predict_proba``.
"""

# %%
# Half of the rows are in a database, and the model is fitted to the others.
import sqlite3

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from gnbayes import GeneralizedNB, to_sql

data = load_breast_cancer(as_frame=True)
labels = data.target_names[data.target]
clf = GeneralizedNB(n_features=8).fit(data.data[::2], labels[::2])
database = sqlite3.connect(":memory:")
new = data.data[1::2].reset_index(drop=True)
new.assign(id=new.index).to_sql("patients", database, index=False)

# %%
# The query reads raw columns: it bins numbers, looks up the tables, and adds up the entries.
query = to_sql(clf, dialect="sqlite", table="patients", keep=["id"])
print(query[:400])

# %%
# It can be part of any other query: here the ten most probable cases.
riskiest = f'SELECT id, "probability of malignant" FROM ({query}) ORDER BY 2 DESC, id LIMIT 10'
for number, probability in database.execute(riskiest):
    print(f"{number:4d}  {probability:.4f}")

# %%
# All probabilities are the same as in Python.
found = np.array([row[2:] for row in database.execute(f"{query} ORDER BY id")])
expected = clf.predict_proba(new)
database.close()
fig, ax = plt.subplots(figsize=(4.4, 4.2), layout="constrained")
ax.plot(expected[:, 1], found[:, 1], "o", alpha=0.4)
ax.set(xlabel="predict_proba", ylabel="SQLite", title=f"largest difference {np.abs(found - expected).max():.0e}")
