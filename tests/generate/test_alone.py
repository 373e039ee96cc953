"""Pairs denied by one condition alone; wordings that find; questions of another time."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from rageval_kit.access import Monitor
from rageval_kit.corpus.evolve import evolve
from rageval_kit.generate.cells import Common
from rageval_kit.generate.family import Word
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.shelf import load
from rageval_kit.generate.suite import compile_family
from rageval_kit.generate.who import condition, tenant
from rageval_kit.generate.words import common_in, quotation, telling_sentence, title_of
from rageval_kit.records.cases import Ask, Resolve
from rageval_kit.records.target import Grain, Power, Stage
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
from rageval_kit.resources import tree

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SINCE = NOW - timedelta(days=300)
LEVELS = {"revocation": 60.0}
(FROM_CORPUS,) = (
    replace(family, world=(Word("versions", {"from": "corpus"}),))
    for family in load(tree("suites") / "families", ["ASO-02"])
)


def version(version_id, *texts, title="", since=SINCE, until=None, recorded=None, labels=()):
    chunks = tuple(
        Chunk(f"{version_id}#{n}", text, label=dict(enumerate(labels)).get(n))
        for n, text in enumerate(texts)
    )
    states = ((since, State.PUBLISHED),)
    return Version(version_id, title or version_id, chunks, since, until, recorded, states=states)


def document(name, *versions, tenant_id="acme", readers=()):
    entries = tuple(Entry(f"{name}/{r}", Effect.ALLOW, SubjectKind.USER, r) for r in readers)
    return Document(name, tenant_id, versions, entries=entries)


def world(*documents, **people):
    """`people`: name and tenant."""
    tenants = {*people.values()}
    return World(
        documents={d.document_id: d for d in documents},
        folders={},
        tenants={t: Tenant(t) for t in tenants},
        principals={name: Principal(name, t, clearance="public") for name, t in people.items()},
        units={},
        memberships={},
        guests={},
        links={},
        clock=NOW,
        policy=AccessPolicy(("public", "secret")),
    )


def scene(of, *, powers=frozenset(Power), grain=Grain.CHUNK, **more):
    return Scene(of, grain, frozenset(powers), frozenset(Stage), 7, LEVELS, **more)


def office(**more):
    return world(
        document("d1", version("d1@1", "lodging ceiling"), readers=["ann", "bob"]),
        document("d2", version("d2@1", "taxi receipts"), readers=["ann"]),
        document("d3", version("d3@1", "lantern rules"), readers=["bob"]),
        ann="acme",
        bob="acme",
        **more,
    )


def after(of, changes):
    for change in changes:
        of = evolve(of, change)
    return of


def decided(of, pair, **times):
    place = scene(of).places[pair.chunk_id]
    return Monitor(after(of, pair.setup)).decide(
        pair.reader_id,
        place.document.document_id,
        place.version.version_id,
        pair.chunk_id,
        **times,
    )


def test_where_nobody_is_suspended_the_kit_suspends_somebody_if_it_may():
    found = condition.find(scene(office()), {"is": "C1"}, 2, "chunk")
    assert found.pairs
    for pair in found.pairs:
        assert decided(office(), pair) == ("C1",)
        assert decided(office(), replace(pair, reader_id=pair.twin_id)) == ()


def test_where_nobody_is_suspended_and_nothing_may_be_changed_the_cell_is_not_applicable():
    found = condition.find(scene(office(), powers=()), {"is": "C1"}, 2, "chunk")
    assert found.pairs == ()
    assert "no attributes for C1" in found.nothing


def test_a_condition_that_only_ever_denies_beside_others_stays_a_gap_without_powers():
    of = office(eve="other")  # eve is foreign and has no entry: C2 with C11, never alone
    found = condition.find(scene(of, powers=()), {"is": "C2"}, 2, "chunk")
    assert found.pairs == ()
    assert "no attributes" not in found.nothing


@pytest.mark.parametrize("find", [condition.find, tenant.find])
def test_a_foreign_reader_without_an_entry_gets_one_so_that_the_tenant_alone_denies(find):
    of = office(eve="other")
    found = find(scene(of), {"is": "C2"}, 4, "document")
    alone = [pair for pair in found.pairs if pair.setup]
    assert alone
    assert {decided(of, pair) for pair in alone} == {("C2",)}


def test_where_all_of_a_tenant_may_read_everything_a_list_is_emptied_for_c11_alone():
    everyone = (Entry("all", Effect.ALLOW, SubjectKind.EVERYONE),)
    open_ones = [
        replace(document(name, version(f"{name}@1", text)), entries=everyone)
        for name, text in (("d1", "lodging ceiling"), ("d2", "taxi receipts"))
    ]
    of = world(*open_ones, ann="acme", eve="other")
    found = condition.find(scene(of), {"is": "C11"}, 2, "chunk")
    assert found.pairs
    for pair in found.pairs:
        assert pair.reader_id == "ann"
        assert decided(of, pair) == ("C11",)
        sibling = replace(pair, chunk_id=pair.sibling_id)
        assert decided(of, sibling) == ()
    without = condition.find(scene(of, powers=()), {"is": "C11"}, 2, "chunk")
    assert without.pairs == ()
    assert "no attributes" not in without.nothing


@pytest.mark.parametrize(("since", "cases"), [(SINCE, 1), (None, 0)])
def test_of_a_document_with_one_version_only_its_edge_can_be_asked_about(since, cases):
    """Just before its start it is held back; without a start it never was and nothing is asked.

    The families' fall-back, to revise a document, has no place where a corpus was to show chains.
    """
    of = world(
        document(
            "d1", replace(version("d1@1", "lodging ceiling"), valid_from=since), readers=["ann"]
        ),
        ann="acme",
    )
    made = compile_family(scene(of, powers=()), FROM_CORPUS, 12)
    assert len(made.cases) == cases
    for case in made.cases:
        (*before, asked, living) = case.script.steps
        assert (asked.as_of, living.as_of) == (SINCE - timedelta(microseconds=1), SINCE)
        n = len(before)
        assert not case.expectation.steps[n, 0].target_allowed
        assert case.expectation.steps[n + 1, 0].target_allowed
        assert all(case.expectation.steps[step, 0].target_allowed for step in range(n))
    assert bool(made.not_applicable) == (cases == 0)


def test_what_is_known_now_was_not_known_when_the_question_asks_for():
    recorded = NOW - timedelta(days=10)
    of = world(
        document("d1", version("d1@1", "lodging", recorded=recorded), readers=["ann"]),
        document("d2", version("d2@1", "taxi"), readers=["ann"]),
        ann="acme",
    )
    (pair,) = condition.find(scene(of), {"is": "C7"}, 2, "chunk").pairs
    assert (pair.chunk_id, pair.sibling_id) == ("d1@1#0", "d2@1#0")
    assert pair.known_at == recorded - timedelta(seconds=1)
    assert decided(of, pair, known_at=pair.known_at) == ("C7",)
    assert decided(of, pair) == ()


def test_a_secret_passage_is_no_target_where_ids_are_of_documents():
    labelled = version("d1@1", "open part", "secret part", labels=("public", "secret"))
    of = world(
        document("d1", labelled, readers=["ann", "cat"]),
        document("d2", version("d2@1", "taxi"), readers=["ann"]),
        ann="acme",
        cat="acme",
    )
    of = replace(
        of, principals={**of.principals, "cat": Principal("cat", "acme", clearance="secret")}
    )
    (pair,) = condition.find(scene(of), {"is": "C3"}, 4, "chunk").pairs
    assert (pair.reader_id, pair.chunk_id, pair.twin_id) == ("ann", "d1@1#1", "cat")
    coarse = condition.find(scene(of, grain=Grain.DOCUMENT), {"is": "C3"}, 4, "chunk")
    assert coarse.pairs == ()


def test_a_quoted_sentence_is_one_that_other_documents_do_not_hold():
    shared = "Check the log, the settings and every recent deployment."
    own = "The lantern lodge pays taxi receipts."
    of = world(
        document("d1", version("d1@1", f"{shared} {own}"), readers=["ann"]),
        document("d2", version("d2@1", shared, title="Guide 2"), readers=["ann"]),
        ann="acme",
    )
    common = common_in(of.documents.values(), 7)
    assert common.sentences == {shared: 2}
    assert telling_sentence(f"{shared} {own}", common) == own
    assert telling_sentence(f"{shared} {own}") == shared  # 9 words against 6
    here = scene(of, common=common)
    assert quotation(here, "d1@1#0") == own
    assert quotation(here, "d2@1#0") == f"Guide 2 {shared}"  # it has no sentence of its own


def test_a_title_that_says_little_is_asked_for_with_a_sentence():
    of = world(
        document("d1", version("d1@1", "lantern lodge", title="feedback.xlsx"), readers=["ann"]),
        document("d2", version("d2@1", "taxi", title="Rules of the old harbour"), readers=["ann"]),
        ann="acme",
    )
    assert title_of(scene(of), "d1@1#0") == "feedback.xlsx lantern lodge"
    assert title_of(scene(of), "d2@1#0") == "Rules of the old harbour"
    often = Common(words={"rules": 5, "of": 9, "the": 9, "old": 1, "harbour": 1}, n=10)
    assert title_of(scene(of, common=often), "d2@1#0") == "Rules of the old harbour taxi"


def test_a_handle_is_opened_as_of_now_whatever_time_the_run_asks_about(families):
    then = NOW - timedelta(days=200)
    turned = NOW - timedelta(days=100)
    of = world(
        document(
            "d1",
            version("d1@1", "old lodging", until=turned),
            version("d1@2", "new lodging", since=turned),
            readers=["ann"],
        ),
        ann="acme",
        eve="other",
    )
    past = scene(of, as_of=then)
    opened = compile_family(past, families["CIT-01"], 4)
    assert opened.cases
    for case in opened.cases:
        assert case.expectation.roles["target"] == {"d1@2#0"}
        for step, script in enumerate(case.script.steps):
            if isinstance(script, Resolve) and script.caller.principal_id == "ann":
                assert case.expectation.steps[step, 0].target_allowed
    asked = compile_family(past, families["ACL-01"], 4)
    questions = [s for case in asked.cases for s in case.script.steps if isinstance(s, Ask)]
    assert {question.as_of for question in questions} == {then}
    assert {i for case in asked.cases for i in case.expectation.roles["target"]} == {"d1@1#0"}
