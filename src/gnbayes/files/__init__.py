"""Saving and loading a model; exports to other tools."""

from gnbayes.files.bif import to_bif, to_xmlbif
from gnbayes.files.effects import to_effects
from gnbayes.files.format import ModelFileError
from gnbayes.files.onnx import to_onnx
from gnbayes.files.python_module import to_python
from gnbayes.files.reading import load
from gnbayes.files.sql import to_sql
from gnbayes.files.writing import save

__all__ = ["ModelFileError", "load", "save", "to_bif", "to_effects", "to_onnx", "to_python", "to_sql", "to_xmlbif"]
