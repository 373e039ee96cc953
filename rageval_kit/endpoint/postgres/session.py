"""How is one question asked of PostgreSQL, as whom, and with what said to its session?"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rageval_kit.endpoint.postgres.config import PgvectorConfig
from rageval_kit.endpoint.postgres.connection import Pool, connected, settings, told
from rageval_kit.endpoint.postgres.schema import extension_schema
from rageval_kit.records.faults import TargetError

if TYPE_CHECKING:
    from psycopg import Connection

# An index is taken whatever the planner thinks of a small table; exact leaves it out.
_APPROXIMATE = (("enable_seqscan", "off"), ("enable_sort", "off"))
_EXACT = (("enable_indexscan", "off"),)


class AskError(Exception):
    """The class and the words of a failure, for the response."""

    def __init__(self, error: str, detail: str) -> None:
        self.error = error
        self.detail = detail
        super().__init__(detail)


class Sessions:
    """Connections of whoever searches. Calls may come from several threads."""

    def __init__(self, config: PgvectorConfig) -> None:
        self._config = config
        self._pool = Pool(self._open, config.concurrency)

    def check(self, table: str) -> str:
        """Whose sessions these are; TargetError where the table is not as the suite requires."""
        import psycopg

        try:
            with self._pool.connection() as connection:
                found = connection.execute(
                    "SELECT relrowsecurity, relforcerowsecurity, current_user, session_user, "
                    "rolsuper, rolbypassrls, relowner = pg_roles.oid "
                    "FROM pg_class CROSS JOIN pg_roles "
                    "WHERE pg_class.oid = to_regclass(%s) AND rolname = current_user",
                    [table],
                ).fetchone()
        except psycopg.Error as error:
            raise TargetError(f"the table {table!r} cannot be looked at: {told(error)}") from None
        if found is None:
            raise TargetError(
                f"there is no table {table!r} for this login; correct retriever.table.name, "
                "or let its role use the schema"
            )
        enabled, forced, user, login, superuser, bypasses, owner = found
        if not enabled and self._config.require_rls:
            raise TargetError(
                f"the table {table!r} has no row-level security, and retriever.require_rls is set; "
                f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY, or set require_rls: false to see "
                "what happens without it"
            )
        notes = [
            note
            for note, holds in (
                ("superuser", superuser),
                ("bypasses row-level security", bypasses),
                ("owner of the table", owner),
            )
            if holds
        ]
        policy = "forced" if enabled and forced else "on" if enabled else "off"
        as_whom = user if user == login else f"{user}, logged in as {login}"
        return f"{as_whom}{''.join(f', {note}' for note in notes)}; row-level security {policy}"

    def ask(
        self,
        said: Mapping[str, str],
        statement: str,
        values: Sequence[Any],
        *,
        exact: bool | None = None,
    ) -> list[tuple[Any, ...]]:
        """The rows, in a transaction that knows of `said`; AskError where there are none to be had.

        `exact` None leaves it to the planner how the rows are found.
        """
        import psycopg

        ways = {None: (), False: _APPROXIMATE, True: _EXACT}[exact]
        try:
            with self._pool.connection() as connection, connection.transaction():
                settings(connection, [*said.items(), *ways])
                return connection.execute(statement.encode(), values).fetchall()
        except psycopg.errors.QueryCanceled as error:
            raise AskError("timeout", told(error)) from None
        except psycopg.Error as error:
            lost = isinstance(error, psycopg.OperationalError)
            raise AskError("connect" if lost else "database", told(error)) from None
        except TargetError as error:
            raise AskError("unreachable", str(error)) from None

    def close(self) -> None:
        self._pool.close()

    def _open(self) -> "Connection[Any]":
        """A session that has become its role, and never speaks as its login."""
        import psycopg

        config = self._config
        connection = connected(config.dsn, config.connect_timeout_s)
        try:
            if config.load:
                path = f"{config.schema}, {extension_schema(connection)}"
                connection.execute(f"SET search_path TO {path}".encode())
            timeout = str(int(config.statement_timeout_s * 1000))
            # Compiling a query takes longer than answering it here.
            values = {"statement_timeout": timeout, "jit": "off", **self._index()}
            for name, value in values.items():
                connection.execute("SELECT set_config(%s, %s, false)", [name, value])
            if config.role is not None:
                connection.execute(f"SET ROLE {config.role}".encode())
        except psycopg.Error as error:
            connection.close()
            raise TargetError(
                f"a session could not be made as retriever.role {config.role!r} wants it: "
                f"{told(error)}"
            ) from None
        return connection

    def _index(self) -> Mapping[str, str]:
        config = self._config
        if config.index == "hnsw":
            return {
                "hnsw.ef_search": str(config.ef_search),
                "hnsw.iterative_scan": config.iterative_scan,
            }
        if config.index == "ivfflat":
            return {
                "ivfflat.probes": str(config.probes),
                "ivfflat.iterative_scan": config.iterative_scan,
            }
        return {}
