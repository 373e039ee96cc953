"""The document is granted to a department the reader is not in (C11)."""

from collections.abc import Mapping

from rageval_kit.generate.pairs import standing
from rageval_kit.generate.scene import Found, Scene, bit

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    del args
    return standing(
        scene,
        bit("C11"),
        limit,
        part=part,
        keep=lambda _, place: scene.names_department(place.document),
        nothing="no document is granted to a department",
    )
