"""What text is indexed for each passage of a version: its own, with its table's header, no more?"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rageval_kit.records.world import Chunk, Document, Version
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_parts import PartFault
from rageval_kit.text.sentences import sentences


def texts(version: Version, fault: AnyFault | None) -> Iterator[tuple[Chunk, str]]:
    """Nothing of one passage stands in another: each has a label of its own."""
    for number, chunk in enumerate(version.chunks):
        text = own = chunk.whole
        if fault is PartFault.OVERLAP_COPIES_NEIGHBOUR and (end := _end_before(version, number)):
            text = f"{end} {own}"
        if fault is PartFault.FOOTNOTE_INLINED:
            text = " ".join([own, *_notes_after(version, number)])
        if fault is PartFault.HIDDEN_SHEET_MERGED and number == 0:
            hidden = (other.whole for other in version.chunks if other.kind == "hidden_sheet")
            text = "\n".join([own, *hidden])
        yield chunk, text


def _end_before(version: Version, number: int) -> str:
    """The last sentence of the passage before; nothing before the first."""
    if not number:
        return ""
    before = version.chunks[number - 1].whole
    return (sentences(before) or [before])[-1]


def _notes_after(version: Version, number: int) -> Iterator[str]:
    for other in version.chunks[number + 1 :]:
        if other.kind != "footnote":
            return
        yield other.whole


def without_copies(documents: Mapping[str, Document]) -> dict[str, Document]:
    """The documents without the passages whose text an earlier one has."""
    met: set[str] = set()
    kept: dict[str, Document] = {}
    for document_id, document in documents.items():
        versions = []
        for version in document.versions:
            own = [chunk for chunk in version.chunks if chunk.whole not in met]
            met |= {chunk.whole for chunk in own}
            versions.append(replace(version, chunks=tuple(own)))
        kept[document_id] = replace(document, versions=tuple(versions))
    return kept
