"""Output of verbs: JSON on standard output, and checks of output files."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from gnbayes.cli.failure import CommandError


def print_json(value: Any) -> None:
    """Print a JSON document; NumPy numbers become numbers, NaN and infinity become null."""
    print(json_text(value, indent=2))


def json_text(value: Any, indent: int | None = None) -> str:
    """A JSON document.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.cli.output import json_text
    >>> json_text({"share": np.float64("nan"), "rows": np.int64(3)})
    '{"share": null, "rows": 3}'
    """
    return json.dumps(_plain(value), indent=indent, ensure_ascii=False, allow_nan=False)


def check_output(path: str | None) -> None:
    """Refuse an output file that cannot be written, before any work is done."""
    if path is None:
        return
    try:
        os.stat(path)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise CommandError(f"{path!r} cannot be written: it is a link that leads back to itself.") from None
    if Path(path).is_dir() or not Path(path).parent.is_dir():
        raise CommandError(f"{path!r} cannot be written: it is a folder, or its folder does not exist.")


def check_picture(path: str | None) -> None:
    """Refuse a plot that cannot be written, before any work is done."""
    if path is None:
        return
    check_output(path)
    from gnbayes.plot.axes import picture_formats

    formats = picture_formats()
    if Path(path).suffix[1:].lower() not in formats:
        raise CommandError(f"{path!r} must end with the format of the plot: .{', .'.join(formats)}.")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [_plain(item) for item in (value.tolist() if isinstance(value, np.ndarray) else value)]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value if value is None or isinstance(value, str | int | float) else str(value)
