"""The environment of the benchmark: `.venv-bench`, one thread for every library. Standard library only."""

import importlib.metadata
import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
_VENV = ROOT / ".venv-bench"
_REQUIREMENTS = Path(__file__).with_name("requirements.txt")
_PACKAGES = ("numpy", "scikit-learn", "gnbayes", "interpret-core", "lightgbm", "catboost", "xgboost-cpu")
_THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "LOKY_MAX_CPU_COUNT")
_INSIDE = "GNBAYES_BENCH_INSIDE"


def enter_environment(source: Path | None = None) -> None:
    """Go on in `.venv-bench` with one thread per library; returns at once where this is so already.

    `source` is a folder that holds the package gnbayes, to be imported instead of the one of this repository.
    """
    if os.environ.get(_INSIDE):
        return
    python = str(_ensure_environment())
    variables = {**os.environ, **dict.fromkeys(_THREAD_VARIABLES, "1"), _INSIDE: "1"}
    variables["PYTHONPATH"] = str((source or ROOT / "src").resolve())
    os.execve(python, [python, *sys.argv], variables)


def describe_machine() -> str:
    """Processor, and versions of Python and the packages that are there, in one line."""
    installed = installed_versions()
    versions = [f"{package} {installed[package]}" for package in _PACKAGES if package in installed]
    return ", ".join([_processor(), "one thread", f"Python {platform.python_version()}", *versions])


def installed_versions() -> dict[str, str]:
    """Version of every installed package."""
    return {found.metadata["Name"].lower(): found.version for found in importlib.metadata.distributions()}


def _ensure_environment() -> Path:
    """Python of `.venv-bench`, which is made or completed where it is missing or older than what it holds.

    The benchmark of speed lives in the same environment; each has its own list of packages and its own mark.
    """
    bin_folder = "Scripts" if os.name == "nt" else "bin"
    python, done = _VENV / bin_folder / "python", _VENV / "done-accuracy"
    sources = (_REQUIREMENTS, ROOT / "pyproject.toml")
    if done.exists() and all(done.stat().st_mtime >= source.stat().st_mtime for source in sources):
        return python
    print("making .venv-bench", file=sys.stderr, flush=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "venv", str(_VENV)], check=True)
    subprocess.run([*pip, "-e", str(ROOT), "-r", str(_REQUIREMENTS)], check=True, stdout=sys.stderr)
    done.touch()
    return python


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
