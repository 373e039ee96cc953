"""What does a negative-test family say, and is what it says sound?

A family is data (docs/grammar.md). Reading it refuses unknown fields, words and arguments, all at
once; `{each: [...]}` inside any argument multiplies it into variants.
"""

import difflib
import itertools
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import CountsAs, Severity

FIELDS = {
    "id", "version", "title", "motive", "limits", "severity", "counts_as", "world", "who", "when",
    "ask", "contrast", "see", "checks", "alive", "service_level", "policy", "size", "requires",
    "examples", "look_first",
}  # fmt: skip
REQUIRED = ("id", "version", "title", "motive", "limits", "severity", "who", "see", "checks")
SERVICE_LEVELS = ("revocation", "acl_sync", "cache_ttl", "deletion", "indexing")
SLOTS = {
    "world": "rageval_kit.generate.world",
    "who": "rageval_kit.generate.who",
    "when": "rageval_kit.generate.when",
    "ask": "rageval_kit.generate.ask",
    "checks": "rageval_kit.checks",
    "alive": "rageval_kit.generate.alive",
}
KIT_CHECKS = frozenset({"CTL-02", "CTL-04", "CTL-05", "CTL-06", "CTL-07", "LOG-06"})


@dataclass(frozen=True, slots=True)
class Word:
    """A word of one slot with its arguments; a bare argument (`grant: revoked`) is named `is`."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Family:
    """One family as its file says it, or one variant of it (then `variant` names the choices)."""

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
    service_level: str
    policy: Mapping[str, Any]
    size: int
    examples: tuple[Mapping[str, Any], ...]
    look_first: Mapping[str, str]
    raw: Mapping[str, Any]
    variant: tuple[tuple[str, str], ...] = ()

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
    """The words of a slot: the modules of its folder (the folder is the registry)."""
    package = import_module(SLOTS[slot])
    return frozenset(module.name for module in pkgutil.iter_modules(package.__path__))


def word_module(slot: str, name: str) -> Any:
    """The module that gives a word its meaning."""
    return import_module(f"{SLOTS[slot]}.{name}")


def nearest(name: str, known: Sequence[str] | frozenset[str] | set[str]) -> str:
    close = difflib.get_close_matches(str(name), sorted(known), n=1)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(sorted(known))}"


def read(data: Mapping[str, Any], where: str) -> Family:
    """Check one family file's content and give it as a record; InputError lists every fault."""
    faults = [
        Fault(f"{where}: {key}", "is not a field of a family", way_out=nearest(key, FIELDS))
        for key in data
        if key not in FIELDS
    ]
    faults += [
        Fault(f"{where}: {key}", "is required", way_out="add it")
        for key in REQUIRED
        if key not in data
    ]
    if faults:
        raise InputError(faults)
    concrete = [variant for _, variant in _expand(data)]
    for variant in concrete:
        faults += _word_faults(variant, where)
        faults += _shape_faults(variant, where)
    if faults:
        raise InputError(dict.fromkeys(faults))
    return _record(data, concrete[0])


def variants(family: Family) -> list[Family]:
    """Every combination of the family's `each` arguments, in the order written."""
    return [_record(family.raw, data, labels) for labels, data in _expand(family.raw)]


def _record(
    raw: Mapping[str, Any], data: Mapping[str, Any], variant: tuple[tuple[str, str], ...] = ()
) -> Family:
    who = data["who"] if isinstance(data["who"], Mapping) else {}
    severity = data["severity"]
    rule = severity if isinstance(severity, Mapping) else {"default": severity}
    denied_by = who.get("denied_by")
    contrast = data.get("contrast")
    size = data.get("size", {})
    return Family(
        id=data["id"],
        version=data["version"],
        title=data["title"],
        motive=data["motive"],
        limits=data["limits"],
        severity=Severity(rule["default"]),
        severity_at={k: Severity(v) for k, v in rule.get("at", {}).items()},
        counts_as=CountsAs(data.get("counts_as", "security")),
        world=_words(data.get("world", ["pair"])),
        denied_by=None if denied_by is None else _word(denied_by),
        part=who.get("part", "document"),
        beside=who.get("beside", ""),
        when=_words(data.get("when", ["ask"])),
        ask=_words(data.get("ask", ["topic", "title", "quote"])),
        contrast=None if contrast is None else _word(contrast),
        must=tuple(Stage(s) for s in data["see"].get("must", ())),
        also=tuple(Stage(s) for s in data["see"].get("also", ())),
        checks=_words(data["checks"]),
        alive=_words(data.get("alive", ["allowed_reader"])),
        service_level=data.get("service_level", ""),
        policy=data.get("policy", {}),
        size=size.get("cases", 0),
        examples=tuple(data.get("examples", ())),
        look_first=data.get("look_first", {}),
        raw=raw,
        variant=variant,
    )


def _word(item: Any) -> Word:
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
    return tuple(_word(item) for item in items)


def _expand(
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


def _word_faults(data: Mapping[str, Any], where: str) -> Iterator[Fault]:
    who = data["who"]
    named: list[tuple[str, Any]] = []
    if isinstance(who, Mapping):
        if "denied_by" in who:
            named.append(("who", who["denied_by"]))
    elif who != "nobody":
        yield Fault(f"{where}: who", "names nobody or a mapping with denied_by", met=str(who))
    for slot in ("world", "when", "ask", "checks", "alive"):
        named += [(slot, item) for item in data.get(slot, ())]
    if data["id"] in KIT_CHECKS:
        return
    for slot, item in named:
        try:
            word = _word(item)
        except (AttributeError, ValueError):
            yield Fault(f"{where}: {slot}", "is not a word", met=str(item))
            continue
        known = vocabulary(slot)
        if word.name not in known:
            yield Fault(
                f"{where}: {slot}",
                "is not a word of this slot",
                word.name,
                nearest(word.name, known),
            )
            continue
        takes = getattr(word_module(slot, word.name), "TAKES", {})
        for key, value in word.args.items():
            if key not in takes:
                yield Fault(
                    f"{where}: {slot}.{word.name}",
                    "takes no such argument",
                    str(key),
                    nearest(str(key), set(takes)) if takes else "it takes none",
                )
            elif takes[key] is not None and value not in takes[key]:
                yield Fault(
                    f"{where}: {slot}.{word.name}.{key}",
                    "is not one of its values",
                    str(value),
                    f"one of {', '.join(map(str, takes[key]))}",
                )


def _shape_faults(data: Mapping[str, Any], where: str) -> Iterator[Fault]:
    severity = data["severity"]
    given = severity.values() if isinstance(severity, Mapping) else [severity]
    flat = [
        v for value in given for v in (value.values() if isinstance(value, Mapping) else [value])
    ]
    known = {str(s) for s in Severity}
    yield from (
        Fault(f"{where}: severity", "is not a severity", str(s), nearest(str(s), known))
        for s in flat
        if s not in known
    )
    stages = {str(s) for s in Stage}
    for kind in ("must", "also"):
        yield from (
            Fault(f"{where}: see.{kind}", "is not a tap", str(s), nearest(str(s), stages))
            for s in data["see"].get(kind, ())
            if s not in stages
        )
    for text in ("title", "motive", "limits"):
        missing = {"en", "zh"} - set(data[text])
        if missing:
            yield Fault(f"{where}: {text}", f"lacks {', '.join(sorted(missing))}", way_out="add it")
    level = data.get("service_level", "")
    if level and level not in SERVICE_LEVELS:
        yield Fault(
            f"{where}: service_level", "is unknown", level, nearest(level, set(SERVICE_LEVELS))
        )
