"""One offline HTML page about a model: a risk calculator, the evidence for the model, and a model card."""

from gnbayes.reporting.page import Report, report

__all__ = ["Report", "report"]
