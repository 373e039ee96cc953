"""An entry for the reader existed and is over, or has not begun (C12)."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from rageval_kit.generate.cells import Place
from rageval_kit.generate.pairs import count_unentitled, staged, standing, unentitled
from rageval_kit.generate.scene import Found, Scene, bit
from rageval_kit.records.changes import Change, Grant, Revoke
from rageval_kit.records.world import Effect, Entry, SubjectKind, Window

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("revoked", "expired", "not_yet")}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    how, now = args.get("is", "expired"), scene.world.clock
    if how != "revoked":
        return standing(
            scene,
            bit("C12"),
            limit,
            part=part,
            keep=lambda _, place: _not_live(scene, place) == {how},
            nothing=f"no entry is {how}",
        )

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


def _not_live(scene: Scene, place: Place) -> set[str]:
    """In which ways the allow entries over a document that are not live are not."""
    now, ways = scene.world.clock, set()
    for entry in scene.effective_entries(place.document):
        if entry.effect is not Effect.ALLOW:
            continue
        if entry.revoked_at is not None and entry.revoked_at <= now:
            ways.add("revoked")
        elif entry.window.end is not None and entry.window.end <= now:
            ways.add("expired")
        elif entry.window.start is not None and entry.window.start > now:
            ways.add("not_yet")
    return ways
