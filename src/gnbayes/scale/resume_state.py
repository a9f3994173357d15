"""The state of a first pass over files, to go on from after an interruption."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gnbayes.documents import need, part
from gnbayes.scale.column_summary import Limits
from gnbayes.scale.exchange_files import read_site_file, write_site_file
from gnbayes.scale.summary_file import build, describe
from gnbayes.scale.table_summary import TableSummary


def save_state(path: Path, identity: dict[str, Any], n_done: int, summary: TableSummary | None) -> None:
    """Write how many units are done, and their summary."""
    content = {"of": identity, "done": n_done, "summary": None if summary is None else describe(summary)}
    write_site_file(path, "state", content)


def load_state(path: Path, identity: dict[str, Any], limits: Limits) -> tuple[int, TableSummary | None]:
    """What was done, and its summary; nothing where there is no file. An error for the state of other files."""
    if not path.exists():
        return 0, None
    of, n_done, summary = read_site_file(path, "state", _parts)
    if of != identity or (summary is not None and summary.limits != limits):
        raise ValueError(
            f"{str(path)!r} is the state of other files, columns or settings, or the files have changed; remove it to "
            "start again."
        )
    return n_done, summary


def _parts(content: dict[str, Any]) -> tuple[dict[str, Any], int, TableSummary | None]:
    of, n_done = part(content, "of", dict, "state"), part(content, "done", int, "state")
    summary = None if content.get("summary") is None else build(part(content, "summary", dict, "state"))
    need(0 <= n_done <= of.get("units", -1) and (n_done == 0) == (summary is None), "state", "must fit its files")
    return of, n_done, summary
