"""What tests of kernels share."""

import pytest

from gnbayes.kernels import native


@pytest.fixture
def set_level():
    """Use other instructions, as far as this machine has them."""
    before = native.level()

    def use(level):
        try:
            native.set_level(level)
        except ValueError:
            pytest.skip(f"this machine has no {level}")

    yield use
    native.set_level(before)
