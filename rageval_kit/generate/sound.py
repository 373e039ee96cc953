"""Is what the file of a family says sound? If not, what is wrong with it, all at once?"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rageval_kit.generate.family import (
    KIT_CHECKS,
    Family,
    Word,
    expand,
    levels_of,
    nearest,
    record,
    vocabulary,
    word_module,
    word_of,
)
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
    "size": ("cases", "at_most", "facts", "for"),
    "severity": ("default", "at"),
}
PARTS = ("document", "version", "chunk", "attachment")
BESIDE = ("service_account",)


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
    for _, variant in expand(sound):
        faults += _word_faults(variant, where)
        faults += _value_faults(variant, where)
    if faults:
        raise InputError(dict.fromkeys(faults))
    return record(data, next(expand(data))[1])


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
            odd = [key for key in data[text] if key not in ("en", "zh")]
            if odd:  # what YAML makes of a comma in {en: …, zh: …}
                way_out = "a text with a comma stands in quotes"
                yield Fault(f"{where}: {text}", "is in neither language", str(odd[0]), way_out)


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
            word = word_of(item)
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
        if levels and not levels_of(data):
            way_out = "name the level of each word of who"
            yield Fault(f"{where}: service_level", "says none for this variant", way_out=way_out)
    yield from _size_faults(data.get("size", {}), where)


def _size_faults(size: Mapping[str, Any], where: str) -> Iterator[Fault]:
    for name in ("cases", "at_most", "facts"):
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
