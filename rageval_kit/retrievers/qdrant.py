"""How does a Qdrant with a payload filter present itself as a target?

The engine is the embedded one. It knows no rule: whom an entry serves is written beside each
passage by the connector (`system/marks.py`), and each question carries a filter of what its reader
holds. The filter expresses tenant, guests, label, compartments, state, both times, lists and links.
"""

import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

from rageval_kit.corpus.evolve import evolve
from rageval_kit.records import changes
from rageval_kit.records.changes import Change
from rageval_kit.records.faults import InputError, KitError, TargetError
from rageval_kit.records.target import Grain, Power, Request, Response, Seen, Stage
from rageval_kit.records.world import State, World
from rageval_kit.system.admission import refused
from rageval_kit.system.embedding import first_embedding
from rageval_kit.system.instants import micros
from rageval_kit.system.marks import PUBLIC, Bearer, bearer_of, marks_of, touched
from rageval_kit.system.people import People

if TYPE_CHECKING:
    from qdrant_edge import ConditionType, EdgeShard, Filter, Point

_UNHEARD = changes.Break | changes.Mend | changes.BeforeAnswer
_INDEXED = ("tenant", "allow")
_MANY = 2000  # points in one update


@dataclass(frozen=True)
class QdrantConfig:
    """`filter`: all that the filter can say, the tenant alone, or nothing (to see what happens)."""

    filter: Literal["full", "tenant_only", "none"] = "full"
    dimensions: int = field(default=384, metadata={"min": 8, "max": 2000})
    hnsw_ef: int | None = field(default=None, metadata={"min": 1})


Config = QdrantConfig


