"""The C extension, and the README for the package index; everything else is in pyproject.toml.

Without a compiler the install goes on without it, unless GNBAYES_KERNELS=c asks for it, as where wheels are built.
"""

import os
import re
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

FOLDER = "src/gnbayes/kernels"
SOURCES = (
    *("module", "popcount", "bits", "pairs", "terms", "histogram", "offsets", "predict", "completion"),
    *("encode", "cuts", "matrix", "bins", "tree", "fitting", "cells", "lookup", "losses", "products"),
    *("similarity", "vectors", "lbfgs", "solver", "team", "team_functions", "shared_sums"),
    *("boosting", "derivatives", "draws", "random", "gains", "node_sums", "tables", "leaves"),
)
# No fused multiply-add: all machines, and NumPy, must round in the same way. Floating-point exceptions are not used;
# allowing for them would prevent vectorization.
ROUNDING = ["-ffp-contract=off", "-fno-trapping-math"]
GCC_FLAGS = ["-std=c11", "-O3", *ROUNDING, "-Wall", "-Wextra", "-Wconversion"]
FLAGS = ["/O2", "/std:c11"] if sys.platform == "win32" else GCC_FLAGS
# One build serves every Python from 3.11 on. Pythons without a GIL have no stable ABI and use the NumPy path.
HAS_STABLE_INTERFACE = not sysconfig.get_config_var("Py_GIL_DISABLED")

# The package index shows the README without the files that it links to.
REPOSITORY = "https://github.com/gnbayes/gnbayes"
README = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
README = re.sub(r"!\[(.*?)\]\((?!https?:)", rf"![\1]({REPOSITORY}/raw/main/", README)
README = re.sub(r"(?<!!)\[([^\]]*)\]\((?!https?:|#)", rf"[\1]({REPOSITORY}/blob/main/", README)

kernels = Extension(
    "gnbayes.kernels._native",
    sources=[f"{FOLDER}/{name}.c" for name in SOURCES],
    depends=[
        *(f"{FOLDER}/{name}.h" for name in ("kernels", "arguments", "elementary", "vectors", "boosting")),
        "setup.py",
    ],
    define_macros=[("Py_LIMITED_API", "0x030B0000")],
    extra_compile_args=FLAGS,
    py_limited_api=True,
    optional=os.environ.get("GNBAYES_KERNELS") != "c",
)
setup(
    long_description=README,
    long_description_content_type="text/markdown",
    ext_modules=[kernels] if HAS_STABLE_INTERFACE else [],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if HAS_STABLE_INTERFACE else {},
)
