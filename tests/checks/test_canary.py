"""A planted token in a text that its reader may not have: proof, whatever the ids say."""

import pytest

from rageval_kit.checks.canary import check
from rageval_kit.detect import Detector
from rageval_kit.detect.verbatim import Verbatim
from rageval_kit.records.target import Seen, Stage, ToolCall
from rageval_kit.records.verdicts import Outcome

MINE, THEIRS = "KQZRT-41586-WXVBN-20937", "PLMHG-77310-DSCYF-48652"
TOKENS = {MINE: "mine", THEIRS: "theirs"}


@pytest.fixture
def judge(small):
    detector = Detector(TOKENS)

    def finder(text, query):
        return [match.marks for match in detector.find(text, query)]

    def run(*observations, steps=None, level=0.0, queries=None, canaries=finder, stages=None):
        expected = small.expectation(*(steps or [small.step("mine")]), level=level)
        found = small.aids(canaries=canaries, queries=queries, stages=stages or tuple(Stage))
        return check({}, expected, small.trace(*observations), found)

    return run


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (f"as the memo says {THEIRS}", Outcome.VIOLATED),
        (f"备忘录写道：{THEIRS.lower()}。", Outcome.VIOLATED),
        ("PLMHG 77310 DSCYF 48652", Outcome.VIOLATED),
        (f"as my own memo says {MINE}", Outcome.HELD),
        ("nothing of the kind", Outcome.HELD),
        ("", Outcome.HELD),
    ],
    ids=["verbatim", "lower_case_in_chinese", "spaced", "own", "none", "recorded_but_empty"],
)
def test_it_objects_to_a_forbidden_canary_however_spelt(judge, small, text, outcome):
    assert judge(small.saw(0, {"answer": small.texts(text)})).outcome is outcome


def test_a_tap_that_said_nothing_proves_nothing(judge, small):
    assert judge(small.saw(0, {})).outcome is Outcome.UNOBSERVED
    assert judge(small.saw(0, {"answer": small.texts("x")}, error="timeout")).outcome is (
        Outcome.UNOBSERVED
    )


def test_what_was_said_before_the_call_failed_is_looked_at(judge, small):
    seen = small.saw(0, {"answer": small.texts(THEIRS)}, error="timeout")
    assert judge(seen).outcome is Outcome.VIOLATED


def test_without_canaries_it_says_that_it_looked_for_nothing(judge, small):
    result = judge(small.saw(0, {"answer": small.texts("x")}), canaries=None)
    assert result.outcome is Outcome.NOT_APPLICABLE
    assert result.reason == "no canaries were planted"


def test_the_echo_of_the_readers_own_question_is_no_leak(judge, small):
    seen = small.saw(0, {"answer": small.texts(f"You asked: {THEIRS}?")})
    assert judge(seen, queries={(0, 0): f"{THEIRS}?"}).outcome is Outcome.HELD
    assert judge(seen, queries={(0, 0): "else"}).outcome is Outcome.VIOLATED


def test_the_finding_holds_no_text(judge, small):
    (finding,) = judge(small.saw(0, {"log": small.texts(f"candidate {THEIRS}")})).findings
    assert THEIRS not in str(finding)
    assert (finding.stage, finding.item_id) == (Stage.LOG, "theirs")


@pytest.mark.parametrize(("elapsed", "late"), [(0.0, False), (299.9, False), (300.0, True)])
def test_inside_the_service_level_it_is_a_lag_and_from_the_level_on_a_leak(
    judge, small, elapsed, late
):
    result = judge(
        small.saw(0, {"answer": small.texts(THEIRS)}),
        steps=[small.step("mine", elapsed=elapsed)],
        level=300.0,
    )
    assert result.outcome is (Outcome.VIOLATED if late else Outcome.HELD)
    assert bool(result.lags) is not late


