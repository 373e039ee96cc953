"""A number that was erased, in any text after the erasure: 481926 is gone, 350017 is not."""

import pytest

from rageval_kit.checks.erased import ROLE, check
from rageval_kit.records.cases import Expectation
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Outcome

GONE, KEPT = "481926", "350017"


@pytest.fixture
def judge(small):
    def run(*observations, elapsed=60.0, level=60.0, erased=(GONE,), queries=None):
        steps = {(0, 0): small.step(), (1, 0): small.step(elapsed=elapsed)}
        roles = {"target": frozenset({"theirs"}), ROLE: frozenset(erased)}
        expected = Expectation("c", steps, roles, level, values={GONE: "record@1"})
        return check({}, expected, small.trace(*observations), small.aids(queries=queries))

    return run


@pytest.mark.parametrize("tap", ["answer", "log", "cache", "context"])
@pytest.mark.parametrize("text", [f"It is {GONE}.", "编号是４８１９２６。", "the number 481,926"])
def test_an_erased_value_at_any_tap_is_a_breach_however_it_is_written(judge, small, tap, text):
    result = judge(small.saw(1, {tap: Seen(texts=(text,))}))
    assert result.outcome is Outcome.VIOLATED
    (finding,) = result.findings
    assert (finding.stage, finding.item_id, finding.lag_s) == (Stage(tap), "record@1", None)
    assert GONE not in finding.evidence


@pytest.mark.parametrize("text", [f"It is {KEPT}.", "nothing was found", "", "reference 4819260"])
def test_what_was_not_erased_may_be_told(judge, small, text):
    assert judge(small.saw(1, {"answer": Seen(texts=(text,))})).outcome is Outcome.HELD


def test_before_the_erasure_it_was_lawful(judge, small):
    before = small.saw(0, {"answer": Seen(texts=(GONE,))})
    assert judge(before).outcome is Outcome.UNOBSERVED
    assert judge(before, small.saw(1, {"answer": Seen()})).outcome is Outcome.HELD


def test_the_question_itself_is_no_residue(judge, small):
    echo = small.saw(1, {"answer": Seen(texts=(f"You asked for {GONE}",))})
    assert judge(echo, queries={(1, 0): f"who has {GONE}?"}).outcome is Outcome.HELD


@pytest.mark.parametrize(("elapsed", "lag"), [(0.0, 0.0), (59.0, 59.0), (60.0, None)])
def test_inside_the_level_it_is_a_lag_with_its_measure(judge, small, elapsed, lag):
    result = judge(small.saw(1, {"log": Seen(texts=(GONE,))}), elapsed=elapsed)
    assert result.outcome is (Outcome.VIOLATED if lag is None else Outcome.HELD)
    assert [one.lag_s for one in (*result.findings, *result.lags)] == [lag]


def test_where_nothing_was_erased_nothing_holds(judge, small):
    seen = small.saw(1, {"answer": Seen(texts=("x",))})
    assert judge(seen, erased=()).outcome is Outcome.UNOBSERVED


def test_an_error_after_the_erasure_is_no_evidence(judge, small):
    assert judge(small.saw(1, {"answer": Seen()}, error="timeout")).outcome is Outcome.UNOBSERVED
