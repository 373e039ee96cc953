"""Does a plain tree of configuration fit a dataclass, and if not, what are all its faults?"""

import dataclasses
import difflib
import math
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any, Literal, Union

from rageval_kit.records.faults import Fault, InputError


class _Refused:
    """Stands for a value that had a fault; never leaves this module's `read`."""


REFUSED = _Refused()


_LISTED = 40  # more than any group of choices has; a run has hundreds of cases
_FEW = 5


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``did you mean 'x'?``, or what is known when nothing is near: of many, a few."""
    names = sorted(set(known))
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f"did you mean '{near[0]}'?"
    if len(names) > _LISTED:
        few = difflib.get_close_matches(name, names, n=_FEW, cutoff=0.0)
        return f"the nearest of {len(names):,}: {', '.join(few)}"
    return f"known: {', '.join(names)}" if names else "nothing is known here"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a scalar was written, and how: `raw` is the text before YAML made a value of it."""

    file: str
    line: int
    raw: str


@dataclass(slots=True)
class Reader:
    """Reads one composed tree and gathers faults.

    `places` says where each dotted key was last written; `typed` holds what was typed on the
    command line, where a text field takes the characters as they stand (`run_id=0042`).
    """

    places: Mapping[str, Place] = field(default_factory=dict)
    typed: Mapping[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def refuse(self, where: str, problem: str, met: str = "", way_out: str = "") -> _Refused:
        place = None if self._is_typed(where) else self.places.get(where)
        if place is not None:
            met = place.raw if met else met
            where = f"{place.file}:{place.line}: {where}"
        self.faults.append(Fault(where, problem, met, way_out))
        return REFUSED

    def _is_typed(self, where: str) -> bool:
        return any(where == key or where.startswith((f"{key}[", f"{key}.")) for key in self.typed)

    def read(  # noqa: PLR0911 - one return for each shape a field can have
        self, want: Any, value: Any, where: str, limits: Mapping[str, Any]
    ) -> Any:
        """Return `value` as `want`, or REFUSED with at least one fault noted."""
        if want is Any or want is object:
            return value
        if typing.get_origin(want) in (Union, types.UnionType):
            return self._union(want, value, where, limits)
        if dataclasses.is_dataclass(want) and isinstance(want, type):
            return self.record(want, value, where)
        origin = typing.get_origin(want)
        if origin is Literal:
            return self._choice(typing.get_args(want), value, where)
        if origin in (tuple, list, frozenset):
            return self._many(want, value, where, limits)
        if origin is not None and issubclass(origin, Mapping):
            return self._mapping(typing.get_args(want)[1], value, where, limits)
        if isinstance(want, type) and issubclass(want, Enum):
            chosen = self._choice([member.value for member in want], value, where)
            return chosen if chosen is REFUSED else want(chosen)
        return self._scalar(want, value, where, limits)

    def record(self, cls: type, value: Any, where: str, skip: frozenset[str] = frozenset()) -> Any:
        """Read a mapping as the dataclass `cls`; keys in `skip` are left to somebody else."""
        if not isinstance(value, Mapping):
            return self.refuse(where, "must hold keys and values", _shown(value))
        hints = typing.get_type_hints(cls)
        fields = {f.name: f for f in dataclasses.fields(cls) if f.init}
        known = set(fields) | skip
        good = True
        for key in value:
            if key not in known:
                self.unknown(_join(where, str(key)), str(key), known)
                good = False
        made: dict[str, Any] = {}
        for name, one in fields.items():
            if name in skip:
                continue
            if name not in value:
                if _required(one):
                    self.refuse(_join(where, name), "is missing")
                    good = False
                continue
            read = self.read(hints[name], value[name], _join(where, name), one.metadata)
            good = good and read is not REFUSED
            made[name] = read
        return self._made(cls, made, where) if good else REFUSED

    def unknown(self, where: str, name: str, known: Iterable[str]) -> None:
        self.refuse(where, "is not a key of this configuration", "", nearest(name, known))

    def _made(self, cls: type, made: dict[str, Any], where: str) -> Any:
        try:
            return cls(**made)
        except InputError as error:  # the dataclass checks its fields against one another
            self.faults.extend(
                dataclasses.replace(fault, where=_join(where, fault.where))
                for fault in error.faults
            )
        except ValueError as error:
            self.refuse(where, str(error))
        return REFUSED

    def _union(self, want: Any, value: Any, where: str, limits: Mapping[str, Any]) -> Any:
        options = typing.get_args(want)
        if value is None:
            if type(None) in options:
                return None
            return self.refuse(where, "must have a value", "null")
        rest = [option for option in options if option is not type(None)]
        for option in rest[:-1]:  # the first that fits; only the last may complain
            trial = Reader(self.places, self.typed)
            read = trial.read(option, value, where, limits)
            if not trial.faults:
                return read
        return self.read(rest[-1], value, where, limits)

    def _choice(self, options: Iterable[Any], value: Any, where: str) -> Any:
        known = list(options)
        if value in known and not isinstance(value, bool):
            return value
        way_out = nearest(str(value), [str(one) for one in known])
        return self.refuse(where, "is not one of the choices", _shown(value), way_out)

    def _many(self, want: Any, value: Any, where: str, limits: Mapping[str, Any]) -> Any:
        if not isinstance(value, list | tuple):
            way_out = f"write {where}=[{value}]" if isinstance(value, str | int | float) else ""
            return self.refuse(where, "must be a list", _shown(value), way_out)
        item = typing.get_args(want)[0]
        read = [self.read(item, one, f"{where}[{i}]", limits) for i, one in enumerate(value)]
        if REFUSED in read:
            return REFUSED
        origin: Callable[[list[Any]], Any] = typing.get_origin(want)
        return origin(read)

    def _mapping(self, item: Any, value: Any, where: str, limits: Mapping[str, Any]) -> Any:
        if not isinstance(value, Mapping):
            return self.refuse(where, "must hold keys and values", _shown(value))
        read = {
            str(key): self.read(item, one, _join(where, str(key)), limits)
            for key, one in value.items()
        }
        return REFUSED if REFUSED in read.values() else read

    def _scalar(  # noqa: PLR0911 - one return for each kind of scalar
        self, want: Any, value: Any, where: str, limits: Mapping[str, Any]
    ) -> Any:
        if want is str:
            return self._text(value, where)
        if want is datetime:
            return self._instant(value, where)
        if want is bool:
            if isinstance(value, bool):
                return value
            return self.refuse(where, "must be true or false", _shown(value))
        if want not in (int, float):
            return self.refuse(where, f"has a type no configuration can hold: {want}")
        if isinstance(value, bool) or not isinstance(value, int | float):
            noun = "a whole number" if want is int else "a number"
            return self.refuse(where, f"must be {noun}", _shown(value))
        return self._number(want, value, where, limits)

    def _text(self, value: Any, where: str) -> Any:
        if isinstance(value, str):
            return value
        if where in self.typed and isinstance(value, bool | int | float):
            return self.typed[where]
        if value is None:
            return self.refuse(where, "must be text", "null")
        if isinstance(value, bool | int | float):
            raw = self.places[where].raw if where in self.places else str(value)
            read_as = _yaml_word(value)
            return self.refuse(
                where, f"must be text, but YAML reads it as {read_as}", raw, f'add quotes: "{raw}"'
            )
        return self.refuse(where, "must be text", _shown(value))

    def _instant(self, value: Any, where: str) -> Any:
        text = self._text(value, where)
        if text is REFUSED:
            return REFUSED
        try:
            instant = datetime.fromisoformat(text)
        except ValueError:
            way_out = "write an instant such as 2026-11-30T08:15:00+00:00"
            return self.refuse(where, "is not an ISO 8601 instant", text, way_out)
        if instant.tzinfo is None:
            way_out = f"add the zone, as in {instant.isoformat()}+00:00"
            return self.refuse(where, "has no time zone", text, way_out)
        return instant

    def _number(
        self, want: type, value: float, where: str, limits: Mapping[str, Any]
    ) -> float | _Refused:
        if not math.isfinite(value):
            return self.refuse(where, "must be a finite number", _shown(value))
        if want is int and not isinstance(value, int):
            return self.refuse(where, "must be a whole number", _shown(value))
        low, high = limits.get("min"), limits.get("max")
        if (low is not None and value < low) or (high is not None and value > high):
            span = f"at least {low}" if high is None else f"from {low} to {high}"
            return self.refuse(where, f"must be {span}", _shown(value))
        made: float = want(value)
        return made


def _required(one: "dataclasses.Field[Any]") -> bool:
    return one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _shown(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "keys " + ", ".join(map(str, value))
    return str(value) if not isinstance(value, str) else f"'{value}'"


def _yaml_word(value: object) -> str:
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    return f"the number {value}"
