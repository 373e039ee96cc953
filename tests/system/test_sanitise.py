"""What is hidden goes, what is seen stays; in an answer no address is live unless its host may be.

Expected texts were written by hand from what a browser shows and CommonMark makes a link of.
"""

import time
import tracemalloc

import pytest

from rageval_kit.system.sanitise import defanged, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Pay <!-- say so --> now", "Pay  now"),
        ("Pay <!--> now", "Pay  now"),  # an empty comment: what follows is seen
        ("Pay now <!-- never closed", "Pay now "),
        ('a<span style="display:none">b<span>c</span>d</span>e', "ae"),
        ("a<p STYLE='Visibility : Hidden'>b</p>c", "ac"),
        ('a<b style="font-size:0">b</b><b style="font-size:1px">c</b>d', "ad"),
        ('a<i style="color:#FFFFFF">b</i><i style="color: white">c</i>d', "ad"),
        ('a<i style="color:#ffffaa">b</i>', 'a<i style="color:#ffffaa">b</i>'),
        ('a<i style="background-color:#fff">b</i>', 'a<i style="background-color:#fff">b</i>'),
        ('a<i style="font-size:12px">b</i>', 'a<i style="font-size:12px">b</i>'),
        ('a<div hidden>b</div><div data-hidden="x">c</div>', 'a<div data-hidden="x">c</div>'),
        ('a<i title="<" style="display:&#110;one">b</i>c', "ac"),
        ("<style>.q { display : none }</style><i class='p q'>b</i>c", "c"),
        ("a<script>b</script>c", "ac"),
        ('a<img hidden src="x">b', 'a<img hidden src="x">b'),  # holds nothing that could be hidden
        ("报\u200b销\u2060标\ufeff准", "报销标准"),
        ("a\u3164b\u115fc\u1160d\uffa0e\u2800f\U0001bca0", "abcdef"),
        ("\u2801\u2800\u2803", "\u2801\u2800\u2803"),  # between cells of Braille it is a blank
        ("a\u202eb\u202cc\u2066d\u2069", "abcd"),
        ("a\U000e0041\U000e0042\U000e007fb\ufe0f", "ab"),
        ("if x <y and z> w", "if x <y and z> w"),
        ("1 < 2", "1 < 2"),
        ("| a | b |\n|---|---|", "| a | b |\n|---|---|"),
    ],
)
def test_only_what_a_reader_sees_is_left(text, shown):
    assert visible(text) == shown


def test_a_text_without_anything_hidden_is_the_same_object():
    text = "The menu of the week. 本周菜单。"
    assert visible(text) is text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("![a](https://e.test/p.png?d=x)", "! [a] (https[:]//e[.]test/p.png?d=x)"),
        ("see [x](https://e.test/a) [1]", "see [x] (https[:]//e[.]test/a) [1]"),
        ("[x](//e.test/a)", "[x] (//e[.]test/a)"),
        ("[x](javascript:alert(1))", "[x] (javascript:alert(1))"),
        ("[x]( <javascript:a> )", "[x] ( < javascript:a> )"),
        ("&lt;a href=http&#58;//e.test&gt;", "< a href=http[:]//e[.]test>"),
        ("R&amp;D: https://e.test/?a&copy=1", "R&amp;D: https[:]//e[.]test/?a&copy=1"),
        ("[r]: https://e.test", "[r] : https[:]//e[.]test"),
        ("<https://e.test/a>", "< https[:]//e[.]test/a>"),
        ('<img src="https://e.test/x">', '< img src="https[:]//e[.]test/x">'),
        ("见https://e.test/x。", "见https[:]//e[.]test/x。"),
        ("www.e.test", "www[.]e.test"),
        ("ftp://e.test", "ftp[:]//e[.]test"),
        ("A plain text, 3.5 of 7 [1]. a < b", "A plain text, 3.5 of 7 [1]. a < b"),
    ],
)
def test_an_address_is_shown_and_not_live(text, shown):
    assert defanged(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "https://ok.test/a",
        "[x](https://ok.test/a?b=1)",
        "![x](https://OK.test:8080/i.png)",
        "<https://ok.test>",
        "[r]: http://ok.test/x",
    ],
)
def test_an_allowed_host_stays_live(text):
    assert defanged(text, ["ok.test"]) == text


@pytest.mark.parametrize(
    "address",
    [
        "https://ok.test@e.test/",
        "https://e.test\\@ok.test/",
        "https://ok.test.e.test/",
        "https://ok.test/go?to=https://e.test/",
        "https://ok.test/go?to=https%3A%2F%2Fe.test",
        "https://ok.test/proxy//e.test/x",
    ],
)
def test_no_address_borrows_the_name_of_an_allowed_host(address):
    assert "[:]//" in defanged(address, ["ok.test"])
    assert "] (" in defanged(f"[x]({address})", ["ok.test"])


def test_what_is_kept_is_named():
    text = "![a](https://e.test/i) and [b](https://e.test/l)"
    assert defanged(text, keep=["image"]) == "![a](https://e.test/i) and [b] (https[:]//e[.]test/l)"
    assert "[b](https://e.test/l)" in defanged(text, keep=["link"])


def spent(work, unit, length):
    text = (unit * (1 + length // len(unit)))[:length]
    started = time.process_time()
    work(text)
    return time.process_time() - started


@pytest.mark.parametrize("unit", ["word ", "<!--", "\u200b"])
def test_fifty_megabytes_on_one_line_are_prepared_in_seconds(unit):
    assert spent(visible, unit, 50_000_000) < 10


@pytest.mark.parametrize(
    "unit", ["<a ", '<a "', '<i style="display:none">', '<a "x" ', "<style>.a{"]
)
def test_preparing_costs_time_in_proportion(unit):
    """A cost that grows with the square would be 16-fold."""
    assert spent(visible, unit, 2_000_000) < 8 * max(spent(visible, unit, 500_000), 0.02)


@pytest.mark.parametrize("unit", ["![", "](", "<http://a", "//a.", "]:", "www.", "<img "])
def test_defanging_costs_time_in_proportion(unit):
    assert spent(defanged, unit, 400_000) < 8 * max(spent(defanged, unit, 100_000), 0.02)


def test_memory_is_a_few_copies_of_the_text():
    text = "<a " * 1_000_000
    tracemalloc.start()
    visible(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * len(text)
