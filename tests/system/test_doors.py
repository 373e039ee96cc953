"""Each door shows a reader what that reader may see, and under each fault what it should not.

The world: `open` is read by all. `half` has a cover passage and a title for those cleared for
`secret`, and one passage for everybody. `shut` is read by ann alone; `linked` by a link that only
ann opened. bob is cleared for nothing and may read `open` and one passage of `half`.
"""

import json
from datetime import UTC, datetime

import pytest

from rageval_kit.records.changes import Revoke
from rageval_kit.records.target import Caller, HasDoors, Request, Stage
from rageval_kit.records.world import (
    AccessPolicy,
    Chunk,
    Document,
    Effect,
    Entry,
    Folder,
    Principal,
    ShareLink,
    State,
    SubjectKind,
    Tenant,
    Version,
    World,
)
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.system import doors
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults import FAULTS
from rageval_kit.system.faults_doors import FAULTS_HERE

NOW = datetime(2026, 5, 1, tzinfo=UTC)
THEN = datetime(2026, 1, 1, tzinfo=UTC)
ANN, BOB = Caller("ann"), Caller("bob")
EVERYONE = (SubjectKind.EVERYONE, "")


def document(name, title, *passages, to, label=None):
    """`passages`: (text, label)."""
    chunks = tuple(
        Chunk(f"{name}#{n}", text, label=own) for n, (text, own) in enumerate(passages, 1)
    )
    edition = Version(
        f"{name}@1", title, chunks, THEN, states=((THEN, State.PUBLISHED),), language="en"
    )
    entries = tuple(
        Entry(f"{name}-{n}", Effect.ALLOW, kind, who) for n, (kind, who) in enumerate(to)
    )
    return Document(name, "t", (edition,), "f", label, entries=entries)


def world():
    told = [
        document("open", "Canteen hours", ("The canteen opens at noon.", None), to=[EVERYONE]),
        document(
            "half",
            "Merger with Zarquon",
            ("Zarquon buys the mill in autumn.", None),
            ("Visitors of the mill report at noon.", "public"),
            to=[EVERYONE],
            label="secret",
        ),
        document(
            "shut",
            "Salaries of directors",
            ("The severance of directors is generous. 董事的离职补偿方案如下。", None),
            to=[(SubjectKind.USER, "ann")],
        ),
        document(
            "linked",
            "Picnic by the reservoir",
            ("Bring sandwiches to the reservoir.", None),
            to=[(SubjectKind.LINK, "lk")],
        ),
    ]
    people = [Principal("ann", "t", clearance="secret"), Principal("bob", "t", clearance="public")]
    return World(
        documents={d.document_id: d for d in told},
        folders={"f": Folder("f", "t")},
        tenants={"t": Tenant("t")},
        principals={p.principal_id: p for p in people},
        units={},
        memberships={},
        guests={},
        links={"lk": ShareLink("lk", opened=(("ann", THEN),))},
        clock=NOW,
        policy=AccessPolicy(("public", "secret")),
    )


@pytest.fixture
def house():
    def build(fault=None):
        target = Embedded(EmbeddedConfig(fault=fault))
        target.connect(world())
        return target

    return build


def look(target, door, text="", caller=BOB, session=""):
    response = target.look(door, text, caller, session)
    assert not response.error, response.detail
    ((tap, seen),) = response.seen.items()
    return tap, seen


def ask(target, query, caller, session):
    request = Request("r", query, caller, session=session)
    (response,) = target.answer([request])
    return response.seen[Stage.ANSWER].texts[0]


def test_the_doors_are_the_modules_of_their_folder():
    assert isinstance(Embedded(), HasDoors)
    assert Embedded().doors == doors.names() >= {"suggest", "preview", "history", "export"}
    assert "vectors" not in doors.names()


def test_a_door_that_is_not_there_is_named_with_those_that_are(house):
    response = house().look("cellar", "", BOB)
    assert response.error == "unknown_door"
    assert "'cellar': there is " in response.detail
    assert "suggest" in response.detail


