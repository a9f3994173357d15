"""Results as a Markdown table. Standard library only."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

BASE = "sklearn_categorical_nb"
OURS = "gnbayes_gnb"
OURS_2 = "gnbayes_gnb_2"
PHASES = ("fit", "predict_proba")
_HEADINGS = (
    "shape",
    "rival",
    "fit",
    "ratio",
    "predict_proba",
    "ratio",
    "peak beyond input (MB)",
    "absolute peak (MB)",
)


@dataclass(frozen=True)
class Result:
    """What one rival did on one shape.

    `seconds` has the phases that ended; `notes` says of each other phase why not; `at_least` has the limit of a phase
    that was stopped there; memory is in bytes, `None` before the first phase has ended; `reason` says why a rival
    cannot run on this machine.
    """

    shape: tuple[int, int]
    rival: str
    seconds: dict[str, float] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    at_least: dict[str, float] = field(default_factory=dict)
    peak: int | None = None
    before: int | None = None
    reason: str = ""

    @property
    def beyond_input(self) -> int | None:
        """Peak of memory less what was there before fit, in bytes."""
        if self.peak is None or self.before is None:
            return None
        # The system counts memory in use and its peak a little differently, so the difference may fall below 0.
        return max(0, self.peak - self.before)


def median(results: Sequence[Result]) -> Result:
    """The last of several results of one rival on one shape, with the median seconds of all that ended."""
    seconds = {
        phase: statistics.median(result.seconds[phase] for result in results if phase in result.seconds)
        for phase in results[-1].seconds
    }
    return replace(results[-1], seconds=seconds)


def markdown(results: list[Result]) -> str:
    """One row a shape and rival; ratios are to CategoricalNB on the same shape."""
    base = {result.shape: result.seconds for result in results if result.rival == BASE}
    return table(_HEADINGS, 2, [_cells(result, base.get(result.shape, {})) for result in results])


def table(headings: Sequence[str], n_left: int, rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table whose first columns stand on the left, all others on the right."""
    marks = ["---"] * n_left + ["---:"] * (len(headings) - n_left)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (headings, marks, *rows))


def format_seconds(seconds: float) -> str:
    """Three digits and a unit."""
    return f"{seconds * 1000:.3g} ms" if seconds < 0.9995 else f"{seconds:.3g} s"


def _cells(result: Result, base: dict[str, float]) -> list[str]:
    cells = [f"{result.shape[0]} x {result.shape[1]}", result.rival]
    for phase in PHASES:
        seconds = result.seconds.get(phase)
        cells.append(result.notes.get(phase, "-") if seconds is None else format_seconds(seconds))
        cells.append("-" if seconds is None or phase not in base else format_ratio(seconds / base[phase]))
    if result.peak is None or result.beyond_input is None:
        return [*cells, "-", "-"]
    return [*cells, f"{result.beyond_input / 1e6:.0f}", f"{result.peak / 1e6:.0f}"]


def format_ratio(ratio: float) -> str:
    """Three digits."""
    return f"{ratio:.3g}" if ratio < 1000 else f"{ratio:,.0f}"
