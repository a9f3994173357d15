"""Parameters and posteriors against pyAgrum: its estimators and its exact inference, on the same tree."""

import numpy as np
import pandas as pd
import pyagrum as gum
import pytest
from classifiers import counted

ALPHA = 1.0


@pytest.fixture(params=["gnb-a", "gnb-o", "tan"])
def both(request, random_codes):
    """Our classifier and pyAgrum's network with the same tree, learned from the same rows with the same prior."""
    codes, y = random_codes
    prior = (np.bincount(y) + ALPHA) / (len(y) + ALPHA * 3)
    clf = counted(request.param, alpha=ALPHA, class_prior=prior, categorical_features=range(7)).fit(codes, y)
    frame = pd.DataFrame(codes.astype(int), columns=[f"x{j}" for j in range(7)]).assign(y=y)
    template = gum.BayesNet()
    for column in frame:
        template.add(gum.RangeVariable(column, column, 0, int(frame[column].max())))
    for j, mother in enumerate(clf.tree_.mother.tolist()):
        template.addArc("y", f"x{j}")
        if mother >= 0:
            template.addArc(f"x{mother}", f"x{j}")
    learner = gum.BNLearner(frame, template)
    learner.useSmoothingPrior(ALPHA)
    return clf, learner.learnParameters(template.dag()), codes


def test_parameters(both):
    clf, network, _ = both
    for j, mother in enumerate(clf.tree_.mother.tolist()):
        table = np.exp(clf.joint_.tables[j])
        for m in range(table.shape[0]):
            for y in range(3):
                given = {"y": y} if mother < 0 else {"y": y, f"x{mother}": m}
                theirs = network.cpt(f"x{j}")[given]
                np.testing.assert_allclose(table[m, :, y], theirs, rtol=0, atol=1e-9)


@pytest.mark.parametrize("n_missing", [0, 1, 3, 6, 7])
def test_posteriors_with_features_missing(both, n_missing):
    clf, network, codes = both
    rng = np.random.default_rng(n_missing)
    inference = gum.LazyPropagation(network)
    for row in codes[:25].astype(float):
        row[rng.permutation(7)[:n_missing]] = np.nan
        inference.setEvidence({f"x{j}": int(value) for j, value in enumerate(row) if not np.isnan(value)})
        theirs = inference.posterior("y").toarray()
        np.testing.assert_allclose(clf.predict_proba(row[None])[0], theirs, rtol=0, atol=1e-9)
