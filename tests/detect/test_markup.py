"""What rendering leaves beside each other, and at what cost."""

import time

import pytest

from rageval_kit.detect.markup import rendered


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('t<b title=">z"></b>a', "ta"),
        ("t<b title='>\"z'></b>a", "ta"),
        ("t<b title='" + "z" * 6_000 + "'>a", "ta"),
        ("t<!-- > <b> -->a", "ta"),
        ("t[](http://a.test/)a", "ta"),
        ("t![](http://a.test/(x) 'y')a", "ta"),
        ("t[a](<b> )", "ta"),
        ("t[][1]a", "ta"),
        ("t<br>a", "t\na"),
        ("it's <b>5</b> o'clock", "it's 5 o'clock"),
    ],
)
def test_markup_goes_and_its_neighbours_stand_together(text, read):
    assert read in set(rendered(text))


def test_text_without_markup_has_no_other_reading():
    assert list(rendered("a < b, [c] (d)")) == []


HOSTILE = [
    "<a\"<b'",
    '<a"<a\'"',
    "[](",
    "](",
    "![](a(",
    "<!--",
    '<a "',
    "<a''\"",
    "<",
    "](x(y)",
    "<a \"'>",
    '<a>"',
    "[",
    "[x][",
    "<a<!-->",
    "<b title='",
    "[](a)[",
    "<a\"'<b'\"",
]


@pytest.mark.parametrize("part", HOSTILE)
def test_the_cost_is_linear_however_hostile_the_text(part):
    started = time.process_time()
    list(rendered(part * (1_000_000 // len(part)) + ">"))
    assert time.process_time() - started < 3
