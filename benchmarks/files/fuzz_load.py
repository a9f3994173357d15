"""Feed damaged and hostile model files to `load`: only ModelFileError may come out, and memory stays small.

Two kinds of damage, half each: bytes of a golden file changed, cut or repeated; and values anywhere in its JSON
replaced by something else, with the checksum made right again.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from gnbayes import ModelFileError, load
from gnbayes.documents import checksum

GOLDEN = Path(__file__).parents[2] / "tests" / "files" / "golden"
JUNK: list[Any] = [
    None, True, False, 0, 1, -1, 2**31, 2**63, 10**30, 0.5, -0.0, 1e308, "", "a", "\u2028", "x" * 1000,
    [], [[]], {}, {"a": 1}, [1, 2, 3], [[1, 2], [3, 4]], ["a", "b"], [None], [0] * 50,
]  # fmt: skip


def main() -> None:
    """Run the cases and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng, outcomes, start = random.Random(arguments.seed), Counter[str](), time.monotonic()
    originals = [path.read_bytes() for path in sorted(GOLDEN.glob("*.gnb.json"))]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.gnb.json"
        for case in range(arguments.cases):
            original = rng.choice(originals)
            path.write_bytes(_damaged(original, rng) if case % 2 else _hostile(original, rng))
            try:
                load(path)
                outcomes["loaded whole"] += 1
            except ModelFileError:
                outcomes["refused"] += 1
            if case % 1000 == 0:
                print(f"\r{case} cases", end="", file=sys.stderr, flush=True)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    seconds = time.monotonic() - start
    print(f"\r{arguments.cases} cases in {seconds:.0f} s: {dict(outcomes)}; memory grew by {grown:.0f} MB")


def _damaged(original: bytes, rng: random.Random) -> bytes:
    data = bytearray(original)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(max(1, len(data)))
        kind = rng.randrange(4)
        if kind == 0 and data:
            data[at] = rng.randrange(256)
        elif kind == 1:
            del data[at : at + rng.randint(1, 200)]
        elif kind == 2:
            data[at:at] = data[at : at + rng.randint(1, 200)]
        else:
            data = data[: max(1, at)]
    return bytes(data)


def _hostile(original: bytes, rng: random.Random) -> bytes:
    document = json.loads(original)
    for _ in range(rng.randint(1, 3)):
        owner, key = document, "model"
        while isinstance(owner[key], dict | list) and owner[key] and rng.random() < 0.8:
            owner = owner[key]
            key = rng.choice(list(owner)) if isinstance(owner, dict) else rng.randrange(len(owner))
        if rng.random() < 0.2 and isinstance(owner, dict) and owner is not document:
            del owner[key]
        else:
            owner[key] = copy.deepcopy(rng.choice(JUNK))
        if not isinstance(document["model"], dict):
            break
    if isinstance(document["model"], dict):
        document["checksum"] = checksum(document["model"])
    return json.dumps(document).encode("utf-8", "surrogatepass")


if __name__ == "__main__":
    main()
