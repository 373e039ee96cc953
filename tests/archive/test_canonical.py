"""The reference is rfc8785 (Trail of Bits), and vectors of RFC 8785 itself."""

import json
import time
from dataclasses import dataclass, fields

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from rageval_kit.archive.canonical import canonical, fingerprint
from rageval_kit.records.faults import KitError
from rageval_kit.records.target import Seen, Stage

SAFE = 2**53 - 1
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-SAFE, SAFE)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_equals_the_reference_on_any_json_value(value):
    assert canonical(value) == rfc8785.dumps(value)


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["s", "l", "d"]))
def test_equals_the_reference_on_any_number_anywhere(number, place):
    value = {"s": number, "l": [number, number], "d": {"a": number, "b": "x"}}[place]
    assert canonical(value) == rfc8785.dumps(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # RFC 8785 section 3.2.2.3 and appendix B
        (
            [333333333.33333329, 1e30, 4.50, 2e-3, 1e-27],
            b"[333333333.3333333,1e+30,4.5,0.002,1e-27]",
        ),
        ([0.0, -0.0, 1e21, 9.999999999999997e22], b"[0,0,1e+21,9.999999999999997e+22]"),
        ([0.000001, 1e-7, 999999999999999900000.0], b"[0.000001,1e-7,999999999999999900000]"),
        # section 3.2.3: keys in the order of their UTF-16 units
        (
            {"€": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\u0080": 6, "ö": 7},
            '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}'.encode(),
        ),
        ({"b": [True, None], "a": '\u000f\n"\\/<'}, b'{"a":"\\u000f\\n\\"\\\\/<","b":[true,null]}'),
    ],
    ids=["numbers", "zeros_and_large", "small", "key_order", "escapes"],
)
def test_follows_the_vectors_of_the_standard(value, expected):
    assert canonical(value) == expected


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("place", ["top", "list", "deep"])
def test_refuses_what_json_has_no_number_for(number, place):
    value = {"top": number, "list": [1, number], "deep": {"a": {"b": [number]}, "c": None}}[place]
    with pytest.raises(KitError, match="write null and the reason"):
        canonical(value)


def test_writes_integers_beyond_two_to_53_as_text():
    assert canonical({"a": 2**53, "b": 2**53 - 1, "c": -(2**70)}) == (
        b'{"a":"9007199254740992","b":9007199254740991,"c":"-1180591620717411303424"}'
    )


@pytest.mark.parametrize("value", [{1: "a"}, object(), "\ud800", {"a": {1.5: 2}}])
def test_refuses_what_is_not_json(value):
    with pytest.raises(KitError, match="JSON"):
        canonical(value)


def test_refuses_absurd_depth_without_crashing():
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(KitError):
        canonical(value)


@dataclass(frozen=True, slots=True)
class Record:
    ids: tuple[str, ...]
    scores: tuple[float, ...]
    status: str | None = None
    inner: "Record | None" = None


def test_takes_records_and_enums():
    record = Record(("b", "a"), (1.0, 0.25), inner=Record((), (), "gone"))
    assert canonical({Stage.RETRIEVE: record}) == (
        b'{"retrieve":{"ids":["b","a"],"inner":{"ids":[],"inner":null,"scores":[],"status":"gone"},'
        b'"scores":[1,0.25],"status":null}}'
    )


def test_every_field_of_a_real_record_is_written():
    """Which fields there are is asked of the record itself: it grows."""
    written = json.loads(canonical(Seen(ids=("b",), scores=(0.25,))))
    assert written.keys() == {one.name for one in fields(Seen)}
    assert (written["ids"], written["scores"], written["status"]) == (["b"], [0.25], None)


def test_a_fingerprint_ignores_the_order_of_keys_and_sees_every_value():
    first = fingerprint({"seed": 42, "suite": "acl", "labels": ["公开", "机密"]})
    assert first == fingerprint({"labels": ["公开", "机密"], "suite": "acl", "seed": 42})
    assert first != fingerprint({"labels": ["机密", "公开"], "suite": "acl", "seed": 42})
    assert fingerprint({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_floats_do_not_make_it_slow():
    record = {"case_id": "acl-1", "ids": [f"d{n}" for n in range(10)], "scores": [0.25] * 10}
    start = time.process_time()
    for _ in range(2000):
        canonical(record)
    assert time.process_time() - start < 0.5
    assert json.loads(canonical(record)) == record
