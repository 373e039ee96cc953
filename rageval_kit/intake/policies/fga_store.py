"""What does an OpenFGA store file say: model, tuples, and what its author expects of them?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from rageval_kit.intake.files import read_text
from rageval_kit.intake.policies.fga_check import Answer, Relations, Tuple
from rageval_kit.intake.policies.fga_model import Model, ModelReader
from rageval_kit.intake.report import Collector
from rageval_kit.intake.yaml_text import read_yaml

Kind = Literal["check", "list_objects", "list_users"]
CONDITION = "hangs on the condition {names}, whose values only a request has"
SETS = "lists sets of people or everybody, where a directory has people"


@dataclass(frozen=True, slots=True)
class Assertion:
    """One expectation of the author; `about` is the object, the type, or the users' filter."""

    kind: Kind
    line: int
    user: str
    relation: str
    about: str
    expected: bool | frozenset[str]
    extra: tuple[Tuple, ...] = ()  # tuples of this test alone

    def __str__(self) -> str:
        if self.kind == "check":
            return f"{self.user} {self.relation} {self.about}"
        return f"{self.kind} {self.user} {self.relation} {self.about}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`agrees` None: not expressible, for the reason in `detail`; False: what was found instead."""

    assertion: Assertion
    agrees: bool | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Store:
    file: str
    model: Model
    tuples: tuple[Tuple, ...]
    assertions: tuple[Assertion, ...]
    digest: str  # of all files it is made of

    def outcomes(self) -> Iterator[Outcome]:
        """What the author's expectations come to."""
        for extra, alike in groupby(self.assertions, key=lambda one: one.extra):
            relations = Relations(self.model, (*self.tuples, *extra))
            yield from (_outcome(one, relations) for one in alike)


def _outcome(one: Assertion, relations: Relations) -> Outcome:
    if one.kind == "check":
        return _agreed(one, {one.about: relations.check(one.user, one.relation, one.about)})
    if one.kind == "list_objects":
        objects = relations.of_type(one.about)
        return _agreed(one, {o: relations.check(one.user, one.relation, o) for o in objects})
    sets = isinstance(one.expected, frozenset) and any("*" in u or "#" in u for u in one.expected)
    if sets or "#" in one.about:
        return Outcome(one, None, SETS)
    users = relations.of_type(one.about)
    return _agreed(one, {u: relations.check(u, one.relation, one.user) for u in users})


def _agreed(one: Assertion, found: Mapping[str, Answer]) -> Outcome:
    names = {name for answer in found.values() if not isinstance(answer, bool) for name in answer}
    if names:
        return Outcome(one, None, CONDITION.format(names=", ".join(sorted(names))))
    holding = frozenset(name for name, answer in found.items() if answer)
    if isinstance(one.expected, bool):
        met = bool(holding)
        return Outcome(one, met == one.expected, "" if met == one.expected else str(met).lower())
    if holding == one.expected:
        return Outcome(one, agrees=True)
    return Outcome(one, agrees=False, detail=", ".join(sorted(holding)) or "none")


def read_store(path: Path, faults: Collector) -> Store | None:
    """Read a store file and what it names; None where it has a fault, all of which are noted."""
    before = len(faults.faults)
    reading = _Reading(path, faults)
    text = reading.text(path)
    data = read_yaml(text, str(path), faults) if text is not None else None
    if not isinstance(data, dict):
        if len(faults.faults) == before:
            reading.fault(0, "", "is not a store file", "write model, tuples and tests")
        return None
    model = reading.model(data, text or "")
    tuples = reading.tuples(data, model)
    assertions = tuple(reading.assertions(data, model))
    if len(faults.faults) > before:
        return None
    digest = sha256("\n".join(reading.digests).encode()).hexdigest()
    return Store(str(path), model, tuples, assertions, digest)


