"""Each seeded fault of time on one small shelf, beside the clean system that shows nothing of it.

The rate of Zorvan: `v1` held from 2020, `v2` from 2026, `v3` will from 2027; asked in June 2026.
The fee was recorded as 2 in 2021 (`f1`) and corrected in 2024 (`f2`), valid since 2020.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from rageval_kit.records import changes as ch
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
from rageval_kit.system.faults_time import FAULTS_HERE, TimeFault

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY, INSTANT = timedelta(days=1), timedelta(microseconds=1)
EVERYONE = Entry("e", Effect.ALLOW, SubjectKind.EVERYONE)


def year(number):
    return datetime(number, 1, 1, tzinfo=UTC)


PUBLISHED = ((year(2000), State.PUBLISHED),)


def version(name, text, starts, ends=None, states=PUBLISHED, title="", **recorded):
    chunk = Chunk(f"{name}.c", text)
    return Version(
        name, title or f"{name[0]} note", (chunk,), starts, ends, states=states, **recorded
    )


def document(name, *versions, entries=(EVERYONE,)):
    return Document(name, "t", versions, entries=entries, owner_id="owner")


def rate(number, value, starts, ends=None, **more):
    return version(f"v{number}", f"The Zorvan rate is {value} coins.", starts, ends, **more)


def fee(number, value, starts, since, until=None):
    text = f"The Quillon fee is {value} coins."
    return version(
        f"f{number}", text, starts, recorded_from=year(since), recorded_to=until and year(until)
    )


def note(name, state, text):
    return version(name, text, year(2026), states=((year(2026), state),))


def house(name, value):
    text = f"The Marrow house rule allows {value} guests."
    return version(name, text, year(2020), title="Marrow house rule")


def toll(number, starts):
    return version(f"t{number}", f"The Corvane toll is {number}7777 coins.", starts)


SHELF = (
    document(
        "rate",
        rate(1, 11111, year(2020), year(2026)),
        rate(2, 22222, year(2026), year(2027)),
        rate(3, 33333, year(2027)),
    ),
    document("fee", fee(1, 44444, year(2020), 2021, 2024), fee(2, 55555, year(2020), 2024)),
    document(
        "plan",
        version("p1", "The Umbra plan has 61616 steps.", year(2020)),
        note("p2", State.WITHDRAWN, "The Umbra plan has 62626 steps."),
        note("p3", State.DRAFT, "The Umbra plan has 63636 steps."),
        note("p4", State.QUARANTINED, "The Umbra plan has 64646 steps."),
    ),
    document("toll", toll(1, year(2020)), toll(2, None)),
    document("north", house("n1", 81818)),
    document("south", house("s1", 82828)),
    document(
        "pass",
        version("g1", "The Gantry pass code is 90909.", year(2020)),
        entries=(replace(EVERYONE, revoked_at=year(2025)),),
    ),
)


def connected(fault=None, **more):
    world = World(
        {d.document_id: d for d in SHELF},
        {},
        {"t": Tenant("t")},
        {"p": Principal("p", "t"), "owner": Principal("owner", "t")},
        {}, {}, {}, {}, NOW,
    )  # fmt: skip
    target = Embedded(EmbeddedConfig(fault=fault, **more))
    target.connect(world)
    return target


def ask(target, query, as_of=None, known_at=None, **more):
    request = Request("r", query, Caller("p"), as_of=as_of, known_at=known_at, **more)
    (response,) = target.answer([request])
    assert not response.error
    return response.seen


def found(target, query, as_of=None, known_at=None):
    """The versions retrieved of those whose text says the query's first word."""
    ids = ask(target, query, as_of, known_at)[Stage.RETRIEVE].ids
    kinds = {
        "Zorvan": "v",
        "Quillon": "f",
        "Umbra": "p",
        "Marrow": "ns",
        "Corvane": "t",
        "Dorval": "d",
    }
    own = kinds.get(query.split()[0], "g")
    return {one.removesuffix(".c") for one in ids if one[0] in own}


ZORVAN, QUILLON, UMBRA = "Zorvan rate", "Quillon fee", "Umbra plan steps"
WEST = timezone(timedelta(hours=-5))
EVENING = datetime(2025, 12, 31, 20, tzinfo=WEST)  # 01:00 UTC on 1 January 2026

