"""Passages beside a hit, questions made of questions, copies, labels: each by its caller's rights.

The world: a document of four passages of which the second is secret, its parent that only `chief`
may read, and one text under two lists. `low` and `chief` differ in label and list alone.
"""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Caller, Exact, Request, Stage
from rageval_kit.records.world import (
    AccessPolicy,
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
from rageval_kit.system.faults_parts import FAULTS_HERE, PartFault
from rageval_kit.system.markings import Markings, inside, markings, ranked
from rageval_kit.system.passages import texts, without_copies

SINCE = datetime(2020, 1, 1, tzinfo=UTC)


def chunk(chunk_id, text, label=None, kind="body", **more):
    return Chunk(chunk_id, text, label=label, kind=kind, **more)


def document(document_id, title, *chunks, readers=(), metadata=()):
    version = Version(
        f"{document_id}@1",
        title,
        chunks,
        valid_from=SINCE,
        states=((SINCE, State.PUBLISHED),),
        metadata=metadata,
    )
    kinds = [(SubjectKind.USER, reader) for reader in readers] or [(SubjectKind.EVERYONE, "")]
    entries = tuple(Entry(f"{document_id}-e{n}", Effect.ALLOW, *who) for n, who in enumerate(kinds))
    return Document(document_id, "t", (version,), label="open", entries=entries)


DOCUMENTS = (
    document(
        "handbook",
        "Ferry handbook",
        chunk("h1", "The ferry leaves the northern quay at nine."),
        chunk("h2", "Its captain earns 40211 crowns.", "secret"),
        chunk("h3", "Bicycles travel free of charge on deck two."),
        chunk("h4", "Umbrellas are lent at the ticket desk."),
        metadata=(("parent", "fleet"), ("author", "fleet"), ("related", "nowhere")),
    ),
    document(
        "fleet",
        "Fleet",
        chunk("f1", "Insurers value the hull at 90312 crowns."),
        readers=("chief",),
    ),
    document(
        "copy-a", "Tides", chunk("a1", "High tide comes at noon on Mondays."), readers=("chief",)
    ),
    document(
        "copy-b",
        "Tides",
        chunk("b1", "High tide comes at noon on Mondays."),
        readers=("chief", "low"),
    ),
)
WORLD = World(
    documents={d.document_id: d for d in DOCUMENTS},
    folders={},
    tenants={"t": Tenant("t")},
    principals={
        "low": Principal("low", "t", clearance="open"),
        "chief": Principal("chief", "t", clearance="secret"),
    },
    units={},
    memberships={},
    guests={},
    links={},
    clock=datetime(2026, 1, 1, tzinfo=UTC),
    policy=AccessPolicy(labels=("open", "secret")),
)


def system(fault=None, **more):
    target = Embedded(EmbeddedConfig(fault=fault, rerank=False, **more))
    target.connect(WORLD)
    return target


def asked(target, query, who="low", session="", *, exact=False, k=10):
    request = Request("r", query, Caller(who), k=k, session=session, exact=exact)
    (response,) = target.answer([request])
    assert not response.error
    return response.seen


def given(target, query, who, k=1):
    return asked(target, query, who, k=k)[Stage.CONTEXT].ids


QUAY, BICYCLES = (
    "When does the ferry leave the northern quay",
    "Do bicycles travel free on deck two",
)


def test_what_stands_beside_the_first_hit_follows_it_for_whoever_may_read_it():
    assert given(system(), QUAY, "chief") == ("h1", "h2", "f1")
    assert given(system(), BICYCLES, "chief") == ("h3", "h2", "h4", "f1")


def test_nothing_that_the_caller_may_not_read_comes_beside_a_hit():
    assert given(system(), QUAY, "low") == ("h1",)
    assert given(system(), BICYCLES, "low") == ("h3", "h4")


def test_expansion_can_be_left_out_and_a_number_below_zero_is_refused():
    assert given(system(expand=0), QUAY, "chief") == ("h1",)
    with pytest.raises(InputError, match=r"retriever\.expand"):
        EmbeddedConfig(expand=-1)


@pytest.mark.parametrize(
    ("fault", "query", "beside"),
    [
        ("neighbours_unfiltered", QUAY, {"h2"}),
        ("neighbours_by_document", QUAY, {"h2"}),
        ("parent_unfiltered", QUAY, {"f1"}),
        ("related_unfiltered", QUAY, set()),  # nothing of that name is there
    ],
)
def test_each_fault_of_expansion_lets_its_own_hop_through(fault, query, beside):
    assert set(given(system(fault), query, "low")) == {"h1"} | beside


TWO = "When does the ferry leave the northern quay? And what does its captain earn?"


def test_two_questions_in_one_are_searched_for_apart_and_the_tap_shows_by_what():
    seen = asked(system(), TWO)
    assert seen[Stage.QUERY].texts == (
        TWO,
        "When does the ferry leave the northern quay?",
        "And what does its captain earn?",
        "the ferry leave the northern quay its captain earn",
    )
    assert "h2" not in seen[Stage.RETRIEVE].ids
    assert "h2" in asked(system(), TWO, "chief")[Stage.RETRIEVE].ids


@pytest.mark.parametrize("query", ["What? " * 9, "One thing? And another.", "Only one question?"])
def test_what_is_one_question_or_too_many_is_searched_for_as_it_is(query):
    assert asked(system(), query)[Stage.QUERY].texts == (query,)


@pytest.mark.parametrize("fault", ["second_question_unfiltered", "hypothetical_unfiltered"])
def test_a_search_beside_the_question_without_rights_shows_what_is_forbidden(fault):
    assert "h2" in asked(system(fault), TWO)[Stage.RETRIEVE].ids
    assert "h2" not in asked(system(fault), TWO.split("? ")[1])[Stage.RETRIEVE].ids


@pytest.mark.parametrize(
    "follow_up", ["And what about bicycles?", "what about bicycles？", "那bicycles呢？"]
)
def test_a_question_that_leans_on_the_one_before_is_resolved_in_its_own_conversation(follow_up):
    target = system()
    asked(target, QUAY, session="s")
    resolved = asked(target, follow_up, session="s")[Stage.QUERY].texts
    assert resolved == (f"bicycles {QUAY}",)
    for other in ({"session": "other"}, {"session": ""}, {"session": "s", "who": "chief"}):
        assert asked(target, follow_up, **other)[Stage.QUERY].texts == (follow_up,)


def test_a_session_that_another_began_lends_nobody_its_rights():
    for fault, leaks in ((None, False), ("session_keeps_scope", True)):
        target = system(fault, cache=False)
        asked(target, "What does the captain earn", "chief", session="s")
        seen = asked(target, "And what about the captain?", "low", session="s")
        assert ("h2" in seen[Stage.RETRIEVE].ids) is leaks


@pytest.mark.parametrize("who", ["low", "chief"])
def test_of_equal_texts_each_reader_finds_those_that_are_theirs(who):
    found = asked(system(), "When is high tide on Mondays", who)[Stage.RETRIEVE].ids
    assert set(found) & {"a1", "b1"} == ({"b1"} if who == "low" else {"a1", "b1"})


@pytest.mark.parametrize(
    ("fault", "listed", "cited"),
    [
        ("copy_named_as_first", {"b1"}, {"a1"}),
        ("copies_share_denial", set(), set()),
        ("second_copy_not_indexed", set(), set()),
    ],
)
def test_each_fault_of_copies_errs_in_its_own_way(fault, listed, cited):
    seen = asked(system(fault, expand=0), "When is high tide on Mondays")
    assert set(seen[Stage.RETRIEVE].ids) & {"a1", "b1"} == listed
    assert set(seen[Stage.CONTEXT].ids) & {"a1", "b1"} == cited


def test_an_exact_scan_is_promised_and_finds_what_the_clean_index_finds():
    target = system()
    assert isinstance(target, Exact)
    assert target.scans
    plain, exact = (asked(target, QUAY, exact=scan) for scan in (False, True))
    assert plain[Stage.RETRIEVE_DENSE] == exact[Stage.RETRIEVE_DENSE]
    assert Stage.CACHE not in exact  # nothing kept from before is a scan


def test_a_filter_at_the_end_shows_only_on_the_way():
    seen = asked(system("filtered_at_the_end", expand=0), "its captain earns crowns")
    assert "h2" in seen[Stage.RETRIEVE].ids
    assert "h2" not in seen[Stage.CONTEXT].ids


ALL = frozenset({"a", "b"})


@pytest.mark.parametrize(
    ("fault", "needed", "held", "top", "passes"),
    [
        (None, ALL, frozenset("a"), True, False),
        (None, ALL, ALL | {"c"}, False, True),
        (PartFault.COMPARTMENTS_ANY_OF, ALL, frozenset("a"), False, True),
        (PartFault.COMPARTMENTS_ANY_OF, ALL, frozenset("c"), False, False),
        (PartFault.COMPARTMENTS_ANY_OF, frozenset(), frozenset(), False, True),
        (PartFault.COMPARTMENTS_BY_PREFIX, frozenset({"a"}), frozenset({"ab"}), False, True),
        (PartFault.COMPARTMENTS_BY_PREFIX, frozenset({"ab"}), frozenset({"a"}), False, False),
        (PartFault.TOP_CLEARANCE_SEES_COMPARTMENTS, ALL, frozenset(), True, True),
        (PartFault.TOP_CLEARANCE_SEES_COMPARTMENTS, ALL, frozenset(), False, False),
    ],
)
def test_every_compartment_is_needed(fault, needed, held, top, passes):
    assert inside(needed, held, fault, is_top=top) is passes


PLAIN = chunk("p", "text")
MARKED = replace(PLAIN, label="secret", compartments=frozenset({"b"}))
OF_DOCUMENT = Markings("open", frozenset({"a"}))


@pytest.mark.parametrize(
    ("fault", "passage", "label", "compartments"),
    [
        (None, PLAIN, "open", {"a"}),
        (None, MARKED, "secret", {"a", "b"}),
        (PartFault.PASSAGE_LABEL_IGNORED, MARKED, "open", {"a", "b"}),
        (PartFault.PASSAGE_COMPARTMENTS_IGNORED, MARKED, "secret", {"a"}),
        (PartFault.PASSAGE_COMPARTMENTS_REPLACE, MARKED, "secret", {"b"}),
        (PartFault.PASSAGE_COMPARTMENTS_REPLACE, PLAIN, "open", {"a"}),
        (PartFault.OCR_TAKES_PARENT_LABEL, MARKED, "secret", {"a", "b"}),
        (PartFault.OCR_TAKES_PARENT_LABEL, replace(MARKED, kind="image"), "open", {"a", "b"}),
        (
            PartFault.EMBEDDED_OBJECT_UNLABELLED,
            replace(MARKED, kind="embedded"),
            "open",
            {"a", "b"},
        ),
        (PartFault.TABLE_BY_FIRST_LABEL, replace(MARKED, kind="table"), "open", {"a", "b"}),
    ],
)
def test_a_passage_has_its_own_label_and_the_compartments_of_both(
    fault, passage, label, compartments
):
    version = Version("v", "t", (PLAIN, passage))
    assert markings(passage, version, OF_DOCUMENT, fault) == Markings(
        label, frozenset(compartments)
    )


def test_labels_are_ranked_as_the_policy_lists_them():
    policy = AccessPolicy(labels=("public", "internal", "confidential"))
    assert ranked(policy, None) is policy
    by_text = ranked(policy, PartFault.LABELS_COMPARED_AS_TEXT)
    assert by_text.labels == ("confidential", "internal", "public")


PARTS = Version(
    "v",
    "t",
    (
        chunk("1", "First. Last of first."),
        chunk("2", "A note.", kind="footnote"),
        chunk("3", "9", kind="hidden_sheet", table_header="Pay"),
    ),
)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (None, ["First. Last of first.", "A note.", "Pay\n9"]),
        (
            PartFault.OVERLAP_COPIES_NEIGHBOUR,
            ["First. Last of first.", "Last of first. A note.", "A note. Pay\n9"],
        ),
        (PartFault.FOOTNOTE_INLINED, ["First. Last of first. A note.", "A note.", "Pay\n9"]),
        (PartFault.HIDDEN_SHEET_MERGED, ["First. Last of first.\nPay\n9", "A note.", "Pay\n9"]),
    ],
)
def test_nothing_of_one_passage_is_indexed_with_another(fault, expected):
    assert [text for _, text in texts(PARTS, fault)] == expected


def test_only_the_first_copy_of_a_text_is_kept_under_the_fault():
    kept = without_copies(WORLD.documents)
    assert [c.chunk_id for d in kept.values() for v in d.versions for c in v.chunks] == [
        "h1", "h2", "h3", "h4", "f1", "a1",
    ]  # fmt: skip


def test_every_switch_of_this_file_is_told_once_in_both_languages():
    told = [info.switch for info in FAULTS_HERE]
    assert sorted(told) == sorted(PartFault)
    assert all(info.title["en"] and info.title["zh"] for info in FAULTS_HERE)
