"""A forbidden handle must look just like one that does not exist: in status, body and size."""

import pytest

from rageval_kit.checks.unchanged import check
from rageval_kit.records.target import Seen
from rageval_kit.records.verdicts import Outcome

UNKNOWN = Seen(texts=("no such page",), status="not_found")


@pytest.fixture
def judge(small):
    def run(denied, unknown=UNKNOWN, args=None, *, allowed=False, **more):
        expected = small.expectation(
            small.step("mine", allowed=allowed), small.step("mine"), opened=[0], contrast=[1]
        )
        seen = [
            small.saw(i, {"citation": shown} if shown else {}, **more)
            for i, shown in enumerate((denied, unknown))
        ]
        return check(args or {}, expected, small.trace(*seen), small.aids())

    return run


@pytest.mark.parametrize(
    ("denied", "levels"),
    [
        (UNKNOWN, []),
        (Seen(texts=("no such page",), status="forbidden"), ["status"]),
        (Seen(texts=("not for you!",), status="not_found"), ["body"]),
        (Seen(texts=("not for your eyes",), status="not_found"), ["body", "size"]),
        (Seen(status="ok", texts=("the secret",)), ["status", "body", "size"]),
    ],
    ids=["alike", "status", "same_length", "longer", "opened"],
)
def test_every_level_that_differs_is_named(judge, denied, levels):
    result = judge(denied)
    assert result.outcome is (Outcome.VIOLATED if levels else Outcome.HELD)
    assert [f.evidence.split()[0] for f in result.findings] == levels


def test_only_the_levels_asked_for_are_compared(judge):
    denied = Seen(texts=("not for you!",), status="not_found")
    assert judge(denied, args={"is": ["status", "size"]}).outcome is Outcome.HELD


def test_both_replies_empty_are_alike(judge):
    assert judge(Seen(), Seen()).outcome is Outcome.HELD


def test_a_silent_tap_compares_nothing(judge):
    assert judge(None).outcome is Outcome.UNOBSERVED
    assert judge(UNKNOWN, None).outcome is Outcome.UNOBSERVED


def test_a_failed_call_compares_nothing(judge):
    assert judge(UNKNOWN, error="timeout").outcome is Outcome.UNOBSERVED


def test_what_the_reader_may_open_is_not_compared_with_nothing(judge):
    assert judge(Seen(texts=("text",), status="ok"), allowed=True).outcome is Outcome.UNOBSERVED
