"""Which bytes stand for a value, so that two people who hash it get the same digest?

RFC 8785. Most values have no number whose text is in doubt; msgspec's sorted output is then that of
the standard, and an order of magnitude faster. Everything else goes through rfc8785 itself.
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
_LEAVES = frozenset([str, bool, type(None)])
_NO_NUMBER = _LEAVES | {int}  # nothing that could be a NaN
# Fractions in this range have an exponent in neither.
_NO_EXPONENT = (1e-5, 1e15)
# RFC 8785 sorts keys by UTF-16 units, which differs from msgspec's order only beyond the BMP.
_ASTRAL = re.compile(rb"[\xf0-\xf4]")


def canonical(value: object) -> bytes:
    """RFC 8785 bytes of plain data or a record; integers beyond 2^53 become text.

    NaN and infinities are refused: what was not measured is null with a reason beside it.
    """
    try:
        quick = _quick(value)
        if quick is not None:
            return quick
        narrowed = _narrow(plain(value), "")
        quick = _quick(narrowed)
        return rfc8785.dumps(narrowed) if quick is None else quick
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise KitError(f"cannot be written as canonical JSON: {error}") from error


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
            if type(part) not in _NO_NUMBER:  # most are text: no place is put in words for them
                refuse_nan(part, f"{where}.{key}" if where else str(key))
    elif isinstance(value, list | tuple):
        for position, part in enumerate(value):
            if type(part) not in _NO_NUMBER:
                refuse_nan(part, f"{where}[{position}]")


def _quick(value: object) -> bytes | None:
    """What msgspec writes, where that is what the standard asks for."""
    if not _is_certain(value):
        return None
    quick = _ENCODER.encode(value)
    return quick if quick.isascii() or not _ASTRAL.search(quick) else None


def _is_certain(value: Any) -> bool:
    """Plain data without a number that the standard writes in another way than msgspec."""
    kind = type(value)
    if kind in _LEAVES:
        return True
    if kind is int:
        return bool(-MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER)
    if kind is float:
        # A whole number would end in `.0`. False for a NaN.
        return bool(_NO_EXPONENT[0] <= abs(value) < _NO_EXPONENT[1] and value % 1 != 0)
    if kind is dict:
        value = value.values()
    elif kind is not list and kind is not tuple:
        return False
    return all(type(part) in _LEAVES or _is_certain(part) for part in value)


def _narrow(value: Any, where: str) -> Any:
    """Plain data that rfc8785 takes: long integers as text, whole floats as integers, no NaN."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= MAX_SAFE_INTEGER else str(value)
    if isinstance(value, float):
        refuse_nan(value, where)
        return int(value) if value % 1 == 0 and abs(value) <= MAX_SAFE_INTEGER else value
    if isinstance(value, dict):
        return {
            key: _narrow(part, f"{where}.{key}" if where else key) for key, part in value.items()
        }
    if isinstance(value, list | tuple):
        return [_narrow(part, f"{where}[{position}]") for position, part in enumerate(value)]
    return value
