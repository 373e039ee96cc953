"""What does a negative-test family say, and is what it says sound?

A family is data (docs/grammar.md). Reading it refuses unknown fields, words and arguments, all at
once; `{each: [...]}` inside any argument multiplies it into variants.
"""

import difflib
import itertools
import pkgutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from keyword import iskeyword
from typing import Any

from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import CountsAs, Severity

FIELDS = {
    "id", "version", "title", "motive", "limits", "severity", "counts_as", "world", "who", "when",
    "ask", "contrast", "see", "checks", "alive", "service_level", "policy", "size",
    "examples", "look_first",
}  # fmt: skip
REQUIRED = ("id", "version", "title", "motive", "limits", "severity", "who", "see", "checks")
SERVICE_LEVELS = ("revocation", "acl_sync", "cache_ttl", "deletion", "indexing")
SLOTS = {
    "world": "rageval_kit.generate.world",
    "who": "rageval_kit.generate.who",
    "when": "rageval_kit.generate.when",
    "ask": "rageval_kit.generate.ask",
    "contrast": "rageval_kit.generate.contrast",
    "checks": "rageval_kit.checks",
    "alive": "rageval_kit.generate.alive",
}
TYPES: Mapping[str, tuple[type, ...]] = {
    "id": (str,), "version": (int,), "title": (dict,), "motive": (dict,), "limits": (dict,),
    "severity": (str, dict), "counts_as": (str,), "world": (list,), "who": (str, dict),
    "when": (list,), "ask": (list,), "see": (dict,), "checks": (list,), "alive": (list,),
    "service_level": (str, list, dict), "policy": (dict,), "size": (dict,),
    "examples": (list,), "look_first": (dict,),
}  # fmt: skip
TYPE_NAMES = {str: "text", int: "a whole number", dict: "a mapping", list: "a list"}
INNER = {
    "who": ("denied_by", "part", "beside"),
    "see": ("must", "also"),
    "size": ("cases", "facts", "for"),
    "severity": ("default", "at"),
}
PARTS = ("document", "version", "chunk", "attachment")
BESIDE = ("service_account",)
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
    file says no number, `size` is 0 and follows from these.
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
    ill_typed = dict(_type_faults(data, where))
    faults += ill_typed.values()
    sound = {key: value for key, value in data.items() if key in FIELDS and key not in ill_typed}
    faults += _text_faults(sound, where)
    for _, variant in _expand(sound):
        faults += _word_faults(variant, where)
        faults += _value_faults(variant, where)
    if faults:
        raise InputError(dict.fromkeys(faults))
    return _record(data, next(_expand(data))[1])


def variants(family: Family) -> list[Family]:
    """Every combination of the family's `each` arguments, as written, and what was added."""
    own = [_record(family.raw, data, labels) for labels, data in _expand(family.raw)]
    return [*own, *family.added]


