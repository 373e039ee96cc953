"""Does a composed configuration describe a run, and if not, what is wrong with all of it?"""

import math
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Union

from rageval_kit.build.composed import Composed
from rageval_kit.build.kinds import Registry, config_class
from rageval_kit.build.shape import REFUSED, Reader, nearest
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.resources import tree
from rageval_kit.schema import FamilySelection, Part, RunSpec

RETRIEVERS = Registry("retrievers")
GENERATORS = Registry("generators", "answerers")
METRICS = Registry("metrics")

EMBEDDED = "embedded"
# Fields of the embedded system that other groups speak for.
ELSEWHERE = {
    "fault": "fault=…",
    "rerank": "reranker=…",
    "rerank_depth": "reranker.depth=…",
    "context_tokens": "generator.context_tokens=…",
    "answer_sentences": "generator.sentences=…",
}
_BY_KIND = ("retriever", "generator", "metrics", "gate")


def check(composed: Composed) -> RunSpec:
    """Return the frozen spec; an InputError carries every fault of the whole tree."""
    reader = Reader(composed.places, composed.typed)
    values = composed.values
    types_at: dict[str, Any] = {}
    retriever = _part(reader, values.get("retriever"), "retriever", RETRIEVERS, types_at)
    generator = _part(reader, values.get("generator"), "generator", GENERATORS, types_at)
    metrics = _metrics(reader, values.get("metrics"), types_at)
    gate = _gate(reader, values.get("gate"), types_at)
    spec_values = {key: value for key, value in values.items() if key not in _BY_KIND}
    spec = _spec(reader, spec_values, values, (retriever, generator, metrics, gate))
    _quoted(reader, composed, types_at)
    _finite(reader, values, "")
    _fault(reader, values)
    _suites(reader, composed)
    if spec is not None:
        _agree(reader, spec)
    if reader.faults:
        raise InputError(dict.fromkeys(reader.faults))
    if spec is None:
        raise InputError.one("configuration", "does not describe a run")
    return spec


def _spec(
    reader: Reader, rest: Mapping[str, Any], values: Mapping[str, Any], parts: tuple[Any, ...]
) -> RunSpec | None:
    hints = typing.get_type_hints(RunSpec)
    made: dict[str, Any] = dict(zip(_BY_KIND, parts, strict=True))
    known = {one.name for one in fields(RunSpec)}
    for key in rest:
        if key not in known:
            reader.unknown(key, key, known)
    for one in fields(RunSpec):
        if one.name in _BY_KIND:
            continue
        if one.name not in values:
            reader.refuse(one.name, "is missing from the configuration")
            continue
        made[one.name] = reader.read(hints[one.name], values[one.name], one.name, one.metadata)
    whole = len(made) == len(known) and REFUSED not in [made[name] for name in made]
    return RunSpec(**made) if whole else None


def _part(
    reader: Reader, node: Any, where: str, registry: Registry, types_at: dict[str, Any]
) -> Any:
    """Read `{kind: x, …}` with the configuration that the module of `x` declares."""
    if not isinstance(node, Mapping):
        return reader.refuse(where, "must hold a kind and its settings")
    if "kind" not in node:
        return reader.refuse(f"{where}.kind", "is missing")
    kind = node["kind"]
    try:
        config = config_class(registry.module(kind, where), kind)
    except InputError as error:
        reader.faults.extend(error.faults)
        return REFUSED
    types_at[where] = config
    rest = {key: value for key, value in node.items() if key != "kind"}
    if kind == EMBEDDED:
        for key in sorted(rest.keys() & ELSEWHERE.keys()):
            del rest[key]
            reader.refuse(f"{where}.{key}", "is set elsewhere", "", f"write {ELSEWHERE[key]}")
    read = reader.record(config, rest, where)
    return read if read is REFUSED else Part(kind, read)


def _metrics(reader: Reader, node: Any, types_at: dict[str, Any]) -> Any:
    if node is None:
        return {}
    if not isinstance(node, Mapping):
        return reader.refuse("metrics", "must hold names and their metrics")
    read = {
        str(name): _part(reader, one, f"metrics.{name}", METRICS, types_at)
        for name, one in node.items()
        if one is not None  # a metric set to null is left out
    }
    return REFUSED if REFUSED in read.values() else read


