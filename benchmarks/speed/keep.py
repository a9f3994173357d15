"""Results kept in a file, one JSON line each, so that a long run can be broken off and taken up again."""

import json
from dataclasses import asdict
from pathlib import Path

from report import Result


class Kept:
    """Results that a file has, and place for more; without a file they are forgotten at the end."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text().splitlines() if path is not None and path.exists() else []
        self._results = [_read(line) for line in lines]

    def find(self, shape: tuple[int, int], rival: str) -> Result | None:
        """The last result of a rival on a shape."""
        found = [result for result in self._results if (result.shape, result.rival) == (shape, rival)]
        return found[-1] if found else None

    def add(self, result: Result) -> None:
        """Keep one more result."""
        self._results.append(result)
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps(asdict(result)) + "\n")


def _read(line: str) -> Result:
    fields = json.loads(line)
    return Result(**{**fields, "shape": tuple(fields["shape"])})
