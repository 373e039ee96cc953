"""No entry names the reader (C11), as the world stands or since the list was emptied or spoilt."""

from collections.abc import Mapping, Sequence

from rageval_kit.generate.cells import Place
from rageval_kit.generate.exhibited import exhibited
from rageval_kit.generate.pairs import staged, standing
from rageval_kit.generate.scene import Found, Scene, bit
from rageval_kit.records.changes import Change, Malform
from rageval_kit.records.world import Document

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("empty", "missing", "unknown_principal", "wrong_type"),
}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    if "is" not in args and scene.exhibits:
        return exhibited(scene, bit("C11"), limit)
    if "is" not in args:
        return standing(scene, bit("C11"), limit, part=part)

    def script(_: str, place: Place, __: str) -> tuple[Sequence[Change], Sequence[Change]]:
        return (), (Malform(place.document.document_id, args["is"]),)

    return staged(
        scene,
        scene.allowed_cells("no_entry", _has_entries),
        script,
        "C11",
        limit,
        available=scene.count_allowed(_has_entries),
        twin="none",
        nothing="no document is read through its own list alone",
    )


def _has_entries(document: Document) -> bool:
    return bool(document.entries)
