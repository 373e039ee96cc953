"""The state of a version or document denies it: deleted, quarantined, withdrawn, draft (C5)."""

from collections.abc import Mapping, Sequence

from rageval_kit.generate.cells import Place
from rageval_kit.generate.moments import Moment, found_at, targets
from rageval_kit.generate.pairs import staged
from rageval_kit.generate.scene import Found, Scene
from rageval_kit.records.changes import Change, SetState
from rageval_kit.records.world import State

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("deleted", "quarantined", "withdrawn", "draft")
}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """Of what the world shows, the versions that are in the state; else documents put into it."""
    del part
    state = State(args.get("is", "deleted"))
    if scene.exhibits:
        moments = [
            (exhibit, Moment(version.version_id))
            for exhibit, document in targets(scene)
            for version in document.versions
            if version.state_at(scene.world.clock)[0] is state
        ]
        return found_at(scene, moments, "C5", limit, f"no version of this world is {state}")

    def script(_: str, place: Place, __: str) -> tuple[Sequence[Change], Sequence[Change]]:
        return (), (SetState(place.document.document_id, state, scene.world.clock),)

    return staged(
        scene,
        scene.allowed_cells(f"state-{state}"),
        script,
        "C5",
        limit,
        available=scene.count_allowed(),
        twin="none",
    )