def _record(
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
        service_levels=_levels(data),
        policy=data.get("policy", {}),
        size=sized or 0,
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
    return replace(_record(raw, next(_expand(raw))[1]), added=family.added)


def _counted(word: Word, n: int | None) -> Word:
    """A word that plants one thing for each case is told how many there are."""
    name = getattr(word_module("world", word.name), "SIZED", "")
    return replace(word, args={**word.args, name: n}) if name and n else word


def _levels(data: Mapping[str, Any]) -> tuple[str, ...]:
    """The levels of a variant: of the word that denies it, where the file tells words apart."""
    said = data.get("service_level", ())
    if isinstance(said, Mapping):
        who = data.get("who")
        denied_by = who.get("denied_by") if isinstance(who, Mapping) else None
        known = denied_by and isinstance(denied_by, str | Mapping)
        said = said.get(_word(denied_by).name, ()) if known else ()
    return tuple(said) if isinstance(said, list | tuple) else (said,)


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


def _type_faults(data: Mapping[str, Any], where: str) -> Iterator[tuple[str, Fault]]:
    for key, types in TYPES.items():
        value = data.get(key)
        if key in data and (not isinstance(value, types) or isinstance(value, bool)):
            names = " or ".join(TYPE_NAMES[one] for one in types)
            yield key, Fault(f"{where}: {key}", f"is not {names}", type(value).__name__)


def _text_faults(data: Mapping[str, Any], where: str) -> Iterator[Fault]:
    for text in ("title", "motive", "limits", "look_first"):
        if text in data:
            missing = [lang for lang in ("en", "zh") if not data[text].get(lang)]
            if missing:
                yield Fault(f"{where}: {text}", f"lacks {', '.join(missing)}", way_out="add it")


def _word_faults(data: Mapping[str, Any], where: str) -> Iterator[Fault]:
    if data.get("id") in KIT_CHECKS:
        return
    who = data.get("who", {})
    named: list[tuple[str, Any]] = []
    if isinstance(who, Mapping) and "denied_by" in who:
        named.append(("who", who["denied_by"]))
    if "contrast" in data:
        named.append(("contrast", data["contrast"]))
    for slot in ("world", "when", "ask", "checks", "alive"):
        named += [(slot, item) for item in data.get(slot, ())]
    for slot, item in named:
        try:
            word = _word(item)
        except (AttributeError, ValueError):
            yield Fault(f"{where}: {slot}", "is not a word", met=str(item))
            continue
        yield from _one_word_faults(slot, word, where)


def _one_word_faults(slot: str, word: Word, where: str) -> Iterator[Fault]:
    known = vocabulary(slot)
    if word.name not in known:
        yield _unknown(f"{where}: {slot}", "is not a word of this slot", word.name, known)
        return
    module = word_module(slot, word.name)
    takes = module.TAKES
    for key in getattr(module, "WANTS", ()):
        if key not in word.args:
            yield Fault(
                f"{where}: {slot}.{word.name}", f"lacks its argument {key}", way_out="give it one"
            )
    for key, value in word.args.items():
        if key not in takes:
            yield Fault(
                f"{where}: {slot}.{word.name}",
                "takes no such argument",
                str(key),
                nearest(str(key), set(takes)) if takes else "it takes none",
            )
        elif takes[key] is not None and value not in takes[key]:
            for one in value if isinstance(value, list) else [value]:
                if one not in takes[key]:
                    yield Fault(
                        f"{where}: {slot}.{word.name}.{key}",
                        "is not one of its values",
                        str(one),
                        f"one of {', '.join(map(str, takes[key]))}",
                    )


def _unknown(where: str, problem: str, met: object, known: Iterable[str]) -> Fault:
    return Fault(where, problem, str(met), nearest(str(met), set(known)))


def _value_faults(data: Mapping[str, Any], where: str) -> Iterator[Fault]:
    """Names inside fields that are neither words nor arguments of words."""
    for name, fields in INNER.items():
        value = data.get(name)
        for key in value if isinstance(value, Mapping) else ():
            if key not in fields:
                yield _unknown(f"{where}: {name}.{key}", "is not a field here", key, fields)
    for place, value, known in _named(data):
        if value not in known:
            yield _unknown(f"{where}: {place}", "is not one of its values", value, known)
    if data.get("checks") == [] and data.get("id") not in KIT_CHECKS:
        yield Fault(f"{where}: checks", "names no oracle", "[]", "without one nothing is violated")
    levels = data.get("service_level", {})
    if isinstance(levels, Mapping):
        for word in levels:
            if word not in vocabulary("who"):
                place = f"{where}: service_level.{word}"
                yield _unknown(place, "is not a word of who", word, vocabulary("who"))
        if levels and not _levels(data):
            way_out = "name the level of each word of who"
            yield Fault(f"{where}: service_level", "says none for this variant", way_out=way_out)
    yield from _size_faults(data.get("size", {}), where)


def _size_faults(size: Mapping[str, Any], where: str) -> Iterator[Fault]:
    for name in ("cases", "facts"):
        n = size.get(name)
        open_ended = n is None and (name == "facts" or name not in size)
        if not open_ended and (not isinstance(n, int) or isinstance(n, bool) or n < 1):
            yield Fault(f"{where}: size.{name}", "is not a whole number above 0", str(n))
    if "facts" in size and "for" not in size:
        way_out = "for example for: {share: 0.3, power: 0.9}"
        yield Fault(f"{where}: size.for", "is required beside facts", way_out=way_out)
    if "for" not in size:
        return
    wanted = size["for"]
    if not isinstance(wanted, Mapping) or set(wanted) != {"share", "power"}:
        yield Fault(f"{where}: size.for", "is not a share and a power", str(wanted))
        return
    for name, share in wanted.items():
        if not isinstance(share, int | float) or not 0 < share <= 1:
            yield Fault(f"{where}: size.for.{name}", "is not a share above 0", str(share))


def _named(data: Mapping[str, Any]) -> Iterator[tuple[str, Any, Sequence[str]]]:
    """(place, value met, values known) of every closed choice in a family."""
    severities, taps = tuple(map(str, Severity)), tuple(map(str, Stage))
    severity, who = data.get("severity", Severity.LOW), data.get("who", "nobody")
    if isinstance(severity, Mapping):
        yield "severity.default", severity.get("default"), severities
        rules = severity.get("at", {})
        for tap in rules:
            yield "severity.at", tap, taps
            yield f"severity.at.{tap}", isinstance(rules, Mapping) and rules[tap], severities
    else:
        yield "severity", severity, severities
    if isinstance(who, Mapping):
        yield "who.part", who.get("part", PARTS[0]), PARTS
        yield "who.beside", who.get("beside", BESIDE[0]), BESIDE
    else:
        yield "who", who, ("nobody",)
    for kind in ("must", "also"):
        listed = data.get("see", {}).get(kind, [])
        for tap in listed if isinstance(listed, list) else [listed]:
            yield f"see.{kind}", tap, taps
    yield "counts_as", data.get("counts_as", CountsAs.SECURITY), tuple(map(str, CountsAs))
    said = data.get("service_level", ())
    for level in said.values() if isinstance(said, Mapping) else (said,):
        for one in level if isinstance(level, list | tuple) else (level,):
            yield "service_level", one, SERVICE_LEVELS
