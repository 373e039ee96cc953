"""What the words of poisoning plant, and what they show of it for their cases."""

import itertools

import pytest

from rageval_kit.access import Monitor
from rageval_kit.corpus.evolve import evolve
from rageval_kit.generate.planting import plant
from rageval_kit.generate.statements import topics
from rageval_kit.generate.suite import compile_family
from rageval_kit.generate.world import forged, hub, poison
from rageval_kit.records.cases import Apply, Ask
from rageval_kit.text.sentences import sentences

TECHNIQUES = ("repeated", "tiers", "boundary", "copy")
ALL = [
    {"technique": t, "value": v, "copies": c}
    for t, v, c in itertools.product(TECHNIQUES, ("number", "name"), (1, 5))
]


def text_of(document):
    return " ".join(c.text for v in document.versions for c in v.chunks)


@pytest.mark.parametrize("args", ALL, ids=lambda a: "-".join(map(str, a.values())))
def test_one_document_states_the_truth_with_authority_and_no_other_has_as_much(demo, args):
    documents = {d.document_id: d for d in poison.plant(demo, args, 7).documents}
    shown = poison.exhibits(demo, args, 7)
    assert {e.lang for e in shown} == {"en", "zh"}
    for exhibit in shown:
        truth = exhibit.values[exhibit.truth]
        others = {value for value in exhibit.values.values() if value != truth}
        assert others
        true = documents[exhibit.documents["true"]]
        assert true.versions[0].version_id == exhibit.truth
        assert truth in text_of(true)
        assert not any(value in text_of(true) for value in others)
        poisoned = [documents[d] for role, d in exhibit.documents.items() if "poison" in role]
        assert len(poisoned) == args["copies"] + (args["technique"] == "tiers")
        assert all(d.authority < true.authority for d in poisoned)
        for document in poisoned:
            value = exhibit.values[document.versions[0].version_id]
            assert value in text_of(document)
            assert truth not in text_of(document)
        carried = set().union(*exhibit.parts)
        assert carried == {c.chunk_id for d in poisoned for v in d.versions for c in v.chunks}


def test_a_repeating_sentence_is_one_and_holds_the_question():
    for kind, number in itertools.product(("number", "name"), range(5)):
        for topic in topics(7, "t", kind, 4, 2):
            said = topic.repeating(topic.values[0], number)
            assert len(sentences(said)) == 1
            asked = topic.question.rstrip("?？").lower()
            start = asked.split(" is ")[0] if topic.lang == "en" else topic.name
            assert start in said.lower() or topic.name in said


def test_the_same_seed_gives_the_same_and_another_seed_other_values(demo):
    args = {"technique": "repeated", "copies": 5}
    assert poison.plant(demo, args, 7) == poison.plant(demo, args, 7)
    assert poison.plant(demo, args, 7) != poison.plant(demo, args, 8)


def test_what_is_shown_is_derived_from_the_planted_world_as_from_the_given_one(demo, families):
    planted = plant(demo, [families["POI-01"], families["POI-05"]], 7).world
    for module, args in ((poison, ALL[0]), (forged, {"claim": "acl"})):
        assert module.exhibits(planted, args, 7) == module.exhibits(demo, args, 7)


def test_a_copy_is_newer_and_differs_in_the_value_alone(demo):
    args = {"technique": "copy", "copies": 1}
    documents = {d.document_id: d for d in poison.plant(demo, args, 7).documents}
    for exhibit in poison.exhibits(demo, args, 7):
        true, copy = (documents[exhibit.documents[role]] for role in ("true", "poison.1"))
        truth, false = (exhibit.values[d.versions[0].version_id] for d in (true, copy))
        assert text_of(true).replace(truth, false) == text_of(copy)
        assert copy.versions[0].valid_from > true.versions[0].valid_from


def test_the_hub_holds_the_frequent_words_and_questions_are_of_the_corpus_s_own(
    demo, families, scene
):
    (document,) = hub.plant(demo, {"in": "title"}, 7).documents
    assert "the" in document.versions[0].title.split()
    made = compile_family(scene, families["POI-02"], 40)
    assert {case.coordinates.document_id for case in made.cases} <= set(demo.documents)
    shown = hub.exhibits(demo, {"in": "body"}, 7)
    assert {e.documents["hub"] for e in shown} == {"kit-hub-body"}


@pytest.mark.parametrize(
    ("claim", "reader", "reason"),
    [
        ("acl", forged.OUTSIDER, "C2"),
        ("tenant", forged.OUTSIDER, "C2"),
        ("owner", forged.COLLEAGUE, "C5"),
        ("date", forged.COLLEAGUE, "C6"),
    ],
)
def test_whoever_asks_for_an_upload_may_not_read_it_and_its_author_may(
    scene, families, claim, reader, reason
):
    made = compile_family(scene, families["POI-05"], 16)
    cases = [c for c in made.cases if dict(c.coordinates.variant).popitem()[1] == claim]
    assert len(cases) == forged.TOPICS
    for case in cases:
        published = case.expectation.roles["published"]
        steps = case.script.steps
        assert isinstance(steps[0], Apply)
        questions = {s.role: n for n, s in enumerate(steps) if isinstance(s, Ask)}
        assert steps[questions["reader"]].caller.principal_id == reader
        for role, may in (("reader", False), ("author", True)):
            permitted = case.expectation.steps[questions[role], 0].permitted
            assert all((item in permitted) is may for item in published)
            assert all(permitted.knows(item) for item in published)
        document = steps[0].change.document
        version_id, chunk_id = f"{document.document_id}@1", f"{document.document_id}@1#1"
        monitor = Monitor(evolve(scene.world, steps[0].change))
        assert reason in monitor.decide(reader, document.document_id, version_id, chunk_id)