@dataclass(slots=True)
class _Reading:
    path: Path
    faults: Collector
    digests: list[str] = field(default_factory=list)

    def fault(self, line: int, column: str, rule: str, way_out: str = "", met: Any = None) -> None:
        self.faults.fault(str(self.path), line, column, met, rule, way_out)

    def text(self, path: Path) -> str | None:
        text = read_text(path, self.faults)
        if text is not None:
            self.digests.append(sha256(text.encode()).hexdigest())
        return text

    def model(self, data: Mapping[Any, Any], text: str) -> Model:
        reader = ModelReader(self.faults)
        inline, named = data.get("model"), data.get("model_file")
        if isinstance(inline, str):
            head = text[: text.find("\nmodel:") + 1] if not text.startswith("model:") else ""
            reader.read(inline, str(self.path), head.count("\n") + 2)
        elif isinstance(named, str):
            self._file(self.path.parent / named, reader)
        else:
            self.fault(1, "", "has no model", "write model, or model_file")
        return reader.model()

    def _file(self, path: Path, reader: ModelReader) -> None:
        text = self.text(path)
        if text is None:
            return
        if path.suffix != ".mod":
            reader.read(text, str(path))
            return
        manifest = read_yaml(text, str(path), self.faults)
        contents = manifest.get("contents") if isinstance(manifest, dict) else None
        if not isinstance(contents, list):
            self.faults.fault(str(path), 0, "contents", None, "names no files", "list the modules")
            return
        for name in contents:
            module = self.text(path.parent / str(name))
            if module is not None:
                reader.read(module, str(path.parent / str(name)))

    def tuples(self, data: Mapping[Any, Any], model: Model) -> tuple[Tuple, ...]:
        found = []
        for name in [data.get("tuple_file"), *_list(data.get("tuple_files"))]:
            if isinstance(name, str):
                path = self.path.parent / name
                text = self.text(path)
                rows = read_yaml(text, str(path), self.faults) if text is not None else None
                found += self._tuples(rows, model, str(path))
        found += self._tuples(data.get("tuples"), model, str(self.path))
        seen: dict[tuple[str, str, str], Tuple] = {}
        for one in found:
            other = seen.setdefault((one.user, one.relation, one.object), one)
            if other is not one:
                same = other.condition == one.condition
                rule = "repeats" if same else "contradicts, by its condition,"
                rule += f" the tuple of line {other.line}"
                self.faults.fault(one.file, one.line, "", _shown(one), rule, "keep one of the two")
        return tuple(found)

    def _tuples(self, rows: Any, model: Model, file: str) -> list[Tuple]:
        found = []
        for row in _list(rows):
            line = row.get(None, 0) if isinstance(row, dict) else 0
            user, relation, name = [row.get(k) if isinstance(row, dict) else None for k in _TUPLE]
            if not (isinstance(user, str) and isinstance(relation, str) and isinstance(name, str)):
                rule = f"a tuple needs {', '.join(_TUPLE)}"
                self.faults.fault(file, line, "tuples", None, rule, "")
                continue
            condition = row.get("condition")
            named = str(condition.get("name") or "") if isinstance(condition, dict) else ""
            one = Tuple(user, relation, name, named, file, line)
            problem = _not_allowed(one, model)
            if problem:
                self.faults.fault(file, line, "", _shown(one), problem, "mend it, or the model")
            else:
                found.append(one)
        return found

    def assertions(self, data: Mapping[Any, Any], model: Model) -> Iterator[Assertion]:
        for test in _list(data.get("tests")):
            if not isinstance(test, dict):
                self.fault(0, "tests", "is not a test", "write name, check, list_objects")
                continue
            extra = tuple(self._tuples(test.get("tuples"), model, str(self.path)))
            for row in _list(test.get("check")):
                yield from self._checks(row, extra, model)
            for row in _list(test.get("list_objects")):
                yield from self._lists(row, extra, "list_objects", ("user", "type"), model)
            for row in _list(test.get("list_users")):
                yield from self._lists(row, extra, "list_users", ("object", "user_filter"), model)

    def _checks(self, row: Any, extra: tuple[Tuple, ...], model: Model) -> Iterator[Assertion]:
        line, users, objects = _of(row)
        for relation, value in self._expected(row, line):
            expected = {"true": True, "false": False}.get(str(value).lower())
            if expected is None or not users or not objects:
                rule = "a check needs users, objects and true or false"
                self.fault(line, f"check {relation}", rule, "", value)
                continue
            for user in users:
                for about in objects:
                    kind = about.partition(":")[0]
                    if relation not in model.types.get(kind, {}):
                        rule = f"the type {kind!r} has no relation {relation!r}"
                        self.fault(line, "check", rule, "mend the name")
                    yield Assertion("check", line, user, relation, about, expected, extra)

    def _lists(
        self,
        row: Any,
        extra: tuple[Tuple, ...],
        kind: Literal["list_objects", "list_users"],
        keys: tuple[str, str],
        model: Model,
    ) -> Iterator[Assertion]:
        line = row.get(None, 0) if isinstance(row, dict) else 0
        who, about = (row.get(key) if isinstance(row, dict) else None for key in keys)
        if kind == "list_users":
            about = _filter(about)
        if not (isinstance(who, str) and isinstance(about, str)):
            self.fault(line, kind, f"needs {keys[0]} and one {keys[1]}")
            return
        for relation, value in self._expected(row, line):
            listed = value.get("users") if isinstance(value, dict) else value
            objects = about if kind == "list_objects" else who.partition(":")[0]
            if relation not in model.types.get(objects, {}):
                rule = f"the type {objects!r} has no relation {relation!r}"
                self.fault(line, kind, rule, "mend the name")
            names = frozenset(str(one) for one in _list(listed))
            yield Assertion(kind, line, who, relation, about, names, extra)

    def _expected(self, row: Any, line: int) -> Iterator[tuple[str, Any]]:
        stated = row.get("assertions") if isinstance(row, dict) else None
        if not isinstance(stated, dict):
            self.fault(line, "assertions", "are missing", "write relation: true or false")
            return
        for relation, value in stated.items():
            if relation is not None:
                yield relation, value


