"""What does a negative-test family say, and which variants does it come in?

A family is data (docs/grammar.md) that `sound` has read; `{each: [...]}` inside any argument
multiplies it into variants.
"""

import difflib
import itertools
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from keyword import iskeyword
from typing import Any

from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import CountsAs, Severity

SLOTS = {
    "world": "rageval_kit.generate.world",
    "who": "rageval_kit.generate.who",
    "when": "rageval_kit.generate.when",
    "ask": "rageval_kit.generate.ask",
    "contrast": "rageval_kit.generate.contrast",
    "checks": "rageval_kit.checks",
    "alive": "rageval_kit.generate.alive",
}
KIT_CHECKS = frozenset({"CTL-02", "CTL-03", "CTL-04", "CTL-05", "CTL-06", "CTL-07", "LOG-06"})


@dataclass(frozen=True, slots=True)
class Word:
    """A word of one slot with its arguments; a bare argument (`grant: revoked`) is named `is`."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Family:
    """One family as its file says it, or one variant of it (then `variant` names the choices).

    Of several `service_levels` the longest counts: a change has to pass through all of them.
    `detects`: the leaked share that its cases together must show, and with which power; where the
    file says no number, `size` is 0 and follows from these. `at_most`: however many a suite asks
    for, where each case has a world or an index to itself; 0 is no limit.
    """

    id: str
    version: int
    title: Mapping[str, str]
    motive: Mapping[str, str]
    limits: Mapping[str, str]
    severity: Severity
    severity_at: Mapping[str, Severity]
    counts_as: CountsAs
    world: tuple[Word, ...]
    denied_by: Word | None
    part: str
    beside: str
    when: tuple[Word, ...]
    ask: tuple[Word, ...]
    contrast: Word | None
    must: tuple[Stage, ...]
    also: tuple[Stage, ...]
    checks: tuple[Word, ...]
    alive: tuple[Word, ...]
    service_levels: tuple[str, ...]
    policy: Mapping[str, Any]
    size: int
    at_most: int
    detects: tuple[float, float] | None
    examples: tuple[Mapping[str, Any], ...]
    look_first: Mapping[str, str]
    raw: Mapping[str, Any]
    variant: tuple[tuple[str, str], ...] = ()
    added: tuple["Family", ...] = ()  # variants beside those of its file: a user's own payloads

    @property
    def is_code(self) -> bool:
        """True for the kit's own checks, which are code and make no cases from words."""
        return self.id in KIT_CHECKS

    def severity_of(self, stages: Sequence[Stage]) -> Severity:
        """The gravest severity this family gives to any of `stages`."""
        order = list(Severity)
        found = [self.severity_at.get(stage, self.severity) for stage in stages]
        return min(found, key=order.index, default=self.severity)


@cache
def vocabulary(slot: str) -> frozenset[str]:
    """The words of a slot: the modules of its folder (the folder is the registry).

    The module of a word that Python keeps for itself ends in an underscore.
    """
    package = import_module(SLOTS[slot])
    return frozenset(m.name.removesuffix("_") for m in pkgutil.iter_modules(package.__path__))


def word_module(slot: str, name: str) -> Any:
    """The module that gives a word its meaning."""
    return import_module(f"{SLOTS[slot]}.{name}{'_' * iskeyword(name)}")


def nearest(name: str, known: Sequence[str] | frozenset[str] | set[str]) -> str:
    close = difflib.get_close_matches(str(name), sorted(known), n=1)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(sorted(known))}"


def variants(family: Family) -> list[Family]:
    """Every combination of the family's `each` arguments, as written, and what was added."""
    own = [record(family.raw, data, labels) for labels, data in expand(family.raw)]
    return [*own, *family.added]


