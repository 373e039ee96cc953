"""Do the kit's own checks fail when the kit itself is broken in the way each looks for?

The faults of the embedded system are killed by families; these are faults of the kit, each killed
by the check that it names.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rageval_kit.records.target import Request, Response, Seen
from rageval_kit.run.controls import (
    canaries_sound,
    detectors_awake,
    queries_of,
    repeats,
    taps_spoke,
)
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.rows import CaseRow
from rageval_kit.run.same_world import same_world_twice
from rageval_kit.run.store import carries_canary

Kill = Callable[[Prepared, Sequence[CaseRow]], str]


def canary_in_a_query(prepared: Prepared, rows: Sequence[CaseRow]) -> str:
    """A query carries a canary: what comes back would prove nothing."""
    del rows
    token = next(iter(prepared.scene.canaries), "")
    queries = {*queries_of(prepared.cases), f"what is {token}?"}
    found = canaries_sound(prepared.scene, prepared.detector, queries)
    return found.detail if found.met is False else ""


def canary_in_two_passages(prepared: Prepared, rows: Sequence[CaseRow]) -> str:
    """The same canary stands in two passages: whose it is could not be told."""
    del rows
    scene = prepared.scene
    document = next(d for d in scene.world.documents.values() if d.versions[0].chunks)
    copy = replace(
        document,
        document_id=f"{document.document_id}-copy",
        versions=tuple(
            replace(
                version,
                version_id=f"{version.version_id}-copy",
                chunks=tuple(
                    replace(chunk, chunk_id=f"{chunk.chunk_id}-copy") for chunk in version.chunks
                ),
            )
            for version in document.versions
        ),
    )
    documents = {**scene.world.documents, copy.document_id: copy}
    broken = replace(scene, world=replace(scene.world, documents=documents))
    found = canaries_sound(broken, prepared.detector, ())
    return found.detail if found.met is False else ""


class _Match(NamedTuple):
    token: str


class _Substring:
    """A detector that knows no disguise."""

    def __init__(self, tokens: Mapping[str, str]) -> None:
        self._tokens = tokens

    def find(self, text: str) -> Sequence[_Match]:
        return [_Match(token) for token in self._tokens if token in text]


def detector_is_a_substring_test(prepared: Prepared, rows: Sequence[CaseRow]) -> str:
    """The detector finds a canary only as it was planted."""
    del prepared, rows
    found = detectors_awake(_Substring)
    return f"{found.n} of {found.n_total} disguises found" if found.met is False else ""


def required_tap_silent(prepared: Prepared, rows: Sequence[CaseRow]) -> str:
    """The adapter shows nothing at a tap that the suite requires."""
    required = {
        str(tap) for spec in prepared.plan.spec.suites.values() for tap in spec.required_taps
    }
    muted = [
        replace(row, stages_seen=tuple(s for s in row.stages_seen if s not in required))
        for row in rows
    ]
    found = taps_spoke(prepared, muted)
    return found.detail if found.met is False else ""


class _Fickle:
    """The prepared target, except that what it shows changes from call to call."""

    def __init__(self, target: object) -> None:
        self._target = target
        self._calls = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._target, name)

    def search(self, requests: Sequence[Request]) -> list[Response]:
        return self._turned(self._target.search(requests))  # type: ignore[attr-defined]

    def answer(self, requests: Sequence[Request]) -> list[Response]:
        return self._turned(self._target.answer(requests))  # type: ignore[attr-defined]

    def _turned(self, responses: Sequence[Response]) -> list[Response]:
        self._calls += 1
        return [
            replace(
                response,
                seen={
                    stage: Seen((f"call-{self._calls}", *seen.ids), seen.texts)
                    for stage, seen in response.seen.items()
                },
            )
            for response in responses
        ]


def target_does_not_repeat(prepared: Prepared, rows: Sequence[CaseRow]) -> str:
    """The same questions bring other results each time."""
    fickle: object = _Fickle(prepared.plan.target)
    plan = replace(prepared.plan, target=fickle)  # type: ignore[arg-type]
    found = repeats(replace(prepared, plan=plan), rows, b"")
    return f"{found.n} of {found.n_total} repeated" if found.met is False else ""


def same_world_differs(prepared: Prepared, rows: Sequence[CaseRow]) -> str:
    """The same world, shown twice, shows other results."""
    del rows
    fickle: object = _Fickle(prepared.plan.target)
    plan = replace(prepared.plan, target=fickle)  # type: ignore[arg-type]
    found = same_world_twice(replace(prepared, plan=plan))
    return f"{found.n} of {found.n_total} equal" if found.met is False else ""


def archive_holds_text(prepared: Prepared, rows: Sequence[CaseRow]) -> str:
    """A passage of a document is written into the archive as it stands."""
    del rows
    place = next(iter(prepared.scene.places.values()))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.md"
        path.write_text(place.chunk.text, "utf-8")
        return "found in report.md" if carries_canary(prepared, path) else ""


KIT_FAULTS: Mapping[str, tuple[str, Kill]] = {
    "archive_holds_text": ("LOG-06", archive_holds_text),
    "canary_in_a_query": ("CTL-02", canary_in_a_query),
    "canary_in_two_passages": ("CTL-02", canary_in_two_passages),
    "detector_is_a_substring_test": ("CTL-04", detector_is_a_substring_test),
    "required_tap_silent": ("CTL-06", required_tap_silent),
    "same_world_differs": ("CTL-03", same_world_differs),
    "target_does_not_repeat": ("CTL-07", target_does_not_repeat),
}
