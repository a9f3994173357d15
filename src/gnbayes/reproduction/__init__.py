"""The paper's experiment, reproduced; needs pandas, and matplotlib for the figures."""

from gnbayes.reproduction.rerun import Reproduction, rerun_paper

__all__ = ["Reproduction", "rerun_paper"]
