"""Saving and loading a model."""

from gnbayes.files.format import ModelFileError
from gnbayes.files.reading import load
from gnbayes.files.writing import save

__all__ = ["ModelFileError", "load", "save"]
