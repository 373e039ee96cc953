"""How does a script ask the same again in another world, and which worlds are there?"""

import hashlib
from dataclasses import replace

from rageval_kit.generate.cells import EXACT
from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Apply, Ask, Count, Look, OtherWorld, Resolve, Step, Wait
from rageval_kit.records.changes import Change

ASKED = Ask | Count | Look | Resolve
CONTRAST, COMPARED = "contrast", "compared"
SAME = OtherWorld("the same world, fresh")
KEY_DIGITS = 12


def compare(walk: Walk, other: OtherWorld, mark: str = CONTRAST, *, history: bool = False) -> None:
    """Ask in the other world what the reader asked in its own; step by step they are pairs.

    `history`: what was asked and opened before is asked and opened there, too.

    The other world first sees the changes that the script has made, but for those of what is not
    there. Where the target can scan all that is permitted, each question is asked by a scan in both
    worlds besides: what only the approximate index makes differ is no difference of the worlds.
    """
    if COMPARED not in walk.marks:
        walk.marks[COMPARED] = _asked_by_reader(walk)
    steps = walk.marks[COMPARED]
    changes = [s for s in walk.steps if isinstance(s, Apply | Wait) and not _is_about(s, other)]
    by_scan = mark == CONTRAST and EXACT in walk.scene.abilities
    scans = [n for n in steps if by_scan and isinstance(walk.steps[n], Ask)]
    for index in scans:
        _again(walk, index, f"{COMPARED}_exact", role="scan", exact=True)
    walk.enter(other)
    walk.steps += changes
    first = min(steps, default=0)
    for index in [*range(first)] if history else []:
        if isinstance(walk.steps[index], ASKED):
            _again(walk, index, "", role="earlier")
    for index in steps:
        _again(walk, index, mark, role=mark)
    for index in scans:
        _again(walk, index, f"{mark}_exact", role=mark, exact=True)
    walk.enter(None)


def _asked_by_reader(walk: Walk) -> list[int]:
    """The reader's own steps since the last change: what it was shown before is another matter."""
    last = max((*walk.marks.get("changed", ()), -1))
    return [
        index
        for index, step in enumerate(walk.steps)
        if index > last and isinstance(step, ASKED) and step.role == "reader"
    ]


def _again(walk: Walk, index: int, mark: str, *, role: str, exact: bool = False) -> None:
    """The same step once more, at the end of the script; what may show is as it was."""
    step = walk.steps[index]
    if mark:
        walk.mark(mark)
    walk.expected[len(walk.steps), 0] = walk.expected[index, 0]
    if isinstance(step, Ask):
        step = replace(step, role=role, session=f"{role}-{step.session}", exact=exact)
    elif isinstance(step, Count | Look | Resolve):
        step = replace(step, role=role)
    walk.steps.append(step)


def _is_about(step: Step, other: OtherWorld) -> bool:
    """Whether a change concerns a document that the other world does not have."""
    if not isinstance(step, Apply):
        return False
    return _object_of(step.change) in other.without


def _object_of(change: Change) -> str:
    return str(getattr(change, "document_id", getattr(change, "object_id", "")))


def without_hidden(walk: Walk) -> OtherWorld:
    """The world without all that the reader may not read: one for each reader."""
    scene, reader = walk.scene, walk.pair.reader_id
    times = {"as_of": scene.as_of, "known_at": scene.known_at}
    hidden = walk.monitor.reason_bits(reader, **times) != 0
    of = scene.chunk_document
    seen = set(of[~hidden[: len(of)]].tolist())
    documents = frozenset(d for n, d in enumerate(scene.document_ids) if n not in seen)
    parts = frozenset(
        scene.chunk_ids[n] for n in hidden[: len(of)].nonzero()[0].tolist() if of[n] in seen
    )
    told = "\n".join(sorted({*documents, *parts}))
    digest = hashlib.sha256(told.encode()).hexdigest()[:KEY_DIGITS]
    return OtherWorld(f"without what {reader} may not read, {digest}", documents, parts)


def without_target(walk: Walk) -> OtherWorld:
    document_id = walk.scene.places[walk.pair.chunk_id].document.document_id
    return OtherWorld(f"without {document_id}", frozenset({document_id}))
