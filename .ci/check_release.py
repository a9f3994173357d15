"""Check that a tag, the version and the changelog agree; print the changelog's section.

Usage: check_release.py v0.2.0
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def section(changelog: str, version: str) -> str:
    """The text below the heading "## VERSION (DATE)"; an error where there is none, or it has no date."""
    found = re.search(rf"^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if found is None:
        sys.exit(f'CHANGELOG.md has no heading "## {version} (YYYY-MM-DD)".')
    return found.group(2).strip() + "\n"


def main(tag: str) -> None:
    """Say what does not agree and end with code 1, or print the section."""
    source = (ROOT / "src" / "gnbayes" / "_version.py").read_text(encoding="utf-8")
    version = re.search(r'"(.+?)"', source.split("__version__", 1)[1]).group(1)
    if tag != f"v{version}":
        sys.exit(f"The tag is {tag}, but src/gnbayes/_version.py says {version}.")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    if f"\nversion: {version}\n" not in citation:
        sys.exit(f"CITATION.cff does not say version: {version}.")
    sys.stdout.write(section((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version))


if __name__ == "__main__":
    main(sys.argv[1])
