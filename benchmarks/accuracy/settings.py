"""What a result depends on beside table and split, as a short hash: when it changes, the result is run again."""

import ast
import hashlib
import json
from pathlib import Path

from registry import OURS, Classifier

_FOLDER = Path(__file__).parent
_DIGITS = 8
_DOCUMENTED = (ast.Module, ast.FunctionDef, ast.ClassDef)


def settings_hash(classifier: Classifier, package: Path) -> str:
    """Hash of the classifier's arguments and code; `package` is the folder of ours, whose sources count for ours.

    Of a rival it is the file in `rivals/`, comments and docstrings aside, and the line of `requirements.txt`.
    """
    if classifier.kind == OURS:
        return _hash([_source_hash(package), json.dumps(classifier.arguments, sort_keys=True)])
    code = _code((_FOLDER / "rivals" / f"{classifier.file}.py").read_text())
    return _hash([code, _requirement(classifier.package), json.dumps(classifier.arguments, sort_keys=True)])


def _requirement(package: str) -> str:
    lines = (_FOLDER / "requirements.txt").read_text().splitlines()
    return next((line for line in lines if line.partition("=")[0] == package), package)


def _source_hash(package: Path) -> str:
    files = sorted(path for path in package.rglob("*") if path.suffix in (".py", ".c", ".h"))
    return _hash([part for path in files for part in (path.relative_to(package).as_posix(), path.read_text())])


def _code(text: str) -> str:
    """Python without comments, docstrings and layout."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return ast.unparse(tree)


def _hash(parts: list[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:_DIGITS]
