"""Who may read what, when: the reference monitor, for one chunk or for a whole world at once."""

from collections.abc import Iterable, Mapping
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from rageval_kit.access import content as columns
from rageval_kit.access.attributes import attributes_of
from rageval_kit.access.directory import Directory
from rageval_kit.access.lists import ListsNow
from rageval_kit.access.question import Question
from rageval_kit.access.recent import Recent
from rageval_kit.access.rule import failing
from rageval_kit.access.shelf import folders_of, inherited_by
from rageval_kit.access.standing import Standing, Units, standing_of
from rageval_kit.access.tables import Tables, levels_of
from rageval_kit.access.times import Times, settle
from rageval_kit.records.cases import Permitted
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Grain
from rageval_kit.records.world import Document, Principal, Version, World

CONDITIONS: tuple[str, ...] = tuple(f"C{number}" for number in range(1, 15))
BIT = {name: np.uint16(1 << position) for position, name in enumerate(CONDITIONS)}
# The ladder's reason by the best rung that an allow entry reached.
OF_RUNG = np.array([BIT["C11"], BIT["C12"], BIT["C13"], BIT["C14"], 0], np.uint16)
NOT_ASKED_OF_OWN_DRAFT = ~np.bitwise_or.reduce([BIT["C5"], *OF_RUNG])

CACHE_BYTES = 48 * 2**20
FEW = 8

Bits = NDArray[np.uint16]