# fault: (query, as_of, known_at, what is right, what the fault finds)
FINDS = {
    "end_inclusive": (ZORVAN, year(2026), None, {"v2"}, {"v1", "v2"}),
    "start_exclusive": (ZORVAN, year(2026), None, {"v2"}, {"v1"}),
    "naive_time_zone": (ZORVAN, EVENING, None, {"v2"}, {"v1"}),
    "as_of_ignored": (ZORVAN, year(2021), None, {"v1"}, {"v2"}),
    "known_at_ignored": (QUILLON, None, year(2022), {"f1"}, {"f2"}),
    "correction_backdated": (QUILLON, None, year(2022), {"f1"}, {"f2"}),
    "rights_as_of": ("Gantry pass code", year(2024), None, set(), {"g1"}),
    "future_effective_ignored": (ZORVAN, None, None, {"v2"}, {"v2", "v3"}),
    "superseded_served": (ZORVAN, None, None, {"v2"}, {"v1", "v2"}),
    "chain_follows_successor": (ZORVAN, year(2021), None, {"v1"}, {"v3"}),
    "latest_by_ingest": (ZORVAN, year(2021), None, {"v1"}, {"v3"}),
    "withdrawn_served": (UMBRA, None, None, {"p1"}, {"p1", "p2"}),
    "draft_served": (UMBRA, None, None, {"p1"}, {"p1", "p3"}),
    "quarantined_served": (UMBRA, None, None, {"p1"}, {"p1", "p4"}),
    "undated_served": ("Corvane toll", year(2021), None, {"t1"}, {"t1", "t2"}),
    "editions_mixed": ("Marrow house rule", None, None, {"n1", "s1"}, {"s1"}),
}


@pytest.mark.parametrize("fault", FINDS)
def test_each_fault_of_choosing_a_version_finds_what_it_says(fault):
    query, as_of, known_at, right, wrong = FINDS[fault]
    assert found(connected(), query, as_of, known_at) == right
    assert found(connected(fault), query, as_of, known_at) == wrong


def test_what_a_fault_leaves_alone_is_answered_as_ever():
    assert found(connected("end_inclusive"), ZORVAN, year(2026) + INSTANT) == {"v2"}
    assert found(connected("start_exclusive"), ZORVAN, year(2026) + INSTANT) == {"v2"}
    assert found(connected("naive_time_zone"), ZORVAN, year(2026)) == {"v2"}
    assert found(connected("rights_as_of"), "Gantry pass code") == set()
    assert found(connected("chain_follows_successor"), ZORVAN, year(2019)) == set()


def test_dates_alone_forget_the_hour():
    """A rate from noon of 1 March: by date it holds from midnight, and the old one no more."""
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    for fault, before in ((None, {"v2"}), ("date_only", {"v4"})):
        target = connected(fault)
        assert target.apply(ch.PublishVersion("rate", rate(4, 23232, noon)))
        assert found(target, ZORVAN, noon - DAY) == {"v2"}
        assert found(target, ZORVAN, noon - INSTANT) == before
        assert found(target, ZORVAN, noon) == {"v4"}


def test_a_correction_that_overwrites_differs_from_a_time_of_knowledge_that_is_ignored():
    """In 2020 nothing was recorded: the overwritten row is not there, today's row is."""
    assert found(connected(), QUILLON, None, year(2020)) == set()
    assert found(connected("correction_backdated"), QUILLON, None, year(2020)) == set()
    assert found(connected("known_at_ignored"), QUILLON, None, year(2020)) == {"f2"}


def test_corrections_of_corrections_go_back_to_the_first_record():
    rows = [
        fee(3, 1, year(2020), 2021, 2022),
        fee(4, 2, year(2020), 2022, 2023),
        fee(5, 3, year(2020), 2023),
    ]
    for fault, seen in ((None, {"f3"}), ("correction_backdated", {"f5"})):
        target = connected(fault)
        assert target.apply(ch.Publish(document("fees", *rows)))
        assert found(target, QUILLON, None, year(2021) + DAY) - {"f1", "f2"} == seen


def test_the_version_recorded_last_is_another_than_the_last_of_the_chain():
    """An old edition entered late: in force is `f7`, recorded last is `f6`."""
    late = [fee(6, 1, year(2015), 2025), fee(7, 2, year(2020), 2021)]
    late[0] = replace(late[0], valid_to=year(2020))
    for fault, seen in (
        (None, "f7"),
        ("latest_by_ingest", "f6"),
        ("chain_follows_successor", "f7"),
    ):
        target = connected(fault)
        assert target.apply(ch.Publish(document("fees", *late)))
        assert found(target, QUILLON) - {"f1", "f2"} == {seen}


def test_a_new_version_waits_for_the_reindexing_only_under_its_fault():
    new = rate(4, 23232, NOW - DAY, year(2027))
    for fault, at_once in ((None, {"v4"}), ("new_version_not_indexed", {"v2"})):
        target = connected(fault)
        assert not target.apply(ch.PublishVersion("none", new))
        assert not target.apply(ch.PublishVersion("rate", rate(2, 1, NOW)))
        assert target.apply(ch.PublishVersion("rate", new))
        assert found(target, ZORVAN) == at_once
        assert target.apply(ch.Reindex(NOW))
        assert found(target, ZORVAN) == {"v4"}
        target.restore()
        assert found(target, ZORVAN) == {"v2"}


