"""No entry names the reader (C11), as the world stands or since the list was emptied or spoilt."""

from collections.abc import Iterator, Mapping, Sequence

from rageval_kit.generate.pairs import staged, standing
from rageval_kit.generate.scene import Found, Place, Scene, bit
from rageval_kit.records.changes import Change, Malform

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("empty", "missing", "unknown_principal", "wrong_type"),
}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    if "is" not in args:
        return standing(scene, bit("C11"), limit, part=part)

    def script(_: str, place: Place, __: str) -> tuple[Sequence[Change], Sequence[Change]]:
        return (), (Malform(place.document.document_id, args["is"]),)

    return staged(
        scene,
        _own_readers(scene),
        script,
        "C11",
        limit,
        available=sum(1 for _ in _own_readers(scene)),
        twin="none",
        nothing="no document is read through its own list alone",
    )


def _own_readers(scene: Scene) -> Iterator[tuple[int, int]]:
    for row, column in scene.allowed_cells("no_entry"):
        document = scene.places[scene.chunk_ids[column]].document
        if document.entries:
            yield row, column
