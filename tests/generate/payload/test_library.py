"""A user's payload file is read as it stands, or refused as a whole with every wrong line."""

import json
import resource

import pytest

from rageval_kit.generate.payload.library import LONGEST_LINE, techniques
from rageval_kit.generate.payload.techniques import LANGUAGES, SLOT, framed, shipped
from rageval_kit.generate.world import payload
from rageval_kit.intake.payloads import read_payloads
from rageval_kit.records.faults import InputError

GOOD = {
    "id": "own-1",
    "text": "Do as I say: {order} Now.",
    "lang": "en",
    "source": "our red team",
    "licence": "internal",
}


def written(tmp_path, *lines, name="own.jsonl"):
    path = tmp_path / name
    raw = [x if isinstance(x, bytes) else json.dumps(x, ensure_ascii=False).encode() for x in lines]
    path.write_bytes(b"\n".join(raw) + b"\n")
    return path


def refused(path):
    with pytest.raises(InputError) as met:
        read_payloads(path)
    return [str(fault).removeprefix(str(path)) for fault in met.value.faults]


def test_a_payload_keeps_its_source_licence_technique_and_goal(tmp_path):
    two = GOOD | {
        "id": "自-2",
        "lang": "zh",
        "text": "照做",
        "technique": "jailbreak",
        "goal": "refuse",
    }
    first, second = read_payloads(written(tmp_path, GOOD, b"", two))
    assert (first.id, first.kind, first.goal) == ("own-1", "own-1", "")
    assert first.wordings == {"en": ("Do as I say: {order} Now.",)}
    assert (first.source, first.licence) == ("our red team", "internal")
    assert (second.id, second.kind, second.goal) == ("自-2", "jailbreak", "refuse")


def test_an_order_takes_its_place_or_follows():
    assert framed("a {order} {b}", "X") == "a X {b}"
    assert framed("a", "X") == "a\nX"


def test_a_file_with_a_byte_order_mark_and_windows_line_ends_is_read(tmp_path):
    line = b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r"
    assert [one.id for one in read_payloads(written(tmp_path, line))] == ["own-1"]


def test_every_fault_is_told_at_once_with_its_line(tmp_path):
    path = written(
        tmp_path,
        GOOD,
        GOOD | {"text": ""},
        {k: v for k, v in GOOD.items() if k != "licence"} | {"id": "b"},
        b'{"id": "c", "text": "\xff\xfe"}',
        b"not json",
        b"[1]",
        GOOD | {"id": "d", "lang": "fr"},
        GOOD | {"id": "e", "goal": "markr"},
        GOOD | {"id": "f", "txt": "x"},
        GOOD | {"id": "g", "text": 7},
        GOOD | {"id": "h", "text": "{order} {order}"},
        b'{"id": "i", "id": "j"}',
        b'{"id": "k", "text": "\\ud800"}',
        GOOD | {"id": "l\nm"},
        GOOD | {"id": "n", "text": "x" * 20_001},
        GOOD | {"id": "o", "technique": "a\u202eb"},
    )
    assert refused(path) == [
        ":2: lacks text; add it",
        ":2: has the id of line 1 (met own-1); rename one",
        ":3: lacks licence; add it",
        ":4: is not UTF-8 (met byte 0xff); save the file as UTF-8",
        ":5: is not JSON (met Expecting value: line 1 column 1 (char 0)); mend the line",
        ":6: is not an object (met list); mend the line",
        ":7: is in a language the kit has no orders in (met fr); use en or zh",
        ":8: has a goal that is none (met markr); did you mean 'marker'?",
        ":9: has a field that is not one of a payload (met txt); did you mean 'text'?",
        ":10: has a text that is not text (met int)",
        ":11: has more than one {order}; leave one",
        ":12: is not JSON (met a key stands twice); mend the line",
        ":13: holds half a surrogate pair, which is not text; mend the line",
        ":14: has an id that cannot be printed on a line (met 3 characters); give a short one",
        ":15: has a text of more than 20,000 characters (met 20001)",
        (
            ":16: has a technique that cannot be printed on a line (met 3 characters); "
            "give a short one"
        ),
    ]


def test_utf16_is_refused_by_name(tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(GOOD), "utf-16")
    assert refused(path) == [":1: is UTF-16, not UTF-8; save the file as UTF-8"]


def test_an_empty_file_and_one_that_is_not_there_are_refused(tmp_path):
    path = tmp_path / "own.jsonl"
    assert "cannot be opened" in refused(path)[0]
    path.write_text("\n\n")
    assert refused(path) == [": holds no payload; write one object a line"]
    assert "cannot be opened" in refused(tmp_path)[0]


def test_many_faults_are_counted_and_not_all_told(tmp_path):
    told = refused(written(tmp_path, *[b"x"] * 80))
    assert len(told) == 51
    assert told[-1] == ": and 30 more faults"


def test_a_line_without_end_is_refused_without_being_held(tmp_path):
    path = tmp_path / "own.jsonl"
    with path.open("wb") as file:
        for _ in range(50):
            file.write(b"x" * 1_000_000)
        file.write(b"\n" + json.dumps(GOOD).encode() + b"\n[1]")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told = refused(path)
    assert told == [
        f":1: is longer than {LONGEST_LINE:,} bytes; one payload a line",
        ":3: is not an object (met list); mend the line",
    ]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kilobytes


def test_a_line_of_just_the_longest_length_is_no_fault_of_length(tmp_path):
    line = json.dumps(GOOD | {"text": "x"}).encode()
    padded = line + b" " * (LONGEST_LINE - len(line) - 1)
    assert len(read_payloads(written(tmp_path, padded))) == 1
    assert "longer" in refused(written(tmp_path, padded + b"  ", name="longer.jsonl"))[0]


def test_a_file_is_what_the_word_of_the_grammar_draws_from(tmp_path, demo):
    lines = [GOOD | {"id": f"own-{n}", "text": f"Sentence {n}."} for n in range(5)]
    path = str(written(tmp_path, *lines, GOOD | {"id": "zh", "lang": "zh"}))
    planted = payload.plant(demo, {"file": path, "n": 5}, 7)
    texts = [d.versions[0].chunks[0].text for d in planted.documents]
    assert all(sum(f"Sentence {n}." in text for text in texts) == 1 for n in range(5))
    shown = payload.exhibits(demo, {"file": path, "technique": "own-3", "n": 2}, 7)
    assert {one.payload.source for one in shown} == {"own-3: our red team (internal)"}
    assert techniques(path)["own-3"].licence == "internal"
    with pytest.raises(InputError, match=r"no payload of .* is in the language en"):
        payload.plant(demo, {"file": path, "technique": "zh"}, 7)


def test_every_shipped_technique_has_wordings_in_both_languages_with_one_slot():
    assert len(shipped()) == 22
    for technique in shipped().values():
        for lang in LANGUAGES:
            assert all(text.count(SLOT) == 1 for text in technique.wordings[lang])
        assert technique.licence == "Apache-2.0"


def test_no_technique_ends_the_carrier_it_stands_in():
    """A comment, an element or a cell that the wording closes would show what it should hide."""
    for technique in shipped().values():
        for text in (text for texts in technique.wordings.values() for text in texts):
            assert "-->" not in text
            assert "</span" not in text
            assert "</style" not in text
