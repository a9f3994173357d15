"""A name in a package is either a module or something else, never both: `import gnbayes.a.b` gives the module."""

import importlib
import pkgutil
from types import ModuleType

import pytest

import gnbayes

# Names of modules do not depend on the kernels.
pytestmark = pytest.mark.once

ROOMS = ("gnbayes.encoding", "gnbayes.encoding.discretizers", "gnbayes.counting", "gnbayes.structure")


@pytest.mark.parametrize("room", ROOMS)
def test_no_module_is_hidden_by_what_the_room_exports(room):
    package = importlib.import_module(room)
    modules = [found.name for found in pkgutil.iter_modules(package.__path__)]
    assert modules
    for name in modules:
        importlib.import_module(f"{room}.{name}")
        assert isinstance(getattr(package, name), ModuleType), f"{room}.{name}"


@pytest.mark.parametrize("room", ROOMS)
def test_modules_that_a_room_does_not_export_have_an_underscore(room):
    package = importlib.import_module(room)
    exported = set(package.__all__)
    for found in pkgutil.iter_modules(package.__path__):
        assert found.name.startswith("_") or found.name in exported or found.ispkg or found.name == "numpy_path"


def test_the_package_itself_exports_no_private_name():
    assert not [name for name in gnbayes.__all__ if name.startswith("_") and name != "__version__"]