def record(
    raw: Mapping[str, Any], data: Mapping[str, Any], variant: tuple[tuple[str, str], ...] = ()
) -> Family:
    who = data["who"] if isinstance(data["who"], Mapping) else {}
    severity = data["severity"]
    rule = severity if isinstance(severity, Mapping) else {"default": severity}
    denied_by = who.get("denied_by")
    contrast = data.get("contrast")
    size = data.get("size", {})
    sized, wanted = size.get("cases") or size.get("facts"), size.get("for")
    return Family(
        id=data["id"],
        version=data["version"],
        title=data["title"],
        motive=data["motive"],
        limits=data["limits"],
        severity=Severity(rule["default"]),
        severity_at={k: Severity(v) for k, v in rule.get("at", {}).items()},
        counts_as=CountsAs(data.get("counts_as", "security")),
        world=tuple(_counted(word, sized) for word in _words(data.get("world", ["pair"]))),
        denied_by=None if denied_by is None else word_of(denied_by),
        part=who.get("part", "document"),
        beside=who.get("beside", ""),
        when=_words(data.get("when", ["ask"])),
        ask=_words(data.get("ask", ["topic", "title", "quote"])),
        contrast=None if contrast is None else word_of(contrast),
        must=tuple(Stage(s) for s in data["see"].get("must", ())),
        also=tuple(Stage(s) for s in data["see"].get("also", ())),
        checks=_words(data["checks"]),
        alive=_words(data.get("alive", ["allowed_reader"])),
        service_levels=levels_of(data),
        policy=data.get("policy", {}),
        size=sized or 0,
        at_most=size.get("at_most", 0),
        detects=None if wanted is None else (wanted["share"], wanted["power"]),
        examples=tuple(data.get("examples", ())),
        look_first=data.get("look_first", {}),
        raw=raw,
        variant=variant,
    )


def of_size(family: Family, n: int) -> Family:
    """The same with so many cases, and as much planted for it as they take."""
    if family.detects is None:
        return family
    raw = {**family.raw, "size": {**family.raw["size"], "facts": n}}
    return replace(record(raw, next(expand(raw))[1]), added=family.added)


def _counted(word: Word, n: int | None) -> Word:
    """A word that plants one thing for each case is told how many there are."""
    name = getattr(word_module("world", word.name), "SIZED", "")
    return replace(word, args={**word.args, name: n}) if name and n else word


def levels_of(data: Mapping[str, Any]) -> tuple[str, ...]:
    """The levels of a variant: of the word that denies it, where the file tells words apart."""
    said = data.get("service_level", ())
    if isinstance(said, Mapping):
        who = data.get("who")
        denied_by = who.get("denied_by") if isinstance(who, Mapping) else None
        known = denied_by and isinstance(denied_by, str | Mapping)
        said = said.get(word_of(denied_by).name, ()) if known else ()
    return tuple(said) if isinstance(said, list | tuple) else (said,)


def word_of(item: Any) -> Word:
    if isinstance(item, str):
        return Word(item)
    ((name, args),) = item.items() if len(item) == 1 else (_first_and_rest(item),)
    return Word(name, dict(args) if isinstance(args, Mapping) else {"is": args})


def _first_and_rest(item: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """`{ask: same_words, as: twin}`: the first key is the word, the others are its arguments."""
    (name, value), *rest = item.items()
    args = dict(value) if isinstance(value, Mapping) else {"is": value}
    return name, args | dict(rest)


def _words(items: Sequence[Any]) -> tuple[Word, ...]:
    return tuple(word_of(item) for item in items)


def expand(
    data: Mapping[str, Any],
) -> Iterator[tuple[tuple[tuple[str, str], ...], Mapping[str, Any]]]:
    places = list(_each_places(data, ()))
    for choice in itertools.product(*(options for _, options in places)):
        concrete: Any = data
        labels = []
        for (path, _), value in zip(places, choice, strict=True):
            concrete = _put(concrete, path, value)
            labels.append((_label(path), _plain(value)))
        yield tuple(labels), concrete


def _each_places(node: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], list[Any]]]:
    if isinstance(node, Mapping):
        if set(node) == {"each"} and isinstance(node["each"], list):
            yield path, node["each"]
            return
        for key, value in node.items():
            if key != "examples":
                yield from _each_places(value, (*path, key))
    elif isinstance(node, list):
        for position, value in enumerate(node):
            yield from _each_places(value, (*path, position))


def _put(node: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    head, *rest = path
    if isinstance(node, Mapping):
        return {k: _put(v, tuple(rest), value) if k == head else v for k, v in node.items()}
    return [_put(v, tuple(rest), value) if i == head else v for i, v in enumerate(node)]


def _label(path: tuple[Any, ...]) -> str:
    return ".".join(str(part) for part in path if not isinstance(part, int))


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{k}={_plain(v)}" for k, v in value.items())
    return str(value)
