"""Every string has its place, and every place its string."""

import re
from importlib import resources

from gnbayes.reporting.strings import PAGE, SCRIPT

ASSETS = resources.files("gnbayes.reporting") / "assets"
SCRIPTS = "\n".join(path.read_text(encoding="utf-8") for path in ASSETS.iterdir() if path.name.endswith(".js"))


def test_strings_of_the_script_are_those_it_says():
    said = set(re.findall(r'say\(\s*"(\w+)"', SCRIPTS))
    said |= {word for pair in re.findall(r'say\([^()]*\? "(\w+)" : "(\w+)"', SCRIPTS) for word in pair}
    said |= {word for pair in re.findall(r'mother \? "(\w+)" : "(\w+)"', SCRIPTS) for word in pair}
    assert said == set(SCRIPT)


def test_the_script_writes_no_words_of_its_own():
    texts = re.findall(r'make\("\w+", \{[^}]*\}, "([^"]+)"', SCRIPTS)
    assert texts == []


def test_placeholders_of_the_page_are_words():
    for text in [*PAGE.values(), *SCRIPT.values()]:
        assert re.sub(r"\{\w+\}", "", text).count("{") == 0