def test_bug_060_the_tail_of_a_longer_old_version_is_found_only_under_its_fault():
    texts = ("The Dorval guide, part one.", "The Dorval guide, part two.", "Dorval, part three.")
    chunks = tuple(Chunk(f"d{n}.c", text) for n, text in enumerate(texts, 1))
    long = replace(version("long", "", year(2020)), chunks=chunks)
    short = version("d4", "The Dorval guide, all of it.", NOW)
    for fault, tail in ((None, set()), ("old_tail_kept", {"d2", "d3"})):
        target = connected(fault)
        assert target.apply(ch.Publish(document("guide", long)))
        assert found(target, "Dorval guide part") == {"d1", "d2", "d3"}
        assert target.apply(ch.PublishVersion("guide", short))
        assert found(target, "Dorval guide part") == {"d4"} | tail
        target.restore()
        assert found(target, "Dorval guide part") == set()


def test_counts_look_ahead_only_under_their_fault():
    for fault, ahead in ((None, 0), ("future_counted", 1)):
        target = connected(fault)
        counted = [target.count(word, Caller("p")).seen[Stage.SUGGEST].count for word in
                   ("33333", "22222", "11111")]  # fmt: skip
        assert counted == [ahead, 1, 0]


def test_an_answer_cites_what_it_quotes_unless_the_withdrawn_is_still_cited():
    for fault, cited in ((None, {"v2.c", "p1.c"}), ("withdrawn_still_cited", {"v1.c", "p2.c"})):
        target = connected(fault)
        rates, plans = ask(target, ZORVAN), ask(target, UMBRA)
        assert {rates[Stage.CITATION].ids[0], plans[Stage.CITATION].ids[0]} == cited
        assert "22222" in rates[Stage.ANSWER].texts[0]
        assert "61616" in plans[Stage.ANSWER].texts[0]
        assert rates[Stage.CONTEXT].ids[0] == "v2.c"


def test_the_previous_version_enters_the_context_only_under_its_fault():
    clean, mixed = ask(connected(), ZORVAN), ask(connected("versions_mixed"), ZORVAN)
    assert clean[Stage.RETRIEVE].ids == mixed[Stage.RETRIEVE].ids
    assert clean[Stage.CONTEXT].ids[:1] == ("v2.c",)
    assert mixed[Stage.CONTEXT].ids[:2] == ("v2.c", "v1.c")
    assert "11111" not in clean[Stage.ANSWER].texts[0]
    assert "11111" in mixed[Stage.ANSWER].texts[0]


def test_two_sources_that_disagree_are_both_told_unless_one_is_hidden():
    said = [
        ask(connected(fault), "Marrow house rule guests")[Stage.ANSWER].texts[0]
        for fault in (None, "conflict_hidden")
    ]
    assert "81818" in said[0]
    assert "82828" in said[0]
    assert ("81818" in said[1]) is not ("82828" in said[1])


def test_a_citation_opened_with_its_time_shows_what_it_showed_then():
    target, head = connected(), connected("citation_follows_head")
    for system, text in ((target, "22222"), (head, "33333")):
        shown = system.resolve("v2.c", Caller("p")).seen[Stage.CITATION]
        assert shown.ids == ("v2.c",)
        assert text in shown.texts[0]
    assert target.resolve("v1.c", Caller("p")).seen[Stage.CITATION].status == "not_found"
    then = target.resolve("v1.c", Caller("p"), as_of=year(2021)).seen[Stage.CITATION]
    assert (then.status, then.texts) == ("ok", ("The Zorvan rate is 11111 coins.",))
    gone = target.resolve("g1.c", Caller("p"), as_of=year(2021)).seen[Stage.CITATION]
    assert gone.status == "not_found"
    naive = target.resolve("v1.c", Caller("p"), as_of=datetime(2021, 1, 1))  # noqa: DTZ001
    assert naive.error == "bad_request"


def test_answers_kept_for_one_time_are_given_for_another_only_under_the_fault():
    for fault, second in ((None, "22222"), ("cache_key_without_time", "11111")):
        target = connected(fault)
        assert "11111" in ask(target, ZORVAN, year(2021))[Stage.ANSWER].texts[0]
        assert second in ask(target, ZORVAN)[Stage.ANSWER].texts[0]


def test_every_fault_is_told_once_and_has_a_test_here_or_in_the_test_of_interpretation():
    told_here = {
        *FINDS,
        "cache_key_without_time",
        "citation_follows_head",
        "conflict_hidden",
        "date_only",
        "future_counted",
        "new_version_not_indexed",
        "versions_mixed",
        "withdrawn_still_cited",
    }
    misreadings = {
        "entity_dropped_in_rewriting",
        "fiscal_year_is_calendar_year",
        "last_read_as_this",
        "period_end_is_next_start",
        "relative_to_wall_clock",
        "time_dropped_in_rewriting",
    }
    assert [info.name for info in FAULTS_HERE] == list(TimeFault)
    assert told_here | misreadings == set(TimeFault)
