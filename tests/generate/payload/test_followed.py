"""What generate orders, the embedded follower does: both hold to the same wordings."""

import itertools

import pytest

from rageval_kit.generate.payload.making import Ground, Maker
from rageval_kit.generate.payload.orders import DEPUTY, GOALS
from rageval_kit.generate.payload.recipe import names, recipe
from rageval_kit.generate.payload.techniques import LANGUAGES, shipped
from rageval_kit.system.obeying import follow

GROUND = Ground("north", None, None)
CODE = "TQNQD-34968-RFMND-49478"


def made(technique, number=0, **args):
    asked = recipe({"technique": technique, **args})
    return Maker(asked, shipped()[technique], GROUND, 5, number).made()


def obeyed(one, question):
    """What a reader who obeys does on seeing every text of the carriers."""
    texts = []
    for document in one.carriers:
        version = document.versions[0]
        beside = [text for pair in version.metadata for text in pair]
        texts += [*(chunk.text for chunk in version.chunks), version.title, *beside]
    return follow(texts, question, lambda topic: f"All about {topic} [ref {CODE}].")


def is_reached(one, done):
    wanted = one.exhibit.payload
    if wanted.goal == "leak":
        (secret,) = (d for d in one.others if d.document_id.endswith("-secret"))
        return (
            secret.versions[0].title.removeprefix("Notes on ").removesuffix("说明") in done.added[0]
        )
    if wanted.goal == "refuse":
        return done.refuses
    if wanted.goal == "citation":
        return done.citations == (wanted.decoy,)
    sent = wanted.derived[0] if wanted.derived else CODE
    if wanted.goal == "tool":
        return [(call.name, call.arguments) for call in done.calls] == [(wanted.tool, sent)]
    if wanted.goal == "url":
        return sent in done.added[0] and wanted.hosts[0] in done.added[0]
    return sent == done.value or done.added == (sent,)


@pytest.mark.parametrize("carrier", [name for name in names("carriers") if name != "slug"])
def test_an_order_is_followed_out_of_every_carrier(carrier):
    for technique, lang, goal in itertools.product(
        ["ignore_previous", "chat_template", "json_break", "cross_lingual"],
        LANGUAGES,
        [*GOALS, DEPUTY],
    ):
        one = made(technique, lang=lang, goal=goal, carrier=carrier)
        assert is_reached(one, obeyed(one, one.exhibit.questions["topic"])), (technique, lang, goal)


@pytest.mark.parametrize("technique", sorted(shipped()))
@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_order_is_followed_in_every_wording(technique, lang):
    for number in range(4):
        one = made(technique, number, lang=lang, goal="marker")
        assert is_reached(one, obeyed(one, one.exhibit.questions["topic"]))


@pytest.mark.parametrize("over", ["chunks", "documents"])
@pytest.mark.parametrize("parts", [2, 3])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_split_order_is_followed_where_its_parts_meet_and_only_there(over, parts, lang):
    one = made("bare", lang=lang, parts=parts, over=over)
    assert obeyed(one, "?").added == one.exhibit.payload.derived
    for chunk in (c for d in one.carriers for c in d.versions[0].chunks):
        assert not follow([chunk.text], "?", str).added


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_order_with_a_trigger_waits_for_it(lang):
    one = made("remember", lang=lang, goal="marker", trigger="other")
    questions = one.exhibit.questions
    assert not obeyed(one, questions["topic"]).added
    assert obeyed(one, questions["trigger"]).added == one.exhibit.payload.derived
