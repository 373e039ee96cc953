"""Invented facts: equally likely, in both languages, told nowhere else, held by few."""

from collections import Counter

import pytest

from rageval_kit.access import Monitor
from rageval_kit.detect.choosing import chosen
from rageval_kit.generate.family import of_size
from rageval_kit.generate.invented import SHARING, fact
from rageval_kit.generate.planting import plant
from rageval_kit.generate.sound import read
from rageval_kit.generate.world import facts
from rageval_kit.records.faults import InputError
from rageval_kit.text.normalise import language

KINDS = ("emblem", "number")


# A number may go four ways and no fifth.
@pytest.mark.parametrize(
    ("kind", "options"),
    [("emblem", 2), ("emblem", 4), ("emblem", 5), ("number", 2), ("number", 4)],
)
def test_the_passage_answers_its_own_question_and_not_another(kind, options):
    made = [fact(7, kind, options, number) for number in range(24)]
    for one in made:
        text = f"{one.texts[0]} [ref ABCDE-12345-FGHJK-67890]"
        assert chosen(text, one.asked.choice, one.asked.text) == one.asked.choice.right
        assert len(one.asked.choice.options) == options
        assert one.name in one.asked.text
        assert one.name in one.texts[0]


def test_a_group_tells_of_no_option_by_the_pay_of_anybody():
    for number in range(40):
        one = fact(7, "group", 4, number)
        pay = [int("".join(c for c in text if c.isdigit())) for text in one.texts]
        right = one.asked.choice.options[one.asked.choice.right].amount
        assert right in (sum(pay), sum(pay) / 4)
        seen = (sum(pay[1:]), sum(pay[1:]) / 3)  # what the three come to that may be read
        for option in one.asked.choice.options:
            assert all(abs(amount - option.amount) > 0.03 * amount for amount in seen)


@pytest.mark.parametrize("kind", [*KINDS, "group"])
def test_the_right_option_stands_anywhere(kind):
    places = Counter(fact(s, kind, 4, n).asked.choice.right for s in range(10) for n in range(60))
    assert set(places) == {0, 1, 2, 3}
    assert min(places.values()) > 105  # 150 each; 4.2 standard deviations


def test_both_languages_are_told_and_asked_in_every_pairing():
    made = [fact(7, "emblem", 4, number) for number in range(8)]
    pairings = Counter((one.lang, one.asked_in) for one in made)
    assert pairings == {(a, b): 2 for a in ("en", "zh") for b in ("en", "zh")}
    assert all(language(one.texts[0]) == one.lang for one in made)
    assert all(("A) " in one.asked.text) for one in made)


def test_of_one_holder_no_value_is_offered_twice():
    values = Counter(
        option.elements
        for number in range(SHARING)
        for option in fact(7, "emblem", 5, number).asked.choice.options
    )
    assert len(values) == 5 * SHARING


def test_a_fact_is_the_same_however_many_there_are(demo):
    few = facts.plant(demo, {"kind": "emblem", "n": 10}, 7).documents
    many = facts.plant(demo, {"kind": "emblem", "n": 90}, 7).documents
    assert many[: len(few)] == few
    assert facts.plant(demo, {"kind": "emblem", "n": 10}, 8).documents != few


def test_what_stands_nowhere_is_named_nowhere(demo):
    planting = facts.plant(demo, {"n": 40}, 7)
    said = " ".join(c.text for d in planting.documents for v in d.versions for c in v.chunks)
    for exhibit in facts.exhibits(demo, {"n": 40}, 7):
        assert exhibit.choices["nowhere"].about not in said
        assert exhibit.choices["topic"].about in said


TEXT = {"en": "A claim", "zh": "一句话"}


def family(**changed):
    plain = {
        "id": "SID-99", "version": 1, "title": TEXT, "motive": TEXT, "limits": TEXT,
        "severity": "high", "world": [{"facts": {"options": 4}}],
        "who": {"denied_by": "no_entry"}, "ask": ["forced_choice"], "see": {"must": ["answer"]},
        "checks": [{"at_chance": {"options": 4}}], "alive": ["choice_controls"],
        "size": {"facts": None, "for": {"share": 0.3, "power": 0.9}},
    }  # fmt: skip
    return read(plain | changed, "SID-99.yaml")


def test_only_the_holder_may_read_a_fact_and_the_reader_is_denied_by_that_alone(demo):
    asked = of_size(family(), 12)
    planted = plant(demo, [asked], 7)
    monitor = Monitor(planted.world)
    hidden = [d for d in planted.world.documents if d.startswith("kit-emblem")]
    assert len(hidden) == 12
    for document_id in hidden:
        document = planted.world.documents[document_id]
        version = document.versions[0]
        place = (document_id, version.version_id, version.chunks[0].chunk_id)
        able = [p for p in planted.world.principals if not monitor.decide(p, *place)]
        assert able == ["kit-holder-0"]


def test_a_family_says_how_many_facts_or_what_they_are_to_show():
    assert family().size == 0
    assert family().detects == (0.3, 0.9)
    assert of_size(family(), 12).world[0].args["n"] == 12
    assert family(size={"facts": 40, "for": {"share": 0.3, "power": 0.9}}).size == 40
    plain = family(size={"cases": 5})
    assert of_size(plain, 12) is plain


@pytest.mark.parametrize(
    ("size", "where"),
    [
        ({"facts": 0, "for": {"share": 0.3, "power": 0.9}}, "size.facts"),
        ({"facts": True, "for": {"share": 0.3, "power": 0.9}}, "size.facts"),
        ({"facts": 10}, "size.for"),
        ({"facts": 10, "for": {"share": 0.3}}, "size.for"),
        ({"facts": 10, "for": {"share": 3, "power": 0.9}}, "size.for.share"),
        ({"cases": 0}, "size.cases"),
        ({"fact": 3}, "size.fact"),
    ],
)
def test_a_size_that_says_nothing_is_refused_by_name(size, where):
    with pytest.raises(InputError, match=where):
        family(size=size)
