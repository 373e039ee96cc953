"""What is the system's whole state, and what is it after a change?

A state is frozen and replaced as one: whoever searches holds one state from beginning to end, and
going back to the state of the connection is putting the old one in place again.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np

from rageval_kit.corpus.times import TimeError, zone
from rageval_kit.records import changes
from rageval_kit.records.changes import Change
from rageval_kit.records.faults import TargetError
from rageval_kit.records.world import Document, World
from rageval_kit.system.belonging import Reader
from rageval_kit.system.block import Block, Numbering, Placement, build_block
from rageval_kit.system.branching import Shared, derived_segment
from rageval_kit.system.changes import Shelf, change_people, change_shelf
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.delegation import agreed, parties
from rageval_kit.system.dense import Vectors
from rageval_kit.system.disturbed import QUIET, Events
from rageval_kit.system.faults import AnyFault, Fault
from rageval_kit.system.faults_parts import PartFault
from rageval_kit.system.faults_time import TimeFault
from rageval_kit.system.faults_worlds import WorldFault
from rageval_kit.system.ingested import as_indexed
from rageval_kit.system.instants import DAY, FOR_EVER, Instants, instant_of, instants
from rageval_kit.system.inventory import FIRST_MODEL, FIRST_STAMPS, Stamp, restamped
from rageval_kit.system.lists import FolderTable, Naming
from rageval_kit.system.markings import ranked
from rageval_kit.system.metadata import admitted
from rageval_kit.system.names import Numbers
from rageval_kit.system.newest import Newest
from rageval_kit.system.overwriting import overwritten
from rageval_kit.system.passages import without_copies
from rageval_kit.system.people import People
from rageval_kit.system.rights import Visible, everything, see, stand
from rageval_kit.system.segment import (
    Lexicon,
    Passage,
    Segment,
    first_segment,
    joined,
    later_segment,
    sources,
)
from rageval_kit.system.stuffing import as_stored

_MASK_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Ground:
    """What stays as it was at connection."""

    numbering: Numbering
    block: Block
    folders: FolderTable
    positions: Mapping[str, int]
    tenant_ids: tuple[str, ...]
    service_id: str | None
    zone: ZoneInfo


class Overlay:
    """The columns of documents changed since the connection, laid out when first asked for."""

    def __init__(
        self, ground: Ground, shelf: Shelf, folders: FolderTable, added: Mapping[str, int]
    ) -> None:
        self.folders = folders
        self._ground, self._shelf, self._added = ground, shelf, added
        self._block: Block | None = None
        self._lock = threading.Lock()

    @property
    def placement(self) -> Placement:
        """Whose folder entries count: today's, or those of the connection under a fault."""
        if self._ground.numbering.fault is Fault.FOLDER_ACL_FROZEN:
            base = self._shelf.base
            return Placement(self._ground.folders, lambda d: base.get(d.document_id, d))
        return Placement(self.folders, lambda document: document)

    def block(self) -> Block:
        with self._lock:
            if self._block is None:
                self._block = build_block(
                    tuple(as_indexed(self._shelf, self.folders, self._ground.numbering)),
                    self._position,
                    self._ground.numbering,
                    self.folders,
                    self.placement,
                    self._shelf.malformed,
                )
            return self._block

    def _position(self, chunk_id: str) -> int:
        found = self._ground.positions.get(chunk_id)
        return self._added[chunk_id] if found is None else found


