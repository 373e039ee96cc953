"""One verdict from checks, living positives and taps; and a row that keeps ids and no text."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rageval_kit.generate.family import word_module
from rageval_kit.records.cases import Apply, Ask, Count, ReadSink, Resolve, Together, Wait
from rageval_kit.records.changes import Reindex
from rageval_kit.records.target import Caller, Seen, Stage, ToolCall
from rageval_kit.records.verdicts import Finding, Outcome
from rageval_kit.run.judge import judge, row_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)
MINE, THEIRS = Seen(("mine",)), Seen(("theirs",))


@pytest.fixture
def outcome(by_hand):
    def run(*observations, case=None, finder=None, **changed):
        case = case or by_hand.case()
        return judge(case, by_hand.family(**changed), by_hand.trace(*observations), finder, 10)

    return run


def test_clean_reader_and_living_twin_hold(outcome, by_hand):
    verdict = outcome(
        by_hand.saw(0, {"retrieve": MINE, "answer": Seen(texts=("no",))}),
        by_hand.saw(1, {"retrieve": THEIRS}, "twin"),
    )
    assert (verdict.outcome, verdict.reason, verdict.twin_ok) == (Outcome.HELD, "", True)
    assert verdict.stages_seen == (Stage.ANSWER, Stage.RETRIEVE)
    assert (verdict.reader_id, verdict.document_id, verdict.denied_by) == (
        "u", "d-theirs", ("C2",),
    )  # fmt: skip


def test_a_leak_is_violated_even_where_the_twin_and_another_call_failed(outcome, by_hand):
    verdict = outcome(
        by_hand.saw(0, {"retrieve": THEIRS}),
        by_hand.saw(1, role="twin", error="timeout"),
    )
    assert verdict.outcome is Outcome.VIOLATED
    assert verdict.reason == "forbidden_document at retrieve"


def test_a_failed_call_is_failed_with_its_cause(outcome, by_hand):
    verdict = outcome(
        by_hand.saw(0, error="http_500", detail="upstream down"),
        by_hand.saw(1, {"retrieve": THEIRS}, "twin"),
    )
    assert verdict.outcome is Outcome.FAILED
    assert verdict.reason == "failed: http_500 (upstream down)"


@pytest.mark.parametrize("word", ["checks", "alive"])
def test_a_word_that_a_reply_makes_stumble_fails_its_case_alone(
    outcome, by_hand, monkeypatch, word
):
    """Which word, what error and where are told; not the text that it stumbled over."""
    name, entry = {
        "checks": ("forbidden_document", "check"),
        "alive": ("allowed_reader", "judge"),
    }[word]

    def stumble(*_):
        return int("9" * 5000)

    monkeypatch.setattr(word_module(word, name), entry, stumble)
    seen = (
        by_hand.saw(0, {"retrieve": MINE}),
        by_hand.saw(1, {"retrieve": THEIRS}, "twin"),
    )
    verdict = outcome(*seen)
    assert verdict.outcome is Outcome.FAILED
    assert verdict.reason.startswith(f"failed: {name} raised ValueError at test_judge.py:")
    both = outcome(*seen, checks=["forbidden_document", "found"])
    assert both.outcome is Outcome.FAILED


def test_what_another_check_saw_is_violated_though_one_stumbled(outcome, by_hand, monkeypatch):
    monkeypatch.setattr(word_module("checks", "canary"), "check", lambda *_: 1 // 0)
    verdict = outcome(
        by_hand.saw(0, {"retrieve": THEIRS}),
        by_hand.saw(1, {"retrieve": THEIRS}, "twin"),
        checks=["canary", "forbidden_document"],
    )
    assert verdict.outcome is Outcome.VIOLATED


def test_a_dead_twin_leaves_it_open(outcome, by_hand):
    verdict = outcome(
        by_hand.saw(0, {"retrieve": Seen()}), by_hand.saw(1, {"retrieve": Seen()}, "twin")
    )
    assert verdict.outcome is Outcome.UNOBSERVED
    assert verdict.reason == "twin_failed: allowed_reader twin_failed"
    assert verdict.twin_ok is False


def test_a_required_tap_that_spoke_to_the_twin_alone_is_silent(outcome, by_hand):
    """What the twin was shown says nothing of the reader: silence is not safety."""
    verdict = outcome(
        by_hand.saw(0, {"answer": Seen(texts=("no",))}),
        by_hand.saw(1, {"retrieve": THEIRS}, "twin"),
    )
    assert verdict.outcome is Outcome.UNOBSERVED
    assert verdict.reason == "silent: retrieve"
    assert verdict.stages_silent == (Stage.RETRIEVE,)


def test_every_denied_question_must_have_been_answered_at_the_tap(outcome, by_hand):
    case = by_hand.case(
        *(Ask("reader", Caller("u"), "q") for _ in range(2)),
        Ask("twin", Caller("t"), "q"),
    )
    twin = by_hand.saw(2, {"retrieve": THEIRS}, "twin")
    told, silent = {"retrieve": MINE}, {"answer": Seen()}
    both = outcome(by_hand.saw(0, told), by_hand.saw(1, told), twin, case=case)
    assert both.outcome is Outcome.HELD
    for first, second in ((told, silent), (silent, told)):
        verdict = outcome(by_hand.saw(0, first), by_hand.saw(1, second), twin, case=case)
        assert verdict.reason == "silent: retrieve"


def test_a_question_before_the_event_may_be_silent(outcome, by_hand):
    """Allowed then: what it did not show is the living positive's business."""
    case = by_hand.case(
        Ask("twin", Caller("t"), "q"), Ask("reader", Caller("u"), "q"), marks={"twin": (0,)}
    )
    verdict = outcome(
        by_hand.saw(0, {"retrieve": THEIRS}, "twin"),
        by_hand.saw(1, {"retrieve": MINE}),
        case=case,
    )
    assert verdict.outcome is Outcome.HELD


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        ({"cache": MINE}, ""),
        ({"cache": Seen(), "answer": Seen(texts=("nothing",))}, ""),
        ({"cache": Seen()}, "silent: retrieve"),
    ],
    ids=["hit", "hit_of_an_empty_answer", "miss_and_then_nothing"],
)
def test_what_a_cache_served_stands_for_what_was_retrieved(outcome, by_hand, seen, reason):
    verdict = outcome(
        by_hand.saw(0, seen),
        by_hand.saw(1, {"retrieve": THEIRS}, "twin"),
        see={"must": ["retrieve"], "also": ["cache", "answer"]},
    )
    assert verdict.reason == reason


