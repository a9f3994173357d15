"""Kernels read nothing beyond the end of their arrays, in the build that users have.

Sanitizers check a build without vectors; compilers that vectorise loops may read more than the loops say.
"""

import ctypes
import mmap
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gnbayes.kernels import native

pytestmark = pytest.mark.skipif(
    native is None or not sys.platform.startswith("linux"), reason="needs the C kernels and mprotect"
)
_MAPS = []


def before_a_wall(array):
    """A copy of an array whose last byte is followed by memory that cannot be read."""
    array = np.ascontiguousarray(array)
    n_pages = -(-max(array.nbytes, 1) // mmap.PAGESIZE)
    memory = mmap.mmap(-1, (n_pages + 1) * mmap.PAGESIZE)
    _MAPS.append(memory)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    wall = ctypes.c_void_p(start + n_pages * mmap.PAGESIZE)
    assert ctypes.CDLL(None, use_errno=True).mprotect(wall, mmap.PAGESIZE, 0) == 0
    out = np.frombuffer(memory, array.dtype, array.size, n_pages * mmap.PAGESIZE - array.nbytes).reshape(array.shape)
    out[...] = array
    return out


def test_a_wall_cannot_be_read():
    code = """
import numpy as np
from test_bounds import before_a_wall
numbers = np.lib.stride_tricks.as_strided(before_a_wall(np.ones(3)), (4,))
print(numbers[:3].sum(), flush=True)
print(numbers[3])
"""
    here = Path(__file__).parent
    run = subprocess.run([sys.executable, "-c", code], cwd=here, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert run.stdout == "3.0\n"


@pytest.mark.parametrize("n_after", [1, 2, 3, 4, 5, 7, 8, 12, 15])
@pytest.mark.parametrize("n_out", [1, 2, 3, 4, 7, 8, 16, 33])
@pytest.mark.parametrize("n_in", [1, 2, 3, 5, 12])
def test_products_along_an_axis(n_in, n_out, n_after):
    rng = np.random.default_rng(0)
    transposed, values = rng.normal(size=(n_in, n_out)), rng.normal(size=(2, n_in, n_after))
    out = before_a_wall(np.zeros((2, n_out, n_after)))
    native.axis_product(before_a_wall(transposed), n_out, n_in, 2, n_after, before_a_wall(values), out)
    np.testing.assert_allclose(out, np.einsum("io,tia->toa", transposed, values), rtol=1e-12, atol=1e-14)
