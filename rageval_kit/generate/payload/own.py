"""How do payloads of a user's own file become variants of a family that plants payloads?"""

from dataclasses import replace
from pathlib import Path

from rageval_kit.generate.family import Family, Word, variants
from rageval_kit.generate.payload.library import techniques
from rageval_kit.generate.payload.orders import GOALS
from rageval_kit.generate.payload.techniques import Technique
from rageval_kit.records.faults import Fault, InputError

WORD = "payload"


def with_own(family: Family, file: Path) -> Family:
    """The family with one variant more for each payload, planted as its first variant plants them.

    A payload without a goal has the first of the family's; one with a goal that the family's
    checks do not look for is refused, for it would always be found held.
    """
    shapes = [word.args for one in variants(family) for word in one.world if word.name == WORD]
    goals = list(dict.fromkeys(str(args.get("goal", GOALS[0])) for args in shapes))
    if not goals:
        way_out = "name one that does, for example INJ-01"
        raise InputError.one("payloads.family", "plants no payloads", family.id, way_out)
    given = list(techniques(str(file)).values())
    faults = [
        Fault(
            f"{file}: {one.id}",
            f"wants a goal that {family.id} does not look for",
            one.goal,
            f"use {', '.join(goals)}, or another payloads.family",
        )
        for one in given
        if one.goal and one.goal not in goals
    ]
    if faults:
        raise InputError(faults)
    first = variants(family)[0]
    return replace(family, added=tuple(_variant(first, one, file, goals[0]) for one in given))


def _variant(first: Family, payload: Technique, file: Path, goal: str) -> Family:
    (lang,) = payload.wordings
    own = {"technique": payload.id, "file": str(file), "lang": lang, "n": 1}
    own["goal"] = payload.goal or goal
    world = tuple(
        Word(WORD, {**word.args, **own}) if word.name == WORD else word for word in first.world
    )
    return replace(first, world=world, variant=(("payload", payload.id),))
