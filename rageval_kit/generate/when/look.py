"""Somebody asks at another door than search: suggestions, previews, debug, history, exports."""

from collections.abc import Mapping

from rageval_kit.generate.cells import door
from rageval_kit.generate.handles import UNKNOWN
from rageval_kit.generate.looking import TALK, WAYS, count_expected, text_for
from rageval_kit.generate.walk import Walk
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": None,
    "as": ("reader", "twin"),
    "of": WAYS,
    "only": ("if_there",),
    "around": ("event",),
}
WANTS = ("is",)
SHARED = "shared"
TALKS = frozenset({"history", SHARED})  # doors at which a conversation is looked at


def abilities(args: Mapping[str, str]) -> frozenset[str]:
    """A transcript is shared before it is looked at; `only: if_there` needs no door at all."""
    if "only" in args:
        return frozenset()
    return frozenset({door(args["is"])} | ({door("share")} if args["is"] == SHARED else set()))


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """A transcript is the twin's, or the reader's own where nobody else may read the target.

    `only: if_there`: a target without the door is tested without this step. `around: event`: where
    an event denies the target the same is looked at before it and one service level after it.
    """
    name, role = args["is"], args.get("as", "reader")
    if "only" in args and door(name) not in walk.scene.abilities:
        return
    who = walk.pair.twin_id if role == "twin" else walk.pair.reader_id
    bearing = None
    if name == SHARED:
        owner = walk.pair.twin_id or walk.pair.reader_id
        bearing = len(walk.steps)
        walk.look("owner", owner, "share", "", session=TALK)
    text = text_for(walk, name, args.get("of", ""))
    if role == "reader":
        walk.mark("looked")
    session = TALK if name in TALKS else ""
    contrast = walk.family.contrast
    is_compared = contrast is not None and contrast.name == "unknown_id"
    if is_compared:
        walk.mark("opened")
    walk.look(role, who, name, text, session=session, bearing=bearing)
    if is_compared:
        walk.mark("contrast")
        walk.look("contrast", who, name, UNKNOWN, session=session)
    if name == "facets":
        count_expected(walk, text)
    if "around" in args and walk.pair.event:
        walk.happens(walk.pair.event)
        if walk.scene.has(Power.CLOCK):
            walk.wait(walk.level_s)
        walk.look(role, who, name, text, session=session, bearing=bearing)