_TUPLE = ("user", "relation", "object")


def _of(row: Any) -> tuple[int, list[str], list[str]]:
    """The line of a row, and its users and objects, written one by one or as lists."""
    if not isinstance(row, dict):
        return 0, [], []
    users, objects = (
        [str(name) for name in ([row[one]] if row.get(one) else _list(row.get(f"{one}s")))]
        for one in ("user", "object")
    )
    return int(row.get(None, 0)), users, objects


def _filter(value: Any) -> str | None:
    """`type` or `type#relation` of the one filter that a list of users must have."""
    rows = _list(value)
    if len(rows) != 1 or not isinstance(rows[0], dict) or not isinstance(rows[0].get("type"), str):
        return None
    relation = rows[0].get("relation")
    return f"{rows[0]['type']}#{relation}" if relation else str(rows[0]["type"])


def _not_allowed(one: Tuple, model: Model) -> str:
    """Why the model does not take this tuple; '' where it does."""
    kind, _, name = one.object.partition(":")
    if not name or kind not in model.types:
        return f"there is no type {kind!r}" if name else "the object is not type:id"
    if one.relation not in model.types[kind]:
        return f"the type {kind!r} has no relation {one.relation!r}"
    holder, _, relation = one.user.partition("#")
    user_kind, _, user_name = holder.partition(":")
    for allowed in model.direct(kind, one.relation):
        if (
            user_name
            and allowed.type == user_kind
            and allowed.relation == relation
            and allowed.everybody == (user_name == "*")
            and allowed.condition == one.condition
        ):
            return ""
    return f"the model does not let {one.user!r} stand in {kind}#{one.relation}" + (
        f" with condition {one.condition!r}" if one.condition else ""
    )


def _shown(one: Tuple) -> str:
    return f"{one.user} {one.relation} {one.object}"


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
