"""Does anything that is told, logged or exported carry the vector of a text?"""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping

import numpy as np

from rageval_kit.records.cases import Expectation, Trace, observed
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "no_vectors"
LEAST = 64  # numbers in a row: few embeddings are shorter, and few tables have as many cells
LEAST_NUMBER, MOST_NUMBER = 1e-12, 1e4  # in size, of a vector's numbers other than 0
_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_ROW = re.compile(rf"{_NUMBER}(?:\s*[,;|\s]\s*{_NUMBER}){{{LEAST - 1},}}")
_PACKED = re.compile(r"[A-Za-z0-9+/_-]{340,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{8}){64,}")
READERS = ("reader", "operator")


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated by a row of numbers, written out or packed as float32, whoever it is shown to."""
    del args
    findings, spoke = [], False
    target = min(expectation.roles["target"])
    for o in trace.observations:
        for stage in observed(aids.stages, o):
            spoke |= not o.error and o.role in READERS
            sizes = [n for text in o.seen[stage].texts for n in _vectors(text)]
            if sizes:
                evidence = f"{len(sizes)} vectors, the first of {sizes[0]} numbers"
                findings.append(Finding(NAME, stage, o.step, o.principal_id, target, evidence))
    if findings:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(findings))
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED)


def _vectors(text: str) -> Iterator[int]:
    """The length of each vector in the text."""
    for row in _ROW.findall(text):
        numbers = re.findall(_NUMBER, row)
        if any("." in one or "-" in one for one in numbers):  # whole ones are a list of counts
            yield len(numbers)
    packed = [_unpacked(one) for one in _PACKED.findall(text)]
    packed += [bytes.fromhex(one) for one in _HEX.findall(text)]
    yield from (len(data) // 4 for data in packed if _is_floats(data))


def _unpacked(text: str) -> bytes:
    plain = text.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error:
        return b""


def _is_floats(data: bytes) -> bool:
    """Whether the bytes read as float32 of a vector's size: random ones hardly ever all do."""
    if len(data) < 4 * LEAST or len(data) % 4:
        return False
    numbers = np.abs(np.frombuffer(data, dtype="<f4"))
    sound = (numbers == 0) | ((numbers > LEAST_NUMBER) & (numbers < MOST_NUMBER))
    return bool(sound.all() and (numbers > 0).any())
