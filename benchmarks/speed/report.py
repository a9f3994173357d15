"""Results as a Markdown table. Standard library only."""

from dataclasses import dataclass, field

BASE = "sklearn_categorical_nb"
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

    `seconds` has the phases that ended; `notes` says of each other phase why not; memory is in bytes, `None` before the
    first phase has ended.
    """

    shape: tuple[int, int]
    rival: str
    seconds: dict[str, float] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    peak: int | None = None
    before: int | None = None


def markdown(results: list[Result]) -> str:
    """One row a shape and rival; ratios are to CategoricalNB on the same shape."""
    base = {result.shape: result.seconds for result in results if result.rival == BASE}
    lines = [_line(_HEADINGS), _line(["---"] * 2 + ["---:"] * (len(_HEADINGS) - 2))]
    lines += [_line(_cells(result, base.get(result.shape, {}))) for result in results]
    return "\n".join(lines)


def format_seconds(seconds: float) -> str:
    """Three digits and a unit."""
    return f"{seconds * 1000:.3g} ms" if seconds < 0.9995 else f"{seconds:.3g} s"


def _cells(result: Result, base: dict[str, float]) -> list[str]:
    cells = [f"{result.shape[0]} x {result.shape[1]}", result.rival]
    for phase in PHASES:
        seconds = result.seconds.get(phase)
        cells.append(result.notes.get(phase, "-") if seconds is None else format_seconds(seconds))
        cells.append("-" if seconds is None or phase not in base else _format_ratio(seconds / base[phase]))
    if result.peak is None or result.before is None:
        return [*cells, "-", "-"]
    # The system counts memory in use and its peak a little differently, so the difference may fall below 0.
    beyond = max(0, result.peak - result.before)
    return [*cells, f"{beyond / 1e6:.0f}", f"{result.peak / 1e6:.0f}"]


def _format_ratio(ratio: float) -> str:
    return f"{ratio:.3g}" if ratio < 1000 else f"{ratio:,.0f}"


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"
