"""A term that only hidden documents hold must not show to whoever has not said it first."""

from dataclasses import replace

import pytest

from rageval_kit.checks.hidden_term import check
from rageval_kit.records.target import Seen
from rageval_kit.records.verdicts import Outcome


@pytest.fixture
def judged(small):
    def of(*texts, query="sev", earlier=""):
        hidden = replace(small.step("mine"), unwanted={"severance": "theirs"})
        expected = small.expectation(small.step("mine"), hidden)
        seen = small.trace(
            small.saw(0, {"answer": Seen()}), small.saw(1, {"suggest": Seen(texts=texts)})
        )
        aids = small.aids(queries={(0, 0): earlier, (1, 0): query})
        return check({}, expected, seen, aids)

    return of


@pytest.mark.parametrize("text", ["severance", "Severance pay", "ＳＥＶＥＲＡＮＣＥ"])
def test_the_term_in_any_width_and_case_is_a_breach(judged, text):
    result = judged("seven", text)
    assert result.outcome is Outcome.VIOLATED
    (finding,) = result.findings
    assert (finding.item_id, finding.step) == ("theirs", 1)
    assert "severance" not in finding.evidence


@pytest.mark.parametrize("texts", [(), ("seven", "several")])
def test_other_terms_are_none(judged, texts):
    assert judged(*texts).outcome is Outcome.HELD


def test_what_the_reader_said_is_no_news(judged):
    assert judged("severance", query="severance").outcome is Outcome.UNOBSERVED
    assert judged("severance", earlier="what severance?").outcome is Outcome.UNOBSERVED


def test_a_door_that_shows_nothing_at_all_proves_nothing(small):
    hidden = replace(small.step("mine"), unwanted={"severance": "theirs"})
    seen = small.trace(small.saw(0, {}))
    result = check({}, small.expectation(hidden), seen, small.aids())
    assert result.outcome is Outcome.UNOBSERVED


def test_a_case_in_which_nobody_looks_is_not_its_business(small):
    result = check({}, small.expectation(small.step("mine")), small.trace(), small.aids())
    assert result.outcome is Outcome.NOT_APPLICABLE
