"""Was a passage found by a word that stands only in what its reader may not see?"""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace, observed
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "found_by_hidden"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where the reader's question brings the passage beside the target.

    Nothing that the reader may read says a word of the question, so a search by words that looks
    at no more than that brings nothing of that document.
    """
    del args
    beside, findings, spoke = expectation.roles["sibling"], [], False
    for_itself = expectation.marks.get("sibling", ())  # asked by its own words: it must be found
    for o in trace.observations:
        if o.role != "reader" or o.step in for_itself or o.error:
            continue
        for stage in observed(aids.stages, o):
            spoke = True
            found = sorted(beside & set(o.seen[stage].ids))
            findings += [Finding(NAME, stage, o.step, o.principal_id, item) for item in found]
    if findings:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(findings))
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED)
