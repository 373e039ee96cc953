"""Somebody follows the link that went with the first citation of the reader's first answer."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.world import PrincipalKind

TAKES: Mapping[str, tuple[str, ...] | None] = {"as": ("reader", "anonymous", "colleague")}


def abilities(args: Mapping[str, str]) -> frozenset[str]:
    del args
    return frozenset({"open"})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """The reader's own first following, while the right lasts, is marked `followed`."""
    pair, who = walk.pair, args.get("as", "reader")
    if who == "reader" and walk.elapsed_s is None:
        walk.mark("followed")
    principal_id = {"reader": pair.reader_id, "colleague": _colleague(walk)}.get(who, "")
    principal_id = principal_id or _anonymous(walk)
    role = "reader" if who == "reader" else "other"
    walk.resolve(role, principal_id, "", shown_at=walk.marks["before"][0])


def _anonymous(walk: Walk) -> str:
    people = walk.world.principals.values()
    known = (p.principal_id for p in people if p.kind is PrincipalKind.ANONYMOUS)
    return next(known, "anonymous")


def _colleague(walk: Walk) -> str:
    """Somebody of the reader's tenant who may not read the target; else nobody in particular."""
    scene, pair = walk.scene, walk.pair
    tenant_id = scene.world.principals[pair.reader_id].tenant_id
    column = scene.columns[pair.chunk_id]
    barred = (
        reader
        for row, reader in enumerate(scene.readers)
        if scene.reasons[row, column]
        and reader != pair.reader_id
        and scene.world.principals[reader].tenant_id == tenant_id
    )
    return next(barred, "")
