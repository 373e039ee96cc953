"""Which flags and overrides does the command line of a run hold?"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rageval_kit.build.shape import nearest
from rageval_kit.records.faults import Fault, InputError

_VALUE = {
    "--config-dir": "--config-dir",
    "-cd": "--config-dir",
    "--config-name": "--config-name",
    "-cn": "--config-name",
    "--cfg": "--cfg",
    "-c": "--cfg",
    "--package": "--package",
    "-p": "--package",
}
_FLAG = {
    "--multirun": "--multirun",
    "-m": "--multirun",
    "--run": "--run",
    "-r": "--run",
    "--json": "--json",
    "--resolve": "--resolve",
    "--info": "--info",
    "-i": "--info",
    "--hydra-help": "--hydra-help",
    "--help": "--help",
    "-h": "--help",
    "--shell-completion": "--shell-completion",
    "-sc": "--shell-completion",
}
_REFUSED = {
    "--experimental-rerun": "is refused: it would unpickle a file; use rageval-kit replay",
    "--config-path": "is refused: it would replace what is shipped; use --config-dir",
    "-cp": "is refused: it would replace what is shipped; use --config-dir",
}
_HYDRAS = frozenset({"--cfg", "--info", "--hydra-help", "--help", "--shell-completion"})
_TRUE = frozenset({"1", "true", "yes", "on"})


@dataclass(slots=True)
class RunWords:
    """`flags` holds canonical names; `overrides` what is left, in order."""

    overrides: list[str] = field(default_factory=list)
    flags: dict[str, str] = field(default_factory=dict)

    @property
    def config_dir(self) -> Path | None:
        given = self.flags.get("--config-dir")
        return None if given is None else Path(given).expanduser()

    @property
    def config_name(self) -> str:
        return self.flags.get("--config-name", "config")

    @property
    def json(self) -> bool:
        return "--json" in self.flags

    @property
    def multirun(self) -> bool:
        return "--multirun" in self.flags

    @property
    def for_hydra(self) -> bool:
        """Whether Hydra answers these words itself (it shows; nothing is evaluated)."""
        return not _HYDRAS.isdisjoint(self.flags)

    def hydra_words(self, overrides: Sequence[str]) -> list[str]:
        """Return the words Hydra understands, with `overrides` in place of the typed ones."""
        words: list[str] = []
        for name, value in self.flags.items():
            if name not in ("--json", "--run"):
                words.extend([name, value] if name in _VALUE.values() else [name])
                if name == "--info" and value:
                    words.append(value)
        return [*words, *overrides]


_INFO = frozenset({"all", "config", "defaults", "defaults-tree", "plugins", "searchpath"})


def read(words: Sequence[str]) -> RunWords:
    """Split words into flags and overrides; all unknown flags are refused at once."""
    made = RunWords()
    faults: list[Fault] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if not word.startswith("-"):
            made.overrides.append(word)
        elif name in _REFUSED:
            faults.append(Fault(name, _REFUSED[name]))
        elif name in _VALUE:
            if not equals and (not rest or rest[0].startswith("-")):
                faults.append(Fault(name, "needs a value"))
                continue
            _once(made, faults, _VALUE[name], value if equals else rest.pop(0))
        elif name in _FLAG:
            follows = name in ("--info", "-i") and rest and rest[0] in _INFO
            made.flags[_FLAG[name]] = value or (rest.pop(0) if follows else "")
        else:
            way_out = nearest(name, {*_VALUE, *_FLAG})
            faults.append(Fault(name, "is not an option", "", way_out))
    if faults:
        raise InputError(faults)
    _from_environment(made)
    return made


def _once(made: RunWords, faults: list[Fault], name: str, value: str) -> None:
    if name in made.flags:
        faults.append(Fault(name, "is given twice", f"{made.flags[name]} and {value}"))
    made.flags[name] = value


def _from_environment(made: RunWords) -> None:
    """Take what the command line left open from RAGEVAL_CONFIG_DIR and its like."""
    for name, variable in (
        ("--config-dir", "RAGEVAL_CONFIG_DIR"),
        ("--config-name", "RAGEVAL_CONFIG_NAME"),
    ):
        if os.environ.get(variable):
            made.flags.setdefault(name, os.environ[variable])
    if os.environ.get("RAGEVAL_JSON", "").lower() in _TRUE:
        made.flags.setdefault("--json", "")


def known_flags() -> frozenset[str]:
    return frozenset({*_VALUE, *_FLAG})
