"""A run of words quoted as it stands tells its passage, whatever was done to its mark."""

import pytest

from rageval_kit.detect.verbatim import Verbatim

ENGLISH = "the boiler in hall seven was drained on the ninth of march by order of the warden"
CHINESE = "七号厅的锅炉已于三月九日按值班长的命令排空，阀门由夜班再次检查后上锁"
BOTH = Verbatim([("en", ENGLISH), ("zh", CHINESE), ("other", "a notice of something else")])
EN, ZH = (frozenset({"en"}),), (frozenset({"zh"}),)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It says: THE BOILER in “hall seven” was drained on the ninth of… and so on", EN),
        ("the boiler in hall seven was drained on the ninth", ()),  # ten words, and eleven above
        ("boiler in hall seven was not drained on the ninth of march by order", ()),
        ("据悉：七号厅的锅炉已于三月九日按值班长的命令排空，阀门", ZH),  # 23 ideographs
        ("据悉：七号厅的锅炉已于三月九日按值班长的命令排空，阀", ()),
        ("the ｂｏｉｌｅｒ in hall\u200b seven was drained on the ninth of", EN),
        ("the boi\u3164ler in hall seven w\u2064as drained on the ninth of", EN),  # fillers
        ("", ()),
    ],
)
def test_a_run_is_found_from_its_least_length_on(text, found):
    assert BOTH.find(text) == found


def test_what_the_case_says_itself_is_left_out():
    said = "the boiler in hall seven was drained on the ninth of"
    assert BOTH.find(said, f"why, {said}?") == ()
    assert BOTH.find(ENGLISH, "the boiler in hall seven was") == EN  # all but the first run is left


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


def test_what_is_put_together_at_one_seam_is_no_quotation():
    """Sentences that may be read stand beside each other; elsewhere they did so too."""
    first, second = (
        "all visitors sign the book at the gate",
        "the gate is shut at nine by the guard",
    )
    held = Verbatim([("a", first), ("b", second), ("hidden", f"{first}. {second}.")])

    def may(holders):
        return bool(holders & {"a", "b"})

    assert held.find(f"{first}\n{second}", may=may) == ()
    assert held.find(f"{first} [2] {second}", may=may) == ()
    assert held.find(f"{first}\n{second}") != ()


def test_a_short_text_is_quoted_by_all_of_it():
    titles = Verbatim([("memo", "closing of the northern office in the autumn")])
    assert titles.find("see: Closing of the northern office in the autumn (draft)")
    assert not titles.find("closing of the northern office in the spring")
