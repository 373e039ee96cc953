"""Which instant a phrase means, worked with a calendar; asked on 14 May 2026 in Shanghai."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from rageval_kit.records.faults import TargetError
from rageval_kit.records.target import Caller, Request, Stage
from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    Principal,
    State,
    SubjectKind,
    Tenant,
    Version,
    World,
)
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.system.config import EmbeddedConfig

SHANGHAI = timezone(timedelta(hours=8))
CLOCK = datetime(2026, 5, 14, 9, tzinfo=SHANGHAI)
INSTANT = timedelta(microseconds=1)
EVERYONE = Entry("e", Effect.ALLOW, SubjectKind.EVERYONE)


def at(*ymd, zone=SHANGHAI):
    return datetime(*ymd, tzinfo=zone)


def version(name, text, starts, ends):
    published = ((at(2000, 1, 1), State.PUBLISHED),)
    return Version(name, "Zorvan rate", (Chunk(f"{name}.c", text),), starts, ends, states=published)


def world(timezone_name="Asia/Shanghai", clock=CLOCK):
    """The rate of Zorvan changed on 1 April 2026, at midnight in Shanghai."""
    document = Document(
        "rate",
        "t",
        (
            version("old", "The Zorvan rate is 11111 coins.", at(2020, 1, 1), at(2026, 4, 1)),
            version("new", "The Zorvan rate is 22222 coins.", at(2026, 4, 1), None),
        ),
        entries=(EVERYONE,),
    )
    people = {"p": Principal("p", "t")}
    return World(
        {"rate": document}, {}, {"t": Tenant("t")}, people, {}, {}, {}, {}, clock,
        timezone=timezone_name,
    )  # fmt: skip


def target(fault=None, **about):
    found = Embedded(EmbeddedConfig(fault=fault))
    found.connect(world(**about))
    return found


def ask(system, query, as_of=None):
    return system.answer([Request("r", query, Caller("p"), as_of=as_of)])[0]


def understood(query, as_of=None, **about):
    seen = ask(target(**about), query, as_of).seen[Stage.QUERY]
    return seen.texts, seen.as_of


PERIODS = [
    ("As of the end of last month, ", "截至上月月底，", at(2026, 5, 1), at(2026, 1, 1)),
    ("As of the end of last quarter, ", "截至上季度末，", at(2026, 4, 1), at(2026, 1, 1)),
    ("As of the end of last year, ", "截至去年年底，", at(2026, 1, 1), at(2026, 1, 1)),
    (
        "As of the end of the last fiscal year (ending in March), ",
        "截至上一财年末（三月底），",
        at(2026, 4, 1),
        at(2025, 4, 1),
    ),
]


@pytest.mark.parametrize(("english", "chinese", "begins", "in_january"), PERIODS)
def test_a_phrase_means_the_last_instant_before_the_period_that_runs(
    english, chinese, begins, in_january
):
    for phrase, text in ((english, "what is the Zorvan rate?"), (chinese, "Zorvan 的费率是多少？")):
        assert understood(phrase + text) == ((text,), begins - INSTANT)
        assert understood(phrase + text, at(2026, 1, 31, 23)) == ((text,), in_january - INSTANT)


def test_the_first_instant_of_a_period_belongs_to_it_in_the_zone_of_the_corpus():
    question = "As of the end of last quarter, what is the Zorvan rate?"
    start = datetime(2026, 3, 31, 16, tzinfo=UTC)  # 00:00 on 1 April in Shanghai
    assert understood(question, start)[1] == at(2026, 4, 1) - INSTANT
    assert understood(question, start - INSTANT)[1] == at(2026, 1, 1) - INSTANT
    utc = at(2026, 1, 1, zone=UTC)
    assert understood(question, start, timezone_name="UTC")[1] == utc - INSTANT


def test_a_day_without_midnight_begins_at_its_first_instant():
    """In Asunción the clocks went from 00:00 (04:00 UTC) to 01:00 on 1 October 2023."""
    found = understood(
        "As of the end of last month, what is the Zorvan rate?",
        datetime(2023, 10, 9, tzinfo=UTC),
        timezone_name="America/Asuncion",
    )
    assert found[1] == datetime(2023, 10, 1, 4, tzinfo=UTC) - INSTANT


@pytest.mark.parametrize(
    "question",
    [
        "What is the Zorvan rate?",
        "What was the Zorvan rate as of the end of last quarter, please?",
        "As of the end of last week, what is the Zorvan rate?",
    ],
)
def test_any_other_question_is_shown_as_it_was_asked(question):
    assert understood(question) == ((question,), None)
    assert understood(question, at(2026, 2, 1)) == ((question,), at(2026, 2, 1))


ASKED = at(2026, 2, 9)
KNOWN = datetime(2026, 3, 31, 17, tzinfo=UTC)  # 1 April in Shanghai


@pytest.mark.parametrize(
    ("front", "is_said_again"),
    [
        ("As of 9 February 2026: ", True),
        ("As known on 1 April 2026, as of 9 February 2026: ", True),
        ("截至2026年2月9日，", True),
        ("按2026年4月1日所知，截至2026年2月9日，", True),
        ("As of 8 February 2026: ", False),
        ("As known on 31 March 2026, as of 9 February 2026: ", False),
        ("按2026年2月9日", False),
    ],
)
def test_a_date_in_front_goes_only_where_the_request_itself_asks_for_it(front, is_said_again):
    text = "What is the Zorvan rate?"
    request = Request("r", front + text, Caller("p"), as_of=ASKED, known_at=KNOWN)
    seen = target().answer([request])[0].seen[Stage.QUERY]
    assert seen.texts == (text if is_said_again else front + text,)
    assert seen.as_of == ASKED


def test_what_answers_is_the_version_of_the_time_meant_and_caches_keep_times_apart():
    system = target()
    plain, phrase = (
        "What is the Zorvan rate?",
        "AS OF THE END OF LAST QUARTER，what is the Zorvan rate?",
    )
    for _ in range(2):
        assert "22222" in ask(system, plain).seen[Stage.ANSWER].texts[0]
        assert "11111" in ask(system, phrase).seen[Stage.ANSWER].texts[0]
    assert ask(system, phrase).seen[Stage.CACHE].ids == ("old.c",)
    assert ask(system, phrase).seen[Stage.QUERY].as_of == at(2026, 4, 1) - INSTANT


def test_a_phrase_alone_is_no_question_and_one_before_all_years_is_left_in_it():
    assert ask(target(), "截至上季度末，").error == "query_has_no_tokens"
    first = datetime(1, 1, 1, 12, tzinfo=UTC)
    question = "As of the end of last year, what is the Zorvan rate?"
    assert understood(question, first, timezone_name="UTC") == ((question,), first)
    fiscal = "As of the end of the last fiscal year (ending in March), what is it?"
    assert understood(fiscal, first) == ((fiscal,), first)
    last = datetime(9999, 12, 31, 23, tzinfo=UTC)
    dated = "As of 1 January 10000: what is the Zorvan rate?"
    assert understood(dated, last) == ((dated,), last)
    assert ask(target(), question, datetime(2026, 1, 1)).error == "bad_request"  # noqa: DTZ001


def test_a_world_of_an_unknown_zone_is_not_connected():
    with pytest.raises(TargetError, match="Mars/Base"):
        Embedded().connect(replace(world(), timezone="Mars/Base"))


FISCAL = "As of the end of the last fiscal year (ending in March), what is the Zorvan rate?"
QUARTER = "As of the end of last quarter, what is the Zorvan rate?"
MISREADINGS = {
    "relative_to_wall_clock": (QUARTER, at(2026, 4, 1) - INSTANT, "what is the Zorvan rate?"),
    "time_dropped_in_rewriting": (QUARTER, ASKED, "what is the Zorvan rate?"),
    "last_read_as_this": (QUARTER, at(2026, 4, 1) - INSTANT, "what is the Zorvan rate?"),
    "fiscal_year_is_calendar_year": (FISCAL, at(2026, 1, 1) - INSTANT, "what is the Zorvan rate?"),
    "period_end_is_next_start": (QUARTER, at(2026, 1, 1), "what is the Zorvan rate?"),
}


@pytest.mark.parametrize("fault", MISREADINGS)
def test_each_misreading_means_another_time(fault):
    question, meant, text = MISREADINGS[fault]
    seen = ask(target(fault), question, ASKED).seen[Stage.QUERY]
    assert (seen.texts, seen.as_of) == ((text,), meant)
    assert ask(target(), question, ASKED).seen[Stage.QUERY].as_of != meant


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What does the Quillon pay in 22222?", "What does the Quillon pay in ?"),
        ("Zorvan 是多少？", " 是多少？"),
        ("Zorvan?", "Zorvan?"),
        ("What do they pay?", "What do they pay?"),
    ],
    ids=["rarest_word_of_the_index", "the_only_one_known", "one_word", "none_known"],
)
def test_a_rewriting_that_drops_the_entity_leaves_the_rest(question, left):
    seen = ask(target("entity_dropped_in_rewriting"), question).seen[Stage.QUERY]
    assert seen.texts == (left,)
    assert ask(target(), question).seen[Stage.QUERY].texts == (question,)
