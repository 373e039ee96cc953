"""How does a PostgreSQL with pgvector and row-level security present itself as a target?"""

import json
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime

from rageval_kit.corpus.evolve import evolve
from rageval_kit.endpoint.flight import in_flight
from rageval_kit.endpoint.postgres.config import PgvectorConfig, TableMap
from rageval_kit.endpoint.postgres.connection import check_dsn, check_installed
from rageval_kit.endpoint.postgres.rows import Row
from rageval_kit.endpoint.postgres.schema import Schema
from rageval_kit.endpoint.postgres.session import AskError, Sessions
from rageval_kit.records import changes
from rageval_kit.records.changes import Change
from rageval_kit.records.faults import KitError, TargetError
from rageval_kit.records.target import (
    Caller,
    Grain,
    Indexed,
    Power,
    Request,
    Response,
    Seen,
    Stage,
)
from rageval_kit.records.world import Document, State, World
from rageval_kit.system.admission import NO_TOKENS, refused
from rageval_kit.system.embedding import Embedded, first_embedding
from rageval_kit.system.instants import state_of
from rageval_kit.system.inventory import FIRST_MODEL
from rageval_kit.system.names import exact_id
from rageval_kit.text.words import words

Config = PgvectorConfig
FOUND, NOT_FOUND = "ok", "not_found"
_UNHEARD = changes.Break | changes.Mend | changes.BeforeAnswer
_NEAREST = (
    "SELECT chunk_id, 1 - (embedding <=> %s) FROM chunks ORDER BY embedding <=> %s, chunk_id "
    "LIMIT %s"
)
_OPENED = "SELECT chunk_id, text FROM chunks WHERE chunk_id = %s"
_HOLDING = (
    "SELECT count(*) FROM (SELECT document_id FROM chunks, unnest(words) AS word "
    "WHERE word = ANY(%s) GROUP BY document_id HAVING count(DISTINCT word) = %s) AS holding"
)


