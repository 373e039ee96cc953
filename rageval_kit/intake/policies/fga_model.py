"""What relations does an OpenFGA model define, and by which rules does one follow from another?

The modelling language of schema 1.1 and 1.2: types, direct relations with their type restrictions
(also `:*`, `#relation`, `with condition`), `or`, `and`, `but not`, `x from y`, modules with
`extend type`. Bodies of conditions are read over: they need values that only a request has.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rageval_kit.intake.report import Collector

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")
_TOKEN = re.compile(r"[\[\](),:#*{}]|[^\s\[\](),:#*{}]+")
_NAME = re.compile(r"[^\s\[\](),:#*{}@]{1,254}")
_SCHEMAS = ("1.1", "1.2")
_OPERATORS = ("or", "and", "but")
_TOP = ("model", "module", "type", "extend", "condition")
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Restriction:
    """Who may stand in a tuple: a type, everybody of it, or those in a relation to one of it."""

    type: str
    relation: str = ""
    everybody: bool = False
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Direct:
    allowed: tuple[Restriction, ...]


@dataclass(frozen=True, slots=True)
class Same:
    """Whoever has another relation to the same object."""

    relation: str


@dataclass(frozen=True, slots=True)
class Through:
    """Whoever has `relation` to an object that `via` names."""

    relation: str
    via: str


@dataclass(frozen=True, slots=True)
class Any:
    parts: tuple["Rule", ...]


@dataclass(frozen=True, slots=True)
class All:
    parts: tuple["Rule", ...]


@dataclass(frozen=True, slots=True)
class Except:
    base: "Rule"
    less: "Rule"


Rule = Direct | Same | Through | Any | All | Except


@dataclass(frozen=True, slots=True)
class Model:
    """`types` by name: the rule of each relation."""

    types: Mapping[str, Mapping[str, Rule]]
    conditions: frozenset[str] = frozenset()

    def direct(self, type_name: str, relation: str) -> tuple[Restriction, ...]:
        """Who may be named in a tuple of this relation."""
        rule = self.types.get(type_name, {}).get(relation)
        return tuple(r for one in _leaves(rule) if isinstance(one, Direct) for r in one.allowed)


@dataclass(slots=True)
class ModelReader:
    """Reads one file after another into one model; every fault with file and line."""

    faults: Collector
    types: dict[str, dict[str, Rule]] = field(default_factory=dict)
    conditions: set[str] = field(default_factory=set)
    places: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)
    extended: list[tuple[str, str, int]] = field(default_factory=list)

    def read(self, text: str, file: str, first_line: int = 1) -> None:
        _Parser(self, file, _tokens(text, first_line)).read()

    def model(self) -> Model:
        """The whole, once every name in it is known to be defined."""
        for name, file, line in self.extended:
            if name not in self.defined:
                self.faults.fault(file, line, "extend", name, "there is no such type", "define it")
        model = Model(self.types, frozenset(self.conditions))
        for (type_name, relation), (file, line) in self.places.items():
            for one in _leaves(self.types[type_name][relation]):
                for problem in _dangling(one, type_name, model):
                    where = f"{type_name}.{relation}"
                    self.faults.fault(file, line, where, None, problem, "define it, or leave out")
        return model


def _dangling(rule: Rule, type_name: str, model: Model) -> Iterator[str]:
    """Names in a rule that are defined nowhere, in words."""
    relations = model.types[type_name]
    if isinstance(rule, Same) and rule.relation not in relations:
        yield f"there is no relation {rule.relation!r} here"
    if isinstance(rule, Through):
        beyond = [r.type for r in model.direct(type_name, rule.via)]
        if rule.via not in relations:
            yield f"there is no relation {rule.via!r} here"
        elif not isinstance(relations[rule.via], Direct):
            yield f"{rule.via!r} must be a relation of direct tuples alone to be followed"
        elif not any(rule.relation in model.types.get(one, {}) for one in beyond):
            yield f"no type that {rule.via!r} names has the relation {rule.relation!r}"
    for one in rule.allowed if isinstance(rule, Direct) else ():
        if one.type not in model.types:
            yield f"there is no type {one.type!r}"
        elif one.relation and one.relation not in model.types[one.type]:
            yield f"the type {one.type!r} has no relation {one.relation!r}"
        if one.condition and one.condition not in model.conditions:
            yield f"there is no condition {one.condition!r}"


def _leaves(rule: Rule | None) -> tuple[Rule, ...]:
    if rule is None:
        return ()
    if isinstance(rule, Any | All):
        return tuple(leaf for part in rule.parts for leaf in _leaves(part))
    if isinstance(rule, Except):
        return (*_leaves(rule.base), *_leaves(rule.less))
    return (rule,)


def _tokens(text: str, first_line: int) -> list[tuple[str, int]]:
    lines = enumerate(text.splitlines(), first_line)
    return [
        (token, number)
        for number, line in lines
        for token in _TOKEN.findall(_COMMENT.sub("", line))
    ]


class _WrongError(Exception):
    """A place that cannot be read; the parser goes on at the next definition."""


class _Parser:
    def __init__(self, reader: ModelReader, file: str, tokens: list[tuple[str, int]]) -> None:
        self.reader, self.file, self.tokens, self.at = reader, file, tokens, 0
        self.depth, self.type = 0, ""

    def read(self) -> None:
        while self.at < len(self.tokens):
            try:
                if self.type and self._peek() == "define":  # behind a relation that was wrong
                    self._relations(self.type)
                else:
                    self._top()
            except _WrongError:
                stops = (*_TOP, "define") if self.type else _TOP
                while self.at < len(self.tokens) and self._peek() not in stops:
                    self.at += 1

    def _top(self) -> None:
        word = self._next()
        if word == "model":
            self._expect("schema")
            if self._next() not in _SCHEMAS:
                self._wrong("is a schema that is not known here", f"use {' or '.join(_SCHEMAS)}")
        elif word == "module":
            self._name()
        elif word == "condition":
            self._condition()
        elif word in ("type", "extend"):
            self._type(extends=word == "extend")
        else:
            self._wrong("stands where a type, a condition or the model's head is due", "")

    def _type(self, *, extends: bool) -> None:
        if extends:
            self._expect("type")
        line = self._line()
        name = self._name()
        self.type = name
        if extends:
            self.reader.extended.append((name, self.file, line))
        elif name in self.reader.defined:
            self._wrong("the type stands twice", "keep one of the two")
        else:
            self.reader.defined.add(name)
        self.reader.types.setdefault(name, {})
        if self._peek() == "relations":
            self.at += 1
            self._relations(name)

    def _relations(self, type_name: str) -> None:
        while self._peek() == "define":
            self.at += 1
            line = self._line()
            relation = self._name()
            self._expect(":")
            self.depth = 0
            rule = self._rule()
            if relation in self.reader.types[type_name]:
                self._wrong(f"the relation {relation!r} of {type_name!r} stands twice", "")
            self.reader.types[type_name][relation] = rule
            self.reader.places[type_name, relation] = (self.file, line)

    def _rule(self) -> Rule:
        self.depth += 1
        if self.depth > _DEEPEST:
            self._wrong("nests too deeply", "flatten it")
        parts, joined = [self._operand()], ""
        while self._peek() in _OPERATORS:
            word = self._next()
            if word == "but":
                self._expect("not")
            if joined and (word != joined or word == "but"):
                self._wrong(f"mixes {joined!r} and {word!r}", "add parentheses")
            joined = word
            parts.append(self._operand())
        self.depth -= 1
        if joined == "but":
            return Except(*parts)
        if joined == "and":
            return All(tuple(parts))
        return Any(tuple(parts)) if joined else parts[0]

    def _operand(self) -> Rule:
        if self._peek() == "(":
            self.at += 1
            rule = self._rule()
            self._expect(")")
            return rule
        if self._peek() == "[":
            self.at += 1
            allowed = [self._restriction()]
            while self._peek() == ",":
                self.at += 1
                allowed.append(self._restriction())
            self._expect("]")
            return Direct(tuple(allowed))
        name = self._name()
        if self._peek() == "from":
            self.at += 1
            return Through(name, self._name())
        return Same(name)

    def _restriction(self) -> Restriction:
        kind, relation, everybody, condition = self._name(), "", False, ""
        if self._peek() == ":":
            self.at += 1
            self._expect("*")
            everybody = True
        elif self._peek() == "#":
            self.at += 1
            relation = self._name()
        if self._peek() == "with":
            self.at += 1
            condition = self._name()
        return Restriction(kind, relation, everybody, condition)

    def _condition(self) -> None:
        name = self._name()
        if name in self.reader.conditions:
            self._wrong("the condition stands twice", "keep one of the two")
        self.reader.conditions.add(name)
        self._expect("(")
        while self._next() != ")":
            pass
        self._expect("{")
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(self._next(), 0)

    def _peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def _line(self) -> int:
        return self.tokens[min(self.at, len(self.tokens) - 1)][1]

    def _next(self) -> str:
        if self.at >= len(self.tokens) or (self.type and self._peek() == "define"):
            self._wrong("ends in the middle of a definition", "finish it")
        self.at += 1
        return self.tokens[self.at - 1][0]

    def _expect(self, wanted: str) -> None:
        if self._next() != wanted:
            self._wrong(f"stands where {wanted!r} is due", "")

    def _name(self) -> str:
        name = self._next()
        if not _NAME.fullmatch(name):
            self._wrong("stands where a name is due", "")
        return name

    def _wrong(self, rule: str, way_out: str) -> None:
        """Note the fault at the token just read, and give up on this definition."""
        token, line = self.tokens[max(self.at - 1, 0)]
        self.reader.faults.fault(self.file, line, "", token, rule, way_out)
        raise _WrongError
