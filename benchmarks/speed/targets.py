"""What was aimed at, and whether it was met. Standard library only."""

from collections.abc import Callable
from dataclasses import dataclass

from report import BASE, OURS, OURS_2, Result, format_ratio, format_seconds, table


@dataclass(frozen=True)
class Measured:
    """A number and how it is shown; `is_bound` where the true number is at least this."""

    value: float
    text: str
    is_bound: bool = False


class Results:
    """Results by shape and rival."""

    def __init__(self, results: list[Result]) -> None:
        self._results = {(result.shape, result.rival): result for result in results}

    def seconds(self, shape: tuple[int, int], rival: str, phase: str) -> float | None:
        """Time of a phase that ended."""
        result = self._results.get((shape, rival))
        return None if result is None else result.seconds.get(phase)

    def at_least(self, shape: tuple[int, int], rival: str, phase: str) -> float | None:
        """Time after which a phase was stopped, on this shape or on one that is nowhere larger."""
        limits = [
            result.at_least[phase]
            for (smaller, name), result in self._results.items()
            if name == rival and smaller[0] <= shape[0] and smaller[1] <= shape[1] and phase in result.at_least
        ]
        return max(limits, default=None)

    def beyond_input(self, shape: tuple[int, int], rival: str) -> int | None:
        """Peak of memory beyond the input."""
        result = self._results.get((shape, rival))
        return None if result is None else result.beyond_input


@dataclass(frozen=True)
class Target:
    """One aim: a measured number of a shape, at most or at least so large."""

    shape: tuple[int, int]
    what: str
    measure: Callable[[Results, tuple[int, int]], Measured | None]
    bound: float
    bound_text: str
    is_most: bool

    def row(self, results: Results) -> list[str] | None:
        """Cells of the table, or nothing where it was not measured."""
        measured = self.measure(results, self.shape)
        if measured is None:
            return None
        is_met = measured.value <= self.bound if self.is_most else measured.value >= self.bound
        verdict = "met" if is_met else "not known" if measured.is_bound else "**not met**"
        sign = "<=" if self.is_most else ">="
        return [f"{self.shape[0]} x {self.shape[1]}", self.what, f"{sign} {self.bound_text}", measured.text, verdict]


def target_tables(results: list[Result]) -> list[str]:
    """Targets that these results can tell of, as one Markdown table; none where there are none."""
    found = Results(results)
    rows = [row for row in (target.row(found) for target in _TARGETS) if row is not None]
    return [table(("shape", "what", "target", "measured", ""), 2, rows)] if rows else []


def _ratio(phase: str, ours: str = OURS) -> Callable[[Results, tuple[int, int]], Measured | None]:
    """Our time over that of CategoricalNB."""

    def measure(results: Results, shape: tuple[int, int]) -> Measured | None:
        own, base = results.seconds(shape, ours, phase), results.seconds(shape, BASE, phase)
        return None if own is None or base is None else Measured(own / base, format_ratio(own / base))

    return measure


def _times_faster(slower: str, faster: str = OURS) -> Callable[[Results, tuple[int, int]], Measured | None]:
    """How many times longer the one fits than the other; a lower bound where it was stopped."""

    def measure(results: Results, shape: tuple[int, int]) -> Measured | None:
        fast, slow = results.seconds(shape, faster, "fit"), results.seconds(shape, slower, "fit")
        if fast is not None and slow is not None:
            return Measured(slow / fast, f"{format_ratio(slow / fast)}x")
        at_least = results.at_least(shape, slower, "fit")
        if fast is None or at_least is None:
            return None
        return Measured(at_least / fast, f"more than {format_ratio(at_least / fast)}x", is_bound=True)

    return measure


def _fit_time(results: Results, shape: tuple[int, int]) -> Measured | None:
    seconds = results.seconds(shape, OURS, "fit")
    return None if seconds is None else Measured(seconds, format_seconds(seconds))


def _memory(results: Results, shape: tuple[int, int]) -> Measured | None:
    beyond = results.beyond_input(shape, OURS)
    return None if beyond is None else Measured(beyond, f"{beyond / 1e9:.2f} GB")


def _against_base(shape: tuple[int, int], fit: float, predict: float) -> list[Target]:
    return [
        Target(shape, "fit, ours / CategoricalNB", _ratio("fit"), fit, f"{fit:g}", is_most=True),
        Target(shape, "predict_proba, ours / CategoricalNB", _ratio("predict_proba"), predict, f"{predict:g}", True),
    ]


_TARGETS = [
    *_against_base((569, 30), 0.5, 1),
    Target((569, 30), "fit", _fit_time, 0.003, "3 ms", is_most=True),
    *_against_base((100_000, 50), 0.2, 0.3),
    Target((100_000, 50), "fit, pyAgrum TAN / ours", _times_faster("pyagrum_tan"), 500, "500x", is_most=False),
    *_against_base((1_000_000, 100), 0.1, 0.1),
    Target((1_000_000, 100), "peak memory beyond the input", _memory, 1e9, "1.0 GB", is_most=True),
    Target((1_000_000, 100), "fit, one thread / two threads", _times_faster(OURS, OURS_2), 1.7, "1.7x", is_most=False),
    *_against_base((500, 2000), 1.5, 1),
    Target((500, 2000), "fit, WEKA TAN / ours", _times_faster("weka_tan"), 50, "50x", is_most=False),
]
