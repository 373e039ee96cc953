"""The document was readable and its state changed (C5)."""

from collections.abc import Mapping, Sequence

from rageval_kit.generate.cells import Place
from rageval_kit.generate.pairs import staged
from rageval_kit.generate.scene import Found, Scene
from rageval_kit.records.changes import Change, SetState
from rageval_kit.records.world import State

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("deleted", "quarantined", "withdrawn")}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    del part
    state = State(args.get("is", "deleted"))

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
