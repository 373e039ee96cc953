"""What does the kit put into a laboratory world before the target indexes it?

Documents that families need, and one canary in each passage: a token of at least 64 bits whose
appearance in front of somebody not entitled to that passage is proof of a leak.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from rageval_kit.detect import new_canary
from rageval_kit.generate.cells import Common
from rageval_kit.generate.family import Family, variants, word_module
from rageval_kit.generate.words import common_in, marked, telling_sentence
from rageval_kit.records.streams import stream_digest
from rageval_kit.records.world import (
    Document,
    Folder,
    Guest,
    Membership,
    Principal,
    Tenant,
    Unit,
    World,
)

SINCE = datetime(1970, 1, 1, tzinfo=UTC)  # in force at whatever time a run asks about


@dataclass(frozen=True, slots=True)
class Planting:
    """What one word of `world` adds.

    `marks`: of each passage the sentence that is to take the canary, where the word knows better
    than what tells most (an order that a passage carries must stay as it is). `unmarked`: passages
    that take none, since what matters is that they are equal. `titled`: canaries that stand in
    titles, each with a passage of its version that is read by whoever may read the title.
    """

    documents: tuple[Document, ...] = ()
    principals: tuple[Principal, ...] = ()
    tenants: tuple[Tenant, ...] = ()
    marks: Mapping[str, str] = field(default_factory=dict)
    unmarked: frozenset[str] = frozenset()
    units: tuple[Unit, ...] = ()
    memberships: tuple[Membership, ...] = ()
    titled: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[Folder, ...] = ()
    guests: tuple[Guest, ...] = ()


# The parts of a world that may be planted, each with what its records are known by.
_KEYS = {
    "documents": "document_id",
    "principals": "principal_id",
    "tenants": "tenant_id",
    "units": "unit_id",
    "memberships": "membership_id",
    "folders": "folder_id",
    "guests": "guest_id",
}


@dataclass(frozen=True, slots=True)
class Planted:
    """The world that the target is given, each canary with its chunk, and what is common there."""

    world: World
    canaries: Mapping[str, str] = field(default_factory=dict)
    common: Common = field(default_factory=Common)


def plant(world: World, families: Sequence[Family], seed: int) -> Planted:
    """Add what the families' words need and mark every passage with its canary."""
    added: dict[str, dict[str, Any]] = {name: {} for name in _KEYS}
    marks: dict[str, str] = {}
    canaries: dict[str, str] = {}
    unmarked: set[str] = set()
    for family in families:
        if family.is_code:
            continue
        for variant in variants(family):
            for word in variant.world:
                own: Planting = word_module("world", word.name).plant(world, word.args, seed)
                for name, key in _KEYS.items():
                    added[name] |= {getattr(one, key): one for one in getattr(own, name)}
                marks |= own.marks
                canaries |= own.titled
                unmarked |= own.unmarked
    # In the order of their ids, whichever family wanted them first: pairs are drawn by position.
    parts: dict[str, Any] = {
        name: dict(getattr(world, name)) | dict(sorted(found.items()))
        for name, found in added.items()
    }
    documents: dict[str, Document] = parts["documents"]
    common = common_in(documents.values(), seed)

    @cache  # editions repeat most of their passages
    def telling(text: str) -> str:
        return telling_sentence(text, common)

    for document_id, document in documents.items():
        documents[document_id] = _marked(document, seed, canaries, marks, telling, unmarked)
    return Planted(replace(world, **parts), canaries, common)


def _marked(
    document: Document,
    seed: int,
    canaries: dict[str, str],
    marks: Mapping[str, str],
    telling: Callable[[str], str],
    unmarked: Collection[str],
) -> Document:
    versions = []
    for version in document.versions:
        chunks = []
        for chunk in version.chunks:
            if chunk.chunk_id in unmarked:
                chunks.append(chunk)
                continue
            token = new_canary(stream_digest(seed, "canary", version.version_id, chunk.chunk_id))
            canaries[token] = chunk.chunk_id
            sentence = marks.get(chunk.chunk_id) or telling(chunk.text)
            chunks.append(replace(chunk, text=marked(chunk.text, token, sentence)))
        versions.append(replace(version, chunks=tuple(chunks)))
    return replace(document, versions=tuple(versions))
