"""A run of words quoted as it stands tells its passage, whatever was done to its mark."""

import pytest

from rageval_kit.detect.verbatim import Verbatim

ENGLISH = "the boiler in hall seven was drained on the ninth of march by order of the warden"
CHINESE = "七号厅的锅炉已于三月九日按值班长的命令排空"
BOTH = Verbatim([("en", ENGLISH), ("zh", CHINESE), ("other", "a notice of something else")])
EN, ZH = (frozenset({"en"}),), (frozenset({"zh"}),)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It says: THE BOILER in “hall seven” was… and so on", EN),
        ("boiler in hall seven was", ()),  # five words
        ("boiler in hall seven was not drained on the ninth", ()),  # runs of five and four
        ("据悉：七号厅的锅炉已于三月九日。", ZH),  # twelve ideographs and more
        ("七号厅的锅炉已于三月", ()),  # ten
        ("the ｂｏｉｌｅｒ in hall\u200b seven was", EN),
        ("the boi\u3164ler in hall seven w\u2064as", EN),  # fillers, that count as letters
        ("", ()),
    ],
)
def test_a_run_is_found_from_its_least_length_on(text, found):
    assert BOTH.find(text) == found


def test_what_the_case_says_itself_is_left_out():
    said = "the boiler in hall seven was"
    assert BOTH.find(said, f"why, {said}?") == ()
    assert BOTH.find(f"{said} drained", said) == EN  # one run more than was asked in


def test_everybody_who_holds_a_run_is_named_and_no_run_goes_from_text_to_text():
    held = Verbatim(
        [("a", "one two three four five six"), ("b", "zero one two three four five six")]
    )
    assert held.find("one two three four five six") == (frozenset({"a", "b"}),)
    halves = Verbatim([("a", "one two three"), ("a", "four five six")])
    assert halves.find("one two three four five six") == ()


def test_nothing_known_quotes_nothing():
    assert Verbatim([]).find(ENGLISH) == ()


def test_a_text_counts_as_it_is_written_and_as_it_reads_without_its_markup():
    """Else words that a comment parts, shown without it, would seem to be another's alone."""
    hidden = ("hidden", "one two three four five six")
    parted = "one two three <!-- checked --> four five six"
    both = Verbatim([hidden, ("own", parted)])
    assert both.find("one two three four five six") == (frozenset({"hidden", "own"}),)
    assert frozenset({"hidden"}) not in both.find(parted)
    assert Verbatim([hidden]).find("one <b>two</b> three four <i>five</i> six")
    assert Verbatim([hidden]).find("one two three four five six", parted) == ()
