"""The environment of the benchmark: its own virtual environment, and what it runs on. Standard library only."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
_VENV = ROOT / ".venv-bench"
_REQUIREMENTS = Path(__file__).with_name("requirements.txt")
_KERNELS = ROOT / "src" / "gnbayes" / "kernels"
_PACKAGES = ("numpy", "scikit-learn", "gnbayes", "lightgbm", "pyagrum", "pgmpy", "pandas")
_THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "LOKY_MAX_CPU_COUNT")


def ensure_environment() -> Path:
    """Python of `.venv-bench`, which is made where it is missing or older than what it holds, C sources included."""
    bin_folder = "Scripts" if os.name == "nt" else "bin"
    python, done = _VENV / bin_folder / "python", _VENV / "done"
    sources = (_REQUIREMENTS, ROOT / "pyproject.toml", ROOT / "setup.py", *_KERNELS.glob("*.[ch]"))
    if done.exists() and all(done.stat().st_mtime >= source.stat().st_mtime for source in sources):
        return python
    print("making .venv-bench", file=sys.stderr, flush=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "venv", str(_VENV)], check=True)
    subprocess.run([*pip, "-e", str(ROOT), "-r", str(_REQUIREMENTS)], check=True, stdout=sys.stderr)
    done.touch()
    return python


def thread_variables(n_threads: int | None) -> dict[str, str]:
    """Environment of the measured processes; libraries choose their number of threads where none is given."""
    # Threads of OpenMP sleep while they wait; where they spin and a core is busy, boosting takes far longer.
    variables = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    return variables if n_threads is None else variables | dict.fromkeys(_THREAD_VARIABLES, str(n_threads))


def describe_machine(python: Path, n_threads: int | None) -> str:
    """Processor, cores, and versions of Python and the packages, in one line."""
    code = (
        "import importlib.metadata as m, json, gnbayes.kernels as k; "
        f"print(json.dumps([k.describe(), {{p: m.version(p) for p in {_PACKAGES!r}}}]))"
    )
    output = subprocess.run([str(python), "-c", code], check=True, capture_output=True, text=True).stdout
    kernels, versions = json.loads(output)
    threads = "default threads" if n_threads is None else f"{n_threads} thread(s)"
    machine = f"{_processor()}, {os.cpu_count()} cores, {threads}, kernels {kernels}"
    packages = ", ".join(f"{package} {version}" for package, version in versions.items())
    return f"{machine}, Python {platform.python_version()}, {packages}"


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
