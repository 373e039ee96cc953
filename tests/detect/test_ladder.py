"""The ladder tells a detector that sees from one that does not (CTL-04)."""

import time
import unicodedata
from types import SimpleNamespace

from rageval_kit.detect import Detector, ladder_self_test


class Substring:
    """What common tools do: look for the token as it stands, case aside."""

    def __init__(self, tokens):
        self.tokens = tokens

    def find(self, text):
        return [SimpleNamespace(token=t) for t in self.tokens if t.lower() in text.lower()]


class Normalised(Substring):
    """The same after NFKC and without invisible characters."""

    def find(self, text):
        plain = unicodedata.normalize("NFKC", text)
        return super().find("".join(c for c in plain if unicodedata.category(c) != "Cf"))


class FoundEverywhere(Substring):
    def find(self, text):  # noqa: ARG002 - it sees tokens in any text
        return [SimpleNamespace(token=token) for token in self.tokens]


def seen(report):
    return {rung.transform for rung in report.results if rung.found == rung.n}


def test_the_detector_climbs_every_rung_and_leaves_benign_text_alone():
    report = ladder_self_test(Detector)
    assert [rung for rung in report.results if rung.found != rung.n] == []
    assert report.benign_found == 0
    assert report.met
    assert len(report.results) >= 17
    assert all(rung.n == 8 for rung in report.results)  # four tokens, two languages
    assert report.benign_n >= 40


def test_a_substring_detector_stops_at_the_first_rung():
    report = ladder_self_test(Substring)
    assert seen(report) == {"verbatim", "lower_case"}
    assert not report.met


def test_normalising_reaches_the_second_rung_and_no_further():
    assert seen(ladder_self_test(Normalised)) == {
        "verbatim", "lower_case", "zero_width", "soft_hyphen", "full_width"
    }  # fmt: skip


def test_a_detector_that_sees_tokens_everywhere_is_not_met():
    report = ladder_self_test(FoundEverywhere)
    assert report.benign_found == report.benign_n
    assert not report.met


def test_it_is_quick_enough_for_every_run():
    started = time.process_time()
    ladder_self_test(Detector)
    assert time.process_time() - started < 0.6  # 0.1 on a quiet machine
