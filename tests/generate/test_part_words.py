"""What the words for parts of documents plant, as the monitor and the texts themselves have it."""

from dataclasses import replace
from itertools import combinations

import pytest

from rageval_kit.access import Monitor
from rageval_kit.generate.planting import plant
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.sound import read
from rageval_kit.generate.suite import compile_family
from rageval_kit.generate.walk import Walk
from rageval_kit.generate.when import converse, scan
from rageval_kit.generate.who import no_entry
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.world import beside, copies, crowd, lattice, mixed
from rageval_kit.records.target import Grain, Power, Stage
from rageval_kit.records.world import AccessPolicy
from rageval_kit.text.normalise import language

LABELS = ("public", "internal", "confidential", "secret")
TEXT = {"en": "a text", "zh": "文字"}
WORDS = [
    *((mixed, {"part": part}) for part in mixed.KINDS),
    *((beside, {"hop": hop}) for hop in ("before", "after", "parent", "related")),
    *((lattice, {"lacks": lacks}) for lacks in lattice.TAKES["lacks"]),
    *((copies, {"order": order}) for order in copies.ORDERS),
]
IDS = [
    f"{module.__name__.rsplit('.', 1)[-1]}-{next(iter(args.values()))}" for module, args in WORDS
]


def family_of(module, args, part="document", **more):
    data = {
        "id": "X-01",
        "version": 1,
        "title": TEXT,
        "motive": TEXT,
        "limits": TEXT,
        "severity": "high",
        "world": [{module.__name__.rsplit(".", 1)[-1]: args}],
        "who": {"denied_by": "barred", "part": part},
        "ask": ["question"],
        "see": {"must": ["retrieve"]},
        "checks": ["forbidden_document"],
    }
    return read(data | more, "X-01.yaml")


def scene_of(world, family, seed=7):
    planted = plant(world, [family], seed)
    powers, taps = frozenset(Power), frozenset(Stage)
    canaries = planted.canaries
    return Scene(planted.world, Grain.CHUNK, powers, taps, seed, {}, canaries, own=world)


def planted_with(world, module, args, seed=7):
    added = module.plant(world, args, seed)
    return replace(
        world,
        documents={**world.documents, **{d.document_id: d for d in added.documents}},
        principals={**world.principals, **{p.principal_id: p for p in added.principals}},
        tenants={**world.tenants, **{t.tenant_id: t for t in added.tenants}},
    )


@pytest.mark.parametrize(("module", "args"), WORDS, ids=IDS)
def test_is_the_same_for_a_seed_and_another_for_another(demo, module, args):
    assert module.plant(demo, args, 7) == module.plant(demo, args, 7)
    assert module.exhibits(demo, args, 7) == module.exhibits(demo, args, 7)
    first, second = (
        {c.text for d in module.plant(demo, args, seed).documents for c in d.versions[0].chunks}
        for seed in (7, 8)
    )
    assert first.isdisjoint(second)


@pytest.mark.parametrize(("module", "args"), WORDS, ids=IDS)
def test_each_reader_is_barred_for_one_reason_and_the_twin_for_none(demo, module, args):
    part = "document" if module in (lattice, copies) else "chunk"
    family = family_of(module, args, part)
    scene = scene_of(demo, family)
    made = compile_family(scene, family, 40)
    assert len(made.cases) == len(module.exhibits(demo, args, 7))
    monitor = Monitor(scene.world)
    for case in made.cases:
        (target,) = case.expectation.roles["target"]
        place = scene.places[target]
        where = (place.document.document_id, place.version.version_id, target)
        assert monitor.decide(case.coordinates.reader_id, *where) == case.denied_by
        assert len(case.denied_by) == 1
        assert monitor.decide(case.coordinates.twin_id, *where) == ()


@pytest.mark.parametrize(("module", "args"), WORDS, ids=IDS)
def test_texts_are_chinese_and_english_alike(demo, module, args):
    langs = [exhibit.lang for exhibit in module.exhibits(demo, args, 7)]
    assert {"en", "zh"} == set(langs)
    for exhibit in module.exhibits(demo, args, 7):
        assert language(exhibit.questions["topic"]) == exhibit.lang


@pytest.mark.parametrize("module", [mixed, beside, lattice], ids=["mixed", "beside", "lattice"])
def test_a_world_without_labels_is_said_to_hold_nothing_of_the_kind(demo, module):
    plain = replace(demo, policy=AccessPolicy())
    name = next(iter(module.WANTS))
    family = family_of(module, {name: module.TAKES[name][0]})
    made = compile_family(scene_of(plain, family), family, 12)
    assert made.cases == ()
    assert made.not_applicable == "this world holds no document of this kind"


def test_every_clearance_meets_every_label_above_it(demo):
    world = planted_with(demo, lattice, {"lacks": "level"})
    met = {
        (world.principals[e.readers[0]].clearance, world.documents[e.documents["target"]].label)
        for e in lattice.exhibits(demo, {"lacks": "level"}, 7)
    }
    assert met == set(combinations(LABELS, 2))


