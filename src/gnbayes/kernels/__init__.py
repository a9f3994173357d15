"""The kernels in C where they were built; NumPy does the same work, and gives the same numbers, where they were not.

The environment variable ``GNBAYES_KERNELS`` chooses: ``c``, ``numpy``, or, left out, whichever there is.
"""

from __future__ import annotations

import os
from types import ModuleType

from gnbayes.kernels.threads import for_each, ranges, threads_of, worth

__all__ = ["LANES", "describe", "for_each", "native", "ranges", "threads_of", "worth"]

VARIABLE = "GNBAYES_KERNELS"
# Features that the kernels count side by side.
LANES = 8


def _load() -> ModuleType | None:
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "c", "numpy"):
        raise ImportError(f"{VARIABLE} must be 'c', 'numpy' or not set, got {wanted!r} instead.")
    if wanted == "numpy":
        return None
    try:
        from gnbayes.kernels import _native
    except ImportError as error:
        if wanted == "c":
            raise ImportError(
                f"{VARIABLE} is 'c', but the C kernels were not built; install gnbayes where there is a C compiler, or "
                f"unset {VARIABLE}."
            ) from error
        return None
    return _native


native = _load()


def describe() -> str:
    """Which kernels are in use, in words."""
    if native is not None:
        return f"C ({native.level()})"
    if os.environ.get(VARIABLE) == "numpy":
        return f"NumPy (asked for by {VARIABLE})"
    return "NumPy (the C kernels were not built: there was no C compiler when gnbayes was installed)"