class Masks(Newest[Visible]):
    """What readers may see in one state; the oldest are forgotten when memory is short."""

    def __init__(self, n_passages: int) -> None:
        super().__init__(max(64, _MASK_BYTES // (2 * max(n_passages, 1))))


@dataclass(frozen=True, slots=True)
class SystemState:
    """`epoch` differs for any two states between two restores; a clock set is a change too.

    `pending`: changes that wait until all is indexed anew; only a seeded fault lets any wait.
    """

    epoch: int
    now: datetime
    people: People
    shelf: Shelf
    ground: Ground
    overlay: Overlay
    segments: tuple[Segment, ...]
    lexicon: Lexicon
    added: Mapping[str, int]
    masks: Masks = field(compare=False)
    pending: tuple[Change, ...] = ()
    stamps: tuple[Stamp, ...] = FIRST_STAMPS
    model: str = FIRST_MODEL
    events: Events = QUIET

    @property
    def n_passages(self) -> int:
        last = self.segments[-1]
        return last.start + len(last)

    def _home(self, position: int) -> Segment:
        for segment in reversed(self.segments):
            if position >= segment.start:
                return segment
        raise IndexError(position)

    def passage(self, position: int) -> Passage:
        home = self._home(position)
        return home.passages[position - home.start]

    def vector(self, position: int) -> Vectors:
        """Of the passage there; it is compared here, and shown to nobody."""
        home = self._home(position)
        row: Vectors = home.vectors[position - home.start]
        return row

    def position(self, chunk_id: str) -> int | None:
        found = self.ground.positions.get(chunk_id)
        return self.added.get(chunk_id) if found is None else found

    def visible(self, reader: Reader, at: Instants) -> Visible:
        return self.masks.made((reader, at), lambda: self._see(reader, at))

    def counted(self, reader: Reader) -> Visible:
        """What counts for a reader in a number: what may be seen now."""
        fault = self.ground.numbering.fault
        at = instants(self.now, None, None, fault)
        if fault is WorldFault.COUNTS_OF_YESTERDAY:
            at = replace(at, now=at.now - DAY)
        seen = self.visible(reader, at)
        if fault is not TimeFault.FUTURE_COUNTED:
            return seen
        ahead = self.visible(reader, replace(at, as_of=FOR_EVER - 1))
        return Visible(seen.passages | ahead.passages, seen.titles | ahead.titles)

    def _see(self, reader: Reader, at: Instants) -> Visible:
        if reader.via:
            fault = self.ground.numbering.fault
            return agreed([self.visible(one, at) for one in parties(reader, fault)], fault)
        if reader.sees_everything:
            return everything(self.n_passages)
        numbering = self.ground.numbering
        changed = self.overlay.block()  # before the reader's flags: it may number new subjects
        handed_down = self.overlay.placement.table.lists
        standing = stand(self.people, reader, instant_of(at.now), numbering)
        seen = see(self.ground.block, handed_down, standing, at, numbering)
        if not self.shelf.changed:
            return seen
        passages = np.zeros(self.n_passages, dtype=np.bool_)
        titles = np.zeros(self.n_passages, dtype=np.bool_)
        passages[: len(seen.passages)] = seen.passages
        titles[: len(seen.titles)] = seen.titles
        if reader.as_signed_in:
            return Visible(passages, titles)
        again = see(changed, handed_down, standing, at, numbering)
        passages[changed.positions] = again.passages
        titles[changed.positions] = again.titles
        return Visible(passages, titles)

    def after(self, change: Change, epoch: int, config: EmbeddedConfig) -> "SystemState | None":
        """The next state, or None where the change names what is not there (or is already)."""
        masks = Masks(self.n_passages)
        if isinstance(change, changes.SetClock):
            return replace(self, epoch=epoch, now=change.now, masks=masks)
        if isinstance(change, changes.Reindex | changes.Reembed):
            now = replace(self, epoch=epoch, masks=masks, pending=())
            for waiting in self.pending:
                now = now.changed(waiting, epoch, config) or now
            stamps, model = restamped(now.stamps, now.model, change, config.switched)
            return replace(now, stamps=stamps, model=model)
        after = self.changed(admitted(change, config.switched), epoch, config)
        late = config.switched is TimeFault.NEW_VERSION_NOT_INDEXED
        if late and after is not None and isinstance(change, changes.PublishVersion):
            return replace(self, epoch=epoch, pending=(*self.pending, change))
        return after

    def changed(self, change: Change, epoch: int, config: EmbeddedConfig) -> "SystemState | None":
        """The state after a change of records; None where there is nothing to change."""
        masks = Masks(self.n_passages)
        people = change_people(self.people, change)
        if people is not None:
            return replace(self, epoch=epoch, people=people, masks=masks)
        shelf = change_shelf(self.shelf, change)
        if shelf is None:
            return None
        shelf = overwritten(self.shelf, shelf, change, config.switched)
        with_new = self._indexed(change, config)
        if with_new is None:
            return None
        folders = self.overlay.folders
        if shelf.folders is not self.shelf.folders:
            folders = FolderTable.of(shelf.folders, self.ground.numbering.naming)
        return replace(
            with_new,
            epoch=epoch,
            shelf=shelf,
            overlay=Overlay(self.ground, shelf, folders, with_new.added),
            masks=Masks(with_new.n_passages),
        )

    def _indexed(self, change: Change, config: EmbeddedConfig) -> "SystemState | None":
        """The state with the passages that a change brings; None where their ids are taken."""
        document: Document | None = None
        if isinstance(change, changes.Publish):
            document = change.document
        elif isinstance(change, changes.PublishVersion):
            known = self.shelf.document(change.document_id)
            document = None if known is None else replace(known, versions=(change.version,))
        if document is None:
            return self
        policy, fault = self.ground.numbering.policy, config.switched
        found = list(sources([document], policy, config.analyze, fault))
        ids = [source.passage.chunk_id for source in found]
        if len(set(ids)) < len(ids) or any(self.position(one) is not None for one in ids):
            return None
        if not found:
            return self
        start = self.n_passages
        segment, lexicon = later_segment(found, start, self.lexicon, config.dimensions)
        return replace(
            self,
            segments=joined(self.segments, segment),
            lexicon=lexicon,
            added={**self.added, **{one: start + offset for offset, one in enumerate(ids)}},
            stamps=(*self.stamps, Stamp(start, self.model, self.now)),
        )


def first_state(
    world: World, config: EmbeddedConfig, like: SystemState | None = None
) -> SystemState:
    """Index everything; raises TargetError for a passage id that two passages share.

    `like`: the first state of a world that shares passages with this one, which saves reading them.
    """
    fault = config.switched
    documents = _taken_in(world, fault)
    policy = ranked(world.policy, fault)
    numbering = Numbering(Naming(Numbers(), fault), Numbers(), Numbers(), policy)
    folders = FolderTable.of(world.folders, numbering.naming)
    if like is not None and like.ground.numbering.policy == world.policy:
        shared = Shared(
            like.segments[0], like.lexicon, like.shelf.base, like.ground.positions, fault
        )
        segment, lexicon = derived_segment(shared, documents.values(), world.policy, config)
    else:
        found = sources(documents.values(), world.policy, config.analyze, fault)
        segment, lexicon = first_segment(found, config.dimensions, config.k1, config.b)
    segment = as_stored(segment, lexicon.vocabulary, fault)
    positions = {passage.chunk_id: n for n, passage in enumerate(segment.passages)}
    if len(positions) < len(segment):
        ids = [passage.chunk_id for passage in segment.passages]
        twice = sorted({one for n, one in enumerate(ids) if positions[one] != n})
        raise TargetError(f"passage ids must be unique; met twice: {', '.join(twice[:5])}")
    block = build_block(
        tuple(documents.values()),
        positions.__getitem__,
        numbering,
        folders,
        Placement(folders, lambda document: document),
        {},
    )
    ground = Ground(
        numbering,
        block,
        folders,
        positions,
        tuple(world.tenants),
        config.service_id or _service_account(world),
        _zone(world),
    )
    shelf = Shelf(documents, dict(world.folders), {}, {})
    return SystemState(
        epoch=0,
        now=world.clock,
        people=People.of(world),
        shelf=shelf,
        ground=ground,
        overlay=Overlay(ground, shelf, folders, {}),
        segments=(segment,),
        lexicon=lexicon,
        added={},
        masks=Masks(len(segment)),
    )


def _taken_in(world: World, fault: AnyFault | None) -> dict[str, Document]:
    """The documents that are indexed: all of them."""
    if fault is Fault.EMPTY_CORPUS:
        return {}
    if fault is TimeFault.EDITIONS_MIXED:
        by_title = {d.versions[-1].title: d for d in world.documents.values() if d.versions}
        return {document.document_id: document for document in by_title.values()}
    if fault is PartFault.SECOND_COPY_NOT_INDEXED:
        return without_copies(world.documents)
    return dict(world.documents)


def _zone(world: World) -> ZoneInfo:
    try:
        return zone(world.timezone)
    except TimeError as wrong:
        raise TargetError(f"world {world.name!r}: {wrong}") from None


def _service_account(world: World) -> str | None:
    accounts = (p.principal_id for p in world.principals.values() if p.kind == "service")
    return min(accounts, default=None)