@pytest.mark.parametrize(
    ("door", "text", "term", "fault"),
    [
        ("suggest", "sever", "severance", "suggests_all_words"),
        ("suggest", "董事的", "董事的离职补偿方", "suggests_all_words"),
        ("suggest", "salar", "salaries of directors", "suggests_all_titles"),
        ("suggest", "merger w", "merger with zarquon", "suggests_all_titles"),
        ("suggest", "picnic", "picnic by the reservoir", "suggests_link_shared"),
        ("suggest", "picnic", "picnic by the reservoir", "link_is_public"),
        ("spelling", "sevreance", "severance", "spells_from_all"),
        ("spelling", "slaaries of directors", "salaries of directors", "spells_from_all"),
    ],
)
def test_a_term_is_offered_to_those_only_who_may_read_where_it_stands(
    house, door, text, term, fault
):
    assert look(house(), door, text, ANN)[1].texts == (term,)
    assert look(house(), door, text, BOB) == (Stage.SUGGEST, look(house(), door, "qqq")[1])
    assert look(house(fault), door, text, BOB)[1].texts == (term,)


def test_completions_come_from_own_earlier_questions_only(house):
    for fault, theirs in ((None, ()), ("suggests_others_questions", ("who closes the mill?",))):
        target = house(fault)
        ask(target, "who closes the mill?", ANN, "s")
        assert look(target, "suggest", "who cl", ANN)[1].texts == ("who closes the mill?",)
        assert look(target, "suggest", "who cl", BOB)[1].texts == theirs
        target.restore()
        assert look(target, "suggest", "who cl", ANN)[1].texts == ()


def test_facets_count_what_the_caller_may_see(house):
    every = {"tenant:t": 1, "label:none": 1, "folder:f": 1, "language:en": 1}
    seen = look(house(), "facets", "severance", ANN)[1]
    assert (seen.count, dict(seen.facets)) == (1, every)
    seen = look(house(), "facets", "severance", BOB)[1]
    assert (seen.count, seen.facets) == (0, ())
    assert dict(look(house("facets_unfiltered"), "facets", "severance")[1].facets) == every
    one = look(house("label_facet_unfiltered"), "facets", "severance")[1]
    assert dict(one.facets) == {"label:none": 1}


def test_related_passages_and_their_titles_are_the_callers(house):
    tap, seen = look(house(), "related", "half#2", BOB)
    assert (tap, seen.ids) == (Stage.CITATION, ("open#1",))
    assert seen.texts == ("Canteen hours",)
    assert set(look(house(), "related", "open#1", ANN)[1].ids) == {
        "half#1", "half#2", "shut#1", "linked#1",
    }  # fmt: skip
    assert "shut#1" in look(house("see_also_unfiltered"), "related", "half#2")[1].ids
    assert look(house(), "related", "shut#1", BOB)[1] == look(house(), "related", "none")[1]


def test_a_preview_shows_the_title_where_that_may_be_seen(house):
    shown = "Visitors of the mill report at noon."
    assert look(house(), "preview", "half#2", BOB)[1].texts == (shown,)
    assert look(house(), "preview", "half#2", ANN)[1].texts == (f"Merger with Zarquon\n{shown}",)
    told = look(house("preview_title_unchecked"), "preview", "half#2")[1].texts[0]
    assert told.startswith("Merger with Zarquon\n")
    first = look(house("preview_of_first_passage"), "preview", "half#2")[1].texts
    assert first == ("Zarquon buys the mill in autumn.",)


@pytest.mark.parametrize("door", ["preview", "related", "batch"])
def test_what_is_forbidden_looks_like_what_does_not_exist(house, door):
    assert look(house(), door, "shut#1")[1] == look(house(), door, "nowhere#1")[1]


def test_each_handle_of_a_batch_is_authorised(house):
    both = "open#1\nshut#1"
    assert look(house(), "batch", both, BOB)[1].ids == ("open#1",)
    assert look(house(), "batch", both, ANN)[1].ids == ("open#1", "shut#1")
    assert look(house("batch_checks_first"), "batch", both)[1].ids == ("open#1", "shut#1")
    assert look(house("batch_checks_first"), "batch", "shut#1\nopen#1")[1].ids == ("open#1",)
    many = "open#1\nopen#1\nopen#1\nshut#1"
    assert "shut#1" in look(house("batch_checks_three"), "batch", many)[1].ids
    assert "shut#1" not in look(house("batch_checks_three"), "batch", both)[1].ids


