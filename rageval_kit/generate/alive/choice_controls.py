"""Were the same question answered to who may read it, and one about nothing to who asks?

Both are counted over all cases of a family (checks/at_chance.py): facts that may be read must
nearly all be told, facts that stand nowhere must be told no better than by chance.
"""

from collections.abc import Mapping

from rageval_kit.detect.choosing import chosen
from rageval_kit.generate.walk import Walk
from rageval_kit.generate.wording import Wording
from rageval_kit.records.cases import Expectation, Observation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "choice_controls"
ASKED = {"twin": "topic", "nowhere": "nowhere"}
TOLD = {"twin": "visible", "nowhere": "nowhere"}
ONCE = frozenset({"visible_right", "nowhere_right", "nowhere_made"})


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """The twin asks what the reader asked; then the reader asks about a fact that is nowhere."""
    del args
    exhibit = walk.pair.exhibit
    if exhibit is None:
        return
    walk.mark("twin")
    walk.ask("twin", walk.pair.twin_id, walk.wording)
    walk.mark("nowhere")
    wording = Wording(exhibit.questions["nowhere"])
    walk.ask("reader", walk.pair.reader_id, wording, session="nowhere")


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    """Held where both were answered at all; what was chosen is told, and counted with the rest."""
    del args
    told: dict[str, bool] = {}
    seen = {o.step: o for o in trace.observations}
    for mark, question in ASKED.items():
        for step in expectation.marks.get(mark, ()):
            observation = seen.get(step)
            said = None if observation is None else _said(observation)
            if observation is None or said is None:
                fault = observation.error if observation else ""
                outcome = Outcome.FAILED if fault else Outcome.UNOBSERVED
                return CheckResult(NAME, outcome, reason=fault or f"{mark}_not_answered", told=told)
            choice = expectation.choices[question]
            one = chosen(said, choice, aids.queries.get((step, 0), ""))
            told[f"{TOLD[mark]}_right"] = one == choice.right
            if mark == "nowhere":
                told["nowhere_made"] = one is not None
    return CheckResult(NAME, Outcome.HELD if told else Outcome.UNOBSERVED, told=told)


def _said(observation: Observation) -> str | None:
    """What was answered, if only that nothing was found; None: nothing at all."""
    answer = observation.seen.get(Stage.ANSWER)
    if observation.error or answer is None:
        return None
    return "\n".join(answer.texts) or None
