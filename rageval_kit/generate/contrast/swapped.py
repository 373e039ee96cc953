"""With the world in which the target says another thing: other figures, or another hidden field."""

from collections.abc import Mapping
from dataclasses import replace

from rageval_kit.generate.cells import OTHER_WORLD
from rageval_kit.generate.other_worlds import COMPARED, compare
from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import OtherWorld
from rageval_kit.records.world import Document

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("figures", "field")}
OTHER_DIGITS = str.maketrans("0123456789", "1234567890")


def abilities(args: Mapping[str, str]) -> frozenset[str]:
    del args
    return frozenset({OTHER_WORLD})


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing where there is no figure to swap: then there is no other world.

    A hidden field belongs to a document that may be read: there the target itself is no reason to
    look away.
    """
    document = walk.scene.places[walk.pair.chunk_id].document
    is_field = args.get("is") == "field"
    other = _other_field(walk, document) if is_field else _other_figures(walk, document)
    if other == document:
        return
    what = "field" if is_field else "figures"
    compare(walk, OtherWorld(f"other {what} in {document.document_id}", replaced=(other,)))
    if is_field:
        for step in walk.marks[COMPARED]:
            walk.expected[step, 0] = replace(walk.expected[step, 0], target_allowed=False)


def _other_figures(walk: Walk, document: Document) -> Document:
    """Each digit of the passages that the reader may not read is another one."""
    columns, hidden = walk.scene.columns, walk.monitor.reason_bits(walk.pair.reader_id) != 0
    return replace(
        document,
        versions=tuple(
            replace(
                version,
                chunks=tuple(
                    replace(chunk, text=chunk.text.translate(OTHER_DIGITS))
                    if hidden[columns[chunk.chunk_id]]
                    else chunk
                    for chunk in version.chunks
                ),
            )
            for version in document.versions
        ),
    )


def _other_field(walk: Walk, document: Document) -> Document:
    """The field that the exhibit names holds the value that the exhibit gives as its other one."""
    questions = walk.pair.exhibit.questions if walk.pair.exhibit else {}
    said, other = questions.get("topic", ""), questions.get("other", "")
    if not other:
        return document
    swap = {said: other}
    return replace(
        document,
        owner_id=swap.get(document.owner_id or "", document.owner_id),
        compartments=frozenset(swap.get(one, one) for one in document.compartments),
        versions=tuple(
            replace(v, metadata=tuple((key, swap.get(value, value)) for key, value in v.metadata))
            for v in document.versions
        ),
    )
