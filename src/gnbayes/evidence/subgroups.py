"""The same measures for subgroups of the rows, and a verdict on each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gnbayes.evidence.calibration import Calibration, calibrate
from gnbayes.evidence.discrimination import auroc
from gnbayes.evidence.estimate import Estimate, Risks

Verdict = Literal["few", "fine", "too low", "too high", "too extreme", "too moderate"]

# A subgroup with fewer rows of an outcome is not judged.
FEWEST_ROWS = 10
# Shifts of the log-odds, and slopes, that are too small to matter even if they are significant.
_SMALL_SHIFT, _SMALL_SLOPE = 0.25, 1.5


@dataclass(frozen=True)
class Subgroup:
    """Measures for a subgroup of the rows.

    Parameters
    ----------
    name : str
    n, n_events : int
    auroc : Estimate
    mean_risk : float
    observed, intercept, slope : Estimate
        As in `Calibration`.
    verdict : str
        "few": fewer than ten rows of an outcome, not judged. "too low" or "too high": the interval of the intercept
        excludes 0, and it is at least 0.25 in size. "too extreme" or "too moderate": the interval of the slope excludes
        1, and it is below 2/3 or above 1.5. "fine": none of them.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evidence import Risks, split_risks
    >>> rng = np.random.default_rng(0)
    >>> risk, part_of = rng.random(400), np.arange(400) % 2
    >>> parts = split_risks(Risks(risk, rng.random(400) < risk), part_of, ["f", "m"])
    >>> [(part.name, part.n, part.verdict) for part in parts]
    [('f', 200, 'fine'), ('m', 200, 'fine')]
    """

    name: str
    n: int
    n_events: int
    auroc: Estimate
    mean_risk: float
    observed: Estimate
    intercept: Estimate
    slope: Estimate
    verdict: Verdict


def split_risks(risks: Risks, codes: NDArray[np.intp], names: list[str]) -> list[Subgroup]:
    """Measures for each subgroup that has rows.

    Parameters
    ----------
    risks : Risks
    codes : ndarray of shape (n,)
        The subgroup of each row; a negative number for none.
    names : list of str
        Names of the subgroups.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evidence import Risks, split_risks
    >>> parts = split_risks(Risks([0.2, 0.4, 0.9], [False, True, True]), np.array([0, 0, 1]), ["women", "men"])
    >>> [(part.name, part.n, part.verdict) for part in parts]
    [('women', 2, 'few'), ('men', 1, 'few')]
    """
    present = np.unique(codes[codes >= 0]).tolist()
    return [_measured(names[code], risks.take(codes == code)) for code in present]


def _measured(name: str, risks: Risks) -> Subgroup:
    found = calibrate(risks)
    return Subgroup(
        name,
        risks.n,
        risks.n_events,
        auroc(risks),
        found.mean_risk,
        found.observed,
        found.intercept,
        found.slope,
        "few" if risks.n_fewer < FEWEST_ROWS else _verdict(found),
    )


def _verdict(found: Calibration) -> Verdict:
    shift, slope = found.intercept, found.slope
    if shift.value is not None and abs(shift.value) >= _SMALL_SHIFT and not _holds(shift, 0.0):
        return "too low" if shift.value > 0 else "too high"
    if slope.value is not None and not _holds(slope, 1.0):
        if slope.value < 1 / _SMALL_SLOPE:
            return "too extreme"
        if slope.value > _SMALL_SLOPE:
            return "too moderate"
    return "fine"


def _holds(estimate: Estimate, value: float) -> bool:
    return estimate.low is None or estimate.high is None or estimate.low <= value <= estimate.high
