"""Chains of agents, tokens, paraphrases and claims: what the scripts ask and what may show there.

Rights are read here from `Monitor.decide`, one passage at a time, not from the masks of the walk.
"""

import pytest

from rageval_kit.generate.cells import OPEN_THEN, VIA, door
from rageval_kit.generate.planting import plant
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.shelf import load
from rageval_kit.generate.suite import compile_family
from rageval_kit.records.cases import Ask, Look, Together, Wait
from rageval_kit.records.target import Grain, Power, Stage
from rageval_kit.records.world import SubjectKind
from rageval_kit.text.normalise import language
from rageval_kit.text.words import words

IDS = ["CAC-02", "CAC-03", "CAC-06", "CAC-07", "CIT-07", "PRN-01", "PRN-03", "PRN-04", "PRN-05"]
LEVELS = {"revocation": 60.0, "cache_ttl": 300.0}
ABLE = frozenset({"open", OPEN_THEN, "count", "read", VIA, door("sign_on")})


@pytest.fixture(scope="module")
def shipped(shelf):
    return {family.id: family for family in load(shelf, IDS)}


@pytest.fixture(scope="module")
def planted(demo, shipped):
    return plant(demo, list(shipped.values()), 7)


@pytest.fixture(scope="module")
def scene(planted, demo):
    taps, powers = frozenset(Stage), frozenset(Power)
    return Scene(
        planted.world,
        Grain.CHUNK,
        powers,
        taps,
        7,
        LEVELS,
        planted.canaries,
        own=demo,
        abilities=ABLE,
    )


@pytest.fixture(scope="module")
def made(scene, shipped):
    return {name: compile_family(scene, family, family.size) for name, family in shipped.items()}


@pytest.fixture(scope="module")
def may_read(scene):
    def decided(who, chunk_id):
        place = scene.places[chunk_id]
        ids = (place.document.document_id, place.version.version_id, chunk_id)
        return scene.monitor.decide(who, *ids) == ()

    return decided


def asks(case, role="reader"):
    steps = enumerate(case.script.steps)
    return [(n, one) for n, one in steps if isinstance(one, Ask) and one.role == role]


def test_one_party_of_a_chain_lacks_the_right_and_the_twins_lack_none(made, may_read):
    lacking = set()
    for case in made["PRN-04"].cases:
        (target,) = case.expectation.roles["target"]
        (*_, (step, ask)) = asks(case)
        parties = (ask.caller.principal_id, *ask.caller.via)
        able = [may_read(one, target) for one in parties]
        assert able.count(False) == 1
        lacking.add((len(parties), able.index(False)))
        assert target not in case.expectation.steps[step, 0].permitted
        is_signed_on = "signed" in case.expectation.marks
        assert (ask.bearing is not None) is is_signed_on
        assert len(asks(case, "twin")) == len(asks(case)) + is_signed_on
        for step, twin in asks(case, "twin"):
            parties = (twin.caller.principal_id, *twin.caller.via)
            assert len(twin.caller.via) == len(ask.caller.via)
            assert all(may_read(one, target) for one in parties)
            assert target in case.expectation.steps[step, 0].permitted
    assert lacking == {(3, 0), (2, 1), (3, 1), (4, 2), (4, 3)}


def test_of_a_chain_what_everybody_reads_may_show_and_nothing_else(made, scene, may_read):
    case = made["PRN-04"].cases[0]
    (*_, (step, ask)) = asks(case)
    permitted = case.expectation.steps[step, 0].permitted
    parties = (ask.caller.principal_id, *ask.caller.via)
    for chunk_id in scene.chunk_ids[::7]:
        assert (chunk_id in permitted) is all(may_read(one, chunk_id) for one in parties), chunk_id


def opens_to_all(place):
    """Public by an entry of its own: what is public is of no tenant alone."""
    return any(one.subject_kind is SubjectKind.PUBLIC for one in place.document.entries)


