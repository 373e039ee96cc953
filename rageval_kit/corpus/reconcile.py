"""Does an index hold what its source says it should, no more, no less, and how late?"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

from rageval_kit.records.inventory import SourceEntry, SourceIndex
from rageval_kit.records.target import Indexed
from rageval_kit.records.world import Chunk, State, Version, Window, World

TOLD = ("version_id", "digest", "model")


class Kind(StrEnum):
    """How an index and its source differ; PENDING: still inside the service level."""

    MISSING = "missing"
    ORPHANED = "orphaned"
    STALE = "stale"
    WRONG_MODEL = "wrong_model"
    REPEATED = "repeated"
    LATE = "late"
    PENDING = "pending"


@dataclass(frozen=True, slots=True)
class Difference:
    """`lag_s`: how long the source had been so; None where no time is known."""

    kind: Kind
    chunk_id: str
    detail: str = ""
    lag_s: float | None = None


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """`n_due`: passages that the index must hold. `worst_lag_s`: of all lags that are known.

    `untold`: how many entries say no `version_id`, `digest` or `model`, so that it was not compared
    with the source. `model_not_told`: a model was asked for, and some entry does not name its own.
    """

    n_source: int
    n_due: int
    n_held: int
    differences: tuple[Difference, ...]
    worst_lag_s: float | None = None
    models: Mapping[str, int] | None = None
    untold: Mapping[str, int] = field(default_factory=dict)
    model_not_told: bool = False

    @property
    def counts(self) -> Mapping[Kind, int]:
        found = Counter(one.kind for one in self.differences)
        return {kind: found[kind] for kind in Kind}

    @property
    def differs(self) -> bool:
        """Whether anything differs but what is still inside the service level."""
        return any(one.kind is not Kind.PENDING for one in self.differences)

    @property
    def agrees(self) -> bool:
        """Whether nothing differs, and all that was asked about could be looked at."""
        return not self.differs and not self.model_not_told


def digest_of(chunk: Chunk) -> str:
    """sha-256 of a passage's text as it is indexed."""
    return _digest(chunk.whole)


@lru_cache(maxsize=4_096)  # the same passages are listed anew after each change of the world
def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def source_index(world: World, model: str = "", timed_from: datetime | None = None) -> SourceIndex:
    """The passages of every version, as the world's own clock has them."""
    now = world.clock
    entries = {}
    for document in world.documents.values():
        for version in document.versions:
            state, since_state = version.state_at(now)
            gone = since_state if state is State.DELETED else None
            in_force = state is State.PUBLISHED and _is_in_force(version, now)
            since = _latest(version.recorded_from, version.valid_from, since_state)
            for chunk in version.chunks:
                entries[chunk.chunk_id] = SourceEntry(
                    chunk.chunk_id, version.version_id, digest_of(chunk), since, in_force, gone
                )
    return SourceIndex(entries, now, model, timed_from)


def reconcile(source: SourceIndex, held: Iterable[Indexed], level_s: float = 0.0) -> Reconciliation:
    """Hold an index against its source; what is younger than `level_s` seconds is pending.

    An index that says nothing of digests, models or times is compared by ids alone, and what it did
    not say is counted.
    """
    rows: dict[str, Indexed] = {}
    found: list[Difference] = []
    n_held = 0
    for row in held:
        n_held += 1
        if row.chunk_id in rows:
            found.append(Difference(Kind.REPEATED, row.chunk_id, "the index holds it twice"))
        rows[row.chunk_id] = row
    models = Counter(row.model for row in rows.values() if row.model)
    wanted = source.model or (max(models, key=lambda m: (models[m], m)) if models else "")
    for row in rows.values():
        found += _held_wrongly(row, source, wanted, level_s)
    due = [entry for entry in source.entries.values() if entry.in_force]
    for entry in due:
        if entry.chunk_id not in rows:
            found.append(_absent(entry, source.now, level_s))
    lags = [one.lag_s for one in found if one.lag_s is not None]
    compared = [row for row in rows.values() if _is_compared(row, source)]
    untold = {name: sum(not getattr(row, name) for row in compared) for name in TOLD}
    return Reconciliation(
        len(source.entries),
        len(due),
        n_held,
        tuple(found),
        max(lags, default=None),
        dict(models),
        untold,
        model_not_told=bool(source.model and untold["model"]),
    )


def _is_compared(row: Indexed, source: SourceIndex) -> bool:
    """Whether the source has the passage: of an orphan nothing else is asked."""
    entry = source.entries.get(row.chunk_id)
    return entry is not None and entry.gone_at is None


def _held_wrongly(
    row: Indexed,
    source: SourceIndex,
    model: str,
    level_s: float,
) -> Iterator[Difference]:
    entry = source.entries.get(row.chunk_id)
    if entry is None:
        yield Difference(Kind.ORPHANED, row.chunk_id, "the source has no such passage")
        return
    if entry.gone_at is not None:
        lag = (source.now - entry.gone_at).total_seconds()
        kind = Kind.PENDING if lag < level_s else Kind.ORPHANED
        yield Difference(kind, row.chunk_id, "deleted in the source", lag)
        return
    if row.digest and row.digest != entry.digest:
        yield Difference(Kind.STALE, row.chunk_id, "its text is not that of the source")
    if row.version_id and row.version_id != entry.version_id:
        detail = f"indexed under version {row.version_id}, in the source {entry.version_id}"
        yield Difference(Kind.STALE, row.chunk_id, detail)
    if row.model and row.model != model:
        yield Difference(Kind.WRONG_MODEL, row.chunk_id, f"vector of {row.model}, not of {model}")
    began = source.timed_from or entry.since
    if row.indexed_at and entry.since and began and entry.since >= began:
        lag = (row.indexed_at - entry.since).total_seconds()
        if lag > level_s:
            yield Difference(Kind.LATE, row.chunk_id, "indexed after the service level", lag)


def _absent(entry: SourceEntry, now: datetime, level_s: float) -> Difference:
    if entry.since is None:
        return Difference(Kind.MISSING, entry.chunk_id, "in force in the source since ever")
    lag = (now - entry.since).total_seconds()
    kind = Kind.PENDING if lag < level_s else Kind.MISSING
    return Difference(kind, entry.chunk_id, "in force in the source", lag)


def _is_in_force(version: Version, now: datetime) -> bool:
    return (
        version.valid_from is not None
        and Window(version.valid_from, version.valid_to).contains(now)
        and Window(version.recorded_from, version.recorded_to).contains(now)
    )


def _latest(*instants: datetime | None) -> datetime | None:
    return max((one for one in instants if one is not None), default=None)
