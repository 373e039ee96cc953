"""By which wordings does an order ask to be followed, and where are they from?

A technique is data: wordings with one slot `{order}`, by the language of the order. Those of the
kit stand in suites/payloads, one file each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rageval_kit.generate.family import nearest
from rageval_kit.generate.payload.orders import GOALS
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.resources import tree

SLOT = "{order}"
LANGUAGES = ("en", "zh")
_FIELDS = ("id", "title", "source", "licence", "goal", "crosses", "wordings")
_REQUIRED = ("id", "title", "source", "licence", "wordings")


@dataclass(frozen=True, slots=True)
class Technique:
    """`kind` is what reports name: of a user's payload its technique, else its id.

    `goal`: what it is made for, wanted where the family names none. `crosses`: the order is in the
    other language than the document.
    """

    id: str
    wordings: Mapping[str, tuple[str, ...]]
    source: str
    licence: str
    kind: str = ""
    goal: str = ""
    crosses: bool = False


def framed(wording: str, order: str) -> str:
    """The order in its wording; after it where the wording leaves no place."""
    return wording.replace(SLOT, order) if SLOT in wording else f"{wording}\n{order}"


def file_of(technique: str) -> Path:
    return tree("suites") / "payloads" / f"{technique}.yaml"


@cache
def shipped() -> Mapping[str, Technique]:
    """The kit's own techniques by id; InputError lists every fault of every file."""
    import yaml

    faults: list[Fault] = []
    found: dict[str, Technique] = {}
    for path in sorted((tree("suites") / "payloads").glob("*.yaml")):
        data = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
        wrong = list(_faults(data, path))
        faults += wrong
        if not wrong:
            found[path.stem] = Technique(
                data["id"],
                {lang: tuple(texts) for lang, texts in data["wordings"].items()},
                data["source"],
                data["licence"],
                kind=data["id"],
                goal=data.get("goal", ""),
                crosses=data.get("crosses", False),
            )
    if faults:
        raise InputError(faults)
    return found


def _faults(data: Any, path: Path) -> Iterator[Fault]:
    if not isinstance(data, Mapping):
        yield Fault(path.name, "is not a mapping of fields", type(data).__name__)
        return
    for key in data.keys() - set(_FIELDS):
        yield Fault(f"{path.name}: {key}", "is not a field here", way_out=nearest(key, {*_FIELDS}))
    for key in _REQUIRED:
        if not data.get(key):
            yield Fault(f"{path.name}: {key}", "is required", way_out="add it")
    if data.get("id") != path.stem:
        yield Fault(f"{path.name}: id", "is not the file's name", str(data.get("id")), path.stem)
    if data.get("goal", GOALS[0]) not in GOALS:
        met = str(data["goal"])
        yield Fault(f"{path.name}: goal", "is not a goal", met, nearest(met, {*GOALS}))
    for lang in LANGUAGES:
        wordings = data.get("wordings", {}).get(lang) or ()
        if not wordings or any(text.count(SLOT) != 1 for text in wordings):
            problem = f"wants one wording or more, each with one {SLOT}"
            yield Fault(f"{path.name}: wordings.{lang}", problem)