class Qdrant:
    """Grain chunk; calls take turns. Its points live in a folder that ends with it."""

    grain = Grain.CHUNK
    taps = frozenset({Stage.RETRIEVE})
    powers = frozenset(Power) - {Power.DISTURB}
    scans = True
    delegates = True

    def __init__(self, config: QdrantConfig) -> None:
        self.config = config
        self._lock = threading.RLock()
        self._shard: EdgeShard | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def name(self) -> str:
        return f"qdrant (filter {self.config.filter})"

    def connect(self, world: World) -> None:
        import qdrant_edge

        self.close()
        self._embedding, found = first_embedding(
            world.documents.values(), world.policy, self.config.dimensions
        )
        self._vectors = {one.passage.chunk_id: one.vector.tolist() for one in found}
        self._numbers = {chunk_id: number for number, chunk_id in enumerate(self._vectors)}
        params = qdrant_edge.EdgeVectorParams(
            size=self.config.dimensions, distance=qdrant_edge.Distance.Cosine
        )
        self._folder = tempfile.TemporaryDirectory(prefix="rageval-qdrant-")
        self._shard = qdrant_edge.EdgeShard.create(
            self._folder.name, qdrant_edge.EdgeConfig(vectors=params)
        )
        for name in _INDEXED:
            kind = qdrant_edge.PayloadSchemaType.Keyword
            self._shard.update(qdrant_edge.UpdateOperation.create_field_index(name, kind))
        self._marks: dict[str, dict[str, Any]] = {}
        self._base = world
        self._world = replace(world, documents={})
        self._turn_to(world)

    def _turn_to(self, after: World) -> None:
        """Write what differs; a passage that went is taken out, one that came put in."""
        import qdrant_edge

        before, self._world = self._world, after
        self._people = People.of(after)
        names = touched(before, after)
        documents = [after.documents[one] for one in sorted(names) if one in after.documents]
        marks = dict(marks_of(after, documents))
        gone = [
            chunk.chunk_id
            for name in names
            if name in before.documents
            for version in before.documents[name].versions
            for chunk in version.chunks
            if chunk.chunk_id not in marks
        ]
        new = [one for one in marks if self._marks.get(one) != marks[one]]
        if any(chunk_id not in self._vectors for chunk_id in new):
            for one in self._embedding.passages(documents, after.policy):
                self._vectors.setdefault(one.passage.chunk_id, one.vector.tolist())
                self._numbers.setdefault(one.passage.chunk_id, len(self._numbers))
        shard, operation = self._connected(), qdrant_edge.UpdateOperation
        if gone:
            shard.update(operation.delete_points([self._numbers[one] for one in gone]))
        for begin in range(0, len(new), _MANY):
            points = [self._point(one, marks[one]) for one in new[begin : begin + _MANY]]
            shard.update(operation.upsert_points(points))
        for chunk_id in gone:
            del self._marks[chunk_id]
        self._marks |= marks

    def _point(self, chunk_id: str, marks: dict[str, Any]) -> "Point":
        import qdrant_edge

        payload = {"chunk": chunk_id, **marks}
        return qdrant_edge.Point(self._numbers[chunk_id], self._vectors[chunk_id], payload)

    def search(self, requests: Sequence[Request]) -> list[Response]:
        return [self._search(request) for request in requests]

    def _search(self, request: Request) -> Response:
        started = time.perf_counter()
        with self._lock:
            refusal = refused(request, self._world.clock)
            if refusal is not None:
                return refusal
            found = sorted(self._nearest(request), key=lambda one: (-one[1], one[0]))
        ids, scores = tuple(one for one, _ in found), tuple(score for _, score in found)
        seen = {Stage.RETRIEVE: Seen(ids, scores=scores)}
        return Response(request.request_id, seen, latency_s=time.perf_counter() - started)

    def _nearest(self, request: Request) -> list[tuple[str, float]]:
        """Nothing where one of those through whom the question passes may read nothing."""
        import qdrant_edge

        caller, world = request.caller, self._world
        readers = [
            bearer_of(self._people, one, world) for one in (caller.principal_id, *caller.via)
        ]
        active = [one for one in readers if one is not None]
        if self.config.filter == "full" and len(active) < len(readers):
            return []
        times = (micros(request.as_of or world.clock), micros(request.known_at or world.clock))
        made = {"full": self._full, "tenant_only": self._tenant_only, "none": self._nothing}
        conditions: list[ConditionType] = [made[self.config.filter](one, *times) for one in active]
        asked = qdrant_edge.QueryRequest(
            limit=request.k,
            query=qdrant_edge.Query.Nearest(self._embedding.query(request.query).tolist()),
            filter=qdrant_edge.Filter(must=conditions),
            params=qdrant_edge.SearchParams(hnsw_ef=self.config.hnsw_ef, exact=request.exact),
            with_payload=["chunk"],
        )
        points = self._connected().query(asked)
        return [((point.payload or {})["chunk"], point.score) for point in points]

    def _full(self, reader: Bearer, as_of: int, known_at: int) -> "Filter":
        import qdrant_edge

        readable = [State.PUBLISHED.value]
        if self._world.policy.archive:
            readable.append(State.WITHDRAWN.value)
        granted = [_any("state", readable), _any("allow", [*reader.subjects, *reader.links])]
        own_draft = [_any("state", [State.DRAFT.value]), _any("owner", [reader.principal_id])]
        beyond = qdrant_edge.MatchExcept(list(reader.compartments))
        outside: ConditionType = qdrant_edge.FieldCondition("compartments", match=beyond)
        if not reader.compartments:
            outside = _present("compartments")
        return qdrant_edge.Filter(
            must=[
                self._tenant_only(reader, as_of, known_at),
                _range("level", lte=reader.clearance),
                _range("valid_from", lte=as_of),
                _range("valid_to", gt=as_of),
                _range("recorded_from", lte=known_at),
                _range("recorded_to", gt=known_at),
                qdrant_edge.Filter(
                    should=[qdrant_edge.Filter(must=granted), qdrant_edge.Filter(must=own_draft)]
                ),
            ],
            must_not=[outside, _any("deny", list(reader.subjects))],
        )

    def _tenant_only(self, reader: Bearer, as_of: int, known_at: int) -> "Filter":
        """The tenant and those it is a guest of, and what is public."""
        import qdrant_edge

        del as_of, known_at
        return qdrant_edge.Filter(
            should=[_any("tenant", list(reader.tenants)), _any("allow", [PUBLIC])]
        )

    def _nothing(self, reader: Bearer, as_of: int, known_at: int) -> "Filter":
        import qdrant_edge

        del reader, as_of, known_at
        return qdrant_edge.Filter()

    def apply(self, change: Change) -> bool:
        if isinstance(change, _UNHEARD):
            return False
        with self._lock:
            try:
                after = evolve(self._world, change)
            except KitError:
                return False
            self._turn_to(after)
        return True

    def restore(self) -> None:
        with self._lock:
            if self._world is not self._base:
                self._turn_to(self._base)

    def describe(self) -> Mapping[str, str]:
        return {
            "target": f"qdrant-edge-py {version('qdrant-edge-py')}",
            "filter": self.config.filter,
            "embedding": f"hashed words and trigrams, {self.config.dimensions} dimensions",
        }

    def close(self) -> None:
        with self._lock:
            if self._shard is not None:
                self._shard.close()
                self._shard = None
            if self._folder is not None:
                self._folder.cleanup()
                self._folder = None

    def _connected(self) -> "EdgeShard":
        if self._shard is None:
            raise TargetError("the qdrant target is not connected; call connect(world) first")
        return self._shard


def _any(key: str, values: list[str]) -> "ConditionType":
    import qdrant_edge

    return qdrant_edge.FieldCondition(key, match=qdrant_edge.MatchAny(values))


def _present(key: str) -> "ConditionType":
    import qdrant_edge

    return qdrant_edge.FieldCondition(key, values_count=qdrant_edge.ValuesCount(gt=0))


def _range(key: str, *, lte: float | None = None, gt: float | None = None) -> "ConditionType":
    import qdrant_edge

    return qdrant_edge.FieldCondition(key, range=qdrant_edge.RangeFloat(lte=lte, gt=gt))


def build(config: QdrantConfig) -> Qdrant:
    try:
        import qdrant_edge  # noqa: F401 - asked only whether it is there
    except ImportError as error:
        problem, way_out = "needs qdrant-edge-py", "pip install 'rageval-kit[qdrant]'"
        raise InputError.one("retriever.kind", problem, "'qdrant'", way_out) from error
    return Qdrant(config)
