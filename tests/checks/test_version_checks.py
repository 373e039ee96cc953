"""One document: an old version `theirs` (11111), and `mine` (22222), which is in force."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from rageval_kit.checks import interpretation, one_version, provenance, reproduces, unchanged, value
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Outcome

HELD, VIOLATED = Outcome.HELD, Outcome.VIOLATED
UNOBSERVED, NOT_APPLICABLE = Outcome.UNOBSERVED, Outcome.NOT_APPLICABLE
VALUES = {"11111": "theirs", "22222": "mine"}
VERSIONS = {
    "version.target.1": frozenset({"theirs", "theirs@1"}),
    "version.target.2": frozenset({"mine", "mine@1"}),
}
THEN = datetime(2026, 3, 31, 15, 59, 59, 999_999, tzinfo=UTC)


@pytest.fixture
def case(small):
    """The expectation of one question at step 0, and checks of what it showed."""

    def run(module, seen, args=None, must=(), level=0.0, elapsed=None, **changed):
        expected = replace(
            small.step("mine", "other", elapsed=elapsed),
            wanted="22222",
            unwanted={"11111": "theirs"},
            as_of=changed.pop("as_of", None),
        )
        made = small.expectation(expected, level=level, question=(0,))
        changed = {"values": VALUES} | changed
        made = replace(made, roles=dict(made.roles) | VERSIONS, **changed)
        aids = small.aids(*must, queries={(0, 0): "What is not due to the Vorquem office in 2021?"})
        return module.check(args or {}, made, small.trace(small.saw(0, seen)), aids)

    return run


def answer(text, cited=("mine",), retrieved=("mine",)):
    return {
        "retrieve": Seen(retrieved),
        "context": Seen(retrieved),
        "citation": Seen(cited),
        "answer": Seen(texts=(text,)),
    }


def test_a_right_value_with_a_withdrawn_citation_passes_value_and_fails_provenance(case):
    seen = answer("It is 22,222 [1].", cited=("theirs",))
    assert case(value, seen).outcome is HELD
    result = case(provenance, seen)
    assert result.outcome is VIOLATED
    assert {f.item_id for f in result.findings} == {"theirs"}
    assert "not in force" in result.findings[0].evidence


@pytest.mark.parametrize(
    ("said", "args", "outcome", "evidence"),
    [
        ("It is 22222.", {}, HELD, ""),
        ("It is 11111.", {}, VIOLATED, "as the only value: it is that of theirs"),
        ("It is 22222 or 11111.", {}, VIOLATED, "beside the right one"),
        ("It is 22222 or 11111.", {"also": "allowed"}, HELD, ""),
        ("It is 11111.", {"also": "allowed"}, VIOLATED, "as the only value"),
        ("I cannot say.", {}, UNOBSERVED, ""),
        ("I cannot say.", {"missing": "violated"}, VIOLATED, ""),
    ],
)
def test_what_an_answer_states_decides(case, said, args, outcome, evidence):
    result = case(value, answer(said), args)
    assert result.outcome is outcome
    assert evidence in "".join(finding.evidence for finding in result.findings)


@pytest.mark.parametrize(
    ("said", "outcome"),
    [("11111 or 22222", HELD), ("nothing", HELD), ("22222", VIOLATED), ("11111", VIOLATED)],
)
def test_of_a_contradiction_both_sides_are_told_or_none(small, said, outcome):
    made = small.expectation(small.step("mine", "theirs"), question=(0,))
    made = replace(made, values=VALUES)
    trace = small.trace(small.saw(0, {"answer": Seen(texts=(said,))}))
    assert value.check({"is": "both_or_none"}, made, trace, small.aids()).outcome is outcome


def test_where_nothing_is_in_force_saying_nothing_is_right(small):
    step = replace(small.step(), unwanted=VALUES)
    made = replace(small.expectation(step, question=(0,)), values=VALUES)

    def outcome(text):
        trace = small.trace(small.saw(0, {"answer": Seen(texts=(text,))}))
        return value.check({}, made, trace, small.aids()).outcome

    assert outcome("There is nothing.") is HELD
    assert outcome("It is 22222.") is VIOLATED


def test_a_stale_value_inside_the_service_level_is_a_lag_and_at_it_a_leak(case):
    early = case(value, answer("It is 11111."), level=60.0, elapsed=0.0)
    assert (early.outcome, [lag.lag_s for lag in early.lags]) == (HELD, [0.0])
    assert case(value, answer("It is 11111."), level=60.0, elapsed=60.0).outcome is VIOLATED


@pytest.mark.parametrize(
    ("inside", "after", "outcome", "lags"),
    [
        ("It is 11111.", "I cannot say.", UNOBSERVED, 1),
        ("I cannot say.", "I cannot say.", UNOBSERVED, 0),
        ("I cannot say.", "It is 22222.", HELD, 0),
        ("It is 11111.", "It is 22222.", HELD, 1),
        ("It is 11111.", "It is 11111.", VIOLATED, 1),
    ],
)
def test_a_lag_excuses_no_silence_but_its_own(small, inside, after, outcome, lags):
    """One reply 5 s after the event, inside the level, and one at the level."""
    steps = [
        replace(small.step("mine", elapsed=at), unwanted={"11111": "theirs"}) for at in (5.0, 60.0)
    ]
    made = small.expectation(*steps, level=60.0, question=(0, 1))
    made = replace(made, values=VALUES, roles=dict(made.roles) | VERSIONS)
    trace = small.trace(
        *(small.saw(n, {"answer": Seen(texts=(t,))}) for n, t in enumerate((inside, after)))
    )
    for args in ({}, {"missing": "violated"}):
        silence = args and outcome is UNOBSERVED
        result = value.check(args, made, trace, small.aids())
        assert result.outcome is (VIOLATED if silence else outcome)
        assert len(result.lags) == lags


def test_silence_inside_the_service_level_alone_says_nothing(case):
    for args in ({}, {"missing": "violated"}):
        result = case(value, answer("I cannot say."), args, level=60.0, elapsed=5.0)
        assert result.outcome is UNOBSERVED


def test_a_case_without_values_is_none_of_the_value_checks(case):
    assert case(value, answer("It is 11111."), values={}).outcome is NOT_APPLICABLE


@pytest.mark.parametrize("module", [value, provenance, interpretation])
def test_a_silent_tap_is_unobserved_where_it_must_be_seen_and_else_left_out(case, module):
    tap = {value: "answer", provenance: "citation", interpretation: "query"}[module]
    assert case(module, {"retrieve": Seen(("mine",))}).outcome is NOT_APPLICABLE
    result = case(module, {"retrieve": Seen(("mine",))}, must=(tap,))
    assert (result.outcome, result.silent) == (UNOBSERVED, (Stage(tap),))


RETRIEVED = {"retrieve": Seen(("mine",))}
CITED = {"citation": Seen(("mine",))}


@pytest.mark.parametrize(
    ("seen", "evidence"),
    [
        (answer("x", cited=("other",)), "never put before the model"),
        (answer("x", cited=("invented",)), "the corpus has no such source"),
        (RETRIEVED | {"context": Seen()} | CITED, "never put before the model"),
        (RETRIEVED | {"citation": Seen(("other",))}, "never retrieved"),
        (RETRIEVED | {"context": Seen(texts=("a text",)), "citation": Seen(("other",))}, "never"),
        ({"citation": Seen(("invented",))}, "the corpus has no such source"),
    ],
)
def test_a_source_that_this_reply_never_saw_is_made_up(case, seen, evidence):
    result = case(provenance, seen)
    assert result.outcome is VIOLATED
    assert any(evidence in finding.evidence for finding in result.findings)


@pytest.mark.parametrize(
    "seen",
    [
        {"retrieve": Seen(), "context": Seen(("mine",))} | CITED,
        RETRIEVED | {"context": Seen(texts=("a text without its id",))} | CITED,
        CITED,
    ],
    ids=["a_neighbour_of_what_was_found", "texts_alone", "neither_tap"],
)
def test_what_the_context_was_given_beside_the_list_may_be_cited(case, seen):
    assert case(provenance, seen).outcome is HELD


def test_bug_033_a_marker_that_points_at_nothing_is_a_finding(case):
    """Of two markers one names its passage; the other, of a number that none has, is no source."""
    seen = answer("A。[1] B。[7]") | {"citation": Seen(("mine",), ("[7]", "Handbook"))}
    result = case(provenance, seen)
    assert result.outcome is VIOLATED
    assert [(f.item_id, f.evidence) for f in result.findings] == [
        ("[7]", "points at no passage put before the model")
    ]


def test_what_a_cache_served_may_be_cited(case):
    seen = {"cache": Seen(("mine",)), "context": Seen(()), "citation": Seen(("mine",))}
    assert case(provenance, seen).outcome is HELD


def test_an_opened_handle_cites_nothing(case):
    seen = {"citation": Seen(("theirs",), status="ok")}
    assert case(provenance, seen, must=("citation",)).outcome is UNOBSERVED


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [
        (answer("22222", cited=("mine",)), HELD),
        (answer("22222", cited=("mine", "theirs@1")), VIOLATED),
        (answer("22222 and 11111"), VIOLATED),
        (answer("11111", cited=("theirs",), retrieved=("theirs",)), HELD),
        (answer("22222", cited=("mine", "other")), HELD),
    ],
)
def test_two_versions_of_one_document_at_one_tap_are_mixed(case, seen, outcome):
    assert case(one_version, seen).outcome is outcome


def test_a_question_that_compares_versions_wants_both(case):
    args = {"question": "compares"}
    assert case(one_version, answer("22222 and 11111"), args).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("text", "as_of", "outcome"),
    [
        ("not due to the Vorquem office in 2021", THEN, HELD),
        ("not due, VORQUEM, 2021", None, HELD),
        ("not due to the office in 2021", THEN, VIOLATED),
        ("due to the Vorquem office in 2021", THEN, VIOLATED),
        ("not due to the Vorquem office", THEN, VIOLATED),
    ],
)
def test_a_rewritten_question_keeps_entity_number_negation_and_time(case, text, as_of, outcome):
    seen = {"query": Seen(texts=(text,), as_of=as_of)}
    assert case(interpretation, seen, as_of=THEN, kept=("Vorquem",)).outcome is outcome


def test_a_rewriting_that_says_nothing_has_not_been_seen(case):
    assert case(interpretation, {"query": Seen()}, as_of=THEN).outcome is NOT_APPLICABLE
    assert case(interpretation, {"query": Seen()}, must=("query",)).outcome is UNOBSERVED


MIDNIGHT = THEN + timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("understood", "outcome"),
    [
        (THEN.replace(microsecond=0), HELD),
        (datetime(2026, 3, 31, tzinfo=ZoneInfo("Asia/Shanghai")), HELD),
        (MIDNIGHT - timedelta(days=1), HELD),
        (MIDNIGHT - timedelta(days=1, microseconds=1), VIOLATED),
        (MIDNIGHT, VIOLATED),
        (datetime(2025, 3, 31, 12, tzinfo=UTC), VIOLATED),
        (datetime.min.replace(tzinfo=UTC), VIOLATED),
        (datetime.max.replace(tzinfo=UTC), VIOLATED),
    ],
)
def test_any_instant_of_the_day_meant_is_right_as_the_corpus_counts_days(case, understood, outcome):
    """THEN is the last instant of 31 March in Shanghai, and 31 March 15:59 in UTC."""
    seen = {"query": Seen(as_of=understood)}
    assert case(interpretation, seen, as_of=THEN, timezone="Asia/Shanghai").outcome is outcome


@pytest.mark.parametrize(
    ("again", "outcome"),
    [
        (Seen(("theirs",), ("old",), status="ok"), HELD),
        (Seen(("theirs",), ("new",), status="ok"), VIOLATED),
        (Seen(("mine",), ("old",), status="ok"), VIOLATED),
        (Seen(status="not_found"), UNOBSERVED),
    ],
)
def test_a_citation_opened_later_shows_the_same_bytes(small, again, outcome):
    steps = [small.step("theirs", allowed=True)] * 2
    made = small.expectation(*steps, before=(0,), opened=(1,))
    first = Seen(("theirs",), ("old",), status="ok")
    trace = small.trace(small.saw(0, {"citation": first}), small.saw(1, {"citation": again}))
    assert reproduces.check({}, made, trace, small.aids()).outcome is outcome


def test_a_citation_that_shows_ids_alone_has_shown_no_bytes(small):
    steps = [small.step("theirs", allowed=True)] * 2
    made = small.expectation(*steps, before=(0,), opened=(1,))
    bare = {"citation": Seen(("theirs",), status="ok")}
    trace = small.trace(small.saw(0, bare), small.saw(1, bare))
    result = reproduces.check({}, made, trace, small.aids())
    assert (result.outcome, result.reason) == (UNOBSERVED, "citation_without_text")


@pytest.mark.parametrize(
    ("second", "third", "outcome"),
    [
        (Seen(("theirs",), ("new",), status="ok"), Seen(status="not_found"), VIOLATED),
        (Seen(status="not_found"), Seen(("theirs",), ("new",), status="ok"), VIOLATED),
        (Seen(("theirs",), ("old",), status="ok"), Seen(status="not_found"), UNOBSERVED),
    ],
)
def test_other_bytes_at_one_opening_are_a_breach_though_another_showed_nothing(
    small, second, third, outcome
):
    steps = [small.step("theirs", allowed=True)] * 3
    made = small.expectation(*steps, before=(0,), opened=(1, 2))
    first = Seen(("theirs",), ("old",), status="ok")
    shown = [small.saw(n, {"citation": seen}) for n, seen in enumerate((first, second, third))]
    assert reproduces.check({}, made, small.trace(*shown), small.aids()).outcome is outcome


@pytest.mark.parametrize(
    ("levels", "before", "after", "outcome"),
    [
        (["counts"], {"suggest": Seen(count=0)}, {"suggest": Seen(count=0)}, HELD),
        (["counts"], {"suggest": Seen(count=1)}, {"suggest": Seen(count=0)}, VIOLATED),
        (["values"], answer("It is 22222."), answer("Now 22,222."), HELD),
        (["answer"], answer("It is 22222."), answer("Now 22,222."), VIOLATED),
        (["values"], answer("11111, then 22222."), answer("22222."), VIOLATED),
        (["values"], answer("I cannot say."), answer("22222."), HELD),
        (["values"], answer("22222."), answer("I cannot say."), HELD),
        (["counts"], {"suggest": Seen(count=0)}, {"suggest": Seen(count=1)}, HELD),
    ],
)
def test_the_future_must_not_be_told_from_its_absence(small, levels, before, after, outcome):
    """Less than in the other world is the twin's business; the right value is no breach."""
    step = replace(small.step("mine"), wanted="22222")
    made = small.expectation(step, step, compared=(0,), contrast=(1,))
    made = replace(made, values=VALUES)
    trace = small.trace(small.saw(0, before), small.saw(1, after))
    assert unchanged.check({"is": levels}, made, trace, small.aids()).outcome is outcome


def test_without_another_world_there_is_nothing_to_compare(small):
    made = small.expectation(small.step("mine"))
    result = unchanged.check({"is": ["counts"]}, made, small.trace(), small.aids())
    assert result.outcome is NOT_APPLICABLE
