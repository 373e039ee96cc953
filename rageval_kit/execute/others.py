"""Which other worlds does a target hold beside its own, and which are kept for the next case?

A world is held once for all the cases that enter it, as long as there is room: branches are derived
by the target itself and may be large, so the one that was entered longest ago makes way.
"""

import contextlib
from collections import OrderedDict
from dataclasses import dataclass, field

from rageval_kit.corpus.counterfactual import other_world
from rageval_kit.records.cases import OtherWorld
from rageval_kit.records.faults import TargetError
from rageval_kit.records.target import Branches, Laboratory, Power, Target
from rageval_kit.records.world import World

KEPT = 8


@dataclass
class Others:
    """The branches of `target`, which holds `world`; close them when the run is over."""

    target: Target
    world: World
    kept: int = KEPT
    made: int = 0
    _branches: "OrderedDict[str, Target]" = field(default_factory=OrderedDict)

    def of(self, other: OtherWorld) -> Target:
        """The target that holds the other world, as it was when it was connected."""
        found = self._branches.get(other.key)
        if found is None:
            found = self._branch(other)
        elif Power.RESTORE in found.powers and isinstance(found, Laboratory):
            found.restore()
        self._branches.move_to_end(other.key)
        return found

    def _branch(self, other: OtherWorld) -> Target:
        if not isinstance(self.target, Branches):
            raise TargetError(f"{self.target.name} holds no world beside its own")
        found = self.target.beside(other_world(self.world, other))
        self.made += 1
        self._branches[other.key] = found
        while len(self._branches) > self.kept:
            _end(self._branches.popitem(last=False)[1])
        return found

    def close(self) -> None:
        while self._branches:
            _end(self._branches.popitem()[1])


def _end(target: Target) -> None:
    with contextlib.suppress(Exception):  # as with the target itself: nothing seen depends on it
        target.close()
