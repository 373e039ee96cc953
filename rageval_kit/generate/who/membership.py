"""The reader was in a group that may read, and the membership has lapsed (C13)."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from rageval_kit.generate.cells import Place
from rageval_kit.generate.pairs import count_unentitled, staged, unentitled
from rageval_kit.generate.scene import Found, Scene
from rageval_kit.records.changes import Change, EndMembership, Enroll
from rageval_kit.records.world import Effect, Membership, SubjectKind, Window

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("lapses",)}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    del args, part
    now = scene.world.clock

    def script(
        reader: str, place: Place, _: str
    ) -> tuple[Sequence[Change], Sequence[Change]] | None:
        units = [
            entry.subject_id
            for entry in scene.effective_entries(place.document)
            if entry.effect is Effect.ALLOW and entry.subject_kind is SubjectKind.UNIT
        ]
        if not units:
            return None
        membership = Membership(
            f"kit-{units[0]}-{reader}",
            units[0],
            reader,
            window=Window(now - timedelta(days=1), None),
        )
        return (Enroll(membership),), (EndMembership(membership.membership_id, now),)

    return staged(scene, unentitled(scene), script, "C13", limit, available=count_unentitled(scene))
