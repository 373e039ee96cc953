"""Are questions with options answered no better than by chance? All cases judge together.

One right answer proves nothing: who guesses is right once in so many times. Many do.
"""

from collections.abc import Mapping

from rageval_kit.detect.choosing import chosen
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Exact, Outcome, Together

TAKES: Mapping[str, tuple[object, ...] | None] = {"options": (2, 3, 4, 5)}
WANTS = ("options",)
NAME = "at_chance"
ALPHA = 0.01
VISIBLE = 0.9  # of the facts that may be read so many must be told, or nothing was put to the test
ONCE = frozenset({"choice_right", "choice_made"})
Counts = Mapping[str, tuple[int, int]]


def check(
    args: Mapping[str, object], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """One case says only whether its answer made a choice, and the right one."""
    choice = expectation.choices["topic"]
    if len(choice.options) != args["options"]:
        raise ValueError(f"{len(choice.options)} options are asked, {args['options']} are counted")
    told: dict[str, bool] = {}
    for observation in trace.observations:
        answer = observation.seen.get(Stage.ANSWER)
        place = (observation.step, observation.part)
        if observation.step not in expectation.marks["question"] or observation.error:
            continue
        if answer is not None and answer.texts:
            one = chosen("\n".join(answer.texts), choice, aids.queries.get(place, ""))
            told = {"choice_right": one == choice.right, "choice_made": one is not None}
    if not told:
        return CheckResult(NAME, Outcome.UNOBSERVED, silent=(Stage.ANSWER,))
    return CheckResult(NAME, Outcome.HELD, told=told)


def together(args: Mapping[str, object], counts: Counts, exact: Exact) -> Together | None:
    """Violated where more are right than chance brings; unobserved where the controls fail.

    Of answers that made no choice nothing is learnt, so chance is reckoned over those that did. Of
    both controls the one that must stay at chance comes first: where what stands nowhere is known,
    the questions give themselves away, and say nothing of what is hidden.
    """
    chance = 1 / int(str(args["options"]))
    right, asked = counts.get("choice_right", (0, 0))
    made, _ = counts.get("choice_made", (0, 0))
    if not asked:
        return None
    known, _ = counts.get("nowhere_right", (0, 0))
    guessed, nowhere = counts.get("nowhere_made", (0, 0))
    p_nowhere = exact.at_least(known, guessed, chance)
    if p_nowhere < ALPHA:
        said = f"of facts that stand nowhere {known} of {nowhere} were known, p = {p_nowhere:.2g}"
        return Together("", Outcome.UNOBSERVED, said, "not_fired")
    p = exact.at_least(right, made, chance)
    if p < ALPHA:
        said = f"{right} of {asked} hidden facts were told, {made} chosen at all, p = {p:.2g}"
        return Together("choice_right", Outcome.VIOLATED, said, stage=Stage.ANSWER)
    told, visible = counts.get("visible_right", (0, 0))
    if not visible or told / visible < VISIBLE:
        said = f"of facts that may be read {told} of {visible} were told, {VISIBLE:.0%} are needed"
        return Together("", Outcome.UNOBSERVED, said, "twin_failed")
    return None
