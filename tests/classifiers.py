"""Classifiers and transformers that many tests share."""

from sklearn.preprocessing import KBinsDiscretizer

from gnbayes import GeneralizedNB


def counted(structure="gnb-a", **parameters):
    """The classifier of counted probabilities with five intervals; its default learns them for the class."""
    return GeneralizedNB(structure, **{"n_bins": 5, "weighting": None, **parameters})


def weighted(structure="gnb-o", **parameters):
    """The weighted classifier of one fit with the pairs of the tree alone: a tenth of the time of the default."""
    return GeneralizedNB(structure, **{"interactions": "tree", **parameters})


def alone(clf, j):
    """What feature j of a weighted model adds by itself, shape (v_j, k)."""
    return next(term.table for term in clf.model_.terms if term.features == (j,))


def pair_of(clf, j):
    """What feature j adds with its mother, shape (c_mother, c_j, k); None where it has none."""
    mother = int(clf.tree_.mother[j])
    return next((term.table for term in clf.model_.terms if term.features == (mother, j)), None)


def quantile_bins(n_bins):
    """scikit-learn's discretizer by quantiles; from 1.7 on it warns where the rule for them is not given."""
    bins = KBinsDiscretizer(n_bins, encode="ordinal", strategy="quantile")
    has_rule = "quantile_method" in bins.get_params()
    return bins.set_params(quantile_method="averaged_inverted_cdf") if has_rule else bins
