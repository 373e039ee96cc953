"""An example of a family file as data: the ideal trace of a case, and one deviation from it.

The ideal trace is what a correct system would show, as the case's own expectation (the monitor's
word) has it: no retrieval system takes part. A deviation is written
`{outcome: {at: WHERE, TAP: CHANGE}}`. WHERE is `twin`, `sibling`, or n: the n-th step of the denied
reader that can show the tap. TAP is a tap or `must`, the family's first required one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rageval_kit.generate.scene import Scene
from rageval_kit.records.cases import (
    Apply,
    Ask,
    Case,
    Count,
    Observation,
    ReadSink,
    Resolve,
    Step,
    StepExpectation,
    Together,
    Trace,
    Wait,
)
from rageval_kit.records.target import Seen, Stage

LISTS = (
    Stage.RETRIEVE_SPARSE,
    Stage.RETRIEVE_DENSE,
    Stage.RETRIEVE,
    Stage.RERANK_INPUT,
    Stage.RERANK,
)
READERS = ("reader", "operator")


@dataclass(frozen=True)
class Example:
    """One example: the outcome it states, where it deviates, and the note it must carry."""

    outcome: str
    deviation: Mapping[str, Any]
    note: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Example":
        rest = dict(data)
        note = rest.pop("note", "")
        ((outcome, deviation),) = rest.items()
        return cls(outcome, deviation, note)


@dataclass(frozen=True)
class Ideal:
    """The trace of a case as a correct system would give it; texts carry their canaries."""

    scene: Scene
    case: Case
    must: tuple[Stage, ...] = ()
    changed: Mapping[tuple[int, int], Mapping[Stage, Seen]] = field(default_factory=dict)

    def trace(self) -> Trace:
        observations = []
        for index, step in enumerate(self.case.script.steps):
            for part, one in enumerate(step.asks if isinstance(step, Together) else (step,)):
                observations.append(self._observation(index, part, one))
        return Trace(self.case.case_id, tuple(observations))

    def deviating(self, deviation: Mapping[str, Any]) -> "Ideal":
        """The same with one tap of one step changed."""
        if not deviation:
            return self
        ((name, change),) = ((k, v) for k, v in deviation.items() if k != "at")
        tap = self.must[0] if name == "must" else Stage(name)
        place = self.place(deviation["at"], tap)
        seen = dict(self._seen(*place, self._step(*place)))
        seen[tap] = self._apply(change, seen.get(tap, Seen()))
        return replace(self, changed={**self.changed, place: seen})

    def place(self, at: str | int, tap: Stage) -> tuple[int, int]:
        """Step and part of the twin's or the sibling's question, or of the reader's n-th."""
        marks = self.case.expectation.marks
        if at in {"twin", "sibling"}:
            return marks[at][0], 0
        steps = [place for place in self.of_reader() if tap in self.showing(place)]
        return steps[int(at) - 1]

    def of_reader(self) -> Iterator[tuple[int, int]]:
        """The denied reader's own steps, in order."""
        for index, step in enumerate(self.case.script.steps):
            for part, one in enumerate(step.asks if isinstance(step, Together) else (step,)):
                if getattr(one, "role", "") in READERS:
                    yield index, part

    def _step(self, index: int, part: int) -> Step:
        step = self.case.script.steps[index]
        return step.asks[part] if isinstance(step, Together) else step

    def _observation(self, index: int, part: int, step: Step) -> Observation:
        if isinstance(step, Apply | Wait):
            return Observation(index, part, "kit", "", acknowledged=True)
        seen = self.changed.get((index, part)) or self._seen(index, part, step)
        kept = {stage: shown for stage, shown in seen.items() if stage in self.scene.taps}
        return Observation(index, part, step.role, step.caller.principal_id, kept)

    def showing(self, place: tuple[int, int]) -> frozenset[Stage]:
        """The taps that a step can show."""
        step = self._step(*place)
        if isinstance(step, Count):
            return frozenset({Stage.SUGGEST})
        if isinstance(step, Resolve):
            return frozenset({Stage.CITATION})
        if isinstance(step, ReadSink):
            return frozenset({Stage.LOG})
        return frozenset({*LISTS, Stage.CACHE, Stage.CONTEXT, Stage.CITATION, Stage.ANSWER})

    def _seen(self, index: int, part: int, step: Step) -> Mapping[Stage, Seen]:
        expected = self.case.expectation.steps[index, part]
        if isinstance(step, Count):
            return {Stage.SUGGEST: Seen(count=expected.visible_count)}
        if isinstance(step, ReadSink):
            return {Stage.LOG: Seen(texts=("a question was answered",))}
        if isinstance(step, Resolve):
            ids = self._readable("target", expected) if step.role != "contrast" else ()
            status = "ok" if ids else "not_found"
            return {Stage.CITATION: Seen(ids, self._texts(ids), status=status)}
        return self._answered(index, step, expected)

    def _answered(self, index: int, step: Ask, expected: StepExpectation) -> Mapping[Stage, Seen]:
        """An answer from the passages the reader may see; from the cache where one must be live."""
        marks = self.case.expectation.marks
        ids = self._wanted(step, expected)
        if index in marks.get("sibling", ()) or (index in marks.get("live", ()) and not ids):
            ids = self._readable("sibling", expected)
        texts = self._texts(ids)
        shown = {
            Stage.CONTEXT: Seen(ids, texts),
            Stage.CITATION: Seen(ids, ("title",) * len(ids)),
            Stage.ANSWER: Seen(texts=(" ".join(texts) or "nothing was found",)),
        }
        if index == max(marks.get("live", (-1,))):
            return {Stage.CACHE: Seen(ids, texts), **shown}
        return {Stage.CACHE: Seen(), **{stage: Seen(ids) for stage in LISTS}, **shown}

    def _wanted(self, step: Ask, expected: StepExpectation) -> tuple[str, ...]:
        """What the question asks for: the target, or the crowd's readable part of it."""
        if "relevant" in self.case.expectation.roles:
            return self._readable("relevant", expected)[: step.k]
        if "together" in self.case.expectation.marks:
            return self._in_query(step, expected)
        return self._readable("target", expected)

    def _in_query(self, step: Ask, expected: StepExpectation) -> tuple[str, ...]:
        """Many pairs share the step: each question names its own target by title."""
        return tuple(
            chunk_id
            for chunk_id, place in self.scene.places.items()
            if place.version.title == step.query and chunk_id in expected.permitted
        )

    def _readable(self, role: str, expected: StepExpectation) -> tuple[str, ...]:
        ids = self.case.expectation.roles.get(role, frozenset())
        return tuple(sorted(item for item in ids if item in expected.permitted))

    def _texts(self, ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self.scene.places[item].chunk.text for item in ids)

    def _apply(self, change: str | int, seen: Seen) -> Seen:
        target = tuple(sorted(self.case.expectation.roles["target"]))
        if isinstance(change, int):  # YAML reads +1 as a number
            return replace(seen, count=(seen.count or 0) + change)
        match change:
            case "+canary":
                made = replace(seen, texts=(*seen.texts, *self._texts(target)))
            case "+target":
                made = replace(seen, ids=(*seen.ids, *target), status=seen.status and "ok")
            case "-target" | "-sibling" | "-relevant":
                gone = self.case.expectation.roles[change[1:]]
                kept = tuple(item for item in seen.ids if item not in gone)
                made = replace(seen, ids=kept, texts=self._texts(kept) if seen.texts else ())
            case "-all":
                made = Seen(count=None if seen.count is None else 0, status=seen.status)
            case "status":
                made = replace(seen, status="forbidden")
            case _:
                raise ValueError(change)
        return made
