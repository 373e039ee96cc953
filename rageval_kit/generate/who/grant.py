"""An entry for the reader existed and is over, or has not begun (C12)."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from rageval_kit.generate.pairs import count_unentitled, staged, standing, unentitled
from rageval_kit.generate.scene import Found, Place, Scene, bit
from rageval_kit.records.changes import Change, Grant, Revoke
from rageval_kit.records.world import Effect, Entry, SubjectKind, Window

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("revoked", "expired", "not_yet")}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    if args.get("is") != "revoked":
        return standing(scene, bit("C12"), limit, part=part, nothing="no entry is over or to come")
    now = scene.world.clock

    def script(reader: str, place: Place, _: str) -> tuple[Sequence[Change], Sequence[Change]]:
        document_id = place.document.document_id
        entry = Entry(
            f"kit-{document_id}-{reader}",
            Effect.ALLOW,
            SubjectKind.USER,
            reader,
            Window(now - timedelta(days=1), None),
        )
        return (Grant(document_id, entry),), (Revoke(document_id, entry.entry_id, now),)

    return staged(scene, unentitled(scene), script, "C12", limit, available=count_unentitled(scene))
