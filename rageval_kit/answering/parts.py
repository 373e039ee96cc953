"""What of a chat message is put before its reader: text, a refusal, and addresses beside them?

Images and references come as parts or lists of their own, which a client fetches or makes clickable
all the same; they are told as Markdown in the text. What a model only thought is shown to nobody
and is no part of it.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from rageval_kit.endpoint.paths import noun
from rageval_kit.endpoint.reply import UnparsableError

Mapped = dict[str, Any]
_TEXTS = {"text": "text", "output_text": "text", "refusal": "refusal"}
_THOUGHT = frozenset({"thinking", "reasoning"})
_BESIDE = frozenset({"type", "annotations", "index", "id"})
_IGNORED = re.compile(r"[\t\r\n]")  # browsers read an address over these
_ENDS = "".join(map(chr, range(0x21)))
_BREAKING = re.compile(r"[\s\x00-\x20<>`]")  # what would end a Markdown address, or open code


class Shown:
    """What was shown of one message, whole or delta by delta."""

    def __init__(self) -> None:
        self._addresses: list[str] = []
        self._texts: list[str] = []
        self._refusals: list[str] = []

    @property
    def text(self) -> str:
        """Addresses stand first: no code that the text opens can then make text of them."""
        pieces = (*self._addresses, "".join(self._texts), "".join(self._refusals))
        return "\n\n".join(filter(None, pieces))

    def take(self, message: Mapped) -> None:
        if message.get("audio") is not None:
            raise UnparsableError("the message holds audio, which no check can read")
        content = message.get("content")
        if isinstance(content, list):
            for part in content:
                self._part(mapping(part, "a part of the content"))
        elif content is not None:
            self._texts.append(text(content, "content"))
        self._refusals.append(text(message.get("refusal") or "", "refusal"))
        for image in listed(message.get("images"), "images"):
            self._part(mapping(image, "an image"))
        self._addresses.extend(_references(message))

    def _part(self, part: Mapped) -> None:
        kind = part.get("type", "text" if "text" in part else None)
        if not isinstance(kind, str):
            raise UnparsableError("a part of the content tells no kind")
        if kind in _THOUGHT:
            return
        holds = _TEXTS.get(kind, kind)
        if holds not in {"text", "refusal", "image_url"}:
            # The kind itself is the endpoint's word and stands in no message.
            raise UnparsableError("a part of the content is of a kind that no check can read")
        if any(value is not None for key, value in part.items() if key not in _BESIDE | {holds}):
            raise UnparsableError("a part of the content holds more than its kind does")
        if holds == "image_url":
            self._addresses.append(f"!{_link(part.get('image_url'), 'image_url')}")
        else:
            self._texts.append(text(part.get(holds) or "", "a part of the content"))
        self._addresses.extend(_references(part))


def _references(holder: Mapped) -> Iterator[str]:
    for one in listed(holder.get("annotations"), "annotations"):
        reference = mapping(one, "an annotation")
        yield _link(reference.get("url_citation", reference), "an annotation")


def _link(address: Any, where: str) -> str:
    """A Markdown link without words, of an address or of a mapping that holds one as `url`."""
    url = address.get("url") if isinstance(address, dict) else address
    plain = _IGNORED.sub("", text(url, f"{where}: url")).strip(_ENDS)
    return f"[]({_BREAKING.sub(lambda found: quote(found[0]), plain)})"


def mapping(value: Any, where: str) -> Mapped:
    if not isinstance(value, dict):
        raise UnparsableError(f"{where} is {noun(value)}, expected a mapping")
    return value


def listed(value: Any, where: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise UnparsableError(f"{where} is {noun(value)}, expected a list")
    return value


def text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise UnparsableError(f"{where} is {noun(value)}, expected text")
    return value
