"""Many documents on one topic, of which a stated share is visible to the people of a tenant."""

from collections.abc import Mapping

from rageval_kit.generate.crowds import KEEPER, prefix, tenant_of
from rageval_kit.generate.planting import SINCE, Planting
from rageval_kit.records.streams import python_stream
from rageval_kit.records.target import Power
from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    Principal,
    State,
    SubjectKind,
    Version,
    World,
)

TAKES: Mapping[str, tuple[object, ...] | None] = {
    "documents": None,
    "visible": None,
    "words": None,
}
WANTS = ("documents", "visible")
NEEDS = frozenset({Power.PLANT})
SYLLABLES = ("vor", "quem", "tash", "lind", "bruk", "zeph", "orm", "pell", "dax", "mir")


def topic(args: Mapping[str, object], seed: int) -> str:
    """An invented word that no other document holds, or as many as `words` says."""
    n = int(str(args.get("words", 1)))
    apart = (str(n),) if n > 1 else ()  # no word of one crowd is in another
    pick = python_stream(seed, "crowd", str(args["visible"]), *apart)
    return " ".join("".join(pick.choice(SYLLABLES) for _ in range(4)) for _ in range(n))


def plant(world: World, args: Mapping[str, object], seed: int) -> Planting:
    """Hidden documents say the topic more often, so that they stand above the visible ones."""
    total = int(str(args["documents"]))
    visible = max(1, round(total * float(str(args["visible"]))))
    word, tenant = topic(args, seed), tenant_of(world)
    documents = tuple(
        _document(f"{prefix(args)}{i:04d}", tenant, word, hidden=i >= visible) for i in range(total)
    )
    return Planting(documents, (Principal(KEEPER, tenant),))


def _document(document_id: str, tenant: str, word: str, *, hidden: bool) -> Document:
    number = document_id.rsplit("-", 1)[1]
    often = f"{word} " * (4 if hidden else 1)
    version = Version(
        f"{document_id}@1",
        f"Note {number} on {word}",
        (Chunk(f"{document_id}@1#1", f"Entry {number} of the {often}file, kept for reference."),),
        valid_from=SINCE,
        states=((SINCE, State.PUBLISHED),),
    )
    readers = (SubjectKind.USER, KEEPER) if hidden else (SubjectKind.EVERYONE, "")
    return Document(
        document_id,
        tenant,
        (version,),
        entries=(Entry(f"{document_id}-e1", Effect.ALLOW, *readers),),
    )
