"""The scripts of `gnbayes completion`, in the shells that they are for."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.posix

# A shell in a terminal of its own gets the command line and a Tab, and prints what it would offer.
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "source ./inside.zsh; print ready"
zpty -r -m shell ignored '*ready*ready*'
zpty -w -n shell "$1"$'\t'
zpty -r -m shell found '*<<<*>>>*'
print -r -- "$found"
"""
INSIDE_ZSH = r"""
PROMPT=
autoload -U compinit
{load}
bindkey '^I' complete-word
compadd() {{
    local -a found
    if [[ ${{@[1,(i)(-|--)]}} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    builtin compadd -O found "$@"
    for word in $found; do print -r -- "= $word"; done
    builtin compadd "$@"
}}
begin() {{ print '<<<' }}
finish() {{ print '>>>'; exit }}
compprefuncs=(begin)
comppostfuncs=(finish)
"""
LOADED = {
    "zsh": "fpath=($PWD $fpath); compinit -u -D",
    "zsh, sourced": "compinit -u -D; source ./_gnbayes",
}


def lines_of(*command, folder):
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder, timeout=60)
    assert told.stderr == ""
    return told.stdout.splitlines()


def in_bash(line, folder):
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    code = (
        f"source ./_gnbayes; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _gnbayes; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return [word for word in lines_of("bash", "-c", code, folder=folder) if word]


def in_zsh(line, folder, load=LOADED["zsh"]):
    (folder / "ask.zsh").write_text(ZSH)
    (folder / "inside.zsh").write_text(INSIDE_ZSH.format(load=load))
    return [word[2:] for word in lines_of("zsh", "-f", "ask.zsh", line, folder=folder) if word.startswith("= ")]


def in_zsh_sourced(line, folder):
    return in_zsh(line, folder, LOADED["zsh, sourced"])


def in_fish(line, folder):
    code = "source ./_gnbayes; complete -C $argv[1]"
    command = ["fish", "--no-config", "-c", code, "--", line]
    return [offer.split("\t")[0] for offer in lines_of(*command, folder=folder)]


ASKED = {"bash": in_bash, "zsh": in_zsh, "zsh, sourced": in_zsh_sourced, "fish": in_fish}


@pytest.fixture(params=list(ASKED))
def complete(request, run, tmp_path, monkeypatch):
    """What a real shell offers for a command line."""
    name = request.param.split(",")[0]
    if shutil.which(name) is None:
        pytest.skip(f"there is no {name}")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "_gnbayes").write_text(run("completion", name).out)
    (tmp_path / "heart.csv").touch()
    return lambda line: sorted(ASKED[request.param](line, tmp_path))


@pytest.mark.slow
def test_verbs_options_choices_and_files(complete):
    assert complete("gnbayes e") == ["evaluate", "explain", "export"]
    assert complete("gnbayes --") == ["--help", "--version"]
    assert complete("gnbayes fit heart.csv --ta") == ["--target"]
    assert complete("gnbayes fit --structure gnb") == ["gnb-a", "gnb-o"]
    assert complete("gnbayes completion ") == ["bash", "fish", "zsh"]
    assert complete("gnbayes fit he") == ["heart.csv"]
    assert complete("gnbayes fit --target he") == []
    assert complete("gnbayes fit -o he") == ["heart.csv"]
    assert {"--json", "--help"} <= set(complete("gnbayes inspect -"))


@pytest.mark.slow
def test_an_option_that_can_be_given_again_is_offered_again(complete):
    assert complete("gnbayes fit heart.csv --drop age --dr") == ["--drop"]


@pytest.mark.slow
def test_a_file_may_have_the_name_of_a_verb(complete):
    assert complete("gnbayes inspect fit --targ") == []


def test_bash_knows_the_function(run, tmp_path):
    (tmp_path / "c.bash").write_text(run("completion", "bash").out)
    told = lines_of("bash", "-c", "source c.bash; complete -p gnbayes", folder=tmp_path)
    assert told == ["complete -F _gnbayes gnbayes"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_can_read_the_script(run, tmp_path, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    (tmp_path / "script").write_text(run("completion", shell).out)
    assert lines_of(shell, "-n", "script", folder=tmp_path) == []


def test_the_scripts_have_every_verb_and_option(run):
    zsh, fish = run("completion", "zsh").out, run("completion", "fish").out
    assert zsh.startswith("#compdef gnbayes\n")
    assert "'(--structure)--structure[how the tree is learned (default\\: gnb-o)]:value:(gnb-o gnb-a tan nb)'" in zsh
    assert "-n '__gnbayes_verb fit' -l target -x -d 'the column to predict'" in fish
    for verb in ("fit", "evaluate", "completion"):
        assert f"            {verb})" in zsh
        assert f"-a {verb} -d " in fish
    assert json.loads(run("completion", "zsh", "--json").out) == {"shell": "zsh", "script": zsh}
