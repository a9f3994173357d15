"""Measures of predicted risks with confidence intervals, as plain data objects."""

from gnbayes.evidence.assessment import Evidence, assess
from gnbayes.evidence.calibration import Calibration, CalibrationCurve, calibrate
from gnbayes.evidence.classification import Classification, classify
from gnbayes.evidence.decisions import AtThreshold, Decisions, decide
from gnbayes.evidence.discrimination import RocCurve, auroc, roc_curve
from gnbayes.evidence.distribution import Distribution, distribute
from gnbayes.evidence.estimate import Estimate, Risks, share_of
from gnbayes.evidence.instability import Instability, measure_instability
from gnbayes.evidence.kept import Evaluation, aggregate, evaluate
from gnbayes.evidence.kept_document import from_document, to_document
from gnbayes.evidence.overall import Overall, measure_overall
from gnbayes.evidence.subgroups import Subgroup, split_risks

__all__ = [
    "AtThreshold",
    "Calibration",
    "CalibrationCurve",
    "Classification",
    "Decisions",
    "Distribution",
    "Estimate",
    "Evaluation",
    "Evidence",
    "Instability",
    "Overall",
    "Risks",
    "RocCurve",
    "Subgroup",
    "aggregate",
    "assess",
    "auroc",
    "calibrate",
    "classify",
    "decide",
    "distribute",
    "evaluate",
    "from_document",
    "measure_instability",
    "measure_overall",
    "roc_curve",
    "share_of",
    "split_risks",
    "to_document",
]