def test_findings_follow_the_path_whatever_the_order_the_target_answers_in(judge, small):
    leak = small.texts(THEIRS)
    seen = small.saw(0, {"log": leak, "answer": leak, "context": leak})
    assert [f.stage for f in judge(seen).findings] == [Stage.CONTEXT, Stage.ANSWER, Stage.LOG]


@pytest.mark.parametrize(
    "seen",
    [
        {"tool": Seen(calls=(ToolCall("explain", f'{{"text": "{THEIRS}"}}'),))},
        {"tool": Seen(calls=(ToolCall(f"explain_{THEIRS}"),))},
        {"citation": Seen(links=(f"https://a.test/#:~:text={THEIRS}",))},
        {"citation": Seen(status=f"not found: {THEIRS}")},
        {"citation": Seen(ids=(f"memo {THEIRS}",))},
        {"suggest": Seen(facets=((f"memo {THEIRS}", 3),))},
        {"query": Seen(texts=(f"the memo {THEIRS}",))},
        {"answer.stream": Seen(texts=("as", f" {THEIRS}"))},
    ],
    ids=["arguments", "call", "link", "status", "id", "facet", "query", "stream"],
)
def test_whatever_a_reader_is_shown_is_read_in_every_field(judge, small, seen):
    assert judge(small.saw(0, seen), stages=("retrieve",)).outcome is Outcome.VIOLATED


def test_a_tap_between_is_read_by_the_families_that_look_at_it_alone(judge, small):
    seen = small.saw(0, {"context": small.texts(THEIRS), "retrieve": small.ids("mine")})
    assert judge(seen, stages=("retrieve",)).outcome is Outcome.HELD
    assert judge(seen, stages=("retrieve", "context")).outcome is Outcome.VIOLATED


def test_a_clean_tap_beside_those_of_the_family_holds_nothing(judge, small):
    seen = small.saw(0, {"answer": small.texts("nothing")})
    assert judge(seen, stages=("retrieve",)).outcome is Outcome.UNOBSERVED


def test_an_error_message_is_shown_too(judge, small):
    seen = small.saw(0, {}, error="http_500", detail=f"cannot read {THEIRS}")
    assert judge(seen).outcome is Outcome.VIOLATED


SHARED = "all visitors sign the book at the gate before noon"
HIDDEN = "the boiler in hall seven was drained on the ninth of march"
QUOTED = Verbatim([("mine", SHARED), ("theirs", f"{SHARED}. {HIDDEN}"), ("other", HIDDEN)])


def quoted(text, may):
    return QUOTED.find(text, may=may)


@pytest.mark.parametrize(
    ("text", "readable", "outcome"),
    [
        (HIDDEN, ["mine"], Outcome.VIOLATED),
        (HIDDEN, ["mine", "other"], Outcome.HELD),  # a copy of it may be read
        (SHARED, ["mine"], Outcome.HELD),
        ("the boiler was drained", ["mine"], Outcome.HELD),
    ],
)
@pytest.mark.parametrize("tap", ["answer", "tool"])
def test_words_that_stand_in_forbidden_passages_alone_are_a_leak(
    small, text, readable, outcome, tap
):
    shown = Seen(calls=(ToolCall("explain", text),)) if tap == "tool" else small.texts(text)
    found = small.aids(canaries=lambda *_: (), quoted=quoted)
    expected = small.expectation(small.step(*readable))
    result = check({}, expected, small.trace(small.saw(0, {tap: shown})), found)
    assert result.outcome is outcome
    if result.findings:
        (finding,) = result.findings
        assert (finding.item_id, finding.evidence) == ("theirs", "verbatim text")  # the target


def test_without_canaries_words_are_a_leak_and_their_absence_holds_nothing(small):
    found = small.aids(quoted=quoted)
    expected = small.expectation(small.step("mine"))
    told = [
        check({}, expected, small.trace(small.saw(0, {"answer": small.texts(t)})), found).outcome
        for t in (HIDDEN, SHARED)
    ]
    assert told == [Outcome.VIOLATED, Outcome.NOT_APPLICABLE]
