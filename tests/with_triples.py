"""Classifiers with a term of three features."""

import numpy as np

from gnbayes.model import Term
from gnbayes.model.weighted import WeightedModel


def with_three_features(clf):
    """The same classifier with a term of three features added."""
    model = clf.model_
    assert isinstance(model, WeightedModel)
    chosen = model.tree.order[:3].tolist()
    maps = tuple(np.arange(len(model.maps[j])) % 3 for j in chosen)
    table = np.random.default_rng(0).normal(size=(3, 3, 3, len(clf.classes_)))
    term = Term(tuple(chosen), maps, table, np.ones((3, 3, 3)))
    terms = (*model.learned.terms, term)
    learned = type(model.learned)(**{**vars(model.learned), "terms": terms})
    clf.model_ = type(model)(**{**{name: vars(model)[name] for name in model.__dataclass_fields__}, "learned": learned})
    return clf
