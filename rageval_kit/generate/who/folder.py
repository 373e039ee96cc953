"""Access came from a folder, and the folder's entry, the inheritance or the place changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from rageval_kit.generate.cells import Place
from rageval_kit.generate.pairs import count_unentitled, staged, unentitled
from rageval_kit.generate.scene import Found, Scene
from rageval_kit.records.changes import Change, Grant, Move, PublishVersion, Revoke, SetInheritance
from rageval_kit.records.world import (
    Document,
    Effect,
    Entry,
    State,
    SubjectKind,
    Version,
    Window,
)

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("revoked", "broken_inheritance", "broken_then_new_version", "moved_into"),
}
ANNOUNCED = timedelta(days=365)


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """Rights that the world's folders give; where none do, rights given for the test."""
    del part
    if not scene.world.folders:
        return Found((), 0, "the world has no folders")
    how = args.get("is", "revoked")
    expected = "C12" if how == "revoked" else "C11"

    def standing(_: str, place: Place, __: str) -> tuple[Sequence[Change], Sequence[Change]] | None:
        event = _event(scene, place, how, _entries_above(scene, place.document))
        return ((), event) if event else None

    found = staged(
        scene,
        scene.allowed_cells("folder", _inherits),
        standing,
        expected,
        limit,
        available=scene.count_allowed(_inherits),
        twin="maybe",
    )
    return found if found.pairs else _given(scene, how, expected, limit)


def _given(scene: Scene, how: str, expected: str, limit: int) -> Found:
    now = scene.world.clock

    def script(
        reader: str, place: Place, _: str
    ) -> tuple[Sequence[Change], Sequence[Change]] | None:
        folder_id = place.document.folder_id or ""
        entry = Entry(
            f"kit-folder-{folder_id}-{reader}",
            Effect.ALLOW,
            SubjectKind.USER,
            reader,
            Window(now - timedelta(days=1), None),
        )
        event = _event(scene, place, how, [(folder_id, entry.entry_id)])
        return ((Grant(folder_id, entry, on_folder=True),), event) if event else None

    return staged(
        scene, _in_folders(scene), script, expected, limit, available=count_unentitled(scene)
    )


def _event(
    scene: Scene, place: Place, how: str, entries: Sequence[tuple[str, str]]
) -> tuple[Change, ...]:
    """What takes the right away: each entry revoked, inheritance broken, the document moved."""
    document_id = place.document.document_id
    if how == "revoked":
        now = scene.world.clock
        return tuple(Revoke(folder, entry, now, on_folder=True) for folder, entry in entries)
    if how == "broken_inheritance":
        return (SetInheritance(document_id, inherits=False),)
    if how == "broken_then_new_version":
        following = PublishVersion(document_id, _following(scene, place))
        return (SetInheritance(document_id, inherits=False), following)
    elsewhere = _elsewhere(scene, place)
    return (Move(document_id, elsewhere),) if elsewhere else ()


def _following(scene: Scene, place: Place) -> Version:
    """The next version, announced for later: the one asked for is still the one in force."""
    begins = scene.world.clock + ANNOUNCED
    version_id = f"{place.version.version_id}-kit-next"
    chunks = tuple(
        replace(chunk, chunk_id=f"{version_id}#{number}")
        for number, chunk in enumerate(place.version.chunks, 1)
    )
    return replace(
        place.version,
        version_id=version_id,
        chunks=chunks,
        valid_from=begins,
        valid_to=None,
        states=((begins, State.PUBLISHED),),
    )


def _entries_above(scene: Scene, document: Document) -> list[tuple[str, str]]:
    """Live allow entries of the folders above, as (folder, entry)."""
    found, folder_id = [], document.folder_id
    while folder_id is not None:
        folder = scene.world.folders[folder_id]
        found += [
            (folder_id, entry.entry_id)
            for entry in folder.entries
            if entry.effect is Effect.ALLOW and entry.revoked_at is None
        ]
        folder_id = folder.parent_id if folder.inherits else None
    return found


def _inherits(document: Document) -> bool:
    return document.folder_id is not None and document.inherits


def _in_folders(scene: Scene) -> Iterator[tuple[int, int]]:
    for row, column in unentitled(scene):
        if _inherits(scene.places[scene.chunk_ids[column]].document):
            yield row, column


def _elsewhere(scene: Scene, place: Place) -> str:
    """A folder of the same tenant that does not lie under the document's folder."""
    for folder in scene.world.folders.values():
        if folder.tenant_id != place.document.tenant_id:
            continue
        above, current = set(), folder.folder_id
        while current is not None:
            above.add(current)
            current = scene.world.folders[current].parent_id  # type: ignore[assignment]
        if place.document.folder_id not in above and folder.label is None:
            return folder.folder_id
    return ""
