"""gnbayes completion: scripts for command completion in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gnbayes.cli.output import print_json
from gnbayes.cli.parser import Parser, verb_parser
from gnbayes.cli.verbs import VERBS


@dataclass(frozen=True)
class Option:
    """An option of a verb.

    Parameters
    ----------
    names : tuple of str
        Such as ``("-o", "--output")``.
    help : str
    choices : tuple of str
    takes : {"nothing", "choice", "file", "word"}
    is_repeatable : bool
        Whether it can be given several times.
    """

    names: tuple[str, ...]
    help: str
    choices: tuple[str, ...]
    takes: str
    is_repeatable: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shell", choices=list(SCRIPTS), help="the shell to write for")
    parser.epilog = (
        "bash: gnbayes completion bash > ~/.local/share/bash-completion/completions/gnbayes; "
        "zsh: gnbayes completion zsh > a folder of $fpath/_gnbayes; "
        "fish: gnbayes completion fish > ~/.config/fish/completions/gnbayes.fish"
    )


def run(arguments: argparse.Namespace) -> None:
    """Print the script."""
    script = SCRIPTS[arguments.shell]({verb: options_of(verb_parser(verb)) for verb in VERBS})
    if arguments.json:
        print_json({"shell": arguments.shell, "script": script})
    else:
        print(script, end="")


def options_of(parser: Parser) -> list[Option]:
    """The options of a verb, and its positional choices as an option without names."""
    out = []
    for action in parser.arguments:
        choices = tuple(str(choice) for choice in action.choices or ())
        if not action.option_strings and not choices:
            continue
        if action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
            takes = "nothing"
        else:
            takes = "choice" if choices else "file" if action.metavar in ("FILE", "FOLDER") else "word"
        is_repeatable = isinstance(action, argparse._AppendAction)
        out.append(Option(tuple(action.option_strings), _one_line(action.help), choices, takes, is_repeatable))
    return out


def bash(verbs: dict[str, list[Option]]) -> str:
    """A script for bash."""
    cases = []
    for verb, options in verbs.items():
        words = " ".join(name for option in options for name in option.names)
        places = " ".join(choice for option in options if not option.names for choice in option.choices)
        cases.append(f'        {verb}) options="{words}"; places="{places}" ;;')
    after = []
    for verb, options in verbs.items():
        by_choices: dict[tuple[str, ...], list[str]] = {}
        for option in options:
            if option.names and option.takes in ("choice", "word"):
                by_choices.setdefault(option.choices, []).extend(f"{verb}:{name}" for name in option.names)
        for choices, names in by_choices.items():
            words = " ".join(choices)
            after.append(f'        {"|".join(names)}) COMPREPLY=($(compgen -W "{words}" -- "$word")); return ;;')
    return _BASH.format(verbs=" ".join(verbs), cases="\n".join(cases), after="\n".join(after))


def zsh(verbs: dict[str, list[Option]]) -> str:
    """A script for zsh."""
    described, alone = (_zsh_described(words) for words in (VERBS, _ALONE))
    cases = []
    for verb, options in verbs.items():
        specs = [spec for option in options for spec in _zsh_specs(option)]
        lines = " \\\n                ".join([*specs, "'*:file:_files'"])
        cases.append(f"            {verb})\n            _arguments -s \\\n                {lines}\n            ;;")
    return _ZSH.format(described=described, alone=alone, cases="\n".join(cases))


def fish(verbs: dict[str, list[Option]]) -> str:
    """A script for fish."""
    start = "complete -c gnbayes -n __gnbayes_verb"
    lines = [f"{start} -f -a {verb} -d {_fish(line)}" for verb, line in VERBS.items()]
    lines += [f"{start} -l {name[2:]} -d {_fish(line)}" for name, line in _ALONE.items()]
    for verb, options in verbs.items():
        start = f"complete -c gnbayes -n '__gnbayes_verb {verb}'"
        for option in options:
            names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in option.names)
            given = {"nothing": "", "choice": " -x", "word": " -x", "file": " -r -F"}[option.takes] if names else " -f"
            choices = f" -a {_fish(' '.join(option.choices))}" if option.choices else ""
            lines.append(f"{start}{names}{given}{choices} -d {_fish(option.help)}")
    return _FISH + "\n".join(lines) + "\n"


SCRIPTS: dict[str, Callable[[dict[str, list[Option]]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}

# Options of the command without a verb.
_ALONE = {"--help": "show the verbs and exit", "--version": "show the version and exit"}

_BASH = """\
# bash completion of gnbayes; made by: gnbayes completion bash
_gnbayes() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" verb="${{COMP_WORDS[1]}}" options="" places=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{verbs} --help --version" -- "$word"))
        return
    fi
    case "$verb" in
{cases}
    esac
    case "$verb:${{COMP_WORDS[COMP_CWORD-1]}}" in
{after}
    esac
    if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    elif [ -n "$places" ]; then
        COMPREPLY=($(compgen -W "$places" -- "$word"))
    else
        compopt -o filenames 2>/dev/null
        local IFS=$'\\n'
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}}
complete -F _gnbayes gnbayes
"""

_ZSH = """\
#compdef gnbayes
# zsh completion of gnbayes; made by: gnbayes completion zsh
_gnbayes() {{
    local -a verbs alone
    verbs=(
{described}
    )
    alone=(
{alone}
    )
    if (( CURRENT == 2 )); then
        _describe verb verbs
        _describe -o option alone
        return
    fi
    local verb=$words[2]
    shift words
    (( CURRENT-- ))
    case $verb in
{cases}
    esac
}}
# In a folder of $fpath, zsh calls the file itself; a file that is sourced has to register the function.
if [[ $funcstack[1] == _gnbayes ]]; then
    _gnbayes "$@"
else
    compdef _gnbayes gnbayes
fi
"""

_FISH = """\
# fish completion of gnbayes; made by: gnbayes completion fish
function __gnbayes_verb --description 'Whether the verb is the given one, or not typed yet'
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    test "$words[2]" = "$argv[1]"
end
"""


def _zsh_described(words: Mapping[str, str]) -> str:
    return "\n".join(f"        {_quoted(f'{word}:{line}')}" for word, line in words.items())


def _zsh_specs(option: Option) -> list[str]:
    values = {
        "nothing": "",
        "choice": f":value:({' '.join(option.choices)})",
        "file": ":file:_files",
        "word": ":value: ",
    }[option.takes]
    if not option.names:
        return [_quoted(f"1{values}")]
    text = option.help.replace(":", "\\:").replace("[", "(").replace("]", ")")
    # Names in parentheses are not offered again; a star means "several times".
    before = "*" if option.is_repeatable else f"({' '.join(option.names)})"
    return [_quoted(f"{before}{name}[{text}]{values}") for name in option.names]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _one_line(text: str | None) -> str:
    return " ".join((text or "").replace("%%", "%").split())