@pytest.mark.parametrize(
    ("lacks", "of_document", "of_passage", "of_reader"),
    [
        ("only_compartment", {"north"}, set(), set()),
        ("one_of_two", {"north", "south"}, set(), {"north"}),
        ("one_of_three", {"north", "south", "west"}, set(), {"north", "west"}),
        ("another", {"north"}, set(), {"south"}),
        ("spelt_alike", {"north"}, set(), {"northern"}),
        ("of_document", {"north"}, {"south"}, {"south"}),
        ("of_passage", {"north"}, {"south"}, {"north"}),
    ],
)
def test_a_reader_lacks_the_compartments_that_the_shape_says(
    demo, lacks, of_document, of_passage, of_reader
):
    world = planted_with(demo, lattice, {"lacks": lacks})
    for exhibit in lattice.exhibits(demo, {"lacks": lacks}, 7):
        document = world.documents[exhibit.documents["target"]]
        reader = world.principals[exhibit.readers[0]]
        (passage,) = document.versions[0].chunks
        assert document.compartments == {f"kit-{one}" for one in of_document}
        assert passage.compartments == {f"kit-{one}" for one in of_passage}
        assert reader.compartments == {f"kit-{one}" for one in of_reader}
        assert reader.clearance == "secret"


@pytest.mark.parametrize("part", mixed.KINDS)
def test_of_a_mixed_document_only_the_part_says_the_value(demo, part):
    added = mixed.plant(demo, {"part": part}, 7)
    for exhibit, document in zip(
        mixed.exhibits(demo, {"part": part}, 7), added.documents, strict=True
    ):
        (value,) = set(exhibit.values.values())
        chunks = document.versions[0].chunks
        (passage,) = [c.chunk_id for c in chunks if value in c.text]
        assert passage in exhibit.values
        assert [c.label for c in chunks] == [None, "secret", None]
        assert document.label == "public"


@pytest.mark.parametrize("hop", ["before", "after", "parent", "related"])
def test_what_stands_beside_shares_no_word_with_the_question(demo, hop):
    """So it comes by the hop alone; a number is in no question."""
    world = planted_with(demo, beside, {"hop": hop})
    for exhibit in beside.exhibits(demo, {"hop": hop}, 7):
        if exhibit.lang == "zh":
            continue
        asked = set(exhibit.questions["topic"].lower().strip("?").split()) - {"the", "is", "of"}
        (own,) = exhibit.values
        chunks = [
            c
            for d in {exhibit.documents["target"], exhibit.documents["beside"]}
            for c in world.documents[d].versions[0].chunks
        ]
        (shut,) = (c for c in chunks if c.chunk_id != own)
        assert not asked & set(shut.text.lower().replace(".", "").split())


@pytest.mark.parametrize("order", copies.ORDERS)
def test_copies_are_equal_to_the_letter_and_stand_in_the_order_said(demo, order):
    family = family_of(copies, {"order": order})
    scene = scene_of(demo, family)
    there = list(scene.world.documents)
    for exhibit in copies.exhibits(demo, {"order": order}, 7):
        own, other = exhibit.documents["beside"], exhibit.documents["target"]
        first, second = (scene.world.documents[one].versions[0] for one in (own, other))
        assert first.chunks[0].text == second.chunks[0].text
        assert "[ref " not in first.chunks[0].text
        assert (there.index(own) < there.index(other)) == (order == "allowed_first")


def test_all_other_passages_keep_their_canary(demo):
    family = family_of(copies, {"order": "allowed_first"})
    planted = plant(demo, [family], 7)
    passages = {
        c.chunk_id for d in planted.world.documents.values() for v in d.versions for c in v.chunks
    }
    bare = copies.plant(demo, {"order": "allowed_first"}, 7).unmarked
    assert set(planted.canaries.values()) == passages - bare
    assert len(bare) == 2 * copies.TOPICS


def test_crowds_of_one_and_of_several_words_have_no_word_and_no_id_in_common(demo):
    one, several = {"documents": 4, "visible": 0.5}, {"documents": 4, "visible": 0.5, "words": 6}
    assert len(crowd.topic(several, 7).split()) == 6
    assert crowd.topic(one, 7) not in crowd.topic(several, 7).split()
    ids = [{d.document_id for d in crowd.plant(demo, args, 7).documents} for args in (one, several)]
    assert ids[0].isdisjoint(ids[1])


@pytest.fixture(scope="module")
def found(demo):
    family = family_of(mixed, {"part": "paragraph"}, who={"denied_by": "no_entry"})
    scene = scene_of(demo, family)
    (pair,) = no_entry.find(scene, {}, 1, "document").pairs
    return scene, family, pair


@pytest.fixture
def walk(found):
    return Walk(*found, Wording("whatever"))


@pytest.mark.parametrize(
    ("form", "asked"),
    [
        ("two_questions", [("reader", "talk"), ("twin", "twin")]),
        ("target_first", [("reader", "talk"), ("twin", "twin")]),
        ("follow_up", [("reader", "talk")] * 2 + [("opening", "twin"), ("twin", "twin")]),
        ("anothers_session", [("twin", "talk"), ("reader", "talk")]),
    ],
)
def test_who_asks_in_which_session(walk, form, asked):
    converse.emit(walk, {"form": form})
    assert [(step.role, step.session) for step in walk.steps] == asked
    (twin,) = walk.marks["twin"]
    assert walk.steps[twin].role == "twin"
    assert walk.expected[twin, 0].target_allowed
    assert not any(
        walk.expected[n, 0].target_allowed for n, s in enumerate(walk.steps) if s.role == "reader"
    )


def test_a_scan_asks_the_same_of_the_same_reader_twice(walk):
    scan.emit(walk, {})
    index, reference = walk.steps
    assert (index.exact, reference.exact) == (False, True)
    assert (index.caller, index.query) == (reference.caller, reference.query)
    assert index.session != reference.session
