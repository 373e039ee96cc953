"""Canaries are long, readable, drawn from a digest alone, and never a word."""

import hashlib
import math
import re

import pytest

from rageval_kit.detect import new_canary
from rageval_kit.detect.canary import DIGITS, GROUP_LENGTH, GROUPS, LETTERS
from rageval_kit.records.faults import InputError


def digest(number):
    return hashlib.sha256(str(number).encode()).digest()


def test_a_canary_has_four_groups_of_letters_and_digits():
    for number in range(300):
        assert re.fullmatch(r"[C-Y]{5}-[2-9]{5}-[C-Y]{5}-[2-9]{5}", new_canary(digest(number)))


def test_a_canary_holds_64_bits_or_more():
    bits = sum(GROUP_LENGTH * math.log2(len(alphabet)) for alphabet in GROUPS)
    assert bits >= 64  # 10 * log2(17) + 10 * 3 = 70.9


def test_no_symbol_can_be_read_as_another():
    assert not set(LETTERS) & set("AEIOUBLSZ")
    assert not set(DIGITS) & set("01")


def test_the_same_digest_gives_the_same_canary_and_others_give_others():
    assert new_canary(digest(1)) == new_canary(digest(1))
    assert len({new_canary(digest(number)) for number in range(5_000)}) == 5_000


def test_every_symbol_is_drawn_about_equally_often():
    seen = "".join(new_canary(digest(number)) for number in range(2_000))
    for alphabet in (LETTERS, DIGITS):
        counts = [seen.count(symbol) for symbol in alphabet]
        expected = 2_000 * 10 / len(alphabet)
        assert min(counts) > 0.85 * expected
        assert max(counts) < 1.15 * expected


def test_too_short_a_digest_is_refused():
    with pytest.raises(InputError, match="too short"):
        new_canary(b"1234567")
