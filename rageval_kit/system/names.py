"""When are two ids the same, and which small number stands for each?"""

import threading
import unicodedata
from collections.abc import Hashable
from typing import Generic, TypeVar

from rageval_kit.system.faults import AnyFault, Fault

Key = TypeVar("Key", bound=Hashable)


def exact_id(text: str) -> str:
    """Ids are opaque: only the Unicode composition is levelled."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def same_id(text: str, fault: AnyFault | None) -> str:
    """The form in which ids of principals and tenants are compared."""
    if fault is Fault.IDS_CASE_FOLDED:
        return "".join(unicodedata.normalize("NFKC", text).casefold().split())
    return exact_id(text)


class Numbers(Generic[Key]):
    """Numbers given in the order of first sight; they only grow, so old arrays stay valid."""

    def __init__(self) -> None:
        self._numbers: dict[Key, int] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._numbers)

    def of(self, key: Key) -> int:
        number = self._numbers.get(key)
        if number is None:
            with self._lock:
                number = self._numbers.setdefault(key, len(self._numbers))
        return number

    def known(self, key: Key) -> int | None:
        return self._numbers.get(key)

    def in_order(self) -> tuple[Key, ...]:
        with self._lock:
            return tuple(self._numbers)
