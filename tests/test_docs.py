"""Every Python block in the README and the docs runs, and prints what stands below it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)
NEEDS_JAVA = pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java runtime for Spark")
MARKS = {"dask.md": [pytest.mark.cluster], "spark.md": [pytest.mark.cluster, NEEDS_JAVA]}
BLOCKS = [
    pytest.param(*match.groups(), id=f"{page.name}-{number}", marks=MARKS.get(page.name, ()))
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    for number, match in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")))
]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("code", "output"), BLOCKS)
def test_block(code, output):
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    if output is not None:
        assert run.stdout.rstrip() == output.rstrip()
