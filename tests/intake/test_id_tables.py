"""Ids of a corpus and claims of passages: one form of text, every fault, little memory."""

import json
import tracemalloc
from unicodedata import normalize

import pytest

from rageval_kit.intake import byte_blocks, id_tables
from rageval_kit.intake.id_tables import read_claims, read_ids
from rageval_kit.records.faults import InputError

DECOMPOSED = normalize("NFD", "é-1")
COMPOSED = normalize("NFC", "é-1")


@pytest.fixture
def write(tmp_path):
    def written(text):
        path = tmp_path / "ids"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_ids_are_in_the_one_form_that_rankings_have_too(write):
    escaped = json.dumps({"_id": DECOMPOSED})  # the accent stands there as \u0301
    assert read_ids(write(f"{DECOMPOSED}\n")).to_list() == [COMPOSED]
    assert read_ids(write(f"{escaped}\n")).to_list() == [COMPOSED]
    assert read_claims(write(f"{DECOMPOSED}\tc{DECOMPOSED}\n")).rows() == [
        (COMPOSED, f"c{COMPOSED}")
    ]


def test_a_header_is_passed_over_and_an_id_stands_once(write):
    assert sorted(read_ids(write("docid\na\nb\n\na\nid\n"))) == ["a", "b", "id"]
    assert read_claims(write("passage_id,claim_id\np,c\np,c\np,d\n")).rows() == [
        ("p", "c"),
        ("p", "d"),
    ]


def test_every_bad_line_is_told_and_after_twenty_their_number(write):
    with pytest.raises(InputError) as refused:
        read_ids(write('{"_id": "a"}\n' + '{"text": "no id"}\n' * 25 + "[]\n{broken\n"))
    wheres = [fault.where for fault in refused.value.faults]
    assert wheres[0].endswith("ids:2")
    assert wheres[20].endswith("ids: and 6 more lines")
    assert len(wheres) == 21
    with pytest.raises(InputError, match="ids:2: does not name a passage and a claim"):
        read_claims(write("p c\np c d\n"))


def test_a_line_that_is_not_utf8_is_named_in_every_block(tmp_path, monkeypatch):
    monkeypatch.setattr(id_tables, "byte_blocks", lambda path: byte_blocks.byte_blocks(path, 8))
    path = tmp_path / "ids"
    path.write_bytes(b"a1\nb2\nc3\nd4\ne5\n\xff\n")
    with pytest.raises(InputError, match="ids:6: is not UTF-8"):
        read_ids(path)


def test_the_text_of_a_corpus_is_not_held(tmp_path, monkeypatch):
    """16 MB of text beside 500 ids, in blocks of 1 MB: never the half of it at once."""
    whole = byte_blocks.byte_blocks
    monkeypatch.setattr(id_tables, "byte_blocks", lambda path: whole(path, 1 << 20))
    path = tmp_path / "corpus.jsonl"
    text = "x" * 32_000
    with path.open("w", encoding="utf-8") as file:
        for number in range(500):
            file.write(json.dumps({"_id": f"d{number}", "text": text}) + "\n")
    read_ids(write_one(tmp_path))  # what is imported on first use is not counted
    tracemalloc.start()
    assert len(read_ids(path)) == 500
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < path.stat().st_size / 2


def write_one(folder):
    path = folder / "one"
    path.write_text("a\n", encoding="utf-8")
    return path


def test_nothing_is_refused(write):
    with pytest.raises(InputError, match="names no id"):
        read_ids(write("\n"))
    with pytest.raises(InputError, match="names no claim"):
        read_claims(write("passage_id\tclaim_id\n"))
