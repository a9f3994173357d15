"""How close counting all pairs comes to what the machine can do: AND and popcount of words that lie in the L1 cache.

Usage: .venv-bench/bin/python benchmarks/kernels/roofline.py [--rows 1000000] [--columns 100]

The kernel is `Bits.count_pairs` in one thread. Its useful work is, for every pair of features and every class, (v - 1)
times (v - 1) strings of bits that meet: the last value is had by subtraction. What it does besides, for places that are
empty and for pairs that meet twice, counts for nothing. Both rates are the best of several runs that take turns, since
other work on the machine only ever slows them down. Prints a Markdown table with a row for each kind of instructions,
and what a second thread adds to either: the kernel cannot gain more than the machine gives.
"""

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows
from gnbayes.kernels import native

LEVELS = ("portable", "avx2", "avx512")
N_VALUES = 5
N_CLASSES = 2
_WORD_ROWS = 64
# 8 KiB, far below the L1 cache of any machine.
_CACHED_WORDS = 1024
# Some 100 ms, so that starting a thread does not count.
_CACHE_REPEATS = 100_000


def main() -> None:
    """Measure every kind of instructions that the machine has."""
    arguments = _parse_arguments()
    if native is None:
        raise SystemExit("The C kernels were not built.")
    rows = _make_rows(arguments.rows, arguments.columns)
    n_words = _useful_words(rows)
    print(f"{arguments.rows} x {arguments.columns}, {N_VALUES} values, {N_CLASSES} classes, one thread\n")
    print(
        "| instructions | roofline (words/ns) | all pairs (words/ns) | share | roofline, 2 threads | all pairs, 2 threads |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in LEVELS:
        if not _has(name):
            continue
        (roof, roof_2), (kernel, kernel_2) = _best_rates(rows, n_words, arguments.rounds)
        rates = f"{roof / 1e9:.2f} | {kernel / 1e9:.2f} | {kernel / roof:.0%}"
        print(f"| {name} | {rates} | {roof_2 / roof:.2f}x | {kernel_2 / kernel:.2f}x |", flush=True)


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Share of the popcount roofline that counting all pairs reaches.")
    parser.add_argument("--rows", type=int, default=1_000_000, help="(default: %(default)s)")
    parser.add_argument("--columns", type=int, default=100, help="(default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=15, help="runs of which the best counts (default: %(default)s)")
    return parser.parse_args()


def _make_rows(n: int, d: int) -> CodedRows:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, N_VALUES, (d, n), dtype=np.uint8).T
    return CodedRows(codes, rng.integers(0, N_CLASSES, n), np.full(d, N_VALUES), N_CLASSES)


def _useful_words(rows: CodedRows) -> int:
    d, v = rows.n_features, N_VALUES
    words_of_class = -(-np.bincount(rows.labels, minlength=N_CLASSES) // _WORD_ROWS)
    return d * (d - 1) // 2 * (v - 1) ** 2 * int(words_of_class.sum())


def _has(name: str) -> bool:
    """Whether the machine has these instructions, which are then in use."""
    try:
        native.set_level(name)
    except ValueError:
        return False
    return True


def _best_rates(rows: CodedRows, n_words: int, rounds: int) -> list[tuple[float, float]]:
    """Words a second from cache, and of all pairs, each in one thread and in two."""
    cached = np.random.default_rng(0).integers(0, 2**63, _CACHED_WORDS, dtype=np.uint64)
    offsets = np.arange(rows.n_features + 1) * N_VALUES
    cells = np.zeros((N_CLASSES, offsets[-1], offsets[-1]), dtype=np.int64)
    bits = [replace(rows.bits, n_threads=n_threads) for n_threads in (1, 2)]
    seconds = np.full((2, 2), np.inf)
    for _ in range(rounds):
        for t in range(2):
            roof = _seconds(lambda t=t: _count_from_cache(cached, t + 1))
            kernel = _seconds(lambda t=t: bits[t].count_pairs(offsets, cells))
            seconds[:, t] = np.minimum(seconds[:, t], [roof, kernel])
    n_cached = _CACHED_WORDS * _CACHE_REPEATS
    return [
        (n_cached / seconds[0, 0], 2 * n_cached / seconds[0, 1]),
        (n_words / seconds[1, 0], n_words / seconds[1, 1]),
    ]


def _count_from_cache(cached: NDArray[np.uint64], n_threads: int) -> None:
    """The same work in every thread."""
    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(lambda _: native.roofline(cached, _CACHED_WORDS, _CACHE_REPEATS), range(n_threads)))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
