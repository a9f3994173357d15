"""Write below the code blocks of pages what they print now; look at the difference before you commit it.

Usage: update_docs.py README.md docs/guide/classifier.md ...
A block that prints is followed by a block of text. tests/test_docs.py compares the two.
"""

import re
import subprocess
import sys
from pathlib import Path

PAIR = re.compile(r"```python\n(?P<code>(?:(?!```).)*)```(?P<between>\s*)```text\n(?:(?!```).)*```", re.DOTALL)


def rerun(pair: re.Match[str]) -> str:
    """The two blocks, with what the first prints in the second; an error where the code fails."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", pair["code"]], capture_output=True, text=True, check=False
    )
    if run.returncode:
        sys.exit(f"this block fails:\n\n{pair['code']}\n{run.stderr}")
    return f"```python\n{pair['code']}```{pair['between']}```text\n{run.stdout.rstrip()}\n```"


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:]):
        page.write_text(PAIR.sub(rerun, page.read_text(encoding="utf-8")), encoding="utf-8")
