"""The C extension; everything else is in pyproject.toml.

Without a compiler the install goes on without it, unless GNBAYES_KERNELS=c asks for it, as where wheels are built.
"""

import os
import sys
import sysconfig

from setuptools import Extension, setup

FOLDER = "src/gnbayes/kernels"
SOURCES = (
    *("module", "popcount", "bits", "pairs", "terms", "histogram", "predict", "completion", "encode", "bins", "tree"),
    *("fitting", "cells", "lookup", "losses", "products", "similarity", "lbfgs", "solver", "boosting", "draws"),
    *("tables", "leaves"),
)
# No multiplication and addition in one: all machines, and NumPy, must round the same way. Nobody asks for exceptions of
# floating point, which would keep compilers from vectors.
ROUNDING = ["-ffp-contract=off", "-fno-trapping-math"]
GCC_FLAGS = ["-std=c11", "-O3", *ROUNDING, "-Wall", "-Wextra", "-Wconversion"]
FLAGS = ["/O2", "/std:c11"] if sys.platform == "win32" else GCC_FLAGS
# One build serves every Python from 3.11 on, but for those without a GIL, which NumPy serves.
HAS_STABLE_INTERFACE = not sysconfig.get_config_var("Py_GIL_DISABLED")

kernels = Extension(
    "gnbayes.kernels._native",
    sources=[f"{FOLDER}/{name}.c" for name in SOURCES],
    depends=[*(f"{FOLDER}/{name}.h" for name in ("kernels", "arguments", "elementary")), "setup.py"],
    define_macros=[("Py_LIMITED_API", "0x030B0000")],
    extra_compile_args=FLAGS,
    py_limited_api=True,
    optional=os.environ.get("GNBAYES_KERNELS") != "c",
)
setup(
    ext_modules=[kernels] if HAS_STABLE_INTERFACE else [],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if HAS_STABLE_INTERFACE else {},
)
