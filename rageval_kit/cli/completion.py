"""What can the next word be? One answer for subcommands, options and overrides alike."""

import itertools
import shlex
from pathlib import Path

import click

from rageval_kit.cli.streams import put

_HELP = {"help_option_names": ["-h", "--help"]}

# The shell hands over the line up to the cursor; the answer is whole words, and each shell takes
# off what it has already typed (bash breaks words at = and :).
_BASH = r"""
_rageval_kit() {
    local line="${COMP_LINE:0:COMP_POINT}" word cut
    word="${line##* }"
    cut="${word%"${COMP_WORDS[COMP_CWORD]}"}"
    [[ "${COMP_WORDS[COMP_CWORD]}" == [=:] ]] && cut="$word"
    COMPREPLY=()
    while IFS= read -r one; do
        [[ -n "$one" ]] && COMPREPLY+=("${one#"$cut"}")
    done < <(rageval-kit completion words -- "$line" 2>/dev/null)
    [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *[=.] ]] && compopt -o nospace
}
complete -o default -F _rageval_kit rageval-kit
"""
_ZSH = r"""
#compdef rageval-kit
_rageval_kit() {
    local -a found
    found=("${(@f)$(rageval-kit completion words -- "${LBUFFER}" 2>/dev/null)}")
    compadd -S '' -Q -- ${found:#}
}
compdef _rageval_kit rageval-kit
"""
_FISH = r"""
complete -c rageval-kit -f -a '(rageval-kit completion words -- (commandline -cp) 2>/dev/null)'
"""
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


@click.group("completion", context_settings=_HELP)
def command() -> None:
    """Print the completion script of a shell: eval "$(rageval-kit completion bash)"."""


def _printer(shell: str) -> click.Command:
    @click.command(shell, context_settings=_HELP, help=f"Print the script of {shell}.")
    def script() -> None:
        put(_SCRIPTS[shell].lstrip(), end="")

    return script


for _shell in _SCRIPTS:
    command.add_command(_printer(_shell))


@command.command("words", hidden=True, context_settings=_HELP)
@click.argument("line")
def words_(line: str) -> None:
    """Print every word that may stand where LINE ends."""
    for word in candidates(line):
        put(word)


def candidates(line: str) -> list[str]:
    """Return the whole words that may stand in place of the last one of `line`."""
    typed = _split(line)
    current = typed.pop() if typed and not line[-1:].isspace() else ""
    before = typed[1:]  # without the name of the program
    from rageval_kit.cli.app import COMMANDS

    if not before and not _is_override(current):
        found = [name for name in COMMANDS if name.startswith(current)]
        return found + (_overrides(current, before) if current else [])
    first = before[0] if before else ""
    if first in COMMANDS and first not in ("run", "plan", "prove"):
        return _clicks(before, current)
    return _overrides(current, before)


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:  # a quote is still open
        return line.split()


def _is_override(word: str) -> bool:
    return "=" in word or word.startswith(("+", "~", "-"))


def _clicks(before: list[str], current: str) -> list[str]:
    from click.shell_completion import ShellComplete

    from rageval_kit.cli.app import app

    found = ShellComplete(app, {}, "rageval-kit", "_RAGEVAL_COMPLETE").get_completions(
        before, current
    )
    return [one.value for one in found if one.type == "plain"]


def _overrides(current: str, before: list[str]) -> list[str]:
    """Return groups, their options, plain keys and flags; read from the folders, not from Hydra."""
    if current.startswith("-"):
        from rageval_kit.cli.words import known_flags

        return [flag for flag in sorted(known_flags()) if flag.startswith(current)]
    from rageval_kit.build.choices import choices
    from rageval_kit.records.faults import InputError

    try:
        found = choices(_config_dir(before))
    except InputError:
        found = choices()
    name, equals, value = current.partition("=")
    group = name.lstrip("+")
    if not equals:
        return [word for word in _names(found.groups()) if word.startswith(current)]
    head, bracket, started = value.rpartition("," if "," in value else "[")
    options = [option for option in sorted(found.options(group)) if option.startswith(started)]
    if group == "fault":
        from rageval_kit.build.check import known_faults

        options = [fault for fault in sorted(known_faults()) if fault.startswith(started)]
    return [f"{name}={head}{bracket}{option}" for option in options]


def _names(groups: frozenset[str]) -> list[str]:
    from dataclasses import fields

    from rageval_kit.schema import RunSpec

    chosen = {group for group in groups if "/" not in group}
    keys = {one.name for one in fields(RunSpec)} - chosen - {"suites"}
    added = {"suite", "metric"} & chosen
    return sorted(f"{name}=" for name in (chosen - added) | keys) + [f"+{one}=" for one in added]


def _config_dir(before: list[str]) -> Path | None:
    for flag, value in itertools.pairwise(before):
        if flag in ("--config-dir", "-cd"):
            return Path(value).expanduser()
    return None
