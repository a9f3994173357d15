"""One offline HTML page: how the model thinks, how many features it needs, and a risk calculator."""

from gnbayes.reporting.page import Report, report

__all__ = ["Report", "report"]