def _gate(reader: Reader, node: Any, types_at: dict[str, Any]) -> Any:
    from rageval_kit.gates.policy import GatePolicy, load_policy

    types_at["gate"] = GatePolicy
    if not isinstance(node, Mapping):
        return reader.refuse("gate", "must hold the rules of the gates")
    try:
        return load_policy(node)
    except InputError as error:
        for fault in error.faults:
            reader.refuse(fault.where, fault.problem, fault.met, fault.way_out)
        return REFUSED


def _quoted(reader: Reader, composed: Composed, types_at: Mapping[str, Any]) -> None:
    """Refuse a text field that YAML reads as something else, in every file that composed.

    Also where a later file or the command line replaces it: the file is wrong all the same.
    """
    for key, place, tag in composed.scalars:
        if tag in ("bool", "int", "float") and _is_text(key, types_at):
            word = "a boolean" if tag == "bool" else "a number"
            where = f"{place.file}:{place.line}: {key}"
            problem = f"must be text, but YAML reads it as {word}"
            reader.faults.append(Fault(where, problem, place.raw, f'add quotes: "{place.raw}"'))


def _is_text(key: str, types_at: Mapping[str, Any]) -> bool:
    want: Any = RunSpec
    seen = ""
    for name in re.findall(r"[^.\[\]]+", key):
        seen = f"{seen}.{name}" if seen else name
        want = types_at.get(seen) or _below(want, name)
        if want is None:
            return bool(name == "kind")
    return _only_text(want)


def _below(want: Any, name: str) -> Any:
    if is_dataclass(want) and isinstance(want, type):
        return typing.get_type_hints(want).get(name)
    for option in _options(want):
        if is_dataclass(option) and isinstance(option, type):
            return typing.get_type_hints(option).get(name)
        arguments = typing.get_args(option)
        origin = typing.get_origin(option)
        if origin in (tuple, list, frozenset):
            return arguments[0]
        if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
            return arguments[1]
    return None


def _options(want: Any) -> tuple[Any, ...]:
    if typing.get_origin(want) in (Union, types.UnionType):
        return tuple(one for one in typing.get_args(want) if one is not type(None))
    return (want,)


def _only_text(want: Any) -> bool:
    options = _options(want)
    return bool(options) and all(
        one in (str, datetime)
        or (
            typing.get_origin(one) is typing.Literal
            and all(isinstance(choice, str) for choice in typing.get_args(one))
        )
        for one in options
    )


