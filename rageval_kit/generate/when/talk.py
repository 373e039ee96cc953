"""Somebody asks in a session that is looked at later: the reader, the twin, or anybody else."""

from collections.abc import Mapping

from rageval_kit.generate.looking import TALK
from rageval_kit.generate.walk import Walk
from rageval_kit.records.streams import stream
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {"as": ("reader", "twin", "other")}


def needs(args: Mapping[str, str]) -> frozenset[Power]:
    """What is said by those of the case must not reach the next one; what others say may."""
    return frozenset() if args.get("as") == "other" else frozenset({Power.RESTORE})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """All talk in a session of the same name, which is what people's clients do.

    `other` is neither reader nor twin: what the twin is shown later is not its own question.
    """
    role = args.get("as", "reader")
    if role == "reader":
        walk.ask("reader", walk.pair.reader_id, walk.wording, session=TALK)
        return
    who = walk.pair.twin_id if role == "twin" else _other(walk)
    if who:
        walk.ask("owner", who, walk.wording, session=TALK)


def _other(walk: Walk) -> str:
    scene, pair = walk.scene, walk.pair
    taken = {pair.reader_id, pair.twin_id}
    others = [r for r in scene.readers if r in scene.given.principals and r not in taken]
    pick = stream(scene.seed, "talk", pair.chunk_id).permutation(len(others))[:1]
    return next((others[n] for n in pick), "")
