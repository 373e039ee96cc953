"""Does the audit trail say who was denied (or let in), what, by which rule, and when?"""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Observation, Trace
from rageval_kit.records.target import Power, Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

FIELDS = ("principal", "object", "rule", "time")
TAKES: Mapping[str, tuple[str, ...] | None] = {
    "of": ("denial", "access"),
    **dict.fromkeys(FIELDS),
}
NAME = "audited"
CLOCK = "clock"  # the role under which the first and the last instant of the script stand
_SOUGHT: Mapping[str, tuple[str, ...]] = {
    "denial": FIELDS,
    "access": ("principal", "object", "time"),
}
_LACKS = {
    "object": "no record names what was asked for",
    "principal": "the record does not name the principal",
    "rule": "the record does not say by which rule",
    "time": "the record does not bear the time of the event",
}


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Where the kit sets the clock, records bear an instant of the script."""
    del args
    if walk.scene.has(Power.CLOCK):
        clocks = (walk.scene.world.clock, walk.world.clock)
        walk.roles[CLOCK] = frozenset(clock.isoformat() for clock in clocks)


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where fewer records are complete than there were denials (accesses) of the target.

    A record is a line of JSON; `principal`, `object`, `rule` and `time` name its fields where they
    are called otherwise, and each may hold one value or a list. A search that the target did not
    match is no denial that anybody could record; here it is what was asked for.
    """
    del aids
    of = args.get("of", "denial")
    read = [o for o in trace.observations if o.step in expectation.marks.get("read", ())]
    if not read or any(o.error or Stage.LOG not in o.seen for o in read):
        reason = next((o.error for o in read if o.error), "trail_not_read")
        return CheckResult(NAME, Outcome.UNOBSERVED, reason=reason)
    events = [o for o in trace.observations if _counts(o, of, expectation)]
    if not events:
        return CheckResult(NAME, Outcome.UNOBSERVED, reason=f"no_{of}")
    records = [r for o in read for line in o.seen[Stage.LOG].texts for r in _parsed(line)]
    who, target = events[0].principal_id, expectation.roles["target"]
    span = sorted(map(datetime.fromisoformat, expectation.roles.get(CLOCK, ())))
    holds = {
        "object": lambda r: bool(target & _values(r, args, "object")),
        "principal": lambda r: who in _values(r, args, "principal"),
        "rule": lambda r: bool(_values(r, args, "rule")),
        "time": lambda r: any(_within(said, span) for said in _values(r, args, "time")),
    }
    for field in sorted(_SOUGHT[of], key=("object", "principal", "rule", "time").index):
        records = [record for record in records if holds[field](record)]
        if len(records) < len(events):
            evidence = f"{_LACKS[field]}: {len(records)} of {len(events)}"
            where = (Stage.LOG, read[-1].step, who, min(target))
            return CheckResult(NAME, Outcome.VIOLATED, (Finding(NAME, *where, evidence),))
    return CheckResult(NAME, Outcome.HELD)


def _counts(observation: Observation, of: str, expectation: Expectation) -> bool:
    """Whether the reader was kept from the target here; for accesses, whether it was shown."""
    expected = expectation.steps.get((observation.step, observation.part))
    if expected is None or observation.role != "reader" or observation.error:
        return False
    if of == "denial":
        return not expected.target_allowed
    shown = {item for seen in observation.seen.values() for item in seen.ids}
    return bool(shown & expectation.roles["target"])


def _parsed(line: str) -> Iterator[Mapping[str, Any]]:
    """What is no record says nothing."""
    try:
        record = json.loads(line)
    except ValueError:
        return
    if isinstance(record, dict):
        yield record


def _values(record: Mapping[str, Any], args: Mapping[str, str], field: str) -> frozenset[str]:
    """What a field says, under its name here, in the plural, or as the family calls it."""
    names = (args[field],) if field in args else (field, f"{field}s")
    found: set[str] = set()
    for name in names:
        said = record.get(name)
        many = said if isinstance(said, list) else [said]
        found |= {str(one) for one in many if one not in (None, "")}
    return frozenset(found)


def _within(said: str, span: list[datetime]) -> bool:
    try:
        at = datetime.fromisoformat(said)
    except ValueError:
        return False
    return at.tzinfo is not None and (not span or span[0] <= at <= span[-1])
