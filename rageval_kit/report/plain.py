"""How does a record become strict JSON: no NaN, no lost character, the same bytes each time?"""

import json
import math
from typing import Any


def plain(value: Any) -> Any:
    """Plain data; a number that is none becomes null, with its reason beside it."""
    import msgspec

    return _finite(msgspec.to_builtins(value))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        clean: dict[str, Any] = {}
        for key, item in value.items():
            clean[key] = _finite(item)
            if isinstance(item, float) and not math.isfinite(item):
                clean[f"{key}_reason"] = "not a finite number"
        return clean
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def json_bytes(value: Any, *, indent: bool = False) -> bytes:
    text = json.dumps(
        plain(value),
        ensure_ascii=False,
        allow_nan=False,
        indent=2 if indent else None,
        separators=None if indent else (",", ":"),
    )
    # A lone surrogate has no UTF-8; its backslash form is the same character to a JSON reader.
    return text.encode("utf-8", "backslashreplace")
