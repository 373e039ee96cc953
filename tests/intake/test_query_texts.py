"""Texts of queries as people keep them: lines of JSON or a table, packed or not."""

import gzip
import json

import pytest

from rageval_kit.intake.query_texts import read_query_texts
from rageval_kit.records.faults import InputError

COMPOSED, TAKEN_APART = "caf\u00e9", "cafe\u0301"


def read(tmp_path, text, name="q"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_query_texts(path)


def test_only_a_line_feed_ends_a_line(tmp_path):
    text = "a\u2028b\u0085c\x0cd"
    line = json.dumps({"_id": "q1", "text": text}, ensure_ascii=False)
    assert read(tmp_path, f"{line}\n") == {"q1": text}
    assert read(tmp_path, f"q1\t{text}\r\n\r\nq2\t怎么？") == {"q1": text, "q2": "怎么？"}


def test_ids_meet_those_read_elsewhere(tmp_path):
    lines = [{"_id": TAKEN_APART, "text": "x"}, {"query_id": 7, "query": "y"}]
    assert read(tmp_path, "\n".join(map(json.dumps, lines))) == {COMPOSED: "x", "7": "y"}
    assert read(tmp_path, f"{TAKEN_APART}\tx\n") == {COMPOSED: "x"}


def test_a_packed_file_is_read_and_a_bom_is_none_of_the_id(tmp_path):
    assert read(tmp_path, gzip.compress(b"\xef\xbb\xbfq1\tx\n")) == {"q1": "x"}


def test_every_line_that_is_no_query_is_named(tmp_path):
    lines = [
        b'{"_id": "q1", "text": "x"}',
        b'{"_id": "q2"}',
        b'{"_id": true, "text": "x"}',
        b"{not",
        b"q3",
        b"q4\t\xff",
        b"q1\ty",
    ]
    with pytest.raises(InputError) as refused:
        read(tmp_path, b"\n".join(lines))
    told = [(fault.where.rpartition(":")[2], fault.problem) for fault in refused.value.faults]
    assert told == [
        ("2", "is no query"),
        ("3", "is no query"),
        ("4", "is not JSON (Expecting property name enclosed in double quotes, character 2)"),
        ("5", "is no query"),
        ("6", "is not UTF-8"),
        ("7", "gives query 'q1' a second text"),
    ]
