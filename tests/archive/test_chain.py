"""A chained file is checked here by an independent reading of its definition (json, hashlib)."""

import hashlib
import json
import time

import pytest
import rfc8785

from rageval_kit.archive.chain import (
    GENESIS,
    ChainWriter,
    check_chain,
    is_chained,
    read_chain,
    write_chain,
)
from rageval_kit.records.faults import InputError, KitError


def records(count):
    return [
        {"case_id": f"acl-{n:05d}", "outcome": "held", "score": n / 4, "读者": "李雷"}
        for n in range(count)
    ]


def test_anyone_with_sha256_and_rfc8785_can_check_the_chain(tmp_path):
    path = tmp_path / "cases.jsonl"
    end = write_chain(path, records(9))
    prev = "0" * 64
    for number, line in enumerate(path.read_bytes().splitlines()):
        record = json.loads(line)
        claimed = record.pop("hash")
        assert record["prev"] == prev
        assert record["seq"] == number
        assert hashlib.sha256(rfc8785.dumps(record)).hexdigest() == claimed
        prev = claimed
    assert (end.records, end.head) == (9, prev)


def test_what_is_written_is_read_back(tmp_path):
    path = tmp_path / "cases.jsonl"
    write_chain(path, records(5))
    assert list(read_chain(path)) == records(5)
    assert is_chained(path)


def test_an_empty_chain_is_an_empty_file(tmp_path):
    path = tmp_path / "cases.jsonl"
    assert write_chain(path, []).head == GENESIS
    assert path.read_bytes() == b""
    assert check_chain(path)[1] == ()
    assert not is_chained(path)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda ls: [*ls[:3], ls[3].replace(b"held", b"hold"), *ls[4:]], ["record 3: was changed"]),
        (lambda ls: [*ls[:3], *ls[4:]], ["record 3: stands out of order", "record 4: stands"]),
        (
            lambda ls: [*ls[:2], ls[3], ls[2], *ls[4:]],
            ["record 2: stands out of order", "record 3: stands out of order"],
        ),
        (lambda ls: [*ls[:3], ls[3], ls[3], *ls[4:]], ["record 4: stands out of order"]),
        (lambda ls: [*ls[:-1], ls[-1][:-20]], ["record 5: is not one line of JSON"]),
        (lambda ls: [*ls[:3], b"[1]\n", *ls[4:]], ["record 3: is not a record"]),
        (lambda ls: [ls[0].replace(b'"seq":0', b'"seq": 0'), *ls[1:]], ["record 0: was changed"]),
    ],
    ids=["edited", "removed", "swapped", "doubled", "truncated", "foreign", "blank"],
)
def test_names_the_record_that_breaks_the_chain(tmp_path, change, expected):
    path = tmp_path / "cases.jsonl"
    write_chain(path, records(6))
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))
    problems = check_chain(path)[1]
    for start in expected:
        assert any(problem.startswith(start) for problem in problems), problems
    with pytest.raises(InputError):
        list(read_chain(path))


def test_an_edit_with_its_own_hash_mended_breaks_the_next_record(tmp_path):
    path = tmp_path / "cases.jsonl"
    write_chain(path, records(6))
    lines = path.read_bytes().splitlines(keepends=True)
    record = json.loads(lines[2])
    record["outcome"] = "violated"
    del record["hash"]
    body = rfc8785.dumps(record)
    lines[2] = body[:-1] + f',"hash":"{hashlib.sha256(body).hexdigest()}"}}\n'.encode()
    path.write_bytes(b"".join(lines))
    assert check_chain(path)[1] == ("record 3: does not follow the record before it ('acl-00003')",)


def test_a_record_may_not_bring_the_fields_of_the_chain(tmp_path):
    with pytest.raises(KitError, match="'prev'"):
        write_chain(tmp_path / "cases.jsonl", [{"prev": "x"}])


def test_nothing_is_left_when_a_record_cannot_be_written(tmp_path):
    with pytest.raises(KitError, match="score: nan"):
        write_chain(tmp_path / "cases.jsonl", [*records(3), {"score": float("nan")}])
    assert list(tmp_path.iterdir()) == []


def test_the_file_appears_only_when_it_is_whole(tmp_path):
    path = tmp_path / "cases.jsonl"
    with ChainWriter(path) as writer:
        writer.append({"a": 1})
        assert not path.exists()
    assert path.exists()


def test_twenty_thousand_records_take_half_a_second_of_processor_time(tmp_path):
    batch = [
        {
            "case_id": f"acl-{n:06d}",
            "family": "ACL-01",
            "outcome": "held",
            "reader": "u77",
            "query_hash": "a" * 64,
            "stages": ["retrieve", "rerank", "context"],
        }
        for n in range(20_000)
    ]
    times = []
    for turn in range(3):
        start = time.process_time()
        write_chain(tmp_path / f"cases{turn}.jsonl", batch)
        times.append(time.process_time() - start)
    assert min(times) < 0.5
