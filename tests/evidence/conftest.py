"""Risks whose measures R and dcurves have computed; golden/ says how."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from gnbayes.evidence import Risks

GOLDEN = Path(__file__).with_name("golden")


@pytest.fixture(scope="session")
def risks():
    table = np.loadtxt(GOLDEN / "risks.csv", delimiter=",", skiprows=1)
    return Risks(table[:, 0], table[:, 1] == 1)


@pytest.fixture(scope="session")
def by_r():
    lines = (GOLDEN / "golden_r.txt").read_text(encoding="utf-8").split("\n")
    return {name: float(value) for name, value in (line.split() for line in lines if line)}


@pytest.fixture(scope="session")
def by_dcurves():
    with (GOLDEN / "golden_dcurves.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {
        model: {
            key: np.array([float(row[key]) for row in rows if row["model"] == model])
            for key in ("threshold", "tp_rate", "fp_rate", "net_benefit")
        }
        for model in ("risk", "all", "none")
    }