class Loaded:
    """The world in a schema of the kit's own; the rule is `rule.sql`, asked by the database.

    Grain chunk. Calls may come from several threads; changes and questions do not overlap.
    """

    grain = Grain.CHUNK
    taps = frozenset({Stage.RETRIEVE, Stage.SUGGEST, Stage.CITATION, Stage.INDEX})
    powers = frozenset(Power) - {Power.DISTURB}
    scans = True
    delegates = True

    def __init__(self, config: PgvectorConfig) -> None:
        self.config = config
        self._schema: Schema | None = None
        self._sessions: Sessions | None = None
        self._whose = ""
        self._stamp: datetime | None = None

    @property
    def name(self) -> str:
        return f"pgvector (index {self.config.index})"

    def connect(self, world: World) -> None:
        self.close()
        config = self.config
        self._embedding, found = first_embedding(
            world.documents.values(), world.policy, config.dimensions
        )
        self._vectors = {one.passage.chunk_id: one for one in found}
        self._base = self._world = world
        self._model, self._stamp = FIRST_MODEL, None
        self._schema = Schema(config)
        kept = _held(world, world.documents)
        self._schema.make(world, [self._row(one) for one in found if one.passage.chunk_id in kept])
        self._sessions = Sessions(config)
        self._whose = self._sessions.check(f"{config.schema}.chunks")

    def search(self, requests: Sequence[Request]) -> list[Response]:
        return in_flight(self._search, requests, self.config.concurrency)

    def _search(self, request: Request) -> Response:
        refusal = refused(request, self._world.clock)
        if refusal is not None:
            return refusal
        vector = self._embedding.query(request.query)
        exact = request.exact or self.config.index == "none"
        text = _literal(vector.tolist())

        def ask() -> dict[Stage, Seen]:
            said = self._said(request.caller, request.as_of, request.known_at)
            values = (text, text, request.k)
            rows = self._connected().ask(said, _NEAREST, values, exact=exact)
            rows = [row for row in rows if row[1] == row[1]]  # a passage without words: nan
            ids, scores = (tuple(row[0] for row in rows), tuple(float(row[1]) for row in rows))
            return {Stage.RETRIEVE: Seen(ids, scores=scores)}

        return answered(request.request_id, ask)

    def resolve(self, handle: str, caller: Caller, as_of: datetime | None = None) -> Response:
        """Forbidden and unknown are one and the same to the database, and so here."""

        def ask() -> dict[Stage, Seen]:
            rows = self._connected().ask(self._said(caller, as_of, None), _OPENED, (handle,))
            ids, texts = tuple(row[0] for row in rows), tuple(row[1] for row in rows)
            return {Stage.CITATION: Seen(ids, texts, status=FOUND if rows else NOT_FOUND)}

        return answered("open", ask)

    def count(self, query: str, caller: Caller) -> Response:
        wanted = list(dict.fromkeys(words(query)))
        if not wanted:
            return Response("count", error=NO_TOKENS, detail="no word to count")

        def ask() -> dict[Stage, Seen]:
            said = self._said(caller, None, None)
            rows = self._connected().ask(said, _HOLDING, (wanted, len(wanted)))
            return {Stage.SUGGEST: Seen(count=rows[0][0], status=FOUND)}

        return answered("count", ask)

    def inventory(self) -> Iterator[Indexed]:
        return iter(self._made().inventory())

    def apply(self, change: Change) -> bool:
        if isinstance(change, _UNHEARD):
            return False
        try:
            after = evolve(self._world, change)
        except KitError:
            return False
        if isinstance(change, changes.Reindex | changes.Reembed):
            self._model = change.model if isinstance(change, changes.Reembed) else self._model
            self._stamp = change.at
            self._made().stamp(self._model, self._stamp)
        self._follow(after)
        return True

    def restore(self) -> None:
        if (self._model, self._stamp) != (FIRST_MODEL, None):
            self._model, self._stamp = FIRST_MODEL, None
            self._made().stamp(self._model, self._stamp)
        self._follow(self._base)

    def _follow(self, after: World) -> None:
        """Lay what differs into the tables; a passage that stays keeps its row and vector."""
        before, self._world = self._world, after
        if before is after:
            return
        old, new = before.documents, after.documents
        touched = {key for key in old.keys() | new.keys() if old.get(key) is not new.get(key)}
        if before.clock != after.clock:
            touched |= {key for key, one in new.items() if _ever_deleted(one)}
        there, wanted = _held(before, touched), _held(after, touched)
        fresh = [new[key] for key in sorted(touched) if key in new]
        if wanted - self._vectors.keys():
            for one in self._embedding.passages(fresh, after.policy):
                self._vectors.setdefault(one.passage.chunk_id, one)
        at = None if after is self._base else after.clock
        rows = [self._row(self._vectors[one], at) for one in sorted(wanted - there)]
        gone = sorted(there - wanted)
        self._made().follow(before, after, gone, rows)

    def _row(self, one: Embedded, indexed_at: datetime | None = None) -> Row:
        passage = one.passage
        return (
            passage.chunk_id,
            passage.version_id,
            passage.document_id,
            storable(passage.text),
            [storable(word) for word in one.words],
            self._model,
            indexed_at or self._stamp,
            _literal(one.vector.tolist()),
        )

    def _said(
        self, caller: Caller, as_of: datetime | None, known_at: datetime | None
    ) -> Mapping[str, str]:
        if not self.config.session_setting:
            return {}
        now = self._world.clock
        hops = [exact_id(one) for one in (caller.principal_id, *caller.via)]
        return {
            "rageval.principals": json.dumps(hops, ensure_ascii=False),
            "rageval.now": now.isoformat(),
            "rageval.as_of": (as_of or now).isoformat(),
            "rageval.known_at": (known_at or now).isoformat(),
        }

    def describe(self) -> Mapping[str, str]:
        config = self.config
        return {
            "target": "pgvector",
            "session": self._whose or "not connected",
            "index": _index(config),
            "embedding": f"hashed words and trigrams, {config.dimensions} dimensions",
            "who asks": "told to each session" if config.session_setting else "not told",
        }

    def close(self) -> None:
        if self._sessions is not None:
            self._sessions.close()
            self._sessions = None
        if self._schema is not None:
            self._schema.close()
            self._schema = None

    def _connected(self) -> Sessions:
        if self._sessions is None:
            raise TargetError("the pgvector target is not connected; call connect(world) first")
        return self._sessions

    def _made(self) -> Schema:
        if self._schema is None:
            raise TargetError("the pgvector target is not connected; call connect(world) first")
        return self._schema


def _held(world: World, documents: Collection[str]) -> set[str]:
    """Ids of the passages that stand in the index: what is deleted in the source has left it."""
    return {
        chunk.chunk_id
        for key in documents
        if key in world.documents
        for version in world.documents[key].versions
        if state_of(version, world.clock) is not State.DELETED
        for chunk in version.chunks
    }


