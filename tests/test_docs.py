"""Every Python block in the README and the docs runs, and prints what stands below it; the reference lacks no name."""

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gnbayes

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)
NEEDS_JAVA = pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java runtime for Spark")
MARKS = {"dask.md": [pytest.mark.cluster], "spark.md": [pytest.mark.cluster, NEEDS_JAVA]}
# Sphinx writes into docs/_build, docs/gallery and docs/reference/generated, and no Markdown there is ours.
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs").glob("[!_]*/*.md"))]
BLOCKS = [
    pytest.param(*match.groups(), id=f"{page.name}-{number}", marks=MARKS.get(page.name, ()))
    for page in PAGES
    for number, match in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")))
]


@pytest.mark.slow
@pytest.mark.once
@pytest.mark.parametrize(("code", "output"), BLOCKS)
def test_block(code, output):
    command = [sys.executable, "-W", "error", "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert run.returncode == 0, run.stderr
    if output is not None:
        assert run.stdout.rstrip() == output.rstrip()


@pytest.mark.once
def test_every_public_name_is_in_the_reference():
    reference = (ROOT / "docs" / "reference" / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^   (gnbayes[.\w]*)$", reference, re.MULTILINE))
    assert "gnbayes" in listed
    for folder in sorted(Path(gnbayes.__path__[0]).iterdir()):
        room = f"gnbayes.{folder.name}"
        if not (folder / "__init__.py").is_file() or folder.name in ("cli", "kernels") or room in listed:
            continue
        public = set(getattr(importlib.import_module(room), "__all__", ()))
        assert public <= set(gnbayes.__all__), f"{room} is not in docs/reference/index.md"
