"""Data files: in the folder named by GNBAYES_DATA, or at UCI. Every file is checked by its SHA-256."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BASE_URL = "https://archive.ics.uci.edu/ml/machine-learning-databases/"


@dataclass(frozen=True)
class Source:
    """A file at UCI.

    Parameters
    ----------
    path : str
        Path below `BASE_URL`.
    sha256 : str
    """

    path: str
    sha256: str

    @property
    def file_name(self) -> str:
        """Last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def url(self) -> str:
        """Address of the file."""
        return BASE_URL + self.path


def find_file(source: Source, data_home: str | os.PathLike[str] | None = None) -> Path:
    """The file, from the folder named by GNBAYES_DATA or else downloaded, with the right checksum.

    Parameters
    ----------
    source : Source
    data_home : path, optional
        Folder for downloads; the cache folder of the user by default.

    Returns
    -------
    path : Path
    """
    folder = os.environ.get("GNBAYES_DATA")
    return _local(source, Path(folder)) if folder else _downloaded(source, data_home)


def _local(source: Source, folder: Path) -> Path:
    path = folder / "paper" / source.file_name
    if not path.is_file():
        raise _unavailable(source, f"GNBAYES_DATA is set, but there is no file {path}")
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != source.sha256:
        raise _unavailable(source, f"{path} has the wrong content: its SHA-256 is {found}, not {source.sha256}")
    return path


def _downloaded(source: Source, data_home: str | os.PathLike[str] | None) -> Path:
    pooch = _import_pooch()
    folder = Path(data_home) if data_home is not None else pooch.os_cache("gnbayes")
    try:
        return Path(pooch.retrieve(source.url, f"sha256:{source.sha256}", fname=source.file_name, path=folder))
    except ValueError as error:
        raise _unavailable(source, f"the file at {source.url} does not have the SHA-256 {source.sha256}") from error
    except OSError as error:
        reason = f"{source.file_name} could not be downloaded to {folder} ({type(error).__name__})"
        raise _unavailable(source, reason) from error


def _import_pooch() -> Any:
    try:
        import pooch  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError("downloads need pooch; install it with: pip install 'gnbayes[datasets]'") from error
    return pooch


def _unavailable(source: Source, reason: str) -> OSError:
    return OSError(
        f"{reason}. Get {source.file_name} from {source.url}, put it into a folder named 'paper', and set the "
        "environment variable GNBAYES_DATA to the folder above it."
    )
