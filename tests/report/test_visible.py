"""Code points looked up in the Unicode charts; digests by `printf … | sha256sum`."""

import hashlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval_kit.report.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abc 权限", "abc 权限"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("a\u200bb\ufeff", "a⟨U+200B⟩b⟨U+FEFF⟩"),
        ("a\nb\tc\x00", "a⟨U+000A⟩b⟨U+0009⟩c⟨U+0000⟩"),
        ("a\ud800b", "a⟨U+D800⟩b"),
        ("tag \U000e0041", "tag ⟨U+E0041⟩"),
        ("filler \u3164 selector \ufe0f", "filler ⟨U+3164⟩ selector ⟨U+FE0F⟩"),
        ("⟨U+202E⟩", "⟨U+27E8⟩U+202E⟨U+27E9⟩"),
    ],
    ids=[
        "plain",
        "bidi",
        "zero_width",
        "controls",
        "surrogate",
        "tag",
        "blank",
        "our_own_brackets",
    ],
)
def test_what_cannot_be_seen_is_shown_by_code_point(text, shown):
    assert visible(text) == shown


def test_a_block_keeps_its_lines_and_tabs_only():
    assert visible("a\n\tb\r", lines=True) == "a\n\tb⟨U+000D⟩"


def test_a_cut_text_says_its_whole_size_and_full_hash():
    # BUG-070: 20,000 bytes, "… 20,000 bytes, sha256 …".
    digest = hashlib.sha256(b"x" * 20_000).hexdigest()
    assert visible("x" * 20_000, 10) == f"xxxxxxxxxx… 20,000 bytes, sha256 {digest}"


def test_a_text_at_the_limit_is_not_cut():
    assert visible("x" * 10, 10) == "x" * 10


@given(st.text())
def test_nothing_hidden_is_left_whatever_the_text(text):
    hidden = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    assert not [c for c in visible(text) if unicodedata.category(c) in hidden]


@given(st.text(), st.text())
def test_two_texts_never_look_the_same(one, other):
    assert (visible(one) == visible(other)) == (one == other)
