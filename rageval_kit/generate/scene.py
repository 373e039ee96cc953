"""Which pairs of a principal and a document does this world hold, and what denies each of them?

A `Scene` is the planted world seen through the reference monitor: the cells from which the words of
`who` pick, the texts from which the words of `ask` quote, and what changes would do to both.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import cached_property

import numpy as np

from rageval_kit.access import Monitor
from rageval_kit.corpus.evolve import evolve
from rageval_kit.detect.urls import links_in
from rageval_kit.generate.cells import Among, Cells
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.records.changes import Change
from rageval_kit.records.streams import stream
from rageval_kit.records.target import Grain, Power
from rageval_kit.records.world import (
    Document,
    Effect,
    Entry,
    SubjectKind,
    UnitKind,
    Version,
)
from rageval_kit.text.normalise import fold
from rageval_kit.text.words import words as tokens

FREQUENCY_SAMPLE = 2000
SIBLINGS_TRIED = 8


@dataclass(frozen=True, slots=True)
class Pair:
    """One denied reader and one target, what denies them, and who may read it.

    `setup` is applied before the script starts, `event` is what `deny` does. `twin_id` empty: the
    living positive is the reader's own (before the event, or on a sibling). `as_of`, `known_at`:
    the times that the question asks for, where they are what denies. `living_at`: a time at which
    the target is in force; where nothing is at the time asked, the target is its own sibling.
    `via`, `twin_via`: the agents through which the reader's and the twin's questions pass.
    """

    reader_id: str
    chunk_id: str
    twin_id: str = ""
    conditions: tuple[str, ...] = ()
    setup: tuple[Change, ...] = ()
    event: tuple[Change, ...] = ()
    sibling_id: str = ""
    service_id: str = ""
    link_id: str = ""
    handle: str = ""
    reference: int = 0
    as_of: datetime | None = None
    known_at: datetime | None = None
    exhibit: Exhibit | None = None
    living_at: datetime | None = None
    via: tuple[str, ...] = ()
    twin_via: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The pairs picked, how many distinct (principal, document) pairs there were, or why none."""

    pairs: tuple[Pair, ...]
    available: int = 0
    nothing: str = ""


