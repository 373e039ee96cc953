"""The version was not on record at the time asked about: recorded later, or corrected (C7)."""

from collections.abc import Iterator, Mapping

from rageval_kit.corpus.times import INSTANT
from rageval_kit.generate.moments import Moment, found_at, middle, targets
from rageval_kit.generate.scene import Found, Scene
from rageval_kit.records.target import Grain
from rageval_kit.records.world import Document

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("recorded_later", "corrected", "each_cell")}
WANTS = ("is",)


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """`each_cell`: what held then, as it was known then, for each version with both times.

    `recorded_later`: just before the version was recorded. `corrected`: now, of one corrected away.
    """
    del part
    if scene.grain is Grain.DOCUMENT:
        return Found((), 0, "the target's ids do not tell versions apart")
    moments = [
        (exhibit, moment)
        for exhibit, document in targets(scene)
        for moment in MOMENTS[args["is"]](scene, document)
    ]
    return found_at(scene, moments, "C7", limit, "no version of this world was corrected")


def _each_cell(scene: Scene, document: Document) -> Iterator[Moment]:
    clock = scene.world.clock
    for version in document.versions:
        held = middle(version.valid_from, version.valid_to, clock)
        known = middle(version.recorded_from, version.recorded_to, clock)
        if held is not None and known is not None:
            yield Moment(version.version_id, held, known)


def _later(scene: Scene, document: Document) -> Iterator[Moment]:
    for version in document.versions:
        held = middle(version.valid_from, version.valid_to, scene.world.clock)
        if held is not None and version.recorded_from is not None:
            yield Moment(version.version_id, held, version.recorded_from - INSTANT)


def _corrected(scene: Scene, document: Document) -> Iterator[Moment]:
    clock = scene.world.clock
    for version in document.versions:
        held = middle(version.valid_from, version.valid_to, clock)
        if held is not None and version.recorded_to is not None and version.recorded_to <= clock:
            yield Moment(version.version_id, held)


MOMENTS = {"each_cell": _each_cell, "recorded_later": _later, "corrected": _corrected}
