"""Which words does a report use in a language, and what does it do with a word it lacks?"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast

from rageval_kit.records.faults import InputError, KitError

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = ("en", "zh")


def _flat(node: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in node.items():
        if isinstance(value, Mapping):
            flat |= _flat(cast("Mapping[str, object]", value), f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat


@dataclass(frozen=True, slots=True)
class Words:
    """The catalogue of one language; a missing key is an error, never an empty place."""

    lang: Lang
    entries: Mapping[str, str]

    def __call__(self, key: str) -> str:
        try:
            return self.entries[key]
        except KeyError:
            raise KitError(
                f"report text '{key}' is missing in {self.lang}.yaml; add it in every language"
            ) from None

    def known(self, group: str, word: str) -> str:
        """The word as this language says it, '' where the catalogue does not know it."""
        return self.entries.get(f"{group}.{word}", "")

    def pick(self, texts: Mapping[str, str], what: str) -> str:
        """The text of this language; a text without it is refused, for its place would be blank."""
        text = texts.get(self.lang, "")
        if not text.strip():
            raise KitError(f"{what}: no text in '{self.lang}'; give it one in every language")
        return text


def split(text: str) -> tuple[str, str]:
    """A recorded text as its first word and the rest: 'twin_failed: 3' is twin_failed and '3'."""
    found = re.match(r"(\w+)(?::\s*|\s+)(.*)\Z", text, re.DOTALL)
    return (found.group(1), found.group(2)) if found else (text, "")


@cache
def words(lang: Lang) -> Words:
    import yaml

    from rageval_kit.resources import tree

    if lang not in LANGS:
        raise InputError.one(
            "report.lang", "is not a language of the report", repr(lang), "en or zh"
        )
    path = tree("reports/templates") / "text" / f"{lang}.yaml"
    return Words(lang, _flat(yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)))
