"""The kernels in C where they were built; NumPy does the same work, and gives the same numbers, where they were not.

The environment variable ``GNBAYES_KERNELS`` chooses: ``c``, ``numpy``, or, left out, whichever there is.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

from gnbayes.kernels.threads import for_each, limit_threads, ranges, threads_of

__all__ = ["LANES", "describe", "for_each", "limit_threads", "native", "ranges", "threads_of"]

VARIABLE = "GNBAYES_KERNELS"
# Features that the kernels count side by side.
LANES = 8
# Number of what the kernels offer; to be raised, here and in module.c, when that changes.
INTERFACE = 6


def _load() -> tuple[ModuleType | None, str]:
    """The kernels, or why they are not in use."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "c", "numpy"):
        raise ImportError(f"{VARIABLE} must be 'c', 'numpy' or not set, got {wanted!r} instead.")
    if wanted == "numpy":
        return None, f"asked for by {VARIABLE}"
    try:
        kernels = import_module("gnbayes.kernels._native")
    except ModuleNotFoundError:
        reason = (
            "the C kernels were not built when gnbayes was installed; with a C compiler, install it again with "
            "--no-cache-dir"
        )
    except ImportError as error:
        reason = f"the C kernels could not be loaded: {error}"
    else:
        if getattr(kernels, "INTERFACE", 0) == INTERFACE:
            return kernels, ""
        reason = "the C kernels are of another version; install gnbayes again"
    if wanted == "c":
        raise ImportError(f"{VARIABLE} is 'c', but {reason}; or unset {VARIABLE}.")
    return None, reason


native, _reason = _load()


def describe() -> str:
    """Which kernels are in use, in words."""
    return f"NumPy ({_reason})" if native is None else f"C ({native.level()})"
