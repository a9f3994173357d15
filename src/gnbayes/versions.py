"""Versions of gnbayes and its dependencies, for bug reports."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from gnbayes import kernels

_PACKAGES = [
    *("gnbayes", "numpy", "scipy", "scikit-learn", "narwhals"),
    *("pandas", "polars", "pyarrow", "matplotlib", "jinja2", "onnx", "pooch"),
]


def versions() -> dict[str, str]:
    """Versions of Python, the kernels and every package, by name."""
    found = {
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        "kernels": kernels.describe(),
    }
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def show_versions() -> None:
    """Print the versions of gnbayes and its dependencies, one per line.

    Examples
    --------
    >>> import gnbayes
    >>> gnbayes.show_versions()  # doctest: +ELLIPSIS
    python ...
    kernels ...
    gnbayes ...
    """
    for name, text in versions().items():
        print(f"{name:13} {text}")  # noqa: T201
