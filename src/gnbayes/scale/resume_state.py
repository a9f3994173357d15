"""The state of passes over files, for resuming after an interruption."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gnbayes.documents import need, part
from gnbayes.scale.column_summary import Limits
from gnbayes.scale.exchange_files import SiteFileError, read_site_file, write_site_file
from gnbayes.scale.summary_file import build, describe
from gnbayes.scale.table_summary import TableSummary


def save_state(path: Path, identity: dict[str, Any], n_done: int, summary: TableSummary | None) -> None:
    """Write how many units are done, and their summary."""
    content = {"of": identity, "done": n_done, "summary": None if summary is None else describe(summary)}
    try:
        write_site_file(path, "state", content)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OSError(f"the state of the run cannot be written to {str(path)!r}: {reason}.") from None


def load_state(path: Path, identity: dict[str, Any], limits: Limits) -> tuple[int, TableSummary | None]:
    """Number of completed units and their summary; none if there is no file. Raises an error for other files."""
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


@dataclass(frozen=True)
class ResumableCodes:
    """Where the codes of the second pass are kept until learning is done, with a record of which are complete.

    Parameters
    ----------
    path : Path
        The file of codes; the record is next to it.
    fingerprint : str
        Fingerprint of everything that codes depend on; codes with another one are not used.
    """

    path: Path
    fingerprint: str

    @classmethod
    def beside(cls, state: Path, folder: str | os.PathLike[str] | None, *content: Any) -> ResumableCodes:
        """Next to the state of the first pass, or in a folder; the fingerprint is a hash of the repr of `content`."""
        place = state.parent if folder is None else Path(folder)
        return cls(place / f"{state.name}.codes", hashlib.sha256(repr(content).encode()).hexdigest())

    @property
    def _note(self) -> Path:
        return self.path.with_name(f"{self.path.name}.json")

    def save(self, n_done: int, parts: list[tuple[int, int]]) -> None:
        """Record the number of completed units, and the position and number of rows of each part."""
        content = {"of": self.fingerprint, "done": n_done, "parts": [list(where) for where in parts]}
        write_site_file(self._note, "codes", content)

    def load(self) -> tuple[int, list[tuple[int, int]]]:
        """The record; empty if there is none, if it is damaged, or if it belongs to other codes."""
        try:
            of, n_done, parts = read_site_file(self._note, "codes", _codes) if self._note.exists() else ("", 0, [])
        except SiteFileError:
            return 0, []
        return (n_done, parts) if of == self.fingerprint else (0, [])

    def remove(self) -> None:
        """Remove both files."""
        self.path.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)


def _codes(content: dict[str, Any]) -> tuple[str, int, list[tuple[int, int]]]:
    of, n_done = part(content, "of", str, "codes"), part(content, "done", int, "codes")
    parts = part(content, "parts", list, "codes")
    return of, n_done, [(int(start), int(n_rows)) for start, n_rows in parts]
