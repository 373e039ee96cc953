"""Which label and which compartments hold for a passage: its own, or those of its document?"""

from dataclasses import dataclass, replace

from rageval_kit.records.world import AccessPolicy, Chunk, Version
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_parts import PartFault

_EXTRACTED = frozenset({"attachment", "embedded"})


@dataclass(frozen=True, slots=True)
class Markings:
    label: str | None
    compartments: frozenset[str]


def markings(
    chunk: Chunk, version: Version, of_document: Markings, fault: AnyFault | None
) -> Markings:
    """The passage's own label, else its document's; its own compartments beside its document's."""
    label = of_document.label if chunk.label is None else chunk.label
    if _loses_its_label(chunk, fault):
        label = of_document.label
    if fault is PartFault.TABLE_BY_FIRST_LABEL and chunk.kind == "table":
        label = version.chunks[0].label or of_document.label
    compartments = of_document.compartments | chunk.compartments
    if fault is PartFault.PASSAGE_COMPARTMENTS_IGNORED:
        compartments = of_document.compartments
    if fault is PartFault.PASSAGE_COMPARTMENTS_REPLACE and chunk.compartments:
        compartments = chunk.compartments
    return Markings(label, compartments)


def _loses_its_label(chunk: Chunk, fault: AnyFault | None) -> bool:
    """Whether a passage is indexed as if it bore no label of its own."""
    if fault is PartFault.OCR_TAKES_PARENT_LABEL:
        return chunk.kind == "image"
    if fault is PartFault.EMBEDDED_OBJECT_UNLABELLED:
        return chunk.kind in _EXTRACTED
    return fault is PartFault.PASSAGE_LABEL_IGNORED


def ranked(policy: AccessPolicy, fault: AnyFault | None) -> AccessPolicy:
    """The policy whose order of labels is the order of their ranks."""
    if fault is not PartFault.LABELS_COMPARED_AS_TEXT:
        return policy
    return replace(policy, labels=tuple(sorted(policy.labels)))


def inside(
    needed: frozenset[str], held: frozenset[str], fault: AnyFault | None, *, is_top: bool
) -> bool:
    """Whether a reader holds every compartment that is needed. `is_top`: cleared for all levels."""
    if fault is PartFault.COMPARTMENTS_ANY_OF and needed:
        return bool(needed & held)
    if fault is PartFault.COMPARTMENTS_BY_PREFIX:
        return all(any(one in other for other in held) for one in needed)
    if fault is PartFault.TOP_CLEARANCE_SEES_COMPARTMENTS and is_top:
        return True
    return needed <= held