@dataclass(frozen=True)
class Scene(Cells):
    """The cells of one suite's world, with its texts and with what changes do to them.

    `exhibits`: what the words of `world` made or found for the family at hand.
    """

    exhibits: tuple[Exhibit, ...] = ()

    def sibling_of(self, row: int, column: int, changes: Sequence[Change] = ()) -> str:
        """A chunk of another document that the reader may read, also after the changes; or ''."""
        options = np.flatnonzero(
            (self.reasons[row] == 0)
            & (self.chunk_document != self.chunk_document[column])
            & ~self.props[self.chunk_document]
        )
        reader = self.readers[row]
        order = stream(self.seed, "sibling", reader, self.chunk_ids[column]).permutation(options)
        for option in order[: SIBLINGS_TRIED if changes else 1]:
            sibling = self.chunk_ids[int(option)]
            if not changes or not self.reasons_after(changes, reader, sibling):
                return sibling
        return ""

    def passage_of(self, exhibit: Exhibit) -> str:
        """The first passage of what the exhibit is about; '' where this world lacks it."""
        document = self.world.documents.get(exhibit.documents["target"])
        versions = document.versions if document else ()
        return next((chunk.chunk_id for version in versions for chunk in version.chunks), "")

    @cached_property
    def titles(self) -> Counter[str]:
        """How many documents bear each title."""
        return Counter(
            title
            for document in self.world.documents.values()
            for title in {version.title for version in document.versions}
        )

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The hosts that documents name, those that were planted left out."""
        texts = {
            chunk.text
            for document in self.given.documents.values()
            for version in document.versions
            for chunk in version.chunks
            if "//" in chunk.text or "www." in chunk.text
        }
        return frozenset(link.host for text in texts for link in links_in(text))

    @cached_property
    def frequencies(self) -> Mapping[str, int]:
        """How many chunks hold each word, over a seeded sample of a large world."""
        if self.common.n:
            return self.common.words
        ids = self.chunk_ids
        if len(ids) > FREQUENCY_SAMPLE:
            picked = stream(self.seed, "frequencies").choice(
                len(ids), FREQUENCY_SAMPLE, replace=False
            )
            ids = [ids[i] for i in sorted(picked)]
        counts: Counter[str] = Counter()
        for chunk_id in ids:
            counts.update(set(tokens(self.places[chunk_id].chunk.text)))
        return counts

    @cached_property
    def items_of_tenants(self) -> dict[str, dict[str, list[str]]]:
        """By tenant, the documents of its own or public, each with its items; filled in use."""
        return {}

    @cached_property
    def folded(self) -> list[str]:
        """Title and text of each chunk, in one form for matching."""
        return [
            fold(f"{self.places[c].version.title}\n{self.places[c].chunk.text}")
            for c in self.chunk_ids
        ]

    def holders(self, word: str) -> list[int]:
        """Positions of the chunks that hold the word in text or title."""
        return [
            position
            for position, text in enumerate(self.folded)
            if word in text and word in tokens(text)
        ]

    def count_of(self, word: str, monitor: Monitor, principal_id: str) -> int:
        """Of how many documents that hold the word a passage may be read, as the monitor has it."""
        positions = self.holders(word)
        readable = monitor.reason_bits(principal_id)[positions] == 0
        return len(set(self.chunk_document[positions][readable].tolist()))

    @cached_property
    def today(self) -> "Scene":
        """The same at the world's own clock, whatever time the run asks about."""
        if self.as_of is None and self.known_at is None:
            return self
        scene = replace(self, as_of=None, known_at=None)
        scene.__dict__.update(monitor=self.monitor, places=self.places)
        return scene

    @cached_property
    def mingled(self) -> "Scene":
        """The same for a family that may pick what was planted for it."""
        scene = replace(self, among=Among.ALL)
        kept = {"monitor": self.monitor, "reasons": self.reasons, "visible": self.visible}
        scene.__dict__.update(kept, places=self.places, _lately=self._lately)
        return scene

    def showing(self, exhibits: Sequence[Exhibit]) -> "Scene":
        """The same for a family that asks about what its own words of `world` show."""
        scene = replace(self, among=Among.ALL, exhibits=tuple(exhibits))
        own = {one.name for one in fields(self)} | {"today", "mingled"}
        _ = self.places, self.columns, self.reasons  # made once, for every variant
        scene.__dict__.update({k: v for k, v in self.__dict__.items() if k not in own})
        return scene

    def has(self, *powers: Power) -> bool:
        return self.powers.issuperset(powers)

    def id_of(self, chunk_id: str) -> str:
        """The id, at the target's grain, of what the chunk belongs to."""
        place = self.places[chunk_id]
        return {
            Grain.DOCUMENT: place.document.document_id,
            Grain.VERSION: place.version.version_id,
            Grain.CHUNK: chunk_id,
        }[self.grain]

    @cached_property
    def _versions(self) -> dict[str, Mapping[str, frozenset[str]]]:
        return {}

    def versions_of(self, document_id: str) -> Mapping[str, frozenset[str]]:
        """Of a document with several versions, each version's id beside those of its passages."""
        if document_id not in self._versions:
            versions = self.world.documents[document_id].versions
            self._versions[document_id] = {
                version.version_id: names_of(version) for version in versions
            }
        return self._versions[document_id]

    def monitor_after(self, changes: Sequence[Change]) -> Monitor:
        """The monitor of the world once the changes have happened."""
        if not changes:
            return self.monitor
        world = self.world
        for change in changes:
            world = evolve(world, change)
        return self.monitor.after(world)

    def hidden_after(self, changes: Sequence[Change], reader_id: str, chunk_id: str) -> bool:
        """Whether a denied chunk's id is denied too: a coarser id covers parts that may be read."""
        if self.grain is Grain.CHUNK:
            return True
        permitted = self.monitor_after(changes).permitted(
            reader_id, self.grain, as_of=self.as_of, known_at=self.known_at
        )
        return self.id_of(chunk_id) not in permitted

    def reasons_after(
        self, changes: Sequence[Change], reader_id: str, chunk_id: str
    ) -> tuple[str, ...]:
        """What denies the reader the chunk once the changes have happened."""
        place = self.places[chunk_id]
        return self.monitor_after(changes).decide(
            reader_id,
            place.document.document_id,
            place.version.version_id,
            chunk_id,
            as_of=self.as_of,
            known_at=self.known_at,
        )

    def effective_entries(self, document: Document) -> list[Entry]:
        """Own and inherited entries, live or not: for choosing, not for deciding."""
        entries = list(document.entries)
        folder_id = document.folder_id if document.inherits else None
        while folder_id is not None:
            folder = self.world.folders[folder_id]
            entries += folder.entries
            folder_id = folder.parent_id if folder.inherits else None
        return entries

    def names_department(self, document: Document) -> bool:
        return any(
            entry.effect is Effect.ALLOW
            and entry.subject_kind is SubjectKind.UNIT
            and entry.subject_id in self.world.units
            and self.world.units[entry.subject_id].kind is UnitKind.DEPARTMENT
            for entry in self.effective_entries(document)
        )


def names_of(version: Version) -> frozenset[str]:
    """Every id by which the version can surface, but for its document's."""
    return frozenset({version.version_id, *(chunk.chunk_id for chunk in version.chunks)})


def bit(condition: str) -> int:
    """The bit of a condition in a row of reasons: C1 is 1, C2 is 2, C3 is 4 …"""
    return 1 << (int(condition[1:]) - 1)


def bits(*conditions: str) -> int:
    return sum(bit(condition) for condition in conditions)


def conditions_of(reasons: int) -> tuple[str, ...]:
    return tuple(f"C{i + 1}" for i in range(14) if reasons >> i & 1)