def _ever_deleted(document: Document) -> bool:
    return any(state is State.DELETED for one in document.versions for _, state in one.states)


def _index(config: PgvectorConfig) -> str:
    """With the remedy, where a policy may leave too little of what the index gave."""
    if config.index == "none":
        return "none: every row that may be read is compared"
    scan = f"{config.index}, iterative scan {config.iterative_scan}"
    if config.iterative_scan != "off":
        return scan
    order = "strict_order" if config.index == "hnsw" else "relaxed_order"
    return (
        f"{scan}: policies thin out what the index gave, and few or no rows may be left; "
        f"retriever.iterative_scan={order} ({config.index}.iterative_scan) searches on"
    )


class Mapped:
    """A table that is there already: what its policies let through of the rows with most words.

    The order is by how many of the question's words a text holds: it shows what may be read, and
    says nothing of how well somebody else's search ranks.
    """

    grain = Grain.CHUNK
    taps = frozenset({Stage.RETRIEVE})
    powers = frozenset({Power.CONCURRENT})

    def __init__(self, config: PgvectorConfig, table: TableMap) -> None:
        self.config = config
        self.table = table
        self._sessions: Sessions | None = None
        self._whose = ""

    @property
    def name(self) -> str:
        return f"pgvector (table {self.table.name})"

    def connect(self, world: World) -> None:
        self.close()
        self._clock = world.clock
        people = world.principals.values()
        self._tenants = {one.principal_id: one.tenant_id or "" for one in people}
        self._sessions = Sessions(self.config)
        self._whose = self._sessions.check(self.table.name)

    def search(self, requests: Sequence[Request]) -> list[Response]:
        return in_flight(self._search, requests, self.config.concurrency)

    def _search(self, request: Request) -> Response:
        refusal = refused(request, self._clock)
        if refusal is not None:
            return refusal
        wanted = list(dict.fromkeys(words(request.query)))
        sessions, table = self._sessions, self.table
        if sessions is None:
            raise TargetError("the pgvector target is not connected; call connect(world) first")
        statement = (
            f"SELECT {table.id_column}::text AS id, (SELECT count(*) FROM unnest(%s::text[]) word "  # noqa: S608 - names are checked
            f"WHERE strpos(lower({table.text_column}), word) > 0) AS score FROM {table.name} "
            "ORDER BY score DESC, id LIMIT %s"
        )

        def ask() -> dict[Stage, Seen]:
            rows = sessions.ask(self._said(request), statement, (wanted, request.k))
            rows = [row for row in rows if row[1]]
            ids, scores = (tuple(row[0] for row in rows), tuple(float(row[1]) for row in rows))
            return {Stage.RETRIEVE: Seen(ids, scores=scores)}

        return answered(request.request_id, ask)

    def _said(self, request: Request) -> Mapping[str, str]:
        if not self.config.session_setting:
            return {}
        principal = exact_id(request.caller.principal_id)
        values = {
            "principal": principal,
            "tenant": self._tenants.get(principal, ""),
            "now": self._clock.isoformat(),
            "as_of": (request.as_of or self._clock).isoformat(),
            "known_at": (request.known_at or self._clock).isoformat(),
        }
        return self.table.filled(values)

    def describe(self) -> Mapping[str, str]:
        return {
            "target": "pgvector",
            "table": self.table.name,
            "session": self._whose or "not connected",
            "settings": "+".join(sorted(self.table.settings)) or "none",
        }

    def close(self) -> None:
        if self._sessions is not None:
            self._sessions.close()
            self._sessions = None


def answered(request_id: str, ask: Callable[[], Mapping[Stage, Seen]]) -> Response:
    started = time.perf_counter()
    try:
        seen = ask()
    except AskError as failure:
        spent = time.perf_counter() - started
        return Response(request_id, error=failure.error, detail=failure.detail, latency_s=spent)
    return Response(request_id, seen, latency_s=time.perf_counter() - started)


def storable(text: str) -> str:
    """PostgreSQL's text holds neither NUL nor half a character."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _literal(vector: Sequence[float]) -> str:
    return "[" + ",".join(f"{value:g}" for value in vector) + "]"


def build(config: PgvectorConfig) -> Loaded | Mapped:
    check_installed()
    for where, dsn in (("dsn", config.dsn), ("admin_dsn", config.admin_dsn)):
        if dsn is not None:
            check_dsn(dsn, f"retriever.{where}")
    return Loaded(config) if config.table is None else Mapped(config, config.table)
