"""A case: the script that the target executes, and the expectation that only the checks see."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.changes import Change
from rageval_kit.records.inventory import SourceIndex
from rageval_kit.records.target import Caller, Indexed, Seen, Stage
from rageval_kit.records.world import Document


@dataclass(frozen=True, slots=True)
class Ask:
    """A question; `role` is reader, twin, service, operator or other.

    `bearing`: the step whose first link is presented as the caller's token. `exact`: by a scan.
    """

    role: str
    caller: Caller
    query: str
    session: str = ""
    as_of: datetime | None = None
    known_at: datetime | None = None
    k: int = 10
    bearing: int | None = None
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    role: str
    caller: Caller
    query: str


@dataclass(frozen=True, slots=True)
class Resolve:
    """`shown_at`: open the first link that this earlier step showed, in place of `handle`."""

    role: str
    caller: Caller
    handle: str
    as_of: datetime | None = None
    shown_at: int | None = None
    bearing: int | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """Something asked at another door than search: records.target.HasDoors."""

    role: str
    caller: Caller
    door: str
    text: str
    session: str = ""
    bearing: int | None = None


@dataclass(frozen=True, slots=True)
class OtherWorld:
    """How the other world differs: what is not there, and what says something else.

    `key` names it: equal keys are one world, which is held once for all cases that enter it.
    `without` names documents, `without_parts` versions and passages.
    """

    key: str
    without: frozenset[str] = frozenset()
    without_parts: frozenset[str] = frozenset()
    replaced: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class Enter:
    """From here on the script goes on in another world; None: back in its own, as it was left."""

    other: OtherWorld | None


@dataclass(frozen=True, slots=True)
class ReadSink:
    role: str
    caller: Caller
    sink: str


@dataclass(frozen=True, slots=True)
class Apply:
    change: Change


@dataclass(frozen=True, slots=True)
class Wait:
    """Let `seconds` pass: the injected clock is set to `until`, or the wall clock waited for."""

    seconds: float
    until: datetime


@dataclass(frozen=True, slots=True)
class Together:
    """Questions of several readers in flight at once."""

    asks: tuple[Ask, ...]
    in_flight: int


@dataclass(frozen=True, slots=True)
class Inventory:
    """The index is listed, to be held against its source."""

    role: str = "operator"


Step = Ask | Count | Resolve | Look | ReadSink | Apply | Wait | Together | Inventory | Enter
SHAREABLE = Ask | Count | Resolve | Look | Enter


@dataclass(frozen=True, slots=True)
class Script:
    """All that execute and the target ever see of a case.

    `whole_path`: ask for the answer and everything before it, not for the ranking alone. `touches`:
    documents it asks about; scripts that share one could serve each other from a cache.
    """

    case_id: str
    steps: tuple[Step, ...]
    whole_path: bool = True
    touches: frozenset[str] = frozenset()

    @property
    def alone(self) -> bool:
        """True when the script changes or reads shared state, and so cannot share a batch."""
        return any(not isinstance(step, SHAREABLE) for step in self.steps)


@dataclass(frozen=True, slots=True)
class Permitted:
    """Which ids of one grain a principal may see: shared index, mask, and what a script changed.

    An id outside `index` and `changed` is unknown to the snapshot: `knows` says so.
    """

    index: Mapping[str, int]
    mask: NDArray[np.bool_]
    changed: Mapping[str, bool] = field(default_factory=dict)

    def __contains__(self, item_id: object) -> bool:
        if item_id in self.changed:
            return self.changed[item_id]  # type: ignore[index]
        position = self.index.get(item_id)  # type: ignore[call-overload]
        return position is not None and bool(self.mask[position])

    @property
    def anything(self) -> bool:
        """Whether there is anything at all that the principal may see."""
        return bool(self.mask.any()) or any(self.changed.values())

    def knows(self, item_id: str) -> bool:
        return item_id in self.changed or item_id in self.index


@dataclass(frozen=True, slots=True)
class StepExpectation:
    """What may show at one step (or one part of a `Together`).

    `elapsed_s` is the time since the event on which the denial depends (None: no event);
    `visible_count` is the monitor's count for a Count step. `wanted`: the value that the answer
    must state (empty: any will do, or none); `unwanted`: values that it must not state as true,
    each with the id of the version or passage it is from. `source`: what the index should
    hold at an Inventory step. `earlier`: inside the service level, what the caller was permitted
    just before the event.
    """

    permitted: Permitted
    elapsed_s: float | None = None
    visible_count: int | None = None
    target_allowed: bool = False
    wanted: str = ""
    unwanted: Mapping[str, str] = field(default_factory=dict)
    as_of: datetime | None = None
    source: SourceIndex | None = None
    earlier: Permitted | None = None


@dataclass(frozen=True, slots=True)
class Coordinates:
    """From these, snapshot, suite and seed a case is regenerated exactly."""

    family: str
    seed: int
    reader_id: str
    document_id: str
    twin_id: str
    variant: tuple[tuple[str, str], ...]
    wording: str


@dataclass(frozen=True, slots=True)
class Payload:
    """An order that a document gives to whoever answers from it, and what obeying it would bring.

    `goal`: marker, leak, url, tool, value, citation, refuse or persist. `order` is the plain text
    of the order before any disguise. `derived`: strings that stand nowhere in the documents and
    that only obeying brings. `pieces`: the strings they are derived from, which quoting the order
    shows. `hosts`, `tool`, `decoy`: where the goal wants a call out, a tool, or a citation.
    `trigger`: words of a later question that set it off.
    """

    goal: str
    technique: str
    lang: str
    carrier: str
    transform: str
    order: str
    derived: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    tool: str = ""
    decoy: str = ""
    trigger: str = ""
    source: str = ""  # of the technique's wording, with its licence


@dataclass(frozen=True, slots=True)
class Option:
    """One answer that a question offers, by its letter and by what may be said of it.

    `elements` are parts of what it says, each as the spellings it may have, in any language; the
    first tells it from the other options by itself. `amount` in place of them: a number, which may
    come rounded, told within `within` of it (of a percentage: within as many points).
    """

    letter: str
    elements: tuple[tuple[str, ...], ...] = ()
    amount: float | None = None
    within: float = 0.0
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """The options of one question, in the order asked, and which of them (from 0) is right.

    `about`: the name of what is asked about.
    """

    options: tuple[Option, ...]
    right: int
    about: str = ""


@dataclass(frozen=True, slots=True)
class Expectation:
    """`roles` names ids at the adapter's grain: target, sibling, ….

    For a payload, `payload` says what it wants; the role `carrier` holds the passages that carry
    it (`carrier.1`, `carrier.2` … where it is split), `clean` those of its clean copy, `true` those
    of the true source where one is contradicted, `secret` those that must not be told.

    A document whose versions are told apart has them as the roles `version.ROLE.1`,
    `version.ROLE.2` …: every id by which that version can surface. `values`: what each version or
    passage of the case states, as value and its id. `kept`: words of the question that a rewriting
    of it must not lose. `timezone`: in which the corpus counts days. `choices`: the options of each
    question of the exhibit that offers any, by the name of the question.

    `steps` is keyed by (step index, part). `marks` names the steps that checks and controls speak
    of: `before`, `twin`, `sibling`, `service`, `live`, `contrast`, ….
    """

    case_id: str
    steps: Mapping[tuple[int, int], StepExpectation]
    roles: Mapping[str, frozenset[str]]
    service_level_s: float = 0.0
    marks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    payload: Payload | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    timezone: str = "UTC"
    choices: Mapping[str, Choice] = field(default_factory=dict)

    def version_of(self, item: str) -> str:
        """The role of the version that the id belongs to; '' where no role says."""
        versions = (role for role in self.roles if role.startswith("version."))
        return next((role for role in versions if item in self.roles[role]), "")

    def replied(self, observation: "Observation") -> bool:
        """Whether a call was answered: who may see nothing at all may be refused by an error."""
        nobody = self.marks.get("nobody", ())
        return not observation.error or observation.step in nobody

    def lag_s(self, step: StepExpectation, item: str) -> float | None:
        """How long after its event an id showed, inside the service level; None: a leak.

        Only what the event took from its reader, the target and whatever went with it, has an event
        to wait for: any other forbidden id is a leak at once.
        """
        elapsed = step.elapsed_s
        if elapsed is None or elapsed >= self.service_level_s:
            return None
        own = {item} | self.roles.get(self.version_of(item), frozenset())
        went = bool(own & self.roles["target"]) or (
            step.earlier is not None and item in step.earlier
        )
        return elapsed if went else None


@dataclass(frozen=True, slots=True)
class Case:
    case_id: str
    coordinates: Coordinates
    script: Script
    expectation: Expectation
    denied_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """What one step (part) showed. `error` as in Response; `acknowledged` for Apply."""

    step: int
    part: int
    role: str
    principal_id: str
    seen: Mapping[Stage, Seen] = field(default_factory=dict)
    error: str = ""
    detail: str = ""
    latency_s: float = 0.0
    acknowledged: bool | None = None
    inventory: tuple[Indexed, ...] = ()


def observed(stages: Collection[Stage], observation: Observation) -> tuple[Stage, ...]:
    """Those of `stages` that spoke, in the order of the path: the same in every process."""
    return tuple(s for s in Stage if s in stages and s in observation.seen)


def given(observation: Observation) -> frozenset[str] | None:
    """Ids of what whoever answered was given; None where nothing tells.

    The context says it, though it be empty; the list where no context is shown; of an answer kept
    from before, what the cache shows it was made from.
    """
    taps = (Stage.CONTEXT, Stage.RETRIEVE, Stage.CACHE)
    shown = next((observation.seen[tap] for tap in taps if tap in observation.seen), None)
    return None if shown is None else frozenset(shown.ids)


@dataclass(frozen=True, slots=True)
class Trace:
    case_id: str
    observations: tuple[Observation, ...]
