"""What does a person say about their PostgreSQL: how to reach it, as whom, and what is in it?"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rageval_kit.records.faults import Fault, InputError

PLACEHOLDERS = frozenset({"principal", "tenant", "now", "as_of", "known_at"})
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_TABLE = re.compile(rf"(?:{_NAME.pattern}\.)?{_NAME.pattern}")
_SETTING = re.compile(rf"{_NAME.pattern}\.{_NAME.pattern}")
_PLACEHOLDER = re.compile(r"\$([a-z_]+)")


@dataclass(frozen=True)
class TableMap:
    """A table that is there already, with policies of its own.

    `settings` are made for each question, for its transaction alone; `$principal`, `$tenant`,
    `$now`, `$as_of` and `$known_at` may stand in them.
    """

    name: str
    id_column: str = "id"
    text_column: str = "text"
    settings: Mapping[str, str] = field(default_factory=dict)

    def faults(self) -> Iterator[Fault]:
        plain = "write a plain name in lower case"
        if not _TABLE.fullmatch(self.name):
            yield Fault("table.name", "is no name of a table", repr(self.name), plain)
        for column in ("id_column", "text_column"):
            if not _NAME.fullmatch(getattr(self, column)):
                met = repr(getattr(self, column))
                yield Fault(f"table.{column}", "is no name of a column", met, plain)
        for name, value in self.settings.items():
            if not _SETTING.fullmatch(name):
                way_out = "write a prefix, a point and a name, as in app.user_id"
                yield Fault("table.settings", "is no name of a setting", repr(name), way_out)
            for word in _PLACEHOLDER.findall(value):
                if word not in PLACEHOLDERS:
                    known = ", ".join(f"${one}" for one in sorted(PLACEHOLDERS))
                    where = f"table.settings.{name}"
                    yield Fault(where, "has an unknown placeholder", f"${word}", f"known: {known}")

    def filled(self, values: Mapping[str, str]) -> dict[str, str]:
        return {
            name: _PLACEHOLDER.sub(lambda found: values[found[1]], text)
            for name, text in self.settings.items()
        }


@dataclass(frozen=True)
class PgvectorConfig:
    """`dsn` reaches the database as whoever searches; `admin_dsn` as whoever loads, if another.

    `load`: the kit lays the world into `schema`, which it drops again when it is done; otherwise
    `table` says what is there. `role`: what a session becomes by SET ROLE before it asks anything;
    null asks as the login itself. `rls`: off, on (the table's owner and superusers pass it by) or
    force (superusers alone do). `session_setting`: whether a session says who asks.
    """

    dsn: str = field(repr=False)
    admin_dsn: str | None = field(default=None, repr=False)
    load: bool = True
    schema: str = "rageval_kit"
    table: TableMap | None = None
    role: str | None = "rageval_reader"
    rls: Literal["off", "on", "force"] = "on"
    require_rls: bool = True
    session_setting: bool = True
    index: Literal["none", "hnsw", "ivfflat"] = "none"
    iterative_scan: Literal["off", "strict_order", "relaxed_order"] = "off"
    ef_search: int = field(default=40, metadata={"min": 1, "max": 1000})
    lists: int = field(default=20, metadata={"min": 1, "max": 32768})
    probes: int = field(default=1, metadata={"min": 1, "max": 32768})
    dimensions: int = field(default=384, metadata={"min": 8, "max": 2000})
    concurrency: int = field(default=4, metadata={"min": 1, "max": 64})
    connect_timeout_s: int = field(default=5, metadata={"min": 1})
    statement_timeout_s: float = field(default=30.0, metadata={"min": 0.01})

    def __post_init__(self) -> None:
        faults = list(self._faults())
        if faults:
            raise InputError(faults)

    @property
    def admin(self) -> str:
        return self.admin_dsn or self.dsn

    def _faults(self) -> Iterator[Fault]:
        for name, given in (("schema", self.schema), ("role", self.role)):
            if given is not None and not _NAME.fullmatch(given):
                yield Fault(name, "is no plain name", repr(given), "use a-z, 0-9 and _")
        if self.table is not None:
            yield from self.table.faults()
        if self.load == (self.table is not None):
            way_out = "set load: false and map your table, or leave table null and have it loaded"
            yield Fault("table", "is needed without load, and only then", "", way_out)
        if self.load and self.rls == "off" and self.require_rls:
            way_out = "set rls: on, or require_rls: false to see what happens without it"
            yield Fault("rls", "is off while require_rls wants it", "off", way_out)
        if self.iterative_scan == "strict_order" and self.index == "ivfflat":
            way_out = "an ivfflat index knows relaxed_order only"
            yield Fault("iterative_scan", "is not known to this index", "strict_order", way_out)
