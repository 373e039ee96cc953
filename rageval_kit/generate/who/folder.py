"""Access came from a folder, and the folder's entry, the inheritance or the place changed."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from rageval_kit.generate.pairs import count_unentitled, staged, unentitled
from rageval_kit.generate.scene import Found, Place, Scene
from rageval_kit.records.changes import Change, Grant, Move, Revoke, SetInheritance
from rageval_kit.records.world import Effect, Entry, SubjectKind, Window

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("revoked", "broken_inheritance", "moved_into"),
}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    del part
    if not scene.world.folders:
        return Found((), 0, "the world has no folders")
    how, now = args.get("is", "revoked"), scene.world.clock

    def script(
        reader: str, place: Place, _: str
    ) -> tuple[Sequence[Change], Sequence[Change]] | None:
        document = place.document
        if document.folder_id is None:
            return None
        entry = Entry(
            f"kit-folder-{document.folder_id}-{reader}",
            Effect.ALLOW,
            SubjectKind.USER,
            reader,
            Window(now - timedelta(days=1), None),
        )
        setup = (Grant(document.folder_id, entry, on_folder=True),)
        if how == "revoked":
            return setup, (Revoke(document.folder_id, entry.entry_id, now, on_folder=True),)
        if how == "broken_inheritance":
            return setup, (SetInheritance(document.document_id, inherits=False),)
        elsewhere = _elsewhere(scene, place)
        return (setup, (Move(document.document_id, elsewhere),)) if elsewhere else None

    expected = "C12" if how == "revoked" else "C11"
    return staged(
        scene, _in_folders(scene), script, expected, limit, available=count_unentitled(scene)
    )


def _in_folders(scene: Scene) -> Iterator[tuple[int, int]]:
    for row, column in unentitled(scene):
        document = scene.places[scene.chunk_ids[column]].document
        if document.folder_id is not None and document.inherits:
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
