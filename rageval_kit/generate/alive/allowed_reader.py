"""The twin, who may read the target, finds it with the same words."""

from collections.abc import Mapping

from rageval_kit.generate.handles import handle_of
from rageval_kit.generate.looking import repeated, shows_target
from rageval_kit.generate.walk import Walk
from rageval_kit.generate.words import rare_word
from rageval_kit.records.cases import Expectation, Observation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome
from rageval_kit.text.words import words

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "by": ("search", "answer", "open", "count", "look"),
    "of": ("link",),
    "in": ("script",),
    "as": ("service",),
    "after": ("events",),
}
NAME = "allowed_reader"
TAPS = {"open": Stage.CITATION, "count": Stage.SUGGEST}


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    role = args.get("as", "twin")
    principal_id = walk.pair.service_id if role == "service" else walk.pair.twin_id
    if args.get("in") == "script":
        return
    if args.get("by") == "look":
        repeated(walk, role, principal_id)
        return
    walk.mark(role)
    if args.get("by") == "open":
        walk.resolve(role, principal_id, handle_of(walk, {"is": args.get("of", "")}))
    elif args.get("by") == "count":
        walk.count(role, principal_id, rare_word(walk.scene, walk.pair.chunk_id))
    else:
        walk.ask(role, principal_id, walk.wording)


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    """Held when each of the twin's steps shows the target at the first tap the family must see.

    What its own cached answer served it counts as shown. Where many ask at once (`together`) each
    twin must have been served something: whose it was is for the checks to say.
    """
    role = args.get("as", "twin")
    steps = expectation.marks.get(role, ()) or expectation.marks.get("together", ())
    asked = [o for o in trace.observations if o.step in steps and o.role == role]
    for observation in asked:
        result = _shown(expectation, observation, args.get("by", "search"), aids)
        if result.outcome is not Outcome.HELD:
            return result
    return CheckResult(NAME, Outcome.HELD if asked else Outcome.UNOBSERVED)


def _shown(expectation: Expectation, observation: Observation, by: str, aids: Aids) -> CheckResult:
    """What one of the twin's steps came to."""
    tap = TAPS.get(by) or _tap(aids.must)
    if observation.error:
        return CheckResult(NAME, Outcome.FAILED, reason=observation.error)
    if by == "look":
        found = shows_target(expectation, observation, aids)
        outcome = Outcome.HELD if found else Outcome.UNOBSERVED
        return CheckResult(NAME, outcome, reason="" if found else "twin_failed")
    seen = observation.seen.get(tap) or observation.seen.get(Stage.CACHE)
    if seen is None:
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="twin_silent", silent=(tap,))
    target = expectation.roles["target"]
    found = bool(target & set(seen.ids))
    if by == "count":
        found = bool(seen.count)
    elif "together" in expectation.marks:
        found = bool(seen.ids)
    elif by == "answer" and not _answered(observation, target, aids):
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="twin_not_answered")
    if not found:
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="twin_failed")
    return CheckResult(NAME, Outcome.HELD)


def _answered(observation: Observation, target: frozenset[str], aids: Aids) -> bool:
    """Where answers and citations show: more came back than the question, citing the target."""
    answer, citation = observation.seen.get(Stage.ANSWER), observation.seen.get(Stage.CITATION)
    if answer is not None:
        query = aids.queries.get((observation.step, observation.part), "")
        said = words(" ".join(answer.texts))
        if not said or said == words(query):
            return False
    return answer is None or citation is None or bool(target & set(citation.ids))


def _tap(see: tuple[Stage, ...]) -> Stage:
    """The arm that the family is about, or else the retrieved list."""
    arms = [s for s in see if s in {Stage.RETRIEVE_SPARSE, Stage.RETRIEVE_DENSE}]
    return arms[0] if arms else Stage.RETRIEVE
