"""How is a checked specification written down again, so that reading it gives the same run?"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from rageval_kit.build.check import ELSEWHERE, EMBEDDED
from rageval_kit.schema import Part


def plain(value: Any) -> Any:  # noqa: PLR0911 - one return for each shape
    """Return mappings, lists, texts and numbers only, under the keys a person would write."""
    if isinstance(value, Part):
        settings = plain(value.config)
        if value.kind == EMBEDDED:  # other groups speak for these
            settings = {key: one for key, one in settings.items() if key not in ELSEWHERE}
        return {"kind": value.kind, **settings}
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value) if one.init}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, set | frozenset):
        return sorted(plain(one) for one in value)
    if isinstance(value, Enum):
        return value.value
    return value.isoformat() if isinstance(value, datetime) else value
