"""Which measures does a person mean by the names of a set, of metric files, or by `ndcg@10`?"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from rageval_kit.build.choices import Choices, choices
from rageval_kit.build.kinds import Registry, config_class
from rageval_kit.build.shape import REFUSED, Reader, nearest
from rageval_kit.records.faults import Fault, InputError

METRICS = Registry("metrics")

# What is typed: a kind, a cutoff, a least grade. In files these are fields.
_TYPED = re.compile(r"([a-z][a-z0-9_]*)(?:@([0-9]+))?(?:>=([0-9]+))?")


def measures(
    named: Sequence[str], sets: Sequence[str], config_dir: Path | None = None
) -> dict[str, Any]:
    """The measures of all sets, then the named ones, each once; every unknown name is refused."""
    found = choices(config_dir)
    made: dict[str, Any] = {}
    faults: list[Fault] = []
    for read, names in ((_set, sets), (_named, named)):
        for name in names:
            try:
                for one in read(name, found):
                    made.setdefault(one.name, one)
            except InputError as error:
                faults += error.faults
    if faults:
        raise InputError(faults)
    return made


def measure(name: str, config_dir: Path | None = None) -> Any:
    """The one measure of that name; a kind without a cutoff keeps that of its own default."""
    found = choices(config_dir)
    if found.file(f"metric/{name}") is None and name in METRICS.names():
        return _made({"kind": name}, f"metric '{name}'")
    return _named(name, found)[0]


def _set(name: str, found: Choices) -> list[Any]:
    file = found.file(f"metrics/{name}")
    if file is None:
        way_out = nearest(name, found.options("metrics"))
        raise InputError.one(f"metrics '{name}'", "is no set of measures", "", way_out)
    members = []
    for entry in _tree(file).get("defaults", ()):
        if isinstance(entry, Mapping):
            members += [one for option in entry.values() for one in _named(str(option), found)]
    return members


def _named(name: str, found: Choices) -> list[Any]:
    file = found.file(f"metric/{name}")
    if file is not None:
        return [_made(dict(_tree(file)), f"metric '{name}'")]
    typed = _TYPED.fullmatch(name)
    if typed is None or typed[1] not in METRICS.names():
        way_out = nearest(typed[1] if typed else name, METRICS.names() | found.options("metric"))
        raise InputError.one(f"metric '{name}'", "is not known here", "", way_out)
    kind, k, grade = typed.groups()
    node: dict[str, Any] = {"kind": kind}
    config = config_class(METRICS.module(kind, f"metric '{name}'"), kind)
    fields = getattr(config, "__dataclass_fields__", {})
    if "k" in fields:
        node["k"] = int(k) if k else None
    elif k:
        raise InputError.one(f"metric '{name}'", "has no cutoff", f"@{k}", f"write {kind}")
    if grade:
        node["min_grade"] = int(grade)
    return [_made(node, f"metric '{name}'")]


def _made(node: dict[str, Any], where: str) -> Any:
    kind = str(node.pop("kind", ""))
    module = METRICS.module(kind, where)
    reader = Reader()
    read = reader.record(config_class(module, kind), node, where)
    if reader.faults or read is REFUSED:
        raise InputError(reader.faults)
    build = getattr(module, "build", None)
    return build(read) if build is not None else read


def _tree(file: Path) -> Mapping[str, Any]:
    node = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)
    if not isinstance(node, Mapping):
        raise InputError.one(str(file), "must hold names and values", repr(node))
    return node
