"""scikit-learn's own checks, over every estimator."""

import pytest
from classifiers import counted
from sklearn.utils.estimator_checks import parametrize_with_checks

from gnbayes import (
    AODE,
    AveragedTAN,
    FixedDiscretizer,
    GeneralizedNB,
    GNBSelector,
    MDLPDiscretizer,
    QuantileDiscretizer,
    SelectiveNB,
    UniformDiscretizer,
)
from gnbayes.encoding import JoinedDiscretizer, NestedDiscretizer

ESTIMATORS = [
    GeneralizedNB(),
    *(counted(structure) for structure in ("gnb-a", "gnb-o", "tan", "nb")),
    counted(smoothing="backoff"),
    GeneralizedNB.as_published(),
    counted(discretizer="mdlp"),
    counted(discretizer="uniform"),
    GeneralizedNB("gnb-a", n_bins=5),
    AODE(),
    AODE(min_count=5),
    AveragedTAN(),
    SelectiveNB(),
    QuantileDiscretizer(),
    UniformDiscretizer(),
    MDLPDiscretizer(),
    FixedDiscretizer({}),
    JoinedDiscretizer(),
    NestedDiscretizer(),
    GNBSelector(),
    GNBSelector(n_features=1),
]


# The checks use tables so small that a column of numbers is left as it is, and predict on others.
@pytest.mark.filterwarnings("ignore:.* never seen in training:UserWarning")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
