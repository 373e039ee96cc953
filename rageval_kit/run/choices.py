"""What did the questions with options of a family come to, and what could they have shown?"""

from collections.abc import Mapping

from rageval_kit.checks.at_chance import ALPHA
from rageval_kit.generate.family import Family
from rageval_kit.records.decisions import ChoiceResult
from rageval_kit.run.prepare import options_of
from rageval_kit.stats.choice import figures, smallest_share


def choice_result(
    family: Family, planned: int, told: Mapping[str, tuple[int, int]]
) -> ChoiceResult | None:
    """None for a family that asks no such questions, or none that was answered."""
    right, asked = told.get("choice_right", (0, 0))
    if family.detects is None or not asked:
        return None
    chosen, _ = told["choice_made"]
    known, _ = told.get("nowhere_right", (0, 0))
    guessed, _ = told.get("nowhere_made", (0, 0))
    options, (_, power) = options_of(family), family.detects
    came = figures(right, chosen - right, asked, options)
    return ChoiceResult(
        planned=planned,
        asked=asked,
        chosen=chosen,
        right=right,
        options=options,
        alpha=ALPHA,
        p=came.p,
        leaked=came.leaked,
        bound=came.bound,
        visible=told.get("visible_right", (0, 0)),
        nowhere=(known, guessed),
        power=power,
        share=smallest_share(asked, options, power),
    )
