"""The whole index: nothing is planted, and all that the source holds is looked at."""

from collections.abc import Mapping, Sequence

from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.records.world import World

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    del world, args, seed
    return Planting()


def exhibits(world: World, args: Mapping[str, str], seed: int) -> Sequence[Exhibit]:
    """One for each document with text: it names a case, which is about all of them."""
    del args, seed
    return [
        Exhibit(f"index-{document_id}", {"target": document_id}, {})
        for document_id, document in world.documents.items()
        if any(version.chunks for version in document.versions)
    ]
