"""A passage stuffed with the corpus's frequent words, so as to come up whatever is asked."""

from collections import Counter
from collections.abc import Mapping

from rageval_kit.generate.crowds import tenant_of
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import document, version
from rageval_kit.records.streams import stream
from rageval_kit.records.target import Power
from rageval_kit.records.world import Effect, Entry, SubjectKind, World
from rageval_kit.text.words import words

TAKES: Mapping[str, tuple[object, ...] | None] = {"in": ("body", "title")}
NEEDS = frozenset({Power.PLANT})
SAMPLED, STUFFED, TIMES = 2000, 30, 400
QUESTIONS = 400


def _id(args: Mapping[str, object]) -> str:
    return f"kit-hub-{args.get('in', 'body')}"


def plant(world: World, args: Mapping[str, object], seed: int) -> Planting:
    """Each frequent word stands several times: much of every question, and a long vector."""
    passages = [c.text for d in world.documents.values() for v in d.versions for c in v.chunks]
    picked = stream(seed, "hub").permutation(len(passages))[:SAMPLED]
    held: Counter[str] = Counter()
    for position in picked:
        held.update(set(words(passages[position])))
    frequent = [word for word, _ in sorted(held.items(), key=lambda i: (-i[1], i[0]))[:STUFFED]]
    stuffing = " ".join(frequent)
    document_id = _id(args)
    in_title = args.get("in") == "title"
    edition = version(
        document_id,
        " ".join([stuffing] * TIMES) if in_title else "General notes 一般说明",
        "Notes on many things. 各类事项的说明。" if in_title else " ".join([stuffing] * TIMES),
    )
    seen_by_all = Entry(f"{document_id}-e1", Effect.ALLOW, SubjectKind.PUBLIC)
    return Planting((document(document_id, tenant_of(world), edition, seen_by_all),))


def of_given(args: Mapping[str, object]) -> bool:
    """No question is drawn from what the kit plants."""
    del args
    return True


def exhibits(world: World, args: Mapping[str, object], seed: int) -> tuple[Exhibit, ...]:
    """One for each of the world's own documents, in seeded order."""
    own = [d for d in world.documents.values() if any(v.chunks for v in d.versions)]
    order = stream(seed, "hub", "questions").permutation(len(own))[:QUESTIONS]
    return tuple(
        Exhibit(
            own[i].document_id,
            {"target": own[i].document_id, "hub": _id(args)},
            {"topic": own[i].versions[-1].title},
        )
        for i in order
    )
