"""With the world from which the version that is yet to come has been taken out."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.changes import SetState
from rageval_kit.records.target import Power
from rageval_kit.records.world import State

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """The same question, and a count of what only the future states, before and after.

    Then the version is put back, for what else the script asks.

    Nothing where the target cannot be changed and put back: then there is no other world.
    """
    del args
    scene, pair = walk.scene, walk.pair
    place = scene.places[pair.chunk_id]
    value = pair.exhibit.values.get(place.version.version_id, "") if pair.exhibit else ""
    if not scene.has(Power.MUTATE, Power.RESTORE):
        return
    document_id, version_id = place.document.document_id, place.version.version_id
    now = walk.world.clock
    for mark, role in (("compared", "reader"), ("contrast", "contrast")):
        walk.mark(mark)
        walk.ask(role, pair.reader_id, walk.wording, session=mark)
        if value and "count" in scene.abilities:
            walk.mark(mark)
            walk.count(role, pair.reader_id, value)
        if mark == "compared":
            walk.apply((SetState(document_id, State.DELETED, now, version_id),))
    walk.apply((SetState(document_id, State.PUBLISHED, now, version_id),))
