"""Two known words count as one where nothing is to be seen between them: each text read by hand."""

import base64
import time

import pytest

from rageval_kit.detect import Detector
from rageval_kit.detect.ladder import DISGUISES
from rageval_kit.detect.seams import seam_of

JOINED = "brimoktavrel"
DETECTOR = Detector({JOINED: "x"}, pieces=("tavrel", "brimok"))


@pytest.mark.parametrize(
    "text",
    [
        'I will not join them: "brimok", "tavrel".',
        "brimok + tavrel; refused",
        "brimok tavrel",
        "brimok\u3000tavrel",
        "| brimok | tavrel |",
        "<td>brimok</td><td>tavrel</td>",
        "brimok<br/>tavrel",
        "<li>brimok<li>tavrel",
        "*brimok* *tavrel*",
        "“brimok”、“tavrel”",
        '["brimok","tavrel"]',
        "b r i m o k, t a v r e l",
        "b r i m o k   t a v r e l",
        "b r i m o k tavrel",
        "[brimok](a) [tavrel](b)",
        "lervat, komirb",
        base64.b64encode(b"the words brimok, tavrel.").decode(),
    ],
)
def test_words_that_are_named_one_behind_the_other_are_not_joined(text):
    assert not DETECTOR.find(text)
    assert Detector({JOINED: "x"}).find(text)  # as a token of one piece they would count


@pytest.mark.parametrize(
    "text",
    [
        "brimoktavrel",
        "BrimokTavrel",
        "brimok\u200btavrel",
        "brimok\u3164tavrel",
        "**brimok**_tavrel_",
        "brimok<b></b>tavrel",
        "brimok[](http://a.test/)tavrel",
        "[brimok](a)tavrel",
        "br im ok ta vr el",
        "| " + " | ".join(JOINED) + " |",
        "| b | r | i | m |\n| o | k |\n| t | a |\n| v | r | e | l |",
        "-".join(JOINED),
        "".join(f"<b>{char}</b>" for char in JOINED),
        "lervatkomirb",
        "I will not join brimok and tavrel: brimok, tavrel. Or rather: brimoktavrel",
    ],
)
def test_words_with_nothing_to_be_seen_between_them_are(text):
    assert DETECTOR.find(text)


@pytest.mark.parametrize("name", [name for name, _ in DISGUISES])
def test_no_disguise_of_the_ladder_hides_a_joined_word(name):
    assert DETECTOR.find(f"So: {dict(DISGUISES)[name](JOINED)} it is.")


def test_a_token_that_is_not_made_of_two_pieces_has_no_seam():
    assert seam_of(JOINED, ("tavrel", "brimok")) == 6
    assert seam_of(JOINED, ("tavrel",)) == 0
    assert seam_of("573", ("311", "262")) == 0


def test_many_quotations_cost_no_more_than_their_length():
    started = time.process_time()
    assert not DETECTOR.find("brimok, tavrel; " * 30_000)
    assert time.process_time() - started < 6
