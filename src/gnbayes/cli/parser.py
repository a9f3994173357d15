"""The command-line parser: it knows all verbs, but only the arguments of the one that is called."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from gnbayes._version import __version__
from gnbayes.cli.failure import USAGE, nearest, some
from gnbayes.cli.terminal import paint
from gnbayes.cli.verbs import VERBS, module_of

_EPILOG = """\
examples:
  gnbayes demo
  gnbayes fit heart.csv --target disease -o heart.gnb.json
  gnbayes predict heart.gnb.json patients.csv -o risks.csv

gnbayes VERB --help lists the options of a verb.

exit codes: 0 all went well; 1 something is wrong with the data or the files, and the message says what;
2 wrong arguments; 130 interrupted.
"""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, without the list of all options."""

    @property
    def arguments(self) -> list[argparse.Action]:
        """Everything that was declared, in order."""
        return list(self._actions)

    def error(self, message: str) -> NoReturn:
        """Print the sentence and where to find help, and exit."""
        print(f"{paint(self.prog + ':', 'red', sys.stderr)} {message}", file=sys.stderr)
        print(f"See {self.prog} --help.", file=sys.stderr)
        sys.exit(USAGE)


def parse(words: Sequence[str]) -> argparse.Namespace | None:
    """The parsed arguments; None if there are none, which means that help should be shown.

    Parameters
    ----------
    words : sequence of str
        The words after the name of the command.
    """
    verb = next((word for word in words if not word.startswith("-")), None)
    parser, parts = _parsers(verb)
    if not words:
        parser.print_help()
        return None
    if verb is not None and verb not in VERBS:
        parser.error(_no_such_verb(verb))
    if verb is not None:
        _check_options(parts[verb], words[list(words).index(verb) + 1 :])
    return parser.parse_args(words)


def verb_parser(verb: str) -> Parser:
    """The parser of one verb."""
    return _parsers(verb)[1][verb]


def _parsers(verb: str | None) -> tuple[Parser, dict[str, Parser]]:
    parser = Parser(
        prog="gnbayes",
        description="Generalized Naive Bayes: from a table to a model to a decision.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"gnbayes {__version__}")
    verbs = parser.add_subparsers(title="verbs", required=True, metavar="VERB", dest="verb")
    parts: dict[str, Parser] = {}
    for name, line in VERBS.items():
        parts[name] = verbs.add_parser(name, help=line, description=line[0].upper() + line[1:] + ".")
    if verb in parts:
        module = module_of(verb)
        module.add_arguments(parts[verb])
        parts[verb].add_argument("--json", action="store_true", help="print JSON instead of text")
        parts[verb].set_defaults(run=module.run)
    return parser, parts


def _check_options(parser: Parser, words: Sequence[str]) -> None:
    """Report an unknown option, with the most similar one, before argparse reports missing arguments."""
    known = [option for action in parser.arguments for option in action.option_strings]
    for word in words:
        name = word.partition("=")[0]
        if name == "--":
            return
        if _is_option(name) and not _is_known(name, known):
            near = nearest(f"--{name.lstrip('-')}", known)
            parser.error(f"there is no option {name}" + (f"; did you mean {near}?" if near else "."))


def _is_option(word: str) -> bool:
    """Whether a word is meant as an option: dashes, then a letter; not a negative number or a single dash."""
    return word.startswith("-") and word.lstrip("-")[:1].isalpha() and " " not in word


def _is_known(name: str, known: Sequence[str]) -> bool:
    """Whether a name is an option, the beginning of one, or a short option with its value, such as -ofile."""
    if name.startswith("--"):
        return any(option.startswith(name) for option in known)
    return name[:2] in known


def _no_such_verb(word: str) -> str:
    near = nearest(word, VERBS)
    if near:
        return f"there is no verb {word!r}; did you mean {near!r}?"
    if "." in word:
        return f"there is no verb {word!r}; to learn from a table: gnbayes fit {word} --target COLUMN"
    return f"there is no verb {word!r}; there are {some(VERBS)}."
