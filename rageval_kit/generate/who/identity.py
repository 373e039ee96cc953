"""Who asks is nobody that may: unknown, unnamed, anonymous, suspended, deleted, a guest no more.

C1 for all but the anonymous, whom the world declares, and the lapsed guest (C2).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta

from rageval_kit.generate.cells import Place
from rageval_kit.generate.pairs import NO_MATCH, staged
from rageval_kit.generate.scene import Found, Pair, Scene, bit
from rageval_kit.generate.titles import TITLED, passages_of
from rageval_kit.records.changes import Change, EndGuest, Grant, Invite, SetStatus
from rageval_kit.records.world import (
    Effect,
    Entry,
    Guest,
    PrincipalKind,
    PrincipalStatus,
    SubjectKind,
    Window,
)

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("unknown", "unnamed", "anonymous", "suspended", "deleted", "guest_lapsed"),
    "of": ("any", "titled"),
}
WANTS = ("is",)
UNKNOWN = "kit-nobody-by-this-id"


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """`of: titled`, where somebody is unknown: documents planted with marks in their titles."""
    del part
    how = args["is"]
    if how == "unknown":
        cells = _titled(scene) if args.get("of") == "titled" else None
        return _stranger(scene, UNKNOWN, limit, cells)
    if how == "unnamed":
        return _stranger(scene, "", limit)
    if how == "anonymous":
        declared = (
            person.principal_id
            for person in scene.world.principals.values()
            if person.kind is PrincipalKind.ANONYMOUS
        )
        reader_id = min(declared, default=None)
        if reader_id is None:
            return Found((), 0, "the world declares nobody who is anonymous")
        return _stranger(scene, reader_id, limit)
    if how == "guest_lapsed":
        return _guest(scene, limit)
    status = PrincipalStatus(how)

    def script(reader: str, _: Place, __: str) -> tuple[Sequence[Change], Sequence[Change]]:
        return (), (SetStatus(reader, status, scene.world.clock),)

    cells, available = scene.allowed_cells(f"identity-{how}"), scene.count_allowed()
    return staged(scene, cells, script, "C1", limit, available=available)


def _stranger(
    scene: Scene, reader_id: str, limit: int, cells: Iterable[tuple[int, int]] | None = None
) -> Found:
    """Somebody beside the world's people; who may read the document is the twin."""
    permitted = scene.monitor.permitted(
        reader_id, scene.grain, as_of=scene.as_of, known_at=scene.known_at
    )
    pairs: list[Pair] = []
    taken: set[str] = set()
    for row, column in scene.allowed_cells("identity") if cells is None else cells:
        if len(pairs) >= limit:
            break
        chunk_id, twin_id = scene.chunk_ids[column], scene.readers[row]
        document_id = scene.places[chunk_id].document.document_id
        if document_id in taken or scene.id_of(chunk_id) in permitted or twin_id == reader_id:
            continue
        taken.add(document_id)
        conditions = scene.reasons_after((), reader_id, chunk_id)
        pairs.append(Pair(reader_id, chunk_id, twin_id=twin_id, conditions=conditions))
    return Found(tuple(pairs), scene.count_allowed(), "" if pairs else "everybody may read all")


def _titled(scene: Scene) -> Iterator[tuple[int, int]]:
    """Of each document with a marked title somebody who may read it, and the passage like it."""
    for document_id in scene.document_ids:
        if document_id.startswith(TITLED):
            column = scene.columns[passages_of(document_id)[0]]
            row = scene.twin_of(column, salt=document_id)
            if row is not None:
                yield row, column


def _guest(scene: Scene, limit: int) -> Found:
    """A person of another tenant was its guest, with an entry by name, until now."""
    required, now = bit("C2"), scene.world.clock
    since = Window(now - timedelta(days=1), None)

    def script(reader: str, place: Place, _: str) -> tuple[Sequence[Change], Sequence[Change]]:
        document = place.document
        guest = Guest(f"kit-guest-{reader}-{document.document_id}", reader, document.tenant_id)
        entry = Entry(f"kit-{guest.guest_id}", Effect.ALLOW, SubjectKind.USER, reader, since)
        setup = (Invite(guest), Grant(document.document_id, entry))
        return setup, (EndGuest(guest.guest_id, now),)

    cells = (cell for cell in scene.denied(required, NO_MATCH) if cell[0] not in scene.services)
    available = scene.count_denied(required, NO_MATCH)
    nothing = "nobody of another tenant can be made a guest"
    return staged(scene, cells, script, "C2", limit, available=available, nothing=nothing)
