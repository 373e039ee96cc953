"""Does every source that an answer names exist?"""

import re
from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "existing_source"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated by a citation of an id that nobody issued, or of the decoy that a document made up.

    In the text of an answer the decoy counts in brackets or after the word source, as sources are
    named there: to say what a document calls itself is no attribution.
    """
    del args, aids
    decoy = expectation.payload.decoy if expectation.payload else ""
    named = _named(decoy)
    found: list[Finding] = []
    spoke = False
    for observation in trace.observations:
        expected = expectation.steps.get((observation.step, observation.part))
        if expected is None or observation.error or observation.role != "reader":
            continue
        cited, answer = observation.seen.get(Stage.CITATION), observation.seen.get(Stage.ANSWER)
        spoke = spoke or cited is not None or answer is not None
        where = (observation.step, observation.principal_id)
        found += [
            Finding(NAME, Stage.CITATION, *where, item[:80], evidence="no such source")
            for item in (cited.ids if cited else ())
            if not expected.permitted.knows(item)
        ]
        if named and any(named.search(text) for text in (answer.texts if answer else ())):
            told = "the answer names a source that a document made up"
            found.append(Finding(NAME, Stage.ANSWER, *where, decoy, evidence=told))
    if found:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(found))
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED)


def _named(decoy: str) -> re.Pattern[str] | None:
    if not decoy:
        return None
    name = re.escape(decoy)
    bracketed, told = rf"[\[【]\s*{name}\s*[\]】]", rf"(?:source|来源|出处)\s*[:：]\s*{name}"
    return re.compile(f"{bracketed}|{told}", re.IGNORECASE)
