"""How the cost of a tree grows with rows, columns, values and classes: exponents fitted on our own times.

Usage: .venv-bench/bin/python benchmarks/speed/growth.py [--default]

Timed is what lies between codes and tree: packing, counting, information of all pairs, GNB-A; one thread. Times are the
best of several runs, since other work on the machine only ever adds to them. With --default, they are CPU seconds of
whole fits of the default, and of the pairs of the tree alone, to tables of numbers. Prints a Markdown table.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from default import make_classifier, make_numbers
from report import format_seconds, table

from gnbayes.counting import MAX_KEPT_CELLS, CodedRows, count_pairs, count_values, n_cells
from gnbayes.structure import Tree, gnb_a, information, information_of_rows

_LEAST_REPEATS = 5
_MOST_REPEATS = 200
_REPEAT_SECONDS = 1.0


@dataclass(frozen=True)
class Size:
    """Rows, columns, values of each column, classes."""

    n: int
    d: int
    v: int = 5
    k: int = 2


@dataclass(frozen=True)
class Series:
    """Sizes of which one dimension varies."""

    name: str
    varies: str
    base: Size
    values: Sequence[int]

    @property
    def sizes(self) -> list[Size]:
        """All of them, in increasing order."""
        return [replace(self.base, **{self.varies: value}) for value in self.values]

    @property
    def held(self) -> str:
        """The other dimensions, in words."""
        dimensions = {"n": self.base.n, "d": self.base.d, "v": self.base.v, "k": self.base.k}
        return ", ".join(f"{name} = {value}" for name, value in dimensions.items() if name != self.varies and value)


GRID = (
    Series("rows n", "n", Size(0, 100), (10_000, 30_000, 100_000, 300_000, 1_000_000)),
    Series("columns d", "d", Size(100_000, 0), (25, 50, 100, 200, 400)),
    Series("columns d, wide", "d", Size(500, 0), (500, 1000, 2000, 4000)),
    Series("values v", "v", Size(100_000, 50), (2, 3, 4, 6, 8, 12, 16)),
    Series("classes k", "k", Size(100_000, 50), (2, 4, 8, 16)),
)


# Of the default: tables of numbers, whose values are not chosen.
GRID_OF_DEFAULT = (
    Series("rows n", "n", Size(0, 20, 0), (10_000, 30_000, 100_000, 300_000, 1_000_000)),
    Series("columns d", "d", Size(10_000, 0, 0), (20, 50, 100, 200, 400)),
)


def main() -> None:
    """Measure a grid and print the exponents."""
    if sys.argv[1:] == ["--default"]:
        rows = [
            [name, *_row(series, lambda size, name=name: _time_of_fit(name, size))]
            for name in ("tree", "default")
            for series in GRID_OF_DEFAULT
        ]
        print(table(("", *_HEAD), 4, rows))
    else:
        print(table(_HEAD, 3, [_row(series, _best_time) for series in GRID]))


_HEAD = ("what grows", "the rest", "times", "exponent", "of the last step")


def _row(series: Series, measure: Callable[[Size], float]) -> list[str]:
    seconds = [measure(size) for size in series.sizes]
    exponent, last = _exponent(series.values, seconds), _exponent(series.values[-2:], seconds[-2:])
    times = ", ".join(f"{value}: {format_seconds(s)}" for value, s in zip(series.values, seconds, strict=True))
    print(f"{series.name}: {exponent:.2f}", file=sys.stderr, flush=True)
    return [series.name, series.held, times, f"{exponent:.2f}", f"{last:.2f}"]


def learn_tree(rows: CodedRows) -> Tree:
    """From codes to a tree, as `GeneralizedNB.fit` does it."""
    values = count_values(rows)
    if n_cells(rows.cardinalities, rows.n_classes) <= MAX_KEPT_CELLS:
        return gnb_a(information(count_pairs(values, rows)))
    return gnb_a(information_of_rows(rows, values))


def _best_time(size: Size) -> float:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, size.v, (size.d, size.n), dtype=np.uint8).T
    labels = rng.integers(0, size.k, size.n)
    cardinalities = np.full(size.d, size.v)
    seconds: list[float] = []
    while len(seconds) < _LEAST_REPEATS or (sum(seconds) < _REPEAT_SECONDS and len(seconds) < _MOST_REPEATS):
        start = time.perf_counter()
        learn_tree(CodedRows(codes, labels, cardinalities, size.k))
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def _time_of_fit(name: str, size: Size) -> float:
    """CPU seconds of a fit with one thread, the best of as many as fit in a second."""
    X, y = make_numbers(size.n, size.d)
    make_classifier(name, 1).fit(X[:200, :5], y[:200])  # what is loaded at the first fit
    seconds: list[float] = []
    while sum(seconds) < _REPEAT_SECONDS:
        start = time.process_time()
        make_classifier(name, 1).fit(X, y)
        seconds.append(time.process_time() - start)
    return min(seconds)


def _exponent(values: Sequence[int], seconds: list[float]) -> float:
    """Slope of the least-squares line through the logarithms."""
    return float(np.polyfit(np.log(values), np.log(seconds), 1)[0])


if __name__ == "__main__":
    main()
