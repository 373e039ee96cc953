"""The reader, or the reader's tenant, is spelt almost like one that may read (C2, C11)."""

import unicodedata
from collections.abc import Mapping

from rageval_kit.generate.cells import Among, Place
from rageval_kit.generate.pairs import standing
from rageval_kit.generate.scene import Found, Scene, bit
from rageval_kit.records.world import Principal, SubjectKind

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

    return standing(
        scene,
        bit("C2") if of_tenant else bit("C11"),
        limit,
        allowed=bit("C11") if of_tenant else 0,
        part=part,
        keep=near,
        among=Among.ALL,
        nothing=f"no {args.get('is', 'tenant')} is spelt almost like another",
    )
