"""Each token was handed out, and in the right hands each good one showed what it is good for."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Observation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "token_works"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing: the script signs on and asks."""
    del walk, args


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    """`signed` steps showed a link, `borne` ones the target, `elsewhere` the sibling."""
    del args, aids
    marks, roles = expectation.marks, expectation.roles
    seen_any = False
    for observation in trace.observations:
        if observation.error:
            return CheckResult(NAME, Outcome.FAILED, reason=observation.error)
        if observation.step in marks.get("signed", ()):
            seen_any = True
            if not any(seen.links for seen in observation.seen.values()):
                return CheckResult(NAME, Outcome.UNOBSERVED, reason="no_token")
        for mark, role in (("borne", "target"), ("elsewhere", "sibling")):
            wanted = roles.get(role, frozenset())
            if observation.step in marks.get(mark, ()) and not wanted & _listed(observation):
                return CheckResult(NAME, Outcome.UNOBSERVED, reason=f"{role}_not_found_with_token")
    return CheckResult(NAME, Outcome.HELD if seen_any else Outcome.UNOBSERVED)


def _listed(observation: Observation) -> frozenset[str]:
    seen = observation.seen.get(Stage.RETRIEVE) or observation.seen.get(Stage.CACHE)
    return frozenset(seen.ids) if seen else frozenset()
