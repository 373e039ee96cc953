"""The document stays as it is, and its rights change: its label, its list, or the folder's label.

Label and compartment (C3, C4), a deny by name (C8), a move under a label (C3).
"""

from collections.abc import Mapping, Sequence

from rageval_kit.generate.cells import Place
from rageval_kit.generate.pairs import Script, staged
from rageval_kit.generate.scene import Found, Scene
from rageval_kit.records.changes import AddFolder, Change, Grant, Move, Relabel
from rageval_kit.records.world import Document, Effect, Entry, Folder, SubjectKind

Events = tuple[Sequence[Change], Sequence[Change]] | None
CONDITIONS = {"relabelled": "C3", "recompartmented": "C4", "denied": "C8", "moved": "C3"}
TAKES: Mapping[str, tuple[str, ...] | None] = {"is": tuple(CONDITIONS)}
WANTS = ("is",)


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """Readers who may read as the world stands, and whom the change stops."""
    del part
    how = args["is"]
    keep = _unlabelled if how == "moved" else None
    script: Script = {
        "relabelled": lambda reader, place, _: _relabelled(scene, reader, place),
        "recompartmented": lambda reader, place, _: _recompartmented(scene, reader, place),
        "denied": lambda reader, place, _: _denied(reader, place),
        "moved": lambda reader, place, _: _moved(scene, reader, place),
    }[how]
    return staged(
        scene,
        scene.allowed_cells(f"rights-{how}", keep),
        script,
        CONDITIONS[how],
        limit,
        available=scene.count_allowed(keep),
        twin="maybe",
        nothing=f"no document of this world can be {how} so that a reader is stopped by that alone",
    )


def _unlabelled(document: Document) -> bool:
    return document.label is None


def _above(scene: Scene, reader: str) -> tuple[str, ...]:
    """The labels above the reader's clearance, lowest first."""
    labels = scene.world.policy.labels
    cleared = scene.world.principals[reader].clearance
    return labels[labels.index(cleared) + 1 if cleared in labels else 1 :]


def _relabelled(scene: Scene, reader: str, place: Place) -> Events:
    document, above = place.document, _above(scene, reader)
    if not above:
        return None
    return (), (Relabel(document.document_id, above[0], document.compartments),)


def _recompartmented(scene: Scene, reader: str, place: Place) -> Events:
    people, document = scene.world.principals, place.document
    known = frozenset().union(*(person.compartments for person in people.values()))
    lacking = sorted(known - people[reader].compartments)
    if not lacking:
        return None
    inside = document.compartments | {lacking[0]}
    return (), (Relabel(document.document_id, document.label, inside),)


def _denied(reader: str, place: Place) -> Events:
    document_id = place.document.document_id
    entry = Entry(f"kit-deny-{document_id}-{reader}", Effect.DENY, SubjectKind.USER, reader)
    return (), (Grant(document_id, entry),)


def _moved(scene: Scene, reader: str, place: Place) -> Events:
    """Into a folder of a higher label; the reader has an entry that the move does not take away."""
    document, above = place.document, _above(scene, reader)
    if not above:
        return None
    name = f"kit-moved-{document.document_id}-{reader}"
    folder = Folder(name, document.tenant_id, label=above[0])
    entry = Entry(name, Effect.ALLOW, SubjectKind.USER, reader)
    setup = (AddFolder(folder), Grant(document.document_id, entry))
    return setup, (Move(document.document_id, name),)
