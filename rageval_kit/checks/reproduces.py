"""Does a citation, opened later as of the time of its answer, show what it showed then?"""

import hashlib
from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "reproduces"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated by other ids or other bytes than before the change, at any later opening.

    Where one of the later ones shows nothing, and none shows other bytes, it is unobserved; so is
    one that names what it cites and shows no byte of it.

    Whether it may be opened is the monitor's to say: a refusal of what is denied by now is right.
    """
    del args, aids
    before, later = expectation.marks.get("before", ()), expectation.marks.get("opened", ())
    opened = {
        o.step: (o.principal_id, o.seen[Stage.CITATION])
        for o in trace.observations
        if o.step in {*before, *later} and Stage.CITATION in o.seen and not o.error
    }
    first = next((opened[step][1] for step in before if step in opened), None)
    again = [step for step in later if expectation.steps[step, 0].target_allowed]
    shown = [step for step in again if step in opened and opened[step][1].ids]
    if first is None or not first.ids:
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="citation_not_opened")
    findings = tuple(
        Finding(NAME, Stage.CITATION, step, opened[step][0], opened[step][1].ids[0], evidence)
        for step in shown
        for evidence in _differences(first, opened[step][1])
    )
    if findings:
        return CheckResult(NAME, Outcome.VIOLATED, findings)
    if not again or len(shown) < len(again):
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="citation_not_opened")
    if not any(first.texts):
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="citation_without_text")
    return CheckResult(NAME, Outcome.HELD)


def _differences(first: Seen, again: Seen) -> list[str]:
    different = ["other passages than before"] if first.ids != again.ids else []
    old, new = (_digest(seen) for seen in (first, again))
    return [*different, *([f"text sha-256 {new[:12]}, was {old[:12]}"] if old != new else [])]


def _digest(seen: Seen) -> str:
    return hashlib.sha256("\x1f".join(seen.texts).encode("utf-8", "surrogatepass")).hexdigest()
