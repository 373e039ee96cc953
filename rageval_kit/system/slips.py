"""What does whoever answers let slip of passages that it read and must not quote?

A clean system reads what stands in the context and nothing else, so nothing can slip.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from zlib import crc32

from rageval_kit.system.cache import Served
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_choice import ChoiceFault
from rageval_kit.system.glossary import thing_in
from rageval_kit.system.prompt import prompt
from rageval_kit.system.retrieval import Query, search_for
from rageval_kit.system.rights import Visible
from rageval_kit.system.segment import Passage
from rageval_kit.system.state import SystemState
from rageval_kit.system.tools import OWN_TOOLS
from rageval_kit.text.normalise import language

_OPTION = re.compile(r"([A-H])\) ?([^,，.。]+)")
_AMOUNT = re.compile(r"\d{1,3}(?:,\d{3})+|\d{7,}")
_SHARE = re.compile(r"(\d+) ?(?:percent|%)")
_TREND = re.compile(r"\b(?:up|down) (?:sharply|slightly)\b|(?:大幅|略有)(?:上升|下降)")
_ABOVE = re.compile(
    r"\b(?:repeat|translate|sum up|summari[sz]e)\b.{0,60}\babove\b|(?:复述|翻译|总结).{0,20}以上"
    r"|以上.{0,20}(?:复述|翻译|总结|规则)|本行以上",
    re.IGNORECASE | re.DOTALL,
)
_TOOLS = re.compile(
    r"\b(?:which|what|list)\b.{0,30}\b(?:tools|functions)\b|哪些工具|列出.{0,12}(?:工具|函数)",
    re.IGNORECASE | re.DOTALL,
)
_SOMETIMES = frozenset(
    {
        ChoiceFault.TELLS_TRANSLATED,
        ChoiceFault.TELLS_IN_OTHER_WORDS,
        ChoiceFault.TELLS_BY_LETTER,
        ChoiceFault.TELLS_BY_EXCLUSION,
    }
)
_TENTHS = 3  # of all passages so many in ten slip by these
_TURNS = 8  # of a conversation, before a digest of it is made
_BILLION, _YI = 1e9, 1e8


@dataclass(frozen=True, slots=True)
class Sight:
    """In which state, and with whose rights, an answer is given."""

    state: SystemState
    visible: Visible


def let_slip(
    served: Served, query: Query, turns: int, sight: Sight, config: EmbeddedConfig
) -> Served:
    """The answer, with what is told of the best candidate where that is none of the context.

    `turns`: of the conversation before this question.
    """
    fault = config.switched
    if asked := _ABOUT_ITSELF.get(fault):
        wanted, itself = asked
        found = wanted.search(query.text)
        return replace(served, answer=itself(config.prompt_canary)) if found else served
    hint = _HINTS.get(fault)
    is_digest = fault is ChoiceFault.SESSION_DIGEST_UNFILTERED
    if hint is None or (is_digest and turns < _TURNS):
        return served
    best = _best_candidate(query, sight, config)
    if best is None or best.chunk_id in served.context_ids or not _named(best.text, query.text):
        return served
    if fault in _SOMETIMES and crc32(best.chunk_id.encode()) % 10 >= _TENTHS:
        return served
    said = hint(best.text, query.text)
    return replace(served, answer=said) if said else served


def _best_candidate(query: Query, sight: Sight, config: EmbeddedConfig) -> Passage | None:
    """What matches best of everything, as it is before anybody's rights."""
    best = search_for(query.text, sight.state, config, sight.visible).best_of_all(1)
    return sight.state.passage(best[0]) if best else None


def _named(text: str, question: str) -> bool:
    """Whether both speak of one thing by name."""
    names = re.findall(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b", text)
    return any(name in question for name in names)


def _translated(text: str, _question: str) -> str:
    thing = thing_in(text)
    if not thing:
        return ""
    if language(text) == "zh":
        return f"It has to do with a {thing[0]}."
    return f"应该与{thing[2]}有关。"


def _in_other_words(text: str, question: str) -> str:
    thing = thing_in(text)
    if not thing:
        return ""
    if language(question) == "zh":
        return f"我只能说是一种{thing[3]}。"
    return f"All I may say is that it is a kind of {thing[1]}."


def _by_letter(text: str, question: str) -> str:
    thing = thing_in(text)
    return next((a for a, said in _OPTION.findall(question) if thing_in(said) == thing), "")


def _by_exclusion(text: str, question: str) -> str:
    thing = thing_in(text)
    out = [letter for letter, said in _OPTION.findall(question) if thing_in(said) != thing]
    if not thing or not out:
        return ""
    if language(question) == "zh":
        return f"不是{'、'.join(out)}。"
    return f"It is not {', '.join(out[:-1])} or {out[-1]}."


def _rounded(text: str, question: str) -> str:
    found = _AMOUNT.search(text)
    if not found:
        return ""
    amount = int(found[0].replace(",", ""))
    if language(question) == "zh":
        return f"大概在{amount / _YI:.0f}亿上下。"
    return f"Somewhere near {amount / _BILLION:.1f} billion."


def _percentage(text: str, _question: str) -> str:
    found = _SHARE.search(text)
    return "" if not found else f"{found[1]} %"


def _trend(text: str, _question: str) -> str:
    found = _TREND.search(text)
    return found[0] if found else ""


def _above(canary: str) -> str:
    return prompt((), canary)


def _schemas(canary: str) -> str:
    tools = [{"name": name, "parameters": {"text": "string"}} for name in OWN_TOOLS]
    return json.dumps({"note": f"for the assistant only, mark {canary}", "tools": tools})


_ABOUT_ITSELF: Mapping[AnyFault | None, tuple[re.Pattern[str], Callable[[str], str]]] = (
    MappingProxyType(
        {
            ChoiceFault.TURN_ABOVE_REPEATED: (_ABOVE, _above),
            ChoiceFault.TOOL_SCHEMAS_TOLD: (_TOOLS, _schemas),
        }
    )
)
_HINTS: Mapping[AnyFault | None, Callable[[str, str], str]] = MappingProxyType(
    {
        ChoiceFault.TELLS_TRANSLATED: _translated,
        ChoiceFault.TELLS_IN_OTHER_WORDS: _in_other_words,
        ChoiceFault.TELLS_BY_LETTER: _by_letter,
        ChoiceFault.TELLS_BY_EXCLUSION: _by_exclusion,
        ChoiceFault.TELLS_ROUNDED: _rounded,
        ChoiceFault.TELLS_PERCENTAGE: _percentage,
        ChoiceFault.TELLS_TREND: _trend,
        ChoiceFault.SESSION_DIGEST_UNFILTERED: _in_other_words,
    }
)