def _finite(reader: Reader, node: Any, where: str) -> None:
    """No number anywhere may be nan or infinite: every comparison with it would be false."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            _finite(reader, value, f"{where}.{key}" if where else str(key))
    elif isinstance(node, list):
        for i, value in enumerate(node):
            _finite(reader, value, f"{where}[{i}]")
    elif isinstance(node, float) and not math.isfinite(node):
        reader.refuse(where, "must be a finite number", str(node))


def _agree(reader: Reader, spec: RunSpec) -> None:
    """Check what only several fields together, or the folders on disk, can tell."""
    corpus, access = spec.corpus, spec.access
    if (corpus.path is None) == (corpus.name is None):
        reader.refuse("corpus", "needs exactly one of path and name")
    if access.path is not None and access.name is not None:
        reader.refuse("access", "takes a path or a name, not both")
    worlds = known_worlds()
    for where, path, name in (
        ("corpus", corpus.path, corpus.name),
        ("access", access.path, access.name),
    ):
        if path is not None and not Path(path).expanduser().exists():
            reader.refuse(f"{where}.path", "does not exist", path)
        if name is not None and name not in worlds:
            reader.refuse(f"{where}.name", "is not shipped", f"'{name}'", nearest(name, worlds))
    beside_it = access.kind == "directory" and access.path is None and access.name is None
    if beside_it and corpus.path is not None:
        beside = Path(corpus.path).expanduser().absolute().parent / "directory.json"
        if not beside.is_file():
            way_out = "put it there, or name it: access=directory access.path=…"
            reader.refuse("access", f"there is no {beside}", "", way_out)
    _samples(reader, spec)
    payloads = spec.payloads
    if payloads.path is not None and not Path(payloads.path).expanduser().is_file():
        reader.refuse("payloads.path", "is not a file", payloads.path)
    if payloads.family not in known_families():
        way_out = nearest(payloads.family, known_families())
        reader.refuse("payloads.family", "is not there", payloads.family, way_out)
    if spec.now and spec.known_at and spec.known_at > spec.now:
        way_out = "nothing can be known before it is recorded; set now or known_at"
        reader.refuse("known_at", "lies after now", spec.known_at.isoformat(), way_out)


def _samples(reader: Reader, spec: RunSpec) -> None:
    samples = spec.samples
    if samples.path is None:
        return
    if not Path(samples.path).expanduser().is_file():
        reader.refuse("samples.path", "is not a file", samples.path)
    depth = samples.depth or spec.k
    for name, part in spec.metrics.items():
        k = getattr(part.config, "k", None)
        if isinstance(k, int) and k > depth:
            way_out = f"ask for more: samples.depth={k}, or leave the metric out"
            problem = f"looks at {k} results, and {depth} are asked for"
            reader.refuse(f"metrics.{name}", problem, "", way_out)
    if not spec.metrics:
        reader.refuse("metrics", "measures nothing of the samples", "", "choose metrics=…")


def known_worlds() -> frozenset[str]:
    """Return the names of the shipped snapshots, folders of suites/worlds."""
    folder = tree("suites") / "worlds"
    return frozenset(one.name for one in folder.iterdir()) if folder.is_dir() else frozenset()


def _suites(reader: Reader, composed: Composed) -> None:
    suites = composed.values.get("suites")
    for name, node in suites.items() if isinstance(suites, Mapping) else ():
        if name not in composed.suites:
            way_out = f"choose it first: +suite={name}"
            reader.refuse(f"suites.{name}", "no file of this name was chosen", "", way_out)
        elif isinstance(node, Mapping):
            trial = Reader()  # what does not fit is reported where the whole tree is read
            where = f"suites.{name}.families"
            families = trial.record(FamilySelection, node.get("families"), where)
            if families is not REFUSED:
                _families(reader, families, where)


def _families(reader: Reader, families: FamilySelection, where: str) -> None:
    known = known_families()
    if not known:
        return
    if not families.ids:
        reader.refuse(f"{where}.ids", "selects no family", "[]", "name families, or all: ['*']")
    for i, pattern in enumerate(families.ids):
        if not any(_matches(pattern, family) for family in known):
            way_out = nearest(pattern, known)
            reader.refuse(f"{where}.ids[{i}]", "matches no family", pattern, way_out)
    if not families.severities:
        way_out = "known: critical, high, medium, low"
        reader.refuse(f"{where}.severities", "selects no family", "[]", way_out)


def _matches(pattern: str, family: str) -> bool:
    return family.startswith(pattern[:-1]) if pattern.endswith("*") else family == pattern


def known_families() -> frozenset[str]:
    return frozenset(file.stem for file in tree("suites").joinpath("families").glob("*.yaml"))


def _fault(reader: Reader, values: Mapping[str, Any]) -> None:
    fault, retriever = values.get("fault"), values.get("retriever")
    if not isinstance(fault, str):
        return
    known = known_faults()
    kind = retriever.get("kind") if isinstance(retriever, Mapping) else None
    if fault not in known:
        way_out = nearest(fault, known)
        reader.refuse("fault", "no seeded fault has this name", f"'{fault}'", way_out)
    elif kind != EMBEDDED:
        way_out = "choose retriever=bm25, dense or hybrid, or leave fault null"
        reader.refuse("fault", "is seeded in the embedded system only", f"kind {kind}", way_out)


def known_faults() -> frozenset[str]:
    """Return the names of the faults that the embedded system can be given."""
    from rageval_kit.system.faults import FAULTS

    return frozenset(FAULTS)
