"""Did the reader find its own copy of a text of which it may not read the other?"""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "own_copy"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where the twin's list has the other copy and the reader's has not its own.

    The texts are equal, so ranking is no excuse. Where the twin found neither nothing can be said.
    """
    del args, aids
    own, other = expectation.roles["sibling"], expectation.roles["target"]
    by_role = {role: _listed(trace, role) for role in ("reader", "twin")}
    if not other & by_role["twin"]:
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="twin found no copy")
    if own & by_role["reader"]:
        return CheckResult(NAME, Outcome.HELD)
    asked = [o for o in trace.observations if o.role == "reader" and Stage.RETRIEVE in o.seen]
    if not asked:
        return CheckResult(NAME, Outcome.UNOBSERVED)
    evidence = "the reader's own copy of the text was not found"
    where = (Stage.RETRIEVE, asked[0].step, asked[0].principal_id)
    return CheckResult(NAME, Outcome.VIOLATED, (Finding(NAME, *where, min(own), evidence),))


def _listed(trace: Trace, role: str) -> set[str]:
    """What the role's questions listed, or what a cache served it."""
    taps = (Stage.RETRIEVE, Stage.CACHE)
    return {
        item
        for observation in trace.observations
        if observation.role == role
        for tap in taps
        if tap in observation.seen
        for item in observation.seen[tap].ids
    }
