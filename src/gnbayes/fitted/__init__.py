"""The methods and attributes of a fitted `GeneralizedNB`, all computed from its model."""

from gnbayes.fitted._interpretation import FittedModel as FittedModel
