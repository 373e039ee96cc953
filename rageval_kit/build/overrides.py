"""What do the words on the command line choose, and which of them cannot be meant?"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rageval_kit.build.choices import Choices
from rageval_kit.build.pasting import pasted
from rageval_kit.build.shape import nearest
from rageval_kit.records.faults import Fault, InputError

if TYPE_CHECKING:
    from hydra.core.override_parser.types import Override

_UNLISTED = frozenset({"suite", "metric"})  # groups that no defaults list names: added with a plus


@dataclass(frozen=True, slots=True)
class Words:
    """Checked overrides. `jobs` is one list for each run; `typed` says what a key was given."""

    jobs: tuple[tuple[str, ...], ...]
    notices: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


@dataclass(slots=True)
class _Sieve:
    choices: Choices
    multirun: bool
    groups: frozenset[str]
    hydra_only: bool = False
    faults: list[Fault] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def axis(self, word: str, parser: Any) -> list[str]:  # noqa: PLR0911 - one for each refusal
        """Return the forms of one override, several where it sweeps; [] where it is refused."""
        override = self._parsed(word, parser)
        if override is None:
            return []
        key: str = override.key_or_group
        if key.startswith(("hydra.", "hydra/")) or key == "hydra":
            if self.hydra_only:
                return [word]
            self._refuse(word, "is a setting of Hydra that has no effect on an evaluation")
            return []
        is_group = override.package is not None or key in self.groups
        if "/" in key and not is_group:
            self._refuse(word, f"no group '{key}'", nearest(key, self.groups))
            return []
        if override.is_sweep_override() and not self.multirun:
            self._comma(word, key)
            return []
        if override.is_delete():
            return [word]
        values = (
            list(override.sweep_string_iterator())
            if override.is_sweep_override()
            else [override.get_value_string()]
        )
        return self._group(word, override, values) if is_group else self._key(override, values)

    def _parsed(self, word: str, parser: Any) -> "Override | None":
        from hydra.errors import HydraException

        try:
            parsed: Override = parser.parse_override(word)
        except HydraException:
            name, equals, value = word.partition("=")
            if not equals:
                way_out = "write key=value, or ~key to remove a choice"
                self._refuse(word, "is neither an override nor a subcommand", way_out)
                return None
            working = pasted(name, value.strip("'\""))
            self._refuse(word, "is not read as it stands", f"quote the value twice: {working}")
            return None
        else:
            return parsed

    def _comma(self, word: str, key: str) -> None:
        value = word.partition("=")[2]
        way_out = f"for a list write {key}=[{value}], for one run each add -m"
        self._refuse(word, "is a sweep over several values", way_out)

    def _group(self, word: str, override: "Override", values: list[str]) -> list[str]:
        group = override.key_or_group
        name = group if override.package is None else f"{group}@{override.package}"
        known, before = self.choices.options(group), len(self.faults)
        for option in self._chosen(override):
            named = isinstance(option, str) and option in known
            if option is not None and not named:
                self._refuse(word, f"no {group} is named '{option}'", nearest(str(option), known))
        if override.is_force_add():
            self._refuse(word, "++ does not choose files", f"write {word.removeprefix('++')}")
        if group not in _UNLISTED and override.is_add() and override.package is None:
            self._refuse(word, f"{group} is chosen already", f"write {word.removeprefix('+')}")
        if len(self.faults) > before:
            return []
        if group in _UNLISTED:
            if not override.is_add():
                self.notices.append(f"{word} is read as +{word}")
            return [f"+{name}={value}" for value in values]
        plus = "+" if override.is_add() else ""
        return [f"{plus}{name}={value}" for value in values]

    @staticmethod
    def _chosen(override: "Override") -> list[Any]:
        """Return every option the override names, through sweeps and lists."""
        if override.is_sweep_override():
            swept = [
                text.strip("[]").split(",") for text in map(str, override.sweep_string_iterator())
            ]
            return [name.strip() for names in swept for name in names]
        value = override.value()
        return list(value) if isinstance(value, list) else [value]

    @staticmethod
    def _key(override: "Override", values: list[str]) -> list[str]:
        """Let Hydra take every key: the closed check after composition names all unknown ones."""
        return [f"++{override.key_or_group}={value}" for value in values]

    def _refuse(self, where: str, problem: str, way_out: str = "") -> None:
        self.faults.append(Fault(where, problem, "", way_out))


def read_overrides(words: Sequence[str], choices: Choices, *, multirun: bool = False) -> Words:
    """Return the overrides of each run; a refused one is in `faults` and in no job."""
    from hydra.core.override_parser.overrides_parser import OverridesParser

    parser = OverridesParser.create()
    sieve = _Sieve(choices, multirun, choices.groups())
    axes = [axis for word in words if (axis := sieve.axis(word, parser))]
    return Words(tuple(itertools.product(*axes)), tuple(sieve.notices), tuple(sieve.faults))


def for_hydra(words: Sequence[str], choices: Choices, *, multirun: bool = False) -> list[str]:
    """Return the words as Hydra takes them, strict about keys; refused ones end the command."""
    from hydra.core.override_parser.overrides_parser import OverridesParser

    parser = OverridesParser.create()
    sieve = _Sieve(choices, multirun, choices.groups(), hydra_only=True)
    passed = [word for word in words if sieve.axis(word, parser)]
    if sieve.faults:
        raise InputError(sieve.faults)
    return [
        f"+{word}" if word.partition("=")[0].partition("@")[0] in _UNLISTED else word
        for word in passed
    ]


def typed(job: Iterable[str]) -> dict[str, str]:
    """Return what each dotted key (no group) was given, character for character."""
    pairs = (word.removeprefix("++").partition("=") for word in job if word.startswith("++"))
    return {key: value for key, _equals, value in pairs}
