"""The C kernels, if they were built; otherwise NumPy does the same work and gives the same numbers.

The environment variable ``GNBAYES_KERNELS`` selects ``c`` or ``numpy``; if it is not set, C is used where available.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

from gnbayes.kernels.helpers import Promise
from gnbayes.kernels.threads import beside, followers, for_each, limit_threads, n_cores, ranges, threads_of

__all__ = [
    "LANES",
    "Promise",
    "beside",
    "describe",
    "followers",
    "for_each",
    "limit_threads",
    "n_cores",
    "native",
    "ranges",
    "threads_of",
]

VARIABLE = "GNBAYES_KERNELS"
# Number of features that the kernels count side by side.
LANES = 8
# Version of the kernel interface; increase it here and in module.c when the interface changes.
INTERFACE = 12


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
    """A description of the kernels in use.

    Examples
    --------
    >>> from gnbayes.kernels import describe
    >>> isinstance(describe(), str)
    True
    """
    return f"NumPy ({_reason})" if native is None else f"C ({native.level()})"
