"""How close counting all pairs comes to what the machine can do: AND and popcount of words that lie in the L1 cache.

Usage: .venv-bench/bin/python benchmarks/kernels/roofline.py [--rows 1000000] [--columns 100]

The kernel is `Bits.count_pairs` in one thread. Its useful work is, for every pair of features and every class, (v - 1)
times (v - 1) strings of bits that meet: the last value is had by subtraction. What it does besides, for places that are
empty and for pairs that meet twice, counts for nothing. Both rates are the best of several runs that take turns, since
other work on the machine only ever slows them down. Prints a Markdown table with a row for each kind of instructions,
and what a second thread adds to the kernel.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from gnbayes.counting import CodedRows
from gnbayes.kernels import native

LEVELS = ("portable", "avx2", "avx512-base", "avx512")
N_VALUES = 5
N_CLASSES = 2
_WORD_ROWS = 64
# 8 KiB, far below the L1 cache of any machine.
_CACHED_WORDS = 1024
# About a millisecond, which other work rarely breaks, and often enough to see the best that there is.
_CACHE_REPEATS = 20_000
_CACHE_RUNS = 20


def main() -> None:
    """Measure every kind of instructions that the machine has."""
    arguments = _parse_arguments()
    if native is None:
        raise SystemExit("The C kernels were not built.")
    rows = _make_rows(arguments.rows, arguments.columns)
    n_words = _useful_words(rows)
    print(f"{arguments.rows} x {arguments.columns}, {N_VALUES} values, {N_CLASSES} classes, one thread\n")
    print("| instructions | roofline (words/ns) | all pairs (words/ns) | share | all pairs, two threads |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name in LEVELS:
        if not _has(name):
            continue
        roof, one, two = _best_rates(rows, n_words, arguments.rounds)
        rates = f"{roof / 1e9:.2f} | {one / 1e9:.2f} | {one / roof:.0%} | {two / one:.2f}x"
        print(f"| {name} | {rates} |", flush=True)


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


def _best_rates(rows: CodedRows, n_words: int, rounds: int) -> tuple[float, float, float]:
    """Words a second: from cache, of all pairs in one thread, of all pairs in two."""
    cached = np.random.default_rng(0).integers(0, 2**63, _CACHED_WORDS, dtype=np.uint64)
    offsets = np.arange(rows.n_features + 1) * N_VALUES
    cells = np.zeros((N_CLASSES, offsets[-1], offsets[-1]), dtype=np.int64)
    bits = [replace(rows.bits, n_threads=n_threads) for n_threads in (1, 2)]
    roofs, ones, twos = [], [], []
    for _ in range(rounds):
        from_cache = partial(native.roofline, cached, _CACHED_WORDS, _CACHE_REPEATS)
        roofs += [_seconds(from_cache) for _ in range(_CACHE_RUNS)]
        ones.append(_seconds(lambda: bits[0].count_pairs(offsets, cells)))
        twos.append(_seconds(lambda: bits[1].count_pairs(offsets, cells)))
    return _CACHED_WORDS * _CACHE_REPEATS / min(roofs), n_words / min(ones), n_words / min(twos)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
