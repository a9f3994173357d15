"""scikit-learn's own checks, over every estimator."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from gnbayes import (
    FixedDiscretizer,
    GeneralizedNB,
    GNBSelector,
    MDLPDiscretizer,
    QuantileDiscretizer,
    UniformDiscretizer,
)
from gnbayes.encoding import JoinedDiscretizer, NestedDiscretizer

ESTIMATORS = [
    *(GeneralizedNB(structure) for structure in ("gnb-a", "gnb-o", "tan", "nb")),
    GeneralizedNB(smoothing="backoff"),
    GeneralizedNB(smoothing="paper"),
    GeneralizedNB(discretizer="mdlp"),
    GeneralizedNB(discretizer="uniform"),
    GeneralizedNB(weighting="discriminative"),
    GeneralizedNB("gnb-o", weighting="discriminative", n_bins="auto"),
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
