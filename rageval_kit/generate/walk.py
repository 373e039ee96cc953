"""How does a script grow step by step, with what may show at each step beside it?

A `Walk` carries the world forward: every change goes into the script for the target and into the
walk's own copy of the world, from which the monitor computes what may show at the next question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from rageval_kit.access import Monitor
from rageval_kit.corpus.evolve import evolve
from rageval_kit.generate.family import Family
from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.records.cases import (
    Apply,
    Ask,
    Count,
    ReadSink,
    Resolve,
    Step,
    StepExpectation,
    Together,
    Wait,
)
from rageval_kit.records.changes import Change, SetClock
from rageval_kit.records.target import Caller, Grain
from rageval_kit.records.world import World


@dataclass(frozen=True, slots=True)
class Wording:
    """A query, and what the client claims beside it; `as_of`, `known_at` where it asks for them."""

    text: str
    claims: Mapping[str, str] = field(default_factory=dict)
    as_of: datetime | None = None
    known_at: datetime | None = None


@dataclass
class Walk:
    """A script in the making. `more` holds further pairs where a step involves several readers."""

    scene: Scene
    family: Family
    pair: Pair
    wording: Wording
    more: Sequence[tuple[Pair, Wording]] = ()
    world: World = field(init=False)
    monitor: Monitor = field(init=False)
    steps: list[Step] = field(default_factory=list)
    expected: dict[tuple[int, int], StepExpectation] = field(default_factory=dict)
    marks: dict[str, list[int]] = field(default_factory=dict)
    roles: dict[str, frozenset[str]] = field(default_factory=dict)
    elapsed_s: float | None = None

    def __post_init__(self) -> None:
        self.world, self.monitor = self.scene.world, self.scene.monitor
        self.roles["target"] = self.ids_of(self.pair.chunk_id)
        if self.pair.sibling_id:
            self.roles["sibling"] = self.ids_of(self.pair.sibling_id)

    @property
    def level_s(self) -> float:
        level = self.family.service_level
        return self.scene.service_levels_s.get(level, 0.0) if level else 0.0

    def ids_of(self, chunk_id: str) -> frozenset[str]:
        """The ids at the target's grain by which what the chunk stands for can surface."""
        place = self.scene.places[chunk_id]
        if self.scene.grain is Grain.DOCUMENT:
            return frozenset({place.document.document_id})
        if self.scene.grain is Grain.VERSION:
            return frozenset({place.version.version_id})
        if self.family.part in {"chunk", "attachment"}:
            return frozenset({chunk_id})
        return frozenset(chunk.chunk_id for chunk in place.version.chunks)

    def mark(self, name: str) -> None:
        """Name the step that comes next."""
        self.marks.setdefault(name, []).append(len(self.steps))

    def expect(
        self,
        principal_id: str,
        *,
        part: int = 0,
        wording: Wording | None = None,
        visible_count: int | None = None,
    ) -> None:
        permitted = self.monitor.permitted(
            principal_id,
            self.scene.grain,
            as_of=(wording and wording.as_of) or self.scene.as_of,
            known_at=(wording and wording.known_at) or self.scene.known_at,
        )
        self.expected[len(self.steps), part] = StepExpectation(
            permitted,
            elapsed_s=self.elapsed_s,
            visible_count=visible_count,
            target_allowed=any(i in permitted for i in self.roles["target"]),
        )

    def ask(self, role: str, principal_id: str, wording: Wording, *, session: str = "") -> None:
        self.expect(principal_id, wording=wording)
        self.steps.append(self._question(role, principal_id, wording, session))

    def ask_together(self, readers: Sequence[tuple[str, str, Wording]], in_flight: int) -> None:
        """Questions in flight at once: (role, principal, wording) each, every one its own part."""
        asks = []
        for part, (role, principal_id, wording) in enumerate(readers):
            self.expect(principal_id, part=part, wording=wording)
            asks.append(self._question(role, principal_id, wording, f"{role}-{part}"))
        self.steps.append(Together(tuple(asks), in_flight))

    def _question(self, role: str, principal_id: str, wording: Wording, session: str) -> Ask:
        return Ask(
            role,
            Caller(principal_id, wording.claims),
            wording.text,
            session=session or role,
            as_of=wording.as_of or self.scene.as_of,
            known_at=wording.known_at or self.scene.known_at,
            k=self.scene.k,
        )

    def count(self, role: str, principal_id: str, word: str) -> None:
        """Ask how many documents hold the word; expected: those with a readable chunk that does."""
        positions = self.scene.holders(word)
        readable = self.monitor.reason_bits(principal_id)[positions] == 0
        visible = len(set(self.scene.chunk_document[positions][readable].tolist()))
        self.expect(principal_id, visible_count=visible)
        self.steps.append(Count(role, Caller(principal_id), word))

    def resolve(self, role: str, principal_id: str, handle: str) -> None:
        self.expect(principal_id)
        self.steps.append(Resolve(role, Caller(principal_id), handle))

    def read(self, role: str, principal_id: str, sink: str) -> None:
        self.expect(principal_id)
        self.steps.append(ReadSink(role, Caller(principal_id), sink))

    def apply(self, changes: Sequence[Change]) -> None:
        for change in changes:
            self.world = evolve(self.world, change)
            self.mark("changed")
            self.steps.append(Apply(change))
        if changes:
            self.monitor = self.monitor.after(self.world)

    def wait(self, seconds: float) -> None:
        until = self.world.clock + timedelta(seconds=seconds)
        self.world = evolve(self.world, SetClock(until))
        self.monitor = self.monitor.after(self.world)
        self.steps.append(Wait(seconds, until))
        if self.elapsed_s is not None:
            self.elapsed_s += seconds
