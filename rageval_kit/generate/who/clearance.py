"""The label is above the reader's clearance (C3), of the document or of one part of it."""

from collections.abc import Mapping

from rageval_kit.generate.pairs import standing
from rageval_kit.generate.scene import Found, Scene, bit

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    del args
    kind = "attachment" if part == "attachment" else ""
    return standing(
        scene,
        bit("C3"),
        limit,
        part=part,
        keep=lambda _, place: not kind or place.chunk.kind == kind,
        nothing=f"no {part} is labelled above a reader's clearance",
    )
