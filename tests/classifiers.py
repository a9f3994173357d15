"""Classifiers that many tests share."""

from gnbayes import GeneralizedNB


def counted(structure="gnb-a", **parameters):
    """The classifier of counted probabilities with five intervals; its default learns them for the class."""
    return GeneralizedNB(structure, **{"n_bins": 5, "weighting": None, **parameters})
