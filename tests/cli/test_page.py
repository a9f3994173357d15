"""Every console block of docs/how-to/command-line.md prints what stands below its command.

`GNBAYES_WRITE_DOCS=1 pytest tests/cli/test_page.py` writes what is printed now into the page.
"""

import os
import re
import shlex
from pathlib import Path

import pytest

from gnbayes.cli.demo import write_tables

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "command-line.md"
BLOCK = re.compile(r"```console\n\$ gnbayes (.*?)\n(.*?)```", re.DOTALL)


@pytest.mark.slow
def test_the_page_shows_what_is_printed(run, tmp_path):
    write_tables(tmp_path)
    text = PAGE.read_text(encoding="utf-8")

    def block(match):
        told = run(*shlex.split(match[1]))
        return f"```console\n$ gnbayes {match[1]}\n{told.err}{told.out.rstrip()}\n```".replace("\n\n```", "\n```")

    printed = BLOCK.sub(block, text)
    assert len(BLOCK.findall(text)) == 4
    if os.environ.get("GNBAYES_WRITE_DOCS"):
        PAGE.write_text(printed, encoding="utf-8")
    else:
        assert printed == text
