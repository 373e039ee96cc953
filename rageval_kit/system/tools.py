"""Which tool does a question itself call for, and what does the tool say?

`read`, `write`, `mail`, `http` and `code` are mock tools: a call of one is recorded and does
nothing. No question calls for them; only an order in a document could.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from rageval_kit.records.target import ToolCall
from rageval_kit.text.normalise import language

TOOL_OUTPUT = "tool_output"  # the kind of a passage that a tool gave
OWN_TOOLS = ("lookup", "clock", "history", "tally")  # what a question itself can call for
_DATE = re.compile(r"what(?:'|\u2019| i)s today'?s date|今天是几号|今天几号", re.IGNORECASE)
_BEFORE = re.compile(r"what did i ask before|我之前问过什么", re.IGNORECASE)
_LOOK_UP = re.compile(r"\s*(?:look up|查询)\s*[:：]\s*(.+)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Called:
    """The calls made for a question, and what they gave in words of an answer."""

    calls: tuple[ToolCall, ...] = ()
    said: str = ""


NONE = Called()


def called_for(question: str, now: datetime, asked_before: Sequence[str]) -> Called:
    """The date by the system's clock, a look-up, or what was asked before in this session."""
    lang = language(question)
    if found := _LOOK_UP.match(question):
        return Called((ToolCall("lookup", found[1].strip()),))
    if _DATE.search(question):
        day = f"{now:%Y-%m-%d}"
        return Called((ToolCall("clock"),), f"今天是{day}。" if lang == "zh" else f"It is {day}.")
    if asked_before and _BEFORE.search(question):
        return Called((ToolCall("history"),), "\n".join(asked_before))
    return NONE
