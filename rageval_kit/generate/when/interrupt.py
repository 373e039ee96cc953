"""The reader's right ends, and the service level passes, while the next answer is being made.

Between retrieval and answer: what was lawfully retrieved must not be told any more.
"""

from collections.abc import Mapping
from datetime import timedelta

from rageval_kit.generate.walk import Walk
from rageval_kit.records.changes import BeforeAnswer, SetClock
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NEEDS = frozenset({Power.MUTATE, Power.CLOCK, Power.DISTURB, Power.RESTORE})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    later = SetClock(walk.world.clock + timedelta(seconds=walk.level_s))
    walk.apply((BeforeAnswer((*walk.pair.event, later)),))
    walk.elapsed_s = walk.level_s
