"""How is a PostgreSQL reached by several threads, and how is a failure told without its secrets?"""

import queue
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from rageval_kit.records.faults import InputError, TargetError

if TYPE_CHECKING:
    from psycopg import Connection

WHERE = "retriever.dsn"


def check_installed() -> None:
    try:
        import psycopg  # noqa: F401 - asked only whether it is there
    except ImportError as error:
        problem, way_out = "needs psycopg", "pip install 'rageval-kit[pg]'"
        raise InputError.one("retriever.kind", problem, "'pgvector'", way_out) from error


def check_dsn(dsn: str, where: str) -> None:
    """A text that is no connection string is refused unseen: it may be a password in disguise."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        conninfo_to_dict(dsn)
    except psycopg.ProgrammingError:
        way_out = "write postgresql://user@host/database or host=… dbname=… user=…"
        raise InputError.one(where, "is no connection string", "", way_out) from None


def told(error: Exception) -> str:
    """The class of a failure and its first sentence; libpq names hosts and users, no passwords."""
    said = str(error).strip().split("\n", maxsplit=1)[0]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def connected(dsn: str, connect_timeout_s: int) -> "Connection[Any]":
    """An autocommit connection; TargetError says who could not be reached, and why."""
    import psycopg

    try:
        return psycopg.connect(
            dsn,
            autocommit=True,
            connect_timeout=connect_timeout_s,
            application_name="rageval-kit",
            prepare_threshold=None,  # a kept plan would outlive the settings it was made under
        )
    except psycopg.Error as error:
        way_out = "start the server, or correct retriever.dsn and its credentials"
        raise TargetError(
            f"PostgreSQL cannot be reached as told by {WHERE}: {told(error)}; {way_out}"
        ) from None


class Pool:
    """At most `size` connections, made when first needed; a broken one is not taken back."""

    def __init__(self, make: Callable[[], "Connection[Any]"], size: int) -> None:
        self._make = make
        self._free: queue.LifoQueue[Connection[Any] | None] = queue.LifoQueue()
        for _ in range(size):
            self._free.put(None)

    @contextmanager
    def connection(self) -> Iterator["Connection[Any]"]:
        found = self._free.get()
        try:
            if found is None or found.closed:
                found = None
                found = self._make()
            yield found
        finally:
            self._free.put(found)

    def close(self) -> None:
        """What is out when the pool is closed is closed by whoever brings it back last."""
        with suppress(queue.Empty):
            while True:
                found = self._free.get_nowait()
                if found is not None:
                    found.close()


def settings(connection: "Connection[Any]", values: Sequence[tuple[str, str]]) -> None:
    """Set for the transaction at hand, and forgotten with it."""
    if values:
        calls = ", ".join(["set_config(%s, %s, true)"] * len(values))
        connection.execute(f"SELECT {calls}", [part for pair in values for part in pair])