def test_a_further_tap_that_is_silent_is_noted_and_opens_nothing(outcome, by_hand):
    verdict = outcome(
        by_hand.saw(0, {"retrieve": MINE}), by_hand.saw(1, {"retrieve": THEIRS}, "twin")
    )
    assert verdict.outcome is Outcome.HELD
    assert verdict.stages_silent == (Stage.ANSWER,)


def test_nothing_observed_at_all_is_silence(outcome):
    assert outcome().outcome is Outcome.UNOBSERVED


@pytest.mark.parametrize(("elapsed", "expected"), [(59.9, "held"), (60.0, "violated")])
def test_inside_the_service_level_a_late_removal_is_a_note(outcome, by_hand, elapsed, expected):
    case = by_hand.case(level=60.0, elapsed=elapsed)
    verdict = outcome(
        by_hand.saw(0, {"retrieve": THEIRS}),
        by_hand.saw(1, {"retrieve": THEIRS}, "twin"),
        case=case,
        service_level="revocation",
    )
    assert verdict.outcome == expected
    assert bool(verdict.notes) == (expected == "held")
    if verdict.notes:
        assert verdict.notes == (
            "lag: forbidden_document at retrieve 59.9 s after the event, level 60 s",
        )


def test_an_unconfirmed_change_leaves_it_open_though_the_family_does_not_ask(outcome, by_hand):
    case = by_hand.case(
        Apply(Reindex(NOW)),
        Ask("reader", Caller("u"), "q"),
        Ask("twin", Caller("t"), "q"),
        marks={"changed": (0,), "twin": (2,)},
    )
    seen = (
        by_hand.saw(1, {"retrieve": MINE}),
        by_hand.saw(2, {"retrieve": THEIRS}, "twin"),
    )
    for said, expected in ((True, Outcome.HELD), (False, Outcome.UNOBSERVED)):
        kit = by_hand.saw(0, role="kit", who="", acknowledged=said)
        verdict = outcome(kit, *seen, case=case)
        assert verdict.outcome is expected
        assert verdict.twin_ok is True


def test_without_canaries_a_family_that_needs_nothing_else_has_checked_nothing(outcome, by_hand):
    verdict = outcome(
        by_hand.saw(0, {"retrieve": MINE}),
        by_hand.saw(1, {"retrieve": THEIRS}, "twin"),
        checks=["canary"],
    )
    assert verdict.outcome is Outcome.UNOBSERVED
    assert verdict.reason.startswith("nothing_checked")


def test_a_row_keeps_ids_ranks_and_hashes_and_no_text(by_hand):
    case = by_hand.case()
    passage = "the merger is off"
    trace = by_hand.trace(
        by_hand.saw(0, {"retrieve": Seen(("a", "b")), "answer": Seen(texts=(passage,))}),
        by_hand.saw(1, {"retrieve": Seen(("x", "theirs"), (passage, passage))}, "twin", who="t"),
    )
    verdict = judge(case, by_hand.family(), trace, None, 10)
    row = row_of(case, trace, verdict, b"k" * 32)
    assert row.steps[0].seen == {"retrieve": ("a", "b")}
    assert row.ranks == (2,)
    assert row.script == ("reader u asks", "twin t asks")
    told = repr(row)
    assert passage not in told
    assert "what is theirs?" not in told
    assert row.query_hash
    assert row.query_hash != row_of(case, trace, verdict, b"l" * 32).query_hash


