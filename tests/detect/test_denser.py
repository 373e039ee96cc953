"""Encodings denser than hex hide nothing, wherever they begin; a bomb does not go off."""

import base64
import gzip
import io
import zlib
from functools import partial

import pytest

from rageval_kit.detect import Detector
from rageval_kit.detect.denser import INFLATED_MOST, inflated

CANARY = "KQZRT-41586-WXVBN-20937"
DETECTOR = Detector({CANARY: "memo"})
SAID = f"the memo says {CANARY}, as filed".encode()


@pytest.mark.parametrize("stray", ["", "Q", "QQ", "QQQ", "QQQQ"])
@pytest.mark.parametrize("encode", [base64.b32encode, base64.b85encode, base64.a85encode])
def test_a_blob_is_read_wherever_it_begins(encode, stray):
    (match,) = DETECTOR.find(f"see {stray}{encode(SAID).decode()} there")
    assert match.marks == "memo"


@pytest.mark.parametrize("pack", [zlib.compress, gzip.compress])
def test_what_is_packed_inside_base64_is_read(pack):
    assert DETECTOR.find(base64.b64encode(pack(SAID)).decode())


def test_what_is_packed_is_unpacked_no_further_than_said():
    assert [len(one) for one in inflated(zlib.compress(b"a" * 10**7))] == [INFLATED_MOST]
    assert list(inflated(b"x\x9c" * 9 + zlib.compress(b"a"))) == []  # four beginnings are tried
    assert list(inflated(b"\x1f\x8bnot packed")) == list(inflated(b"")) == []


def named(data):
    out = io.BytesIO()
    with gzip.GzipFile("secret.txt", "wb", fileobj=out, mtime=0) as file:
        file.write(data)
    return out.getvalue()


def with_all_fields(data):
    """A gzip header with further fields, a name, a remark and a sum of its own (RFC 1952)."""
    plain = gzip.compress(data, mtime=0)
    fields = b"\x03\0abc" + b"name\0" + b"remark\0" + b"\0\0"
    return plain[:3] + b"\x1e" + plain[4:10] + fields + plain[10:]


@pytest.mark.parametrize(
    "pack", [zlib.compress, partial(gzip.compress, mtime=0), named, with_all_fields]
)
def test_what_is_packed_is_unpacked_wherever_it_begins_and_whatever_its_sum(pack):
    packed = pack(SAID)
    for raw in (packed, packed[:-3], packed[:-3] + b"xyz", b"\x00before" + packed + b"after"):
        assert list(inflated(raw)) == [SAID]


def test_all_that_is_packed_shares_one_limit():
    bombs = zlib.compress(b"a" * 10**6) * 4
    assert sum(map(len, inflated(bombs, 100_000))) == 100_000
    assert list(inflated(bombs, 0)) == []
