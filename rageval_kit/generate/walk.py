"""How does a script grow step by step, with what may show at each step beside it?

A `Walk` carries the world forward: every change goes into the script for the target and into the
walk's own copy of the world, from which the monitor computes what may show at the next question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from random import Random

from rageval_kit.access import Monitor
from rageval_kit.corpus.evolve import evolve
from rageval_kit.corpus.reconcile import source_index
from rageval_kit.generate.bounds import FREE, Bounds, bounded
from rageval_kit.generate.cells import Place
from rageval_kit.generate.dates import dated
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.family import Family
from rageval_kit.generate.scene import Pair, Scene, names_of
from rageval_kit.generate.wording import Wording
from rageval_kit.records.cases import (
    Apply,
    Ask,
    Count,
    Enter,
    Inventory,
    Look,
    OtherWorld,
    ReadSink,
    Resolve,
    Step,
    StepExpectation,
    Together,
    Wait,
)
from rageval_kit.records.changes import Change, PublishVersion, SetClock
from rageval_kit.records.streams import python_stream
from rageval_kit.records.target import Caller, Grain, Power
from rageval_kit.records.world import World

FORBIDDEN = frozenset({"forbidden_document", "canary"})
ANOTHER_K, MORE = 0.2, (11, 50, 100)
TO_THE_SECOND, ODD_S = 0.25, 9  # of the waits; a leak that ends soon after the level must show


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
    earlier: Monitor | None = None  # of the world just before the event
    model: str = ""  # whose vectors the index is to hold; '' any one
    disturbed: bool = False  # a part of the target is broken: it may refuse what it is asked

    def __post_init__(self) -> None:
        self.world, self.monitor = self.scene.world, self.scene.monitor
        self.roles["target"] = self.ids_of(self.pair.chunk_id)
        if self.pair.sibling_id:
            self.roles["sibling"] = self.ids_of(self.pair.sibling_id)
        if self.pair.exhibit:
            self.roles |= self._exhibited(self.pair.exhibit)

    @property
    def level_s(self) -> float:
        levels = self.scene.service_levels_s
        return max((levels.get(name, 0.0) for name in self.family.service_levels), default=0.0)

    def ids_of(self, chunk_id: str) -> frozenset[str]:
        """The ids at the target's grain by which what the chunk stands for can surface."""
        place = self.scene.places.get(chunk_id) or self._coming(chunk_id)
        if self.scene.grain is Grain.DOCUMENT:
            return frozenset({place.document.document_id})
        if self.scene.grain is Grain.VERSION:
            return frozenset({place.version.version_id})
        if self.family.part in {"chunk", "attachment"}:
            return frozenset({chunk_id})
        return frozenset(chunk.chunk_id for chunk in place.version.chunks)

    def _coming(self, chunk_id: str) -> Place:
        """Where a passage stands that the pair's own event brings."""
        return next(
            Place(self.world.documents[change.document_id], change.version, chunk)
            for change in self.pair.event
            if isinstance(change, PublishVersion)
            for chunk in change.version.chunks
            if chunk.chunk_id == chunk_id
        )

    def _exhibited(self, exhibit: Exhibit) -> Mapping[str, frozenset[str]]:
        """The ids of what the exhibit names: its documents by role, and the carriers of a payload.

        The target stays what the pair says: of its document it may be one version alone.
        """
        roles = {
            role: self._ids_of_document(document_id)
            for role, document_id in exhibit.documents.items()
            if role != "target" and document_id in self.world.documents
        }
        for role, document_id in exhibit.documents.items():
            versions = self._versions(document_id)
            if len(versions) > 1:
                roles |= {f"version.{role}.{n}": ids for n, ids in enumerate(versions, 1)}
        return roles | self._carriers(exhibit)

    def _carriers(self, exhibit: Exhibit) -> dict[str, frozenset[str]]:
        """The ids of the passages that carry a payload, by part and in all, of those there are."""
        if not exhibit.parts:
            return {}
        of = {
            chunk.chunk_id: {
                Grain.DOCUMENT: document_id,
                Grain.VERSION: version.version_id,
                Grain.CHUNK: chunk.chunk_id,
            }[self.scene.grain]
            for document_id in exhibit.documents.values()
            if document_id in self.world.documents
            for version in self.world.documents[document_id].versions
            for chunk in version.chunks
        }
        parts = [frozenset(of[c] for c in ids if c in of) for ids in exhibit.parts]
        roles = {f"carrier.{number}": ids for number, ids in enumerate(parts, 1)}
        return roles | {"carrier": frozenset[str]().union(*parts)}

    def _versions(self, document_id: str) -> list[frozenset[str]]:
        """What each version of a document is known by, also of one that an event brings."""
        if document_id not in self.world.documents:
            return []
        coming = [
            names_of(change.version)
            for change in self.pair.event
            if isinstance(change, PublishVersion) and change.document_id == document_id
        ]
        return [*self.scene.versions_of(document_id).values(), *coming]

    def _ids_of_document(self, document_id: str) -> frozenset[str]:
        document = self.world.documents[document_id]
        if self.scene.grain is Grain.DOCUMENT:
            return frozenset({document_id})
        if self.scene.grain is Grain.VERSION:
            return frozenset(version.version_id for version in document.versions)
        return frozenset(c.chunk_id for version in document.versions for c in version.chunks)

    def _values(self, principal_id: str, wording: Wording | None) -> tuple[str, Mapping[str, str]]:
        """What the answer to the exhibit's own question must state, and must not, with whose it is.

        Right is what the exhibit says is true, else what the monitor lets this reader read then.
        """
        exhibit = self.pair.exhibit
        if exhibit is None or not exhibit.values or wording is None:
            return "", {}
        if wording.bare != self.wording.bare:
            return "", {}
        right = {exhibit.truth} if exhibit.truth else self._readable(principal_id, wording)
        wanted = {exhibit.values[one] for one in right if one in exhibit.values}
        others = {
            value: version_id
            for version_id, value in exhibit.values.items()
            if version_id not in right and value not in wanted
        }
        return (wanted.pop() if len(wanted) == 1 else ""), others

    def _readable(self, principal_id: str, wording: Wording) -> set[str]:
        """What of the exhibit the reader may read at the time meant: versions, and passages."""
        exhibit = self.pair.exhibit
        times = self._times(wording)
        return {
            name
            for document_id in (exhibit.documents.values() if exhibit else ())
            if document_id in self.world.documents
            for version in self.world.documents[document_id].versions
            for chunk in version.chunks
            if not self.monitor.decide(
                principal_id, document_id, version.version_id, chunk.chunk_id, **times
            )
            for name in (version.version_id, chunk.chunk_id)
        }

    def _times(self, wording: Wording | None) -> Mapping[str, datetime | None]:
        """Of which times the question is meant: its own, else the run's."""
        meant = wording and (wording.meant or wording.as_of)
        return {
            "as_of": meant or self.scene.as_of,
            "known_at": (wording and wording.known_at) or self.scene.known_at,
        }

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
        bounds: Bounds = FREE,
    ) -> None:
        times = self._times(wording)
        permitted = self.monitor.permitted(principal_id, self.scene.grain, **times)
        if not permitted.anything:
            self.mark("nobody")
        if self.disturbed or not permitted.anything:
            self.mark("may_refuse")
        permitted = bounded(permitted, bounds, self.scene, self.monitor, times)
        earlier = None
        if self.earlier and self.elapsed_s is not None and self.elapsed_s < self.level_s:
            before = self.earlier.permitted(principal_id, self.scene.grain, **times)
            earlier = bounded(before, bounds, self.scene, self.earlier, times)
        wanted, unwanted = self._values(principal_id, wording)
        self.expected[len(self.steps), part] = StepExpectation(
            permitted,
            elapsed_s=self.elapsed_s,
            visible_count=visible_count,
            target_allowed=any(i in permitted for i in self.roles["target"]),
            wanted=wanted,
            unwanted=unwanted,
            as_of=times["as_of"],
            earlier=earlier,
        )

    def about(self, instant: datetime | None) -> Wording:
        """The walk's own question about another time: its words say what goes along with it."""
        said, zone = self.wording, self.world.timezone
        text = dated(said.question, instant, zone) if said.question and instant else said.bare
        return replace(said, text=text, as_of=instant, meant=None)

    def ask(
        self,
        role: str,
        principal_id: str,
        wording: Wording,
        *,
        session: str = "",
        bearing: int | None = None,
        exact: bool = False,
        bounds: Bounds = FREE,
    ) -> None:
        """`bounds`: what narrows the rights beside the hops through which the pair asks."""
        if self.pair.exhibit and wording == self.wording and role == "reader":
            self.mark("question")
        bounds = replace(bounds, via=self._via(role))
        self.expect(principal_id, wording=wording, bounds=bounds)
        question = self._question(role, principal_id, wording, session)
        self.steps.append(replace(question, bearing=bearing, exact=exact))

    def ask_together(self, readers: Sequence[tuple[str, str, Wording]], in_flight: int) -> None:
        """Questions in flight at once: (role, principal, wording) each, every one its own part."""
        asks = []
        for part, (role, principal_id, wording) in enumerate(readers):
            self.expect(principal_id, part=part, wording=wording, bounds=Bounds(self._via(role)))
            asks.append(self._question(role, principal_id, wording, f"{role}-{part}"))
        self.steps.append(Together(tuple(asks), in_flight))

    def _via(self, role: str) -> tuple[str, ...]:
        return {"reader": self.pair.via, "twin": self.pair.twin_via}.get(role, ())

    def _odd(self) -> float:
        """Seconds and microseconds, so that not all that happens happens on the full minute."""
        drawn = self._drawn("wait", str(len(self.steps)))
        if drawn.random() < TO_THE_SECOND:
            return 0.0
        return drawn.randint(1, ODD_S) + drawn.randint(1, 999_999) / 1e6

    def _drawn(self, *names: str) -> Random:
        """What is drawn for this case alone, by what it is about."""
        pair, family = self.pair, self.family
        about = (pair.reader_id, pair.chunk_id, self.wording.text)
        variant = (part for one in family.variant for part in one)
        return python_stream(self.scene.seed, family.id, *about, *variant, *names)

    @cached_property
    def k(self) -> int:
        """How many are asked for, by everybody in the case: some cases want more than usual.

        Only where nothing is held against anything but what may show. Never fewer: what is to be
        found must be found.
        """
        drawn, checks = self._drawn("k"), {word.name for word in self.family.checks}
        fits = checks <= FORBIDDEN and not self.pair.reference
        another = fits and drawn.random() < ANOTHER_K
        return max(self.scene.k, drawn.choice(MORE)) if another else self.scene.k

    def _question(self, role: str, principal_id: str, wording: Wording, session: str) -> Ask:
        return Ask(
            role,
            Caller(principal_id, wording.claims, via=self._via(role)),
            wording.text,
            session=session or role,
            as_of=wording.as_of or self.scene.as_of,
            known_at=wording.known_at or self.scene.known_at,
            k=self.k,
        )

    def count(self, role: str, principal_id: str, word: str) -> None:
        """Ask how many documents hold the word; expected: those with a readable chunk that does."""
        visible = self.scene.count_of(word, self.monitor, principal_id)
        self.expect(principal_id, visible_count=visible)
        self.steps.append(Count(role, Caller(principal_id), word))

    def resolve(
        self,
        role: str,
        principal_id: str,
        handle: str,
        as_of: datetime | None = None,
        *,
        shown_at: int | None = None,
        bearing: int | None = None,
    ) -> None:
        self.expect(principal_id, wording=Wording("", as_of=as_of))
        self.steps.append(Resolve(role, Caller(principal_id), handle, as_of, shown_at, bearing))

    def look(
        self,
        role: str,
        principal_id: str,
        door: str,
        text: str,
        *,
        session: str = "",
        bearing: int | None = None,
    ) -> None:
        """Ask at another door than search; what it shows is held against the same rights."""
        self.expect(principal_id)
        self.steps.append(Look(role, Caller(principal_id), door, text, session or role, bearing))

    def enter(self, other: OtherWorld | None) -> None:
        """Go on in another world (None: back in one's own). What may show is as in one's own."""
        self.steps.append(Enter(other))

    def read(self, role: str, principal_id: str, sink: str) -> None:
        self.expect(principal_id)
        self.steps.append(ReadSink(role, Caller(principal_id), sink))

    def inventory(self) -> None:
        """List the index; expected: what the source holds by now."""
        self.expected[len(self.steps), 0] = StepExpectation(
            self.monitor.permitted(self.pair.reader_id, self.scene.grain),
            elapsed_s=self.elapsed_s,
            source=source_index(self.world, self.model, timed_from=self.scene.world.clock),
        )
        self.steps.append(Inventory())

    def apply(self, changes: Sequence[Change]) -> None:
        for change in changes:
            self.world = evolve(self.world, change)
            self.mark("changed")
            self.steps.append(Apply(change))
        if changes:
            self.monitor = self.monitor.after(self.world)
        shown = self.pair.exhibit.documents if self.pair.exhibit else {}
        for role, document_id in shown.items():  # of one published only now
            if role not in self.roles and document_id in self.world.documents:
                self.roles[role] = self._ids_of_document(document_id)
        if self.pair.exhibit:
            self.roles |= self._carriers(self.pair.exhibit)

    def happens(self, changes: Sequence[Change]) -> None:
        """The event on which the denial depends: from here on service levels count."""
        self.earlier = self.monitor
        self.apply(changes)
        self.elapsed_s = 0.0

    def wait(self, seconds: float, *, exactly: bool = False) -> None:
        """At least so long, mostly some odd time longer; `exactly`: the end itself is tested."""
        if not exactly and self.scene.has(Power.CLOCK):  # else somebody would wait in earnest
            seconds += self._odd()
        until = self.world.clock + timedelta(seconds=seconds)
        self.world = evolve(self.world, SetClock(until))
        self.monitor = self.monitor.after(self.world)
        self.steps.append(Wait(seconds, until))
        if self.elapsed_s is not None:
            self.elapsed_s += seconds