def test_under_a_token_what_the_reader_reads_in_that_tenant_may_show(made, scene, may_read):
    switched = next(c for c in made["PRN-05"].cases if "elsewhere" in c.expectation.marks)
    (first, _), (second, _), (last, ask) = asks(switched)
    places = scene.places
    target = min(switched.expectation.roles["target"])
    home = places[target].document.tenant_id
    for step, own in ((first, True), (second, False), (last, False)):
        permitted = switched.expectation.steps[step, 0].permitted
        shown = [c for c in scene.chunk_ids if c in permitted]
        tenants = {places[c].document.tenant_id for c in shown if not opens_to_all(places[c])}
        assert len(tenants) == 1
        assert (home in tenants) is (target in permitted) is own
        assert all(may_read(ask.caller.principal_id, c) for c in shown)
    assert ask.bearing == max(n for n, s in enumerate(switched.script.steps) if isinstance(s, Look))


def test_a_token_that_is_no_good_may_show_nothing_and_bears_the_one_that_is_meant(made, scene):
    kinds = {}
    for case in made["PRN-05"].cases:
        *_, (step, ask) = asks(case)
        expected = case.expectation.steps[step, 0]
        if "elsewhere" in case.expectation.marks:
            continue
        assert not any(chunk_id in expected.permitted for chunk_id in scene.chunk_ids)
        given = case.script.steps[ask.bearing]
        kind = dict(case.coordinates.variant)["when.sign_on.then"]
        kinds[kind] = (type(given), given.role)
        expires = any(isinstance(one, Wait) and one.seconds == 3600 for one in case.script.steps)
        assert expires is (kind == "expired")
    assert kinds == {
        "replaced": (Look, "reader"),
        "foreign": (Look, "twin"),
        "expired": (Look, "reader"),
        "misused": (Ask, "reader"),
        "suspended": (Look, "reader"),
    }


def test_no_sign_on_no_family(demo, planted, shipped):
    world = planted.world
    blind = Scene(world, Grain.CHUNK, frozenset(Power), frozenset(Stage), 7, LEVELS, own=demo)
    found = compile_family(blind, shipped["PRN-05"], 10)
    assert found.not_applicable == "the target has no door sign_on"


def test_a_paraphrase_inside_has_the_words_of_what_it_says_again(made):
    seen = set()
    for case in made["CAC-02"].cases:
        variant = dict(case.coordinates.variant)
        inside = variant["ask.paraphrase.similarity"] == "inside"
        same = variant["ask.paraphrase.lang"] == "same"
        ((_, ask),) = asks(case)
        plain, *_ = (one.query for _, one in asks(case, "twin"))
        assert ask.query != plain
        assert (sorted(words(ask.query)) == sorted(words(plain))) is (inside and same)
        seen.add((inside, same, language(plain)))
    assert len(seen) == 8


def test_a_claim_names_who_may_read_before_the_question(made, scene):
    """By name in some cases, by an office in the others; where a document says it, nobody does."""
    named = set()
    for case in made["PRN-03"].cases:
        where = dict(case.coordinates.variant)["when.claim.in"]
        own = asks(case)
        assert len(own) == (1 if where == "question" else 2)
        assert len({ask.session for _, ask in own}) == 1
        first = own[0][1].query
        assert first.startswith(("I am ", "我是")) is (where != "document")
        named.add((where, scene.world.principals[case.coordinates.twin_id].name in first))
    said = {(where, by_name) for where in ("question", "earlier") for by_name in (True, False)}
    assert named == {*said, ("document", False)}


def test_readers_of_one_step_have_documents_of_their_own(made):
    sizes = []
    for case in made["PRN-01"].cases:
        (together,) = (one for one in case.script.steps if isinstance(one, Together))
        sizes.append(together.in_flight)
        assert len(together.asks) == together.in_flight
        owners = {}
        for ask in together.asks:
            if ask.role == "twin":
                owners[ask.query] = ask.caller.principal_id
        assert len(set(owners.values())) == len(owners) == together.in_flight // 2
    assert set(sizes) == {16, 64}


def test_nobody_but_its_author_reads_the_planted_answer(made, may_read):
    assert made["CAC-06"].cases
    for case in made["CAC-06"].cases:
        (planted,) = case.expectation.roles["carrier"]
        ((_, asked),) = asks(case, "author")[:1]
        assert may_read(asked.caller.principal_id, planted)
        assert not may_read(case.coordinates.reader_id, planted)
        assert asked.caller.principal_id != case.coordinates.reader_id


def test_no_question_holds_a_mark_of_the_kit(made):
    said = [one.query for m in made.values() for c in m.cases for _, one in asks(c)]
    assert len(said) > 200
    assert not [query for query in said if "[ref" in query]
