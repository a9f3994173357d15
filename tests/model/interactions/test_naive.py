"""Tables of naive Bayes are those of scikit-learn."""

import numpy as np
import pytest
from scipy.special import expit, softmax
from sklearn.naive_bayes import CategoricalNB

from gnbayes.counting import CodedRows
from gnbayes.model.fitting import TermSpec, find_training_rows
from gnbayes.model.interactions.naive import count_naive


@pytest.mark.parametrize("n_classes", [2, 3])
def test_tables_and_held_out_scores_are_those_of_categorical_naive_bayes(n_classes):
    rng = np.random.default_rng(0)
    y = np.arange(120) % n_classes
    codes = (rng.integers(0, 3, (120, 2)) + (y[:, None] > 0)).astype(np.uint8)
    rows = CodedRows(codes, y.astype(np.intp), np.full(2, 4), n_classes)
    some = find_training_rows([0, 1], rows).distinct
    held_out = some.fold_weights(4)
    specs = [TermSpec((j,), (np.arange(4),), "free", (False,)) for j in range(2)]
    fitted, scores = count_naive(specs, rows, some, held_out)
    X, own_y = rows.codes[some.index], some.labels

    def probabilities(weights):
        equal = np.full(n_classes, 1 / n_classes)
        return CategoricalNB(min_categories=4, class_prior=equal).fit(X, own_y, weights).predict_proba(X)

    own = fitted.intercept + sum(table[X[:, j]] for j, table in enumerate(fitted.tables))
    np.testing.assert_allclose(softmax(own, axis=1), probabilities(some.weights), rtol=1e-9)
    for fold, weights in enumerate(held_out.T):
        of_fold = scores[:, fold]
        found = np.column_stack([expit(-of_fold), expit(of_fold)]) if n_classes == 2 else softmax(of_fold, axis=1)
        np.testing.assert_allclose(found, probabilities(some.weights - weights), rtol=1e-9)
