"""Every public name has a docstring with an example, which pytest runs as a doctest."""

import importlib
import inspect
import pkgutil

import pytest

import gnbayes

# Docstrings do not depend on the kernels.
pytestmark = pytest.mark.once


def public_names():
    """Every class and function that the package or one of its rooms exports, by the name of the module it is in."""
    found = {}
    rooms = ["gnbayes", *(module.name for module in pkgutil.walk_packages(gnbayes.__path__, "gnbayes."))]
    for room in rooms:
        if any(part.startswith("_") for part in room.split(".")):
            continue
        package = importlib.import_module(room)
        for name in getattr(package, "__all__", ()):
            exported = getattr(package, name)
            if inspect.isclass(exported) or inspect.isfunction(exported):
                found[f"{exported.__module__}.{exported.__qualname__}"] = exported
    return found


def test_there_are_names_of_many_rooms():
    rooms = {name.split(".")[1] for name in public_names()}
    assert {"counting", "encoding", "evidence", "files", "model", "plot", "scale", "sites", "structure"} <= rooms


def test_every_public_name_has_an_example():
    # Not inspect.getdoc: a class must not borrow the example of its base class.
    missing = [name for name, exported in public_names().items() if ">>> " not in (exported.__doc__ or "")]
    assert missing == []
