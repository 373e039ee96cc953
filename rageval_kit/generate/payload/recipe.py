"""What does a family ask of the word `payload`, and does it make sense together?"""

import hashlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from rageval_kit.generate.family import nearest
from rageval_kit.generate.payload.library import digest, techniques
from rageval_kit.generate.payload.orders import DEPUTY, GOALS, TOOLS
from rageval_kit.generate.payload.techniques import LANGUAGES, Technique, file_of
from rageval_kit.records.faults import Fault, InputError

AUTHOR = "kit-author"
_USUAL = "ignore_previous"
_HERE = "rageval_kit.generate.payload"


@cache
def names(kind: str) -> tuple[str, ...]:
    """The modules of `carriers` or `transforms`: the folder is the registry."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(module(kind).__path__)))


@cache
def module(kind: str, name: str = "") -> Any:
    return import_module(f"{_HERE}.{kind}.{name}" if name else f"{_HERE}.{kind}")


TAKES: Mapping[str, tuple[object, ...] | None] = {
    "technique": None,
    "file": None,
    "lang": LANGUAGES,
    "goal": (*GOALS, DEPUTY),
    "carrier": names("carriers"),
    "transform": names("transforms"),
    "parts": (1, 2, 3),
    "over": ("chunks", "documents"),
    "copies": None,
    "trigger": ("topic", "other"),
    "tool": TOOLS,
    "author": None,
    "planted": (True, False),
    "n": None,
}
_MOST = {"n": 500, "copies": 20}


@dataclass(frozen=True, slots=True)
class Recipe:
    """The arguments of `payload`. `lang`: of the document and the question."""

    technique: str = ""
    file: str = ""
    lang: str = "en"
    goal: str = ""
    carrier: str = "body"
    transform: str = "plain"
    parts: int = 1
    over: str = "chunks"
    copies: int = 1
    trigger: str = ""
    tool: str = ""
    author: str = AUTHOR
    planted: bool = True
    n: int = 6

    @property
    def key(self) -> str:
        """A short name that two recipes share only where they make the same documents."""
        told = repr([(f.name, self._told(f.name)) for f in fields(self) if f.name != "n"])
        return hashlib.sha256(told.encode()).hexdigest()[:10]

    def _told(self, name: str) -> object:
        return digest(self.file) if name == "file" and self.file else getattr(self, name)

    @property
    def rests_on(self) -> Path:
        """The file of its wordings."""
        return Path(self.file) if self.file else file_of(self.technique or _USUAL)

    @property
    def order_lang(self) -> str:
        """Of the order, before a technique turns it round: ASCII cannot write Chinese."""
        ascii_only = getattr(module("transforms", self.transform), "ASCII_ONLY", False)
        return "en" if ascii_only else self.lang

    def lang_of(self, technique: Technique) -> str:
        if technique.crosses and self.order_lang == self.lang:
            return "zh" if self.lang == "en" else "en"
        return self.order_lang

    def goal_of(self, technique: Technique) -> str:
        return self.goal or technique.goal or GOALS[0]

    def choices(self) -> list[Technique]:
        """The technique named, or every one of the user's file in this language."""
        known = techniques(self.file)
        name = self.technique or ("" if self.file else _USUAL)
        if name and name not in known:
            raise InputError.one(
                "payload.technique", "is not there", name, nearest(name, known.keys() | set())
            )
        able = [known[name]] if name else list(known.values())
        able = [one for one in able if self.lang_of(one) in one.wordings]
        if not able:
            problem = f"no payload of {self.file or name} is in the language {self.order_lang}"
            raise InputError.one("payload.lang", problem, self.lang, "give another lang or file")
        for one in able:
            if self.parts > 1 and self.goal_of(one) != GOALS[0]:
                raise InputError.one(
                    "payload.parts",
                    "splits an order of the goal marker alone",
                    f"goal {self.goal_of(one)}",
                    "leave out goal or parts",
                )
        return able


def recipe(args: Mapping[str, Any]) -> Recipe:
    """The recipe that arguments give; InputError where a number is none."""
    faults = [
        Fault(f"payload.{name}", f"is not a whole number from 1 to {most}", str(args[name]))
        for name, most in _MOST.items()
        if name in args and (type(args[name]) is not int or not 1 <= args[name] <= most)
    ]
    if faults:
        raise InputError(faults)
    return Recipe(**args)
