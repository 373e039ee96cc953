"""Nobody is denied: a person of the crowd's tenant asks for the topic and should find its share."""

from collections.abc import Mapping

from rageval_kit.generate.crowds import KEEPER, prefix, tenant_of
from rageval_kit.generate.scene import Found, Pair, Scene
from rageval_kit.records.world import PrincipalKind

TAKES: Mapping[str, tuple[object, ...] | None] = {"visible": None, "words": None}
WANTS = ("visible",)


def find(scene: Scene, args: Mapping[str, object], limit: int, part: str) -> Found:
    del part
    start = prefix(args)
    columns = [
        column
        for column, chunk_id in enumerate(scene.chunk_ids)
        if scene.places[chunk_id].document.document_id.startswith(start)
    ]
    pairs = []
    for row, reader in enumerate(scene.readers):
        principal = scene.world.principals[reader]
        if principal.kind is not PrincipalKind.USER or reader == KEEPER:
            continue
        readable = [column for column in columns if not scene.reasons[row, column]]
        if readable and principal.tenant_id == tenant_of(scene.given):
            pairs.append(Pair(reader, scene.chunk_ids[readable[0]], reference=len(readable)))
    return Found(tuple(pairs[:limit]), len(pairs), "" if pairs else "no crowd was planted")
