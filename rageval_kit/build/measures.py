"""Which measures does a person mean by the names of a set, of metric files, or by `ndcg@10`?"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from rageval_kit.build.choices import Choices, choices
from rageval_kit.build.kinds import Registry, config_class
from rageval_kit.build.shape import REFUSED, Reader, nearest
from rageval_kit.records.conventions import Conventions
from rageval_kit.records.faults import Fault, InputError

METRICS = Registry("metrics")

# What is typed: a kind, a cutoff, a least grade. In files these are fields.
_TYPED = re.compile(r"([a-z][a-z0-9_]*)(?:@([0-9]+))?(?:>=([0-9]+))?")
# What other tools call them.
_ELSEWHERE = {
    "map": "ap",
    "recip_rank": "mrr",
    "rr": "mrr",
    "p": "precision",
    "r": "recall",
    "rprec": "r_precision",
    "success": "hit_rate",
    "hits": "hit_rate",
}
_CHOSEN = re.compile(r"/metric@([a-z][a-z0-9_]*)")


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
    """The one measure of that name, as `measures` understands it."""
    return _named(name, choices(config_dir))[0]


def fitting(
    made: Mapping[str, Any], conventions: Conventions
) -> tuple[dict[str, Any], dict[str, str]]:
    """The measures that these conventions allow; of each other one why not: `grain`, `bounds`."""
    unfit = {name: why for name, one in made.items() if (why := _unfit(one, conventions))}
    return {name: one for name, one in made.items() if name not in unfit}, unfit


def _unfit(one: Any, conventions: Conventions) -> str:
    if conventions.grain not in one.grains:
        return "grain"
    if conventions.unjudged in ("lowest", "highest") and not getattr(one, "bounded", True):
        return "bounds"
    return ""


def _set(name: str, found: Choices) -> list[Any]:
    made: list[Any] = []
    faults: list[Fault] = []
    for member, node in _members(name, found, ()).items():
        try:
            made.append(_made(node, f"metrics '{name}': {member}"))
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    if not made:
        raise InputError.one(f"metrics '{name}'", "names no measure", "", "give its members")
    return made


def _members(name: str, found: Choices, within: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Every member by its name, as Hydra composes them: what the file itself says comes last."""
    file = found.file(f"metrics/{name}")
    if file is None:
        way_out = nearest(name, found.options("metrics"))
        raise InputError.one(f"metrics '{name}'", "is no set of measures", "", way_out)
    tree = dict(_tree(file))
    members: dict[str, dict[str, Any]] = {}
    for entry in tree.pop("defaults", None) or ():
        if entry == "_self_":
            continue
        if isinstance(entry, str) and entry not in (*within, name):
            members |= _members(entry, found, (*within, name))
            continue
        chosen = _CHOSEN.fullmatch(next(iter(entry))) if isinstance(entry, Mapping) else None
        if chosen is None:
            way_out = "write - /metric@name: option"
            raise InputError.one(
                found.shown(file), "has an entry of another kind", repr(entry), way_out
            )
        members[chosen[1]] = _option(str(next(iter(entry.values()))), found)
    for member, node in tree.items():
        if node is None:  # left out, as in a run
            members.pop(member, None)
            continue
        if not isinstance(node, Mapping):
            problem, way_out = f"member '{member}' is no measure", "write {kind: recall, k: 10}"
            raise InputError.one(found.shown(file), problem, repr(node), way_out)
        members[member] = {**members.get(member, {}), **node}
    return members


def _option(name: str, found: Choices) -> dict[str, Any]:
    file = found.file(f"metric/{name}")
    if file is None:
        way_out = nearest(name, found.options("metric"))
        raise InputError.one(f"metric '{name}'", "is not known here", "", way_out)
    return dict(_tree(file))


def _way_out(name: str, found: Choices) -> str:
    """The nearest kind with the rest as it was typed; other tools' names are known, too."""
    kind, cut, rest = name.replace(".", "@").partition("@")
    plain = kind.lower().removesuffix("_cut").replace("-", "_")
    meant = _ELSEWHERE.get(plain, plain)
    if meant in METRICS.names():
        return f"did you mean '{meant}{cut}{rest}'? (--metric is given once for each)"
    return nearest(plain, METRICS.names() | found.options("metric"))


def _named(name: str, found: Choices) -> list[Any]:
    """Without a cutoff: the whole list, or the cutoff of its own default where it needs one."""
    where = f"metric '{name}'"
    if found.file(f"metric/{name}") is not None:
        return [_made(_option(name, found), where)]
    typed = _TYPED.fullmatch(name)
    if typed is None or typed[1] not in METRICS.names():
        raise InputError.one(where, "is not known here", "", _way_out(name, found))
    kind, k, grade = typed.groups()
    node: dict[str, Any] = {"kind": kind} | ({"min_grade": int(grade)} if grade else {})
    config = config_class(METRICS.module(kind, where), kind)
    if "k" not in getattr(config, "__dataclass_fields__", {}):
        if k:
            raise InputError.one(where, "has no cutoff", f"@{k}", f"write {kind}")
        return [_made(node, where)]
    try:
        return [_made({**node, "k": int(k) if k else None}, where)]
    except InputError:
        if k:
            raise
        return [_made(node, where)]


def _made(node: Mapping[str, Any], where: str) -> Any:
    node = dict(node)
    kind = str(node.pop("kind", ""))
    module = METRICS.module(kind, where)
    reader = Reader()
    read = reader.record(config_class(module, kind), node, where)
    if reader.faults or read is REFUSED:
        raise InputError(reader.faults)
    build = getattr(module, "build", None)
    return build(read) if build is not None else read


def _tree(file: Path) -> Mapping[str, Any]:
    try:
        node = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError, OSError, RecursionError) as error:
        problem, met = "cannot be read as YAML", str(error).split("\n", maxsplit=1)[0]
        raise InputError.one(str(file), problem, met, "write names and values") from error
    if not isinstance(node, Mapping):
        raise InputError.one(str(file), "must hold names and values", repr(node))
    return node
