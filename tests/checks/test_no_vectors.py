"""A row of 64 numbers is a vector, however it is written; what documents hold is none."""

import base64
import hashlib
import json

import numpy as np
import pytest

from rageval_kit.checks.no_vectors import check
from rageval_kit.records.target import Seen
from rageval_kit.records.verdicts import Outcome

VECTOR = np.random.default_rng(3).normal(size=64).astype(np.float32)
PACKED = VECTOR.tobytes()


def judged(small, text, tap="log", role="operator"):
    seen = small.trace(small.saw(0, {tap: Seen(texts=(text,))}, role=role))
    return check({}, small.expectation(small.step("mine")), seen, small.aids())


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"id": "a", "vector": VECTOR.tolist()}),
        f"embedding={[float(f'{x:.3f}') for x in VECTOR.tolist()]}",
        "  ".join(f"{x:.2e}" for x in VECTOR.tolist()),
        str(np.round(VECTOR * 127).astype(int).tolist()),
        base64.b64encode(PACKED).decode(),
        base64.urlsafe_b64encode(PACKED).decode().rstrip("="),
        PACKED.hex(),
    ],
    ids=["json", "rounded", "scientific", "quantised", "base64", "url_safe", "hex"],
)
def test_a_vector_is_seen_however_it_is_written(small, text):
    result = judged(small, f"before {text} after")
    assert result.outcome is Outcome.VIOLATED
    assert "vectors, the first of 64 numbers" in result.findings[0].evidence


def test_the_twin_may_be_told_no_vector_either(small):
    assert judged(small, str(VECTOR.tolist()), role="twin").outcome is Outcome.VIOLATED


@pytest.mark.parametrize(
    "text",
    [
        "The budget is 12.5, 13.1 and 14.0 million.",
        str(list(range(200))),
        str([x / 4 for x in range(63)]),
        "".join(hashlib.sha256(bytes([n])).hexdigest() for n in range(9)),
        base64.b64encode(b"".join(hashlib.sha256(bytes([n])).digest() for n in range(16))).decode(),
        base64.b64encode(("一段文字。" * 60).encode()).decode(),
        "A" * 4000,
    ],
    ids=["prose", "ranks", "too_short", "digests", "random_bytes", "text", "zeros"],
)
def test_what_is_no_vector_is_not_taken_for_one(small, text):
    assert judged(small, text).outcome is Outcome.HELD


def test_silence_proves_nothing(small):
    seen = small.trace(small.saw(0, {}))
    result = check({}, small.expectation(small.step("mine")), seen, small.aids())
    assert result.outcome is Outcome.UNOBSERVED
