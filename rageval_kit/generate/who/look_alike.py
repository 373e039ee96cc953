"""The reader, or the reader's tenant, is spelt almost like one that may read (C2, C11)."""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rageval_kit.generate.cells import Among, Place
from rageval_kit.generate.pairs import standing
from rageval_kit.generate.scene import Found, Pair, Scene, bit
from rageval_kit.records.world import Principal, SubjectKind

CHOICE = 12
TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("tenant", "principal")}


def folded(text: str) -> str:
    """What a careless system compares: compatibility form, lower case, no outer spaces."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    of_tenant = args.get("is", "tenant") == "tenant"

    def near(reader: Principal, place: Place) -> bool:
        document = place.document
        if of_tenant:
            short, long = sorted((reader.tenant_id or "", document.tenant_id), key=len)
            return short not in {"", long} and (
                folded(short) == folded(long) or long.startswith(short) or long.endswith(short)
            )
        return any(
            entry.subject_kind is SubjectKind.USER
            and entry.subject_id != reader.principal_id
            and folded(entry.subject_id) == folded(reader.principal_id)
            for entry in document.entries
        )

    found = standing(
        scene,
        bit("C2") if of_tenant else bit("C11"),
        limit * CHOICE,
        allowed=bit("C11") if of_tenant else 0,
        part=part,
        keep=near,
        among=Among.ALL,
        nothing=f"no {args.get('is', 'tenant')} is spelt almost like another",
    )
    return replace(found, pairs=_spread(scene, found.pairs)[:limit])


def _spread(scene: Scene, pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Each two tenants once before any of them again; last where both sides were planted."""
    turns: Counter[tuple[str | None, str]] = Counter()
    order: list[tuple[bool, int, int]] = []
    for pair in pairs:
        document = scene.places[pair.chunk_id].document
        planted = (
            pair.reader_id not in scene.given.principals
            and document.document_id not in scene.given.documents
        )
        both = (scene.world.principals[pair.reader_id].tenant_id, document.tenant_id)
        order.append((planted, turns[both], len(order)))
        turns[both] += 1
    return tuple(pairs[position] for _, _, position in sorted(order))
