"""The version was in force and a newer one has taken its place (C6)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rageval_kit.generate.cells import Place
from rageval_kit.generate.pairs import staged
from rageval_kit.generate.scene import Found, Scene
from rageval_kit.generate.words import without_marks
from rageval_kit.records.changes import Change, PublishVersion
from rageval_kit.records.target import Grain
from rageval_kit.records.world import State, Version

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("superseded",)}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    del args, part
    if scene.grain is Grain.DOCUMENT:
        return Found((), 0, "the target's ids do not tell versions apart")

    def script(_: str, place: Place, __: str) -> tuple[Sequence[Change], Sequence[Change]]:
        return (), (PublishVersion(place.document.document_id, _next(scene, place)),)

    return staged(
        scene,
        scene.allowed_cells("superseded"),
        script,
        "C6",
        limit,
        available=scene.count_allowed(),
        twin="none",
    )


def _next(scene: Scene, place: Place) -> Version:
    """The same version, revised now: same title, each passage under a new id, marked as revised."""
    now = scene.world.clock
    chunks = tuple(
        replace(
            chunk,
            chunk_id=f"{chunk.chunk_id}~kit",
            # The new version must not carry the old one's proof.
            text=f"{without_marks(chunk.text)} (revised / 已修订)",
        )
        for chunk in place.version.chunks
    )
    return replace(
        place.version,
        version_id=f"{place.version.version_id}~kit",
        chunks=chunks,
        valid_from=now,
        valid_to=None,
        recorded_from=now,
        recorded_to=None,
        states=((now, State.PUBLISHED),),
    )
