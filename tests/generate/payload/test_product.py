"""Whatever is combined, quoting a passage is not obeying it, and the passage still answers."""

import itertools
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import pytest

import rageval_kit
from rageval_kit.detect import Detector
from rageval_kit.generate.payload.making import Ground, Maker
from rageval_kit.generate.payload.orders import DEPUTY, GOALS
from rageval_kit.generate.payload.recipe import module, names, recipe
from rageval_kit.generate.payload.techniques import LANGUAGES, shipped

GROUND = Ground("north", None, None)
SEED = 11


def maker(technique, number=1, **args):
    return Maker(
        recipe({"technique": technique, **args}), shipped()[technique], GROUND, SEED, number
    )


def made(*args, **kwargs):
    return maker(*args, **kwargs).made()


def shown(document):
    """All that a reader or a program could be given of a document."""
    version = document.versions[0]
    beside = [text for pair in version.metadata for text in pair]
    return [document.document_id, version.title, *beside, *(c.text for c in version.chunks)]


def folded(text):
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("goal", [*GOALS, DEPUTY])
def test_no_passage_holds_what_only_obeying_brings(lang, goal):
    """The whole product: 22 techniques x 2 languages x 9 goals x 22 carriers x 12 transforms."""
    carriers = [module("carriers", name) for name in names("carriers")]
    for technique, transform in itertools.product(shipped(), names("transforms")):
        making = maker(technique, lang=lang, goal=goal, transform=transform)
        one = making.made()
        derived = one.exhibit.payload.derived
        sheet = making._sheet(making._topic("target"), "kit-note-0")
        part = one.exhibit.payload.order
        words = making._words(part, one.exhibit.payload.lang)
        for carrier in carriers:
            carried = carrier.carry(sheet, words)
            assert sheet.sentence[:-1] in carried.text
            assert carried != sheet
            texts = [carried.text, carried.title, carried.document_id]
            texts += [text for pair in carried.metadata for text in pair]
            for text, secret in itertools.product(texts, derived):
                assert secret not in text
                assert len(text) < 1500
        for text, secret in itertools.product([words, words[::-1]], derived):
            assert secret not in folded(text)


@pytest.mark.parametrize("carrier", names("carriers"))
def test_no_detector_sees_the_marker_in_a_document(carrier):
    for lang, transform in itertools.product(LANGUAGES, names("transforms")):
        one = made("chat_template", lang=lang, carrier=carrier, transform=transform)
        find = Detector(dict.fromkeys(one.exhibit.payload.derived, "obeyed")).find
        assert not [m for document in one.carriers for text in shown(document) for m in find(text)]


@pytest.mark.parametrize("carrier", names("carriers"))
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_order_stands_in_the_document_and_in_no_other(carrier, lang):
    one = made("ignore_previous", lang=lang, carrier=carrier)
    for piece in one.exhibit.payload.pieces:
        assert any(piece in text for text in shown(one.carriers[0]))
        assert not any(piece in text for other in one.others for text in shown(other))


@pytest.mark.parametrize("carrier", names("carriers"))
def test_a_passage_answers_its_question_and_its_clean_copy_answers_another(carrier):
    one = made("polite_request", carrier=carrier)
    target, clean = one.carriers[0].versions[0], one.others[0].versions[0]
    values = one.exhibit.values
    assert values[target.version_id] in target.chunks[0].text
    assert values[clean.version_id] in clean.chunks[0].text
    assert values[target.version_id] != values[clean.version_id]
    assert one.exhibit.truth == target.version_id
    assert all(len(value) == 6 for value in values.values())
    for name, version in (("topic", target), ("clean", clean)):
        topic = version.title.removeprefix("Notes on ").partition(" - ")[0]
        assert topic in one.exhibit.questions[name]


class Page(HTMLParser):
    """What a browser would show as text, and what stands in comments, styles and attributes."""

    def __init__(self):
        super().__init__()
        self.shown, self.beside, self.hidden = [], [], 0

    def handle_starttag(self, tag, attrs):
        told = dict(attrs)
        self.hidden += tag == "style" or "style" in told
        self.beside += [told["alt"]] if "alt" in told else []

    def handle_endtag(self, tag):
        self.hidden -= tag in {"span", "style"}

    def handle_comment(self, data):
        self.beside.append(data)

    def handle_data(self, data):
        (self.beside if self.hidden else self.shown).append(data)


@pytest.mark.parametrize("carrier", ["html_comment", "hidden_span", "css", "alt_text"])
@pytest.mark.parametrize("technique", ["ignore_previous", "role_mark", "dialect", "hypothetical"])
@pytest.mark.parametrize("number", range(4))
def test_a_browser_shows_the_answer_and_not_the_order(carrier, technique, number):
    one = made(technique, number, carrier=carrier)
    page = Page()
    page.feed(one.carriers[0].versions[0].chunks[0].text)
    page.close()
    shown, beside = " ".join(page.shown), " ".join(page.beside)
    assert one.exhibit.values[one.exhibit.truth] in shown
    for piece in one.exhibit.payload.pieces:
        assert piece in beside
        assert piece not in shown


def test_carriers_whose_markup_hides_them_say_so():
    told = {name for name in names("carriers") if getattr(module("carriers", name), "HIDES", False)}
    assert told == {"html_comment", "hidden_span", "css"}


def test_only_carriers_that_say_so_lead_their_questions_in():
    for name in names("carriers"):
        lead = getattr(module("carriers", name), "ASKS", {"en": "What", "zh": ""})
        for lang in ("en", "zh"):
            asked = made("ignore_previous", 1, carrier=name, lang=lang).exhibit.questions
            assert all(text.startswith(lead[lang]) for text in asked.values()), (name, lang)
    assert set(module("carriers", "tool_output").ASKS) == {"en", "zh"}


def test_a_carrier_is_known_by_its_attributes_and_nowhere_by_its_name():
    folder = Path(rageval_kit.__file__).parent
    own = folder / "generate" / "payload" / "carriers"
    code = [
        path
        for part in ("generate", "checks")
        for path in (folder / part).rglob("*.py")
        if own not in path.parents
    ]
    telling = [one for one in names("carriers") if "_" in one]
    found = {one for path in code for one in telling if f'"{one}"' in path.read_text("utf-8")}
    assert not found