class Monitor:
    """`decide` reads the rule for one chunk; `reason_bits` and `permitted` for all of them.

    The two are written separately and must agree. Nothing is read from the world until asked for.
    Returned arrays are shared and read-only.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self._levels = levels_of(world.policy)
        self._directory: Directory | None = None
        self._tables: Tables | None = None
        self._index: dict[Grain, Mapping[str, int]] = {}
        self._forget()

    def _forget(self) -> None:
        self._units: Recent[datetime, tuple[Units, Units]] = Recent(FEW)
        self._lists_now: Recent[datetime, tuple[ListsNow, NDArray[np.bool_]]] = Recent(FEW)
        self._by_time: Recent[Times, tuple[Bits, Mapping[str, list[int]]]] = Recent(FEW)
        self._bits: Recent[tuple[str, Times], Bits] | None = None
        self._by_marks: Recent[tuple[Times, int, frozenset[str]], Bits] | None = None
        self._permitted: Recent[tuple[str, Grain, Times], Permitted] | None = None

    def after(self, world: World) -> "Monitor":
        """The monitor of a changed world; what was read of unchanged objects is kept.

        Objects are compared by identity: whoever changes a world replaces what changed.
        """
        later = Monitor(world)
        if self._directory is not None:
            later._directory = self._directory.after(self.world, world)
        if self._tables is not None:
            later._tables = self._tables.after(self.world, world)
            if later._tables.content is self._tables.content:
                later._index = dict(self._index)
        return later

    # One chunk

    def decide(
        self,
        principal_id: str,
        document_id: str,
        version_id: str,
        chunk_id: str | None,
        *,
        now: datetime | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> tuple[str, ...]:
        """The failing conditions in order; `()` is allowed. `chunk_id` None is the title."""
        world = self.world
        document = world.documents.get(document_id)
        if document is None:
            raise InputError.one("decide", "there is no such document", repr(document_id))
        version = _version(document, version_id)
        chunk = None
        if chunk_id is not None:
            chunk = next((c for c in version.chunks if c.chunk_id == chunk_id), None)
            if chunk is None:
                raise InputError.one(
                    f"version {version_id}", "there is no such chunk", repr(chunk_id)
                )
        folders = folders_of(world, document)
        return failing(
            Question(
                world,
                self._people(),
                world.principals.get(principal_id) or Principal(principal_id),
                document,
                version,
                chunk,
                settle(world, now, as_of, known_at),
                folders,
                inherited_by(document, folders),
            )
        )

    # All chunks

    def reason_bits(
        self,
        principal_id: str,
        *,
        now: datetime | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Bits:
        """Per chunk, in the order of `chunk_ids`: bit i is set iff condition C(i+1) fails."""
        times = settle(self.world, now, as_of, known_at)
        if self._bits is None:
            self._bits = Recent(self._room())
        return self._bits.get((principal_id, times), lambda: self._decide_all(principal_id, times))

    def permitted(
        self,
        principal_id: str,
        grain: Grain,
        *,
        now: datetime | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Permitted:
        """A document or version is permitted iff one of its chunks is."""
        times = settle(self.world, now, as_of, known_at)
        if self._permitted is None:
            self._permitted = Recent(self._room())

        def make() -> Permitted:
            bits = self.reason_bits(principal_id, now=now, as_of=as_of, known_at=known_at)
            index = self._index_of(grain)
            mask = bits == 0
            if grain is not Grain.CHUNK:
                tables = self._columns()
                of_chunk = tables.document_of_chunk
                if grain is Grain.VERSION:
                    of_chunk = tables.version_of_chunk
                readable = of_chunk[mask]
                mask = np.zeros(len(index), np.bool_)
                mask[readable] = True
            mask.setflags(write=False)
            return Permitted(index, mask)

        return self._permitted.get((principal_id, grain, times), make)

    def count_visible(
        self,
        principal_id: str,
        document_ids: Iterable[str],
        *,
        now: datetime | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> int:
        """How many of these documents, each counted once, the principal may see."""
        permitted = self.permitted(
            principal_id, Grain.DOCUMENT, now=now, as_of=as_of, known_at=known_at
        )
        return sum(document_id in permitted for document_id in set(document_ids))

    def attributes(self) -> frozenset[str]:
        """The conditions for which this world has attributes; others are not applicable in it."""
        return attributes_of(self.world)

    @property
    def chunk_ids(self) -> list[str]:
        return self._columns().content.chunk_ids

    @property
    def chunk_index(self) -> Mapping[str, int]:
        return self._index_of(Grain.CHUNK)

    @property
    def document_of_chunk(self) -> NDArray[np.intp]:
        """Per chunk, the position of its document in `world.documents`."""
        return self._columns().document_of_chunk

    @property
    def version_of_chunk(self) -> NDArray[np.intp]:
        """Per chunk, the position of its version among all versions in the order of the world."""
        return self._columns().version_of_chunk

    # Behind the two paths

    def _people(self) -> Directory:
        if self._directory is None:
            self._directory = Directory.of(self.world)
        return self._directory

    def _columns(self) -> Tables:
        if self._tables is None:
            self._tables = Tables.of(self.world)
        return self._tables

    def _room(self) -> int:
        return max(FEW, CACHE_BYTES // (2 * max(1, len(self.chunk_ids))))

    def _index_of(self, grain: Grain) -> Mapping[str, int]:
        if grain not in self._index:
            ids: Iterable[str] = self.world.documents
            if grain is Grain.VERSION:
                ids = self._columns().content.version_ids
            elif grain is Grain.CHUNK:
                ids = self.chunk_ids
            self._index[grain] = {item_id: position for position, item_id in enumerate(ids)}
        return self._index[grain]

    def _decide_all(self, principal_id: str, times: Times) -> Bits:
        tables, directory = self._columns(), self._people()
        units = self._units.get(
            times.now, lambda: (Units(directory, None), Units(directory, times.now))
        )
        standing = standing_of(principal_id, self.world, directory, self._levels, units, times.now)
        bits = np.take(self._of_documents(standing, times), tables.document_of_chunk)
        bits |= self._of_chunks(standing, times)
        for version in self._of_times(times)[1].get(principal_id, ()):
            own = slice(tables.first_chunk[version], tables.first_chunk[version + 1])
            bits[own] &= NOT_ASKED_OF_OWN_DRAFT
        bits.setflags(write=False)
        return bits

    def _of_documents(self, standing: Standing, times: Times) -> Bits:
        """C1, C2, C8 to C14, which hold or fail for a document as a whole, and its folders' C4."""
        tables = self._columns()
        rows, lists, folders = tables.rows, tables.lists, tables.folders
        now, is_public = self._lists_now.get(times.now, lambda: self._lists_at(times.now))
        reach = lists.reach(now, standing)
        rungs, denied = lists.rungs(now, reach), lists.denied(now, reach)

        from_folder = rungs[tables.folder_list]
        denied_above = (denied.by_name | denied.by_group)[tables.folder_list]
        folders.handed_down(from_folder)
        folders.handed_down(denied_above)

        best = np.maximum(rungs[rows.own_list], from_folder[rows.inherits_from])
        in_tenant = np.fromiter(
            (tenant in standing.tenants_live for tenant in tables.tenants),
            np.bool_,
            len(tables.tenants),
        )
        bits = OF_RUNG[best]
        bits |= ~(in_tenant[rows.tenant] | is_public) * BIT["C2"]
        for denies, where, bit in (
            (denied.by_name, rows.own_list, BIT["C8"]),
            (denied.by_group, rows.own_list, BIT["C9"]),
            (denied_above, rows.inherits_from, BIT["C10"]),
        ):
            if denies.any():
                bits |= denies[where] * bit
        lacking = self._lacking(standing)[folders.compartments]
        if lacking.any():
            bits |= lacking[rows.folder] * BIT["C4"]
        if not standing.is_active:
            bits |= BIT["C1"]
        return bits

    def _lists_at(self, now: datetime) -> tuple[ListsNow, NDArray[np.bool_]]:
        """The lists at an instant, and per document whether a live `public` entry holds for it."""
        tables = self._columns()
        lists = tables.lists.at(now)
        from_folder = lists.is_public[tables.folder_list]
        tables.folders.handed_down(from_folder)
        rows = tables.rows
        return lists, lists.is_public[rows.own_list] | from_folder[rows.inherits_from]

    def _lacking(self, standing: Standing) -> NDArray[np.bool_]:
        """Per set of compartments, whether the principal lacks one of them."""
        sets = self._columns().content.sets
        return np.fromiter((not s <= standing.compartments for s in sets), np.bool_, len(sets))

    def _of_chunks(self, standing: Standing, times: Times) -> Bits:
        """C3 to C7: alike for all principals of the same clearance and compartments."""
        if self._by_marks is None:
            self._by_marks = Recent(self._room())

        def make() -> Bits:
            tables = self._columns()
            bits = np.take(self._of_times(times)[0], tables.version_of_chunk)
            bits |= (tables.level > standing.clearance) * BIT["C3"]
            lacking = self._lacking(standing)
            if lacking.any():
                bits |= lacking[tables.content.compartments] * BIT["C4"]
            return bits

        return self._by_marks.get((times, standing.clearance, standing.compartments), make)

    def _of_times(self, times: Times) -> tuple[Bits, Mapping[str, list[int]]]:
        """Per version C5 to C7, and per owner the versions that are its drafts."""

        def make() -> tuple[Bits, Mapping[str, list[int]]]:
            tables = self._columns()
            content = tables.content
            states = content.states_at(times.now)
            drafts: dict[str, list[int]] = {}
            for version in np.flatnonzero(states == columns.DRAFT).tolist():
                owner_id = tables.rows.owner[tables.document_of_version[version]]
                if owner_id is not None:
                    drafts.setdefault(owner_id, []).append(version)
            archive = self.world.policy.archive
            return content.failing(times, states, archive=archive), drafts

        return self._by_time.get(times, make)


def _version(document: Document, version_id: str) -> Version:
    for version in document.versions:
        if version.version_id == version_id:
            return version
    raise InputError.one(
        f"document {document.document_id}", "there is no such version", repr(version_id)
    )
