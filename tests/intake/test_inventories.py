"""A listing of an index is read whole or refused with all its faults."""

import hashlib
from datetime import UTC, datetime

import polars as pl
import pytest

from rageval_kit.intake.inventories import read_inventory
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Indexed

DIGEST = hashlib.sha256(b"x").hexdigest()
ROW = Indexed("0012", "v1", DIGEST, "m", datetime(2026, 1, 2, tzinfo=UTC))


def written(path, text):
    path.write_text(text, "utf-8")
    return path


def faults(path):
    with pytest.raises(InputError) as caught:
        read_inventory(path)
    return [str(fault) for fault in caught.value.faults]


def test_the_same_listing_is_read_from_jsonl_csv_and_parquet(tmp_path):
    line = (
        f'{{"chunk_id": "0012", "version_id": "v1", "digest": "{DIGEST}", "model": "m",'
        ' "indexed_at": "2026-01-02T00:00:00Z", "vector": [1, 2]}\n'
    )
    cells = f"0012,v1,{DIGEST},m,2026-01-02T00:00:00Z\n"
    pl.DataFrame(
        {
            "chunk_id": ["0012"],
            "version_id": ["v1"],
            "digest": [DIGEST],
            "model": ["m"],
            "indexed_at": ["2026-01-02T00:00:00Z"],
        }
    ).write_parquet(tmp_path / "i.parquet")
    for path in (
        written(tmp_path / "i.jsonl", line),
        written(tmp_path / "i.csv", "chunk_id,version_id,digest,model,indexed_at\n" + cells),
        tmp_path / "i.parquet",
    ):
        assert read_inventory(path) == [ROW]


def test_a_text_without_a_digest_gives_one(tmp_path):
    (row,) = read_inventory(written(tmp_path / "i.jsonl", '{"id": "a", "text": "x"}\n'))
    assert row == Indexed("a", digest=DIGEST)


def test_ids_that_are_numbers_are_refused(tmp_path):
    (fault,) = faults(written(tmp_path / "i.jsonl", '{"chunk_id": 12}\n'))
    assert "is not text" in fault
    assert "write them in quotes" in fault


def test_every_bad_entry_is_named_at_once(tmp_path):
    rows = "chunk_id,digest,indexed_at\n,,\na,abc,\nb,,2026-01-02T00:00:00\nc,,\n"
    said = faults(written(tmp_path / "i.csv", rows))
    assert [fault.split(": entry ")[1][:1] for fault in said] == ["1", "2", "3"]
    assert "names no passage" in said[0]
    assert "no sha-256" in said[1]
    assert "no offset from UTC" in said[2]


@pytest.mark.parametrize(
    ("name", "body", "part"),
    [
        ("i.jsonl", b'{"chunk_id": "a"\n', "is no listing of an index"),
        ("i.jsonl", b"", "is no listing of an index"),
        ("i.csv", b"name\nx\n", "has no column of passage ids"),
        ("i.csv", b"chunk_id\n\xff\xfe\n", "is no listing of an index"),
        ("i.parquet", b"PAR1 no", "is no listing of an index"),
    ],
)
def test_what_is_no_listing_is_refused(tmp_path, name, body, part):
    path = tmp_path / name
    path.write_bytes(body)
    (fault,) = faults(path)
    assert part in fault


def test_a_file_that_is_not_there_is_named(tmp_path):
    (fault,) = faults(tmp_path / "none.jsonl")
    assert "none.jsonl" in fault
