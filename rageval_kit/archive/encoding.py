"""How does a record become a JSON file, and a JSON file the same record again?"""

from typing import Any, TypeVar

import msgspec

from rageval_kit.archive.canonical import plain, refuse_nan
from rageval_kit.records.faults import InputError, KitError

MAX_RECORD_BYTES = 512 * 1024 * 1024

T = TypeVar("T")


def encode_record(record: object) -> bytes:
    """Indented JSON, keys sorted, ending in a newline: equal records give equal bytes."""
    built = plain(record)
    refuse_nan(built)
    return encode_plain(built)


def encode_plain(built: Any) -> bytes:
    """As `encode_record`, for data that is plain and finite already."""
    try:
        packed = msgspec.json.encode(built, order="sorted")
    except (TypeError, ValueError, RecursionError) as error:
        # A lone surrogate, say: UTF-8 has no bytes for it.
        raise KitError(f"cannot be written as JSON: {error}") from error
    return msgspec.json.format(packed, indent=2) + b"\n"


def decode_record(
    data: bytes, kind: type[T], *, where: str = "record", max_bytes: int = MAX_RECORD_BYTES
) -> T:
    """The record that `data` holds, checked against the types of `kind`; bounded in size, depth."""
    if len(data) > max_bytes:
        raise InputError.one(
            where,
            "is too large to be a record",
            f"{len(data)} bytes",
            f"the limit is {max_bytes} bytes",
        )
    try:
        return msgspec.json.decode(data, type=kind)
    except RecursionError as error:
        raise InputError.one(
            where, "is nested too deeply to be a record", "", "no record is more than 20 deep"
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError.one(
            where, f"is not a {kind.__name__}", str(error), "archives are read as they were written"
        ) from error
