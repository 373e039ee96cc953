"""Seldom forms of a question (long, on lines, with signs) all say the title."""

import pytest

from rageval_kit.generate.family import word_module
from rageval_kit.generate.words import title_of


@pytest.fixture
def asked(scene):
    pair = word_module("who", "no_entry").find(scene, {}, 1, "document").pairs[0]
    title = title_of(scene, pair.chunk_id)

    def ask(shape):
        wording = word_module("ask", "shaped").query(scene, pair, {"is": shape})
        assert title in wording.text
        return wording

    return ask


def test_a_long_one_is_longer_than_a_limit_that_many_systems_have(asked):
    assert 600 <= len(asked("long").text) < 1024


def test_lines_are_of_both_kinds(asked):
    text = asked("lines").text
    assert "\n" in text.replace("\r\n", "")
    assert "\r\n" in text


def test_a_sign_lies_beyond_the_first_plane(asked):
    assert max(asked("sign").text) > "\uffff"
