"""What does the other world of a counterfactual pair hold?"""

from dataclasses import replace

from rageval_kit.records.cases import OtherWorld
from rageval_kit.records.world import Document, World


def other_world(world: World, other: OtherWorld) -> World:
    """The world without what `other` leaves out, and with what it replaces; the rest is shared."""
    replaced = {document.document_id: document for document in other.replaced}
    documents = {
        document_id: kept
        for document_id, document in {**world.documents, **replaced}.items()
        if document_id not in other.without
        and (kept := _without(document, other.without_parts)) is not None
    }
    return replace(world, documents=documents)


def _without(document: Document, parts: frozenset[str]) -> Document | None:
    """The document without those versions and passages; None where no passage is left."""
    if not parts:
        return document
    versions = tuple(
        version
        if all(chunk.chunk_id not in parts for chunk in version.chunks)
        else replace(version, chunks=tuple(c for c in version.chunks if c.chunk_id not in parts))
        for version in document.versions
        if version.version_id not in parts
    )
    versions = tuple(version for version in versions if version.chunks)
    return replace(document, versions=versions) if versions else None
