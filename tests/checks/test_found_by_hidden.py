"""A word that stands in a hidden title alone must not find the passage that may be read."""

import pytest

from rageval_kit.checks.found_by_hidden import check
from rageval_kit.records.cases import Expectation, Observation, Trace
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids, Outcome

ROLES = {"target": frozenset({"cover"}), "sibling": frozenset({"notice"})}
EXPECTED = Expectation("c", {}, ROLES, marks={"before": (0,), "twin": (1,), "sibling": (2,)})
AIDS = Aids(frozenset({Stage.RETRIEVE_SPARSE}), (Stage.RETRIEVE_SPARSE,), None, {}, 4)


def saw(step, role, *ids, tap=Stage.RETRIEVE_SPARSE, error=""):
    return Observation(step, 0, role, "u", {tap: Seen(ids)}, error=error)


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [
        ([saw(0, "reader", "notice")], Outcome.VIOLATED),
        ([saw(0, "reader", "other", "notice")], Outcome.VIOLATED),
        ([saw(0, "reader", "other")], Outcome.HELD),
        ([saw(0, "reader")], Outcome.HELD),
        # Whoever may read the title may find by it, and the passage is found by its own words.
        ([saw(0, "reader"), saw(1, "twin", "cover", "notice")], Outcome.HELD),
        ([saw(0, "reader"), saw(2, "reader", "notice")], Outcome.HELD),
        ([saw(2, "reader", "notice")], Outcome.UNOBSERVED),
        ([saw(0, "reader", "notice", tap=Stage.RETRIEVE_DENSE)], Outcome.UNOBSERVED),
        ([saw(0, "reader", error="timeout")], Outcome.UNOBSERVED),
    ],
)
def test_the_readers_question_alone_tells_and_at_the_search_by_words(seen, outcome):
    result = check({}, EXPECTED, Trace("c", tuple(seen)), AIDS)
    assert result.outcome is outcome
    assert [f.item_id for f in result.findings] == (["notice"] if outcome == "violated" else [])
