"""How is a schema of the kit's own made, filled, followed and dropped again?"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rageval_kit.endpoint.postgres.config import PgvectorConfig
from rageval_kit.endpoint.postgres.connection import connected, told
from rageval_kit.endpoint.postgres.rows import OWNED, Row, differences, rows_of
from rageval_kit.records.faults import TargetError
from rageval_kit.records.target import Indexed
from rageval_kit.records.world import World

if TYPE_CHECKING:
    from psycopg import Connection, Cursor

MARK = "made by rageval-kit; dropped and made anew by its next run"
_INDEX = {
    "none": "",
    "hnsw": "CREATE INDEX ON chunks USING hnsw (embedding vector_cosine_ops)",
    "ivfflat": "CREATE INDEX ON chunks USING ivfflat (embedding vector_cosine_ops) "
    "WITH (lists = {lists})",
}


def extension_schema(connection: "Connection[Any]") -> str:
    """Where pgvector lives in this database; TargetError where it does not."""
    found = connection.execute(
        "SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace "
        "WHERE extname = 'vector'"
    ).fetchone()
    if found is None:
        name = connection.info.dbname
        raise TargetError(
            f"database {name!r} lacks the extension vector; "
            "have a superuser run CREATE EXTENSION vector there"
        )
    return str(found[0])


class Schema:
    """One administrator's connection. Whoever else wants the same schema meanwhile is refused."""

    def __init__(self, config: PgvectorConfig) -> None:
        self._config = config
        self._connection = connected(config.admin, config.connect_timeout_s)
        self._ours = False  # until the schema is known to be the kit's, nothing is dropped
        self._made_role = False

    def make(self, world: World, chunks: Iterable[Row]) -> None:
        """The tables, filled, indexed and under policy; TargetError says what was not to be had."""
        import psycopg

        config, connection = self._config, self._connection
        vectors = extension_schema(connection)
        try:
            self._claim()
            connection.execute(f"SET search_path TO {config.schema}, {vectors}")
            rule = files(__package__).joinpath("rule.sql").read_text("utf-8")
            with connection.transaction():
                connection.execute(rule.replace("{dimensions}", str(config.dimensions)).encode())
                with connection.cursor() as cursor:
                    _copy(cursor, rows_of(world))
                    _copy(cursor, (("chunks", row) for row in chunks))
                connection.execute(_INDEX[config.index].format(lists=config.lists).encode())
                self._grant()
                if config.rls != "off":
                    connection.execute("ALTER TABLE chunks ENABLE ROW LEVEL SECURITY")
                self._force(on=config.rls == "force")
            connection.execute("ANALYZE")
        except psycopg.Error as error:
            raise TargetError(
                f"schema {config.schema!r} could not be made: {told(error)}"
            ) from None

    def _claim(self) -> None:
        name, connection = self._config.schema, self._connection
        held = connection.execute(
            "SELECT pg_try_advisory_lock(hashtextextended('rageval-kit ' || %s, 0))", [name]
        ).fetchone()
        if not (held and held[0]):
            raise TargetError(
                f"another run holds the schema {name!r}; wait for it, or set retriever.schema"
            )
        found = connection.execute(
            "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = %s",
            [name],
        ).fetchone()
        if found is not None and found[0] != MARK:
            raise TargetError(
                f"there is a schema {name!r} that the kit did not make; set retriever.schema to "
                "a name that is free"
            )
        self._ours = True
        connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE".encode())
        connection.execute(f"CREATE SCHEMA {name}".encode())
        connection.execute(f"COMMENT ON SCHEMA {name} IS '{MARK}'".encode())

    def _grant(self) -> None:
        """The plain role may read `chunks`, under its policy, and nothing else."""
        config, connection = self._config, self._connection
        if config.role is not None:
            known = connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [config.role])
            if known.fetchone() is None:
                connection.execute(f"CREATE ROLE {config.role}".encode())
                self._made_role = True
            reader = config.role
        else:
            reader = "PUBLIC"
        connection.execute(f"GRANT USAGE ON SCHEMA {config.schema} TO {reader}".encode())
        connection.execute(f"GRANT SELECT ON chunks TO {reader}".encode())

    def _force(self, *, on: bool) -> None:
        self._connection.execute(
            f"ALTER TABLE chunks {'' if on else 'NO '}FORCE ROW LEVEL SECURITY"
        )

    @contextmanager
    def _writing(self) -> Iterator["Cursor[Any]"]:
        """One transaction; an owner whom the policy binds is let through for its length."""
        forced = self._config.rls == "force"
        with self._connection.transaction(), self._connection.cursor() as cursor:
            if forced:
                self._force(on=False)
            yield cursor
            if forced:
                self._force(on=True)

    def follow(
        self, before: World, after: World, gone: Sequence[str], chunks: Sequence[Row]
    ) -> None:
        """The rows of what differs; `gone`: ids of chunks that are taken out."""
        with self._writing() as cursor:
            for found in differences(before, after):
                owned = OWNED[found.name]
                for table, where in owned.tables:
                    if found.gone:
                        cursor.executemany(
                            f"DELETE FROM {table} WHERE {where}".encode(),  # noqa: S608 - of OWNED
                            [(key,) for key in found.gone],
                        )
                new = (row for one in found.new for row in owned.rows(one, after.policy))
                _copy(cursor, new)
            if gone:
                cursor.execute("DELETE FROM chunks WHERE chunk_id = ANY(%s)", [list(gone)])
            _copy(cursor, (("chunks", row) for row in chunks))

    def stamp(self, model: str, at: datetime | None) -> None:
        """Everything is indexed anew."""
        with self._writing() as cursor:
            cursor.execute("UPDATE chunks SET model = %s, indexed_at = %s", [model, at])

    def inventory(self) -> list[Indexed]:
        with self._writing() as cursor:
            found = cursor.execute(
                "SELECT chunk_id, version_id, text, model, indexed_at FROM chunks ORDER BY chunk_id"
            ).fetchall()
        return [
            Indexed(one, version, _digest(text), model, at)
            for one, version, text, model, at in found
        ]

    def close(self) -> None:
        import psycopg

        try:
            if self._ours:
                drop = f"DROP SCHEMA IF EXISTS {self._config.schema} CASCADE"
                self._connection.execute(drop.encode())
            if self._made_role:
                self._connection.execute(f"DROP ROLE {self._config.role}".encode())
            # A closed connection is gone for the server some time later; the next run is now.
            self._connection.execute("SELECT pg_advisory_unlock_all()")
        except psycopg.Error:
            pass  # a server that is gone has nothing to be dropped; else the next run drops it
        finally:
            self._connection.close()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _copy(cursor: "Cursor[Any]", rows: Iterable[tuple[str, Row]]) -> None:
    by_table: dict[str, list[Row]] = defaultdict(list)
    for table, row in rows:
        by_table[table].append(row)
    for table, some in by_table.items():
        with cursor.copy(f"COPY {table} FROM STDIN".encode()) as copy:
            for row in some:
                copy.write_row(row)