@pytest.mark.parametrize(
    ("seen", "error", "rank"),
    [
        (Seen(("theirs", "x")), "", 1),
        (Seen(("x",)), "", 0),
        (Seen(), "timeout", -1),
        (None, "", -2),
    ],
    ids=["first", "not_found", "failed", "served_by_the_cache"],
)
def test_a_twins_question_has_a_rank(by_hand, seen, error, rank):
    case = by_hand.case()
    trace = by_hand.trace(
        by_hand.saw(0, {"retrieve": MINE}),
        by_hand.saw(
            1, {"cache": THEIRS} if seen is None else {"retrieve": seen}, "twin", error=error
        ),
    )
    verdict = judge(case, by_hand.family(), trace, None, 10)
    assert row_of(case, trace, verdict, b"k").ranks == (rank,)


def test_each_kind_of_step_is_said_in_words(by_hand):
    asks = (Ask("reader", Caller("u"), "q"), Ask("twin", Caller("t"), "q"))
    case = by_hand.case(
        asks[0],
        Count("reader", Caller("u"), "w"),
        Resolve("contrast", Caller("u"), "h"),
        ReadSink("operator", Caller("u"), "log"),
        Apply(Reindex(NOW)),
        Wait(90, NOW),
        Together(asks, 2),
    )
    verdict = judge(case, by_hand.family(), by_hand.trace(), None, 10)
    assert row_of(case, by_hand.trace(), verdict, b"k").script == (
        "reader u asks",
        "reader u counts",
        "contrast u opens",
        "operator u reads log",
        "change Reindex",
        "wait 90 s",
        "2 questions at once",
    )


def test_what_a_target_calls_itself_stands_in_no_row(by_hand):
    """Names of tools, and ids that nobody issued, are its own words: hashed under the key."""
    words = "the levy is 120545, says Nadral"
    shown = {
        "retrieve": Seen(("mine", "of-another-index", words)),
        "citation": Seen((), status=words),
        "tool": Seen(calls=tuple(ToolCall(name) for name in ("mail", "clock", "lookup", words))),
    }
    case, trace = by_hand.case(), by_hand.trace(by_hand.saw(0, shown))
    found = Finding("provenance", Stage.CITATION, 0, "u", words)
    rows = []
    for key in (b"k" * 32, b"l" * 32):
        verdict = judge(case, by_hand.family(), trace, None, 10)
        rows.append(row_of(case, trace, replace(verdict, findings=(found,)), key))
    (step,) = rows[0].steps
    assert step.tools[:3] == ("mail", "clock", "lookup")
    assert step.seen["retrieve"][:2] == ("mine", "of-another-index")
    assert "levy" not in repr(rows)
    assert rows[0].findings[0].item_id == step.seen["retrieve"][2] == step.status
    assert step.tools[3] != rows[1].steps[0].tools[3]


@pytest.mark.parametrize(
    ("error", "marks", "expected"),
    [
        ("timeout", {"may_refuse": (0,)}, Outcome.HELD),
        ("timeout", {}, Outcome.FAILED),
        ("", {"may_refuse": (0,)}, Outcome.UNOBSERVED),
    ],
    ids=["refused_while_broken", "an_outage_that_nobody_made", "silent_without_a_word"],
)
def test_a_refusal_counts_as_an_answer_only_while_a_part_is_broken(
    outcome, by_hand, error, marks, expected
):
    """Asked while it is broken, asked again when it is mended, and then the twin."""
    case = by_hand.case()
    (reader, twin), now = case.script.steps[:2], case.expectation
    script = replace(case.script, steps=(reader, reader, twin))
    steps = {(0, 0): now.steps[0, 0], (1, 0): now.steps[0, 0], (2, 0): now.steps[1, 0]}
    told = replace(now, steps=steps, marks={"twin": (2,), **marks})
    verdict = outcome(
        by_hand.saw(0, {}, error=error),
        by_hand.saw(1, {"retrieve": MINE}),
        by_hand.saw(2, {"retrieve": THEIRS}, "twin"),
        case=replace(case, script=script, expectation=told),
    )
    assert verdict.outcome is expected


def test_a_leak_while_a_part_is_broken_is_a_leak(outcome, by_hand):
    case = by_hand.case()
    marks = {**case.expectation.marks, "may_refuse": (0,)}
    verdict = outcome(
        by_hand.saw(0, {"retrieve": THEIRS}, error="timeout"),
        by_hand.saw(1, {"retrieve": THEIRS}, "twin"),
        case=replace(case, expectation=replace(case.expectation, marks=marks)),
    )
    assert verdict.outcome is Outcome.VIOLATED
