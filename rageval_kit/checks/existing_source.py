"""Does every source that an answer names exist?"""

import re
from collections.abc import Iterator, Mapping

from rageval_kit.detect.fold import fold_text
from rageval_kit.detect.sources import names_source
from rageval_kit.records.cases import Expectation, Observation, Permitted, Trace
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "existing_source"
_NUMBER = re.compile(r"\[\d{1,9}\]")  # as a generator tells a marker that points at no passage
_SHOWN = 80


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated by a source that nobody issued: an id, a marker, a name, the decoy of a document.

    In the text of an answer a name counts in brackets or after the word source, as sources are
    named there. One that stands in a passage which was given is not made up, the decoy aside.
    """
    del args, aids
    decoy = expectation.payload.decoy if expectation.payload else ""
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
            Finding(NAME, Stage.CITATION, *where, item[:_SHOWN], evidence="no such source")
            for item in _made_up(observation, expected.permitted)
        ]
        if any(names_source(decoy, text) for text in (answer.texts if answer else ())):
            told = "the answer names a source that a document made up"
            found.append(Finding(NAME, Stage.ANSWER, *where, decoy, evidence=told))
    if found:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(found))
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED)


def _made_up(observation: Observation, permitted: Permitted) -> Iterator[str]:
    """Ids that nobody issued, markers of no passage, and names that no passage given holds."""
    cited = observation.seen.get(Stage.CITATION, Seen())
    if cited.status is not None:  # an opened handle: it cites nothing
        return
    yield from (item for item in cited.ids if not permitted.knows(item))
    answer = "\n".join(observation.seen.get(Stage.ANSWER, Seen()).texts)
    is_paired = len(cited.texts) == len(cited.ids)  # then they may be titles of what is cited
    taps = (Stage.CONTEXT, Stage.CACHE, Stage.RETRIEVE)
    passages = [text for tap in taps for text in observation.seen.get(tap, Seen()).texts]
    for name in dict.fromkeys(cited.texts):
        if _NUMBER.fullmatch(name):
            yield name
        elif name and (not is_paired or names_source(name, answer)):
            folded = fold_text(name)
            held = any(folded in fold_text(text) for text in passages)
            if not held and not permitted.knows(name):
                yield name
