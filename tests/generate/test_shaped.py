"""Seldom forms of a question (long, on lines, with signs, with both times) all say the title."""

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


def test_long_ones_are_longer_than_the_limits_that_systems_are_known_to_have(asked):
    assert 512 < len(asked("long").text) < 1024
    assert 4096 < len(asked("longest").text) < 8192


def test_lines_are_of_both_kinds(asked):
    text = asked("lines").text
    assert "\n" in text.replace("\r\n", "")
    assert "\r\n" in text


def test_a_sign_lies_beyond_the_first_plane(asked):
    assert max(asked("sign").text) > "\uffff"


def test_dated_means_now_as_it_is_known_now(asked, scene):
    wording = asked("dated")
    assert wording.as_of == wording.known_at == scene.world.clock
    assert asked("sign").as_of is None
