"""What may show where a call is bound to more than the rights of who makes it?"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from rageval_kit.access import Monitor
from rageval_kit.generate.scene import Scene
from rageval_kit.records.cases import Permitted
from rageval_kit.records.target import Grain
from rageval_kit.records.world import Document, Effect, SubjectKind, World


@dataclass(frozen=True, slots=True)
class Bounds:
    """`via`: each of these must be allowed too. `tenant`: only what is of this one, or public.

    `void`: what the call presents is not valid, so nothing may show.
    """

    via: tuple[str, ...] = ()
    tenant: str | None = None
    void: bool = False


FREE = Bounds()


def bounded(
    permitted: Permitted,
    bounds: Bounds,
    scene: Scene,
    monitor: Monitor,
    times: Mapping[str, datetime | None],
) -> Permitted:
    """What of the permitted stays so within the bounds, at the target's grain."""
    if bounds == FREE:
        return permitted
    mask = np.zeros_like(permitted.mask) if bounds.void else permitted.mask.copy()
    for hop in bounds.via:
        mask &= monitor.permitted(hop, scene.grain, **times).mask
    if bounds.tenant is not None:
        mask &= _of_tenant(permitted.index, bounds.tenant, scene, monitor.world)
    return Permitted(permitted.index, mask)


def _of_tenant(
    index: Mapping[str, int], tenant_id: str, scene: Scene, world: World
) -> NDArray[np.bool_]:
    mask = np.zeros(len(index), dtype=np.bool_)
    first, kept = scene.world.documents, scene.items_of_tenants
    if tenant_id not in kept:
        kept[tenant_id] = dict(_open_to(tenant_id, scene, first.values()))
    changed = [d for name, d in world.documents.items() if first.get(name) is not d]
    found = kept[tenant_id] | {d.document_id: [] for d in changed}
    found |= dict(_open_to(tenant_id, scene, changed))
    mask[[index[item] for items in found.values() for item in items if item in index]] = True
    return mask


def _open_to(
    tenant_id: str, scene: Scene, documents: Iterable[Document]
) -> Iterator[tuple[str, list[str]]]:
    """Those documents that are of the tenant or public, each with its items at the grain."""
    for document in documents:
        if document.tenant_id == tenant_id or is_public(scene, document):
            yield document.document_id, _items(document, scene.grain)


def is_public(scene: Scene, document: Document) -> bool:
    """Whether an entry lets in everybody there is: what it lets in is of no tenant alone."""
    entries = scene.effective_entries(document)
    return any(
        entry.subject_kind is SubjectKind.PUBLIC and entry.effect is Effect.ALLOW
        for entry in entries
    )


def _items(document: Document, grain: Grain) -> list[str]:
    if grain is Grain.DOCUMENT:
        return [document.document_id]
    if grain is Grain.VERSION:
        return [version.version_id for version in document.versions]
    return [chunk.chunk_id for version in document.versions for chunk in version.chunks]
