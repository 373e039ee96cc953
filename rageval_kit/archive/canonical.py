"""Which bytes stand for a value, so that two people who hash it get the same digest?

RFC 8785. The common case (no number whose text is in doubt) is encoded by msgspec, whose sorted
output is then equal to that of rfc8785; everything else goes through rfc8785 itself.
"""

import hashlib
import math
import re
from collections.abc import Mapping
from typing import Any

import msgspec
import rfc8785

from rageval_kit.records.faults import KitError

MAX_SAFE_INTEGER = 2**53 - 1

_ENCODER = msgspec.json.Encoder(order="sorted")

# Where msgspec and RFC 8785 may differ: astral characters (keys are sorted as UTF-16), long
# integers, exponents, `1.0`, and tiny fractions. A null may hide a NaN. Text that merely looks like
# one of these takes the slow path too, which is never wrong.
_IN_DOUBT = re.compile(
    rb"[\xf0-\xf4]"
    rb"|[:,\[]-?(?:[0-9]{16}|[0-9]+(?:\.[0-9]+)?[eE]|[0-9]+\.0[,\]}])"
    rb"|\A-?[0-9]"
)
_NULL = re.compile(rb"[:,\[]null|\Anull")


def canonical(value: object) -> bytes:
    """RFC 8785 bytes of plain data or a record; integers beyond 2^53 become text.

    NaN and infinities are refused: what was not measured is null with a reason beside it.
    """
    try:
        quick = _ENCODER.encode(value)
        if _IN_DOUBT.search(quick):
            return rfc8785.dumps(_narrow(plain(value), ""))
        if _NULL.search(quick):
            refuse_nan(plain(value))
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise KitError(f"cannot be written as canonical JSON: {error}") from error
    return quick


def fingerprint(parts: Mapping[str, object]) -> str:
    """Sha-256 of everything that determines a result; equal for runs of the same experiment."""
    return hashlib.sha256(canonical(parts)).hexdigest()


def plain(value: object) -> Any:
    """Records and enums as mappings, lists, text and numbers; refuses what JSON cannot carry."""
    try:
        return msgspec.to_builtins(value, order="sorted")
    except (TypeError, ValueError, RecursionError) as error:
        raise KitError(f"cannot be written as JSON: {error}") from error


def refuse_nan(value: Any, where: str = "") -> None:
    """Raise, naming the place, where plain data holds a NaN or an infinity."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise KitError(
                f"{where or 'value'}: {value} is not a number JSON has; "
                "write null and the reason why it was not measured"
            )
    elif isinstance(value, dict):
        for key, part in value.items():
            refuse_nan(part, f"{where}.{key}" if where else str(key))
    elif isinstance(value, list | tuple):
        for position, part in enumerate(value):
            refuse_nan(part, f"{where}[{position}]")


def _narrow(value: Any, where: str) -> Any:
    """Plain data that rfc8785 takes: long integers as text, no NaN."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= MAX_SAFE_INTEGER else str(value)
    if isinstance(value, dict):
        return {
            key: _narrow(part, f"{where}.{key}" if where else key) for key, part in value.items()
        }
    if isinstance(value, list | tuple):
        return [_narrow(part, f"{where}[{position}]") for position, part in enumerate(value)]
    refuse_nan(value, where)
    return value