@pytest.mark.parametrize(
    ("door", "fault"),
    [("explain", "explains_all_candidates"), ("raw_prompt", "prompt_shown_unfiltered")],
)
def test_debug_views_show_the_callers_candidates(house, door, fault):
    question = "severance of directors"
    tap, seen = look(house(), door, question, ANN)
    assert tap is Stage.LOG
    assert "shut#1" in seen.ids
    assert "shut#1" not in look(house(), door, question, BOB)[1].ids
    assert "shut#1" in look(house(fault), door, question, BOB)[1].ids


def test_a_history_is_ones_own_and_follows_ones_rights(house):
    asked = "what is the severance of directors?"
    target = house()
    answer = ask(target, asked, ANN, "desk")
    assert "generous" in answer
    assert look(target, "history", "", ANN, "desk")[1].texts == (f"{asked}\n{answer}",)
    assert look(target, "history", "", BOB, "desk")[1].texts == ()
    assert look(target, "history", "", ANN, "other")[1].texts == ()
    target.apply(Revoke("shut", "shut-0", NOW))
    assert look(target, "history", "", ANN, "desk")[1].texts == ()


def test_the_faults_of_a_history_show_it_to_others_and_afterwards(house):
    asked = "what is the severance of directors?"
    target = house("history_by_session")
    ask(target, asked, ANN, "desk")
    assert "generous" in look(target, "history", "", BOB, "desk")[1].texts[0]
    target = house("conversation_not_rechecked")
    ask(target, asked, ANN, "desk")
    assert look(target, "history", "", BOB, "desk")[1].texts == ()
    target.apply(Revoke("shut", "shut-0", NOW))
    assert "generous" in look(target, "history", "", ANN, "desk")[1].texts[0]


def test_a_shared_transcript_is_shown_by_the_rights_of_who_looks(house):
    for fault, ids in ((None, ("open#1",)), ("transcript_not_rechecked", ("open#1", "shut#1"))):
        target = house(fault)
        ask(target, "when does the canteen open?", ANN, "desk")
        ask(target, "what is the severance of directors?", ANN, "desk")
        (token,) = look(target, "share", "", ANN, "desk")[1].links
        assert look(target, "shared", "", Caller("ann", token=token))[1].ids == (
            "open#1", "shut#1",
        )  # fmt: skip
        assert look(target, "shared", "", Caller("bob", token=token))[1].ids == ids
        assert look(target, "shared", "", Caller("bob", token="0" * 32))[1].ids == ()


def test_an_export_holds_what_the_caller_may_read_and_no_vector(house):
    lines = [json.loads(line) for line in look(house(), "export", "", BOB)[1].texts]
    assert [line["id"] for line in lines] == ["open#1", "half#2"]
    assert [line.get("title") for line in lines] == ["Canteen hours", None]
    assert set().union(*lines) == {"id", "document", "text", "title"}
    assert "shut#1" in look(house("export_by_tenant"), "export")[1].ids


def test_a_summary_is_made_for_its_reader_and_for_the_rights_of_now(house):
    target = house()
    assert "shut#1" in look(target, "summary", "f", ANN)[1].ids
    assert look(target, "summary", "f", BOB)[1].ids == ("open#1", "half#2")
    assert look(target, "summary", "t", BOB)[1].ids == ("open#1", "half#2")
    target.apply(Revoke("shut", "shut-0", NOW))
    assert "shut#1" not in look(target, "summary", "f", ANN)[1].ids


def test_the_faults_of_a_summary_keep_it_for_others_and_for_ever(house):
    target = house("summary_shared")
    look(target, "summary", "f", ANN)
    assert "shut#1" in look(target, "summary", "f", BOB)[1].ids
    target = house("summary_outlives_right")
    look(target, "summary", "f", ANN)
    assert "shut#1" not in look(target, "summary", "f", BOB)[1].ids
    target.apply(Revoke("shut", "shut-0", NOW))
    assert "shut#1" in look(target, "summary", "f", ANN)[1].ids


def test_a_citation_names_a_title_only_where_it_may_be_seen(house):
    for fault, titles in ((None, ("",)), ("cited_title_unchecked", ("Merger with Zarquon",))):
        (response,) = house(fault).answer([Request("r", "where do visitors report?", BOB)])
        assert response.seen[Stage.CITATION].ids == ("half#2",)
        assert response.seen[Stage.CITATION].texts == titles


def test_every_fault_has_a_name_of_its_own_and_both_languages():
    for info in FAULTS_HERE:
        assert FAULTS[info.name] is info
        assert set(info.title) == {"en", "zh"}
