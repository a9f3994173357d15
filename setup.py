"""The C extension; everything else is in pyproject.toml. Without a compiler the install goes on without it."""

import sys

from setuptools import Extension, setup

FLAGS = ["/O2", "/std:c11"] if sys.platform == "win32" else ["-std=c11", "-O3", "-Wall", "-Wextra", "-Wconversion"]

setup(
    ext_modules=[
        Extension(
            "gnbayes.kernels._native",
            sources=[
                f"src/gnbayes/kernels/{name}.c"
                for name in ("module", "popcount", "bits", "pairs", "histogram", "predict", "encode", "tree")
            ],
            depends=["src/gnbayes/kernels/kernels.h"],
            define_macros=[("Py_LIMITED_API", "0x030B0000")],
            extra_compile_args=FLAGS,
            py_limited_api=True,
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
