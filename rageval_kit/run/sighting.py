"""What was it that a finding names, and why was it wrong there: rights, state, time?"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from rageval_kit.access import Monitor
from rageval_kit.corpus.evolve import evolve
from rageval_kit.records.cases import Apply, Ask, Case, Resolve, Wait
from rageval_kit.records.changes import SetClock
from rageval_kit.records.verdicts import Finding
from rageval_kit.records.world import Document, Version, World
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.rows import CaseRow

Times = Mapping[str, datetime | None]


@dataclass(frozen=True, slots=True)
class Sighting:
    """The document (and version, where the id names one) that a finding is about.

    `denied_by`: what forbids it to whoever saw it, at that step; `as_of`: the time asked about.
    """

    document: Document | None = None
    version: Version | None = None
    denied_by: tuple[str, ...] = ()
    now: datetime | None = None
    as_of: datetime | None = None


@dataclass(frozen=True)
class Sightings:
    """What ids stand for in the world of a run, and in what its scripts make of it."""

    prepared: Prepared

    @cached_property
    def _known(self) -> Mapping[str, tuple[str, str]]:
        """Every id by which something can surface: its document, and its version if it has one."""
        return dict(_ids(self.prepared.world.documents.values()))

    def document_of(self, item: str) -> str:
        """The document that the id belongs to; '' where the world, as planted, knows none."""
        return self._known.get(item, ("", ""))[0]

    def of(self, row: CaseRow, finding: Finding, case: Case | None) -> Sighting:
        """The finding's item, in the world as the script had left it at that step."""
        world, monitor = self._world_at(case, finding.step)
        document, version = self._found(finding.item_id, world)
        if document is None:
            return Sighting(world.documents.get(row.document_id), now=world.clock)
        times = _times(case, finding.step, self.prepared)
        denied = (
            least_denied(monitor, finding.principal_id, document, finding.item_id, times)
            if finding.principal_id in world.principals
            else ()
        )
        if document.document_id == row.document_id and finding.principal_id == row.reader_id:
            denied = row.denied_by or denied
        return Sighting(document, version, denied, world.clock, times["as_of"])

    def _world_at(self, case: Case | None, step: int) -> tuple[World, Monitor]:
        world = self.prepared.world
        before = case.script.steps[:step] if case else ()
        for one in before:
            match one:
                case Apply():
                    world = evolve(world, one.change)
                case Wait():
                    world = evolve(world, SetClock(one.until))
        monitor = self.prepared.scene.monitor
        return world, monitor if world is self.prepared.world else monitor.after(world)

    def _found(self, item: str, world: World) -> tuple[Document | None, Version | None]:
        ids = self._known
        if item not in ids:
            old = self.prepared.world.documents
            ids = dict(_ids(d for key, d in world.documents.items() if d is not old.get(key)))
        if item not in ids:
            return None, None
        document_id, version_id = ids[item]
        document = world.documents[document_id]
        named = [v for v in document.versions if v.version_id == version_id]
        alone = document.versions[0] if len(document.versions) == 1 else None
        return document, named[0] if named else alone


def _ids(
    documents: Iterable[Document],
) -> Iterator[tuple[str, tuple[str, str]]]:
    for document in documents:
        yield document.document_id, (document.document_id, "")
        for version in document.versions:
            for name in (version.version_id, *(chunk.chunk_id for chunk in version.chunks)):
                yield name, (document.document_id, version.version_id)


def _times(case: Case | None, step: int, prepared: Prepared) -> dict[str, datetime | None]:
    """What the step asked about; a time that its words mean goes before one sent along."""
    spec = prepared.plan.spec
    as_of, known_at = spec.as_of, spec.known_at
    if case is not None:
        asked = case.script.steps[step]
        if isinstance(asked, Ask | Resolve):
            as_of = asked.as_of or as_of
        if isinstance(asked, Ask):
            known_at = asked.known_at or known_at
        meant = case.expectation.steps.get((step, 0))
        as_of = (meant.as_of if meant else None) or as_of
    return {"as_of": as_of, "known_at": known_at}


def least_denied(
    monitor: Monitor, principal_id: str, document: Document, item: str, times: Times
) -> tuple[str, ...]:
    """Why a passage, or a passage of the version or document, is denied; the shortest answer."""
    reasons = [
        monitor.decide(
            principal_id, document.document_id, version.version_id, chunk.chunk_id, **times
        )
        for version in document.versions
        for chunk in version.chunks
        if item in (document.document_id, version.version_id, chunk.chunk_id)
    ]
    return min(reasons, key=len, default=())


def facts(sighting: Sighting) -> Iterator[str]:
    """The dates and states that make a version the wrong one; nothing where rights alone deny."""
    version, now, denied = sighting.version, sighting.now, sighting.denied_by
    if version is None or now is None:
        return
    if "C5" in denied:
        state, since = version.state_at(now)
        yield f"state {state} since {since.isoformat() if since else 'ever'}"
    if "C6" in denied:
        yield _span("in force", version.valid_from, version.valid_to)
        yield f"asked as of {(sighting.as_of or now).isoformat()}"
    if "C7" in denied:
        yield _span("recorded", version.recorded_from, version.recorded_to)


def _span(what: str, start: datetime | None, end: datetime | None) -> str:
    if start is None and end is None:
        return f"{what} from no stated date"
    begins = f" from {start.isoformat()}" if start else ""
    return f"{what}{begins}" + (f" until before {end.isoformat()}" if end else "")
