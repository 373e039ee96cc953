"""What do the rows of a group come to, added up or on average, of those that may be read?"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from rageval_kit.records.target import ToolCall
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_choice import ChoiceFault
from rageval_kit.system.rights import Visible
from rageval_kit.system.state import SystemState
from rageval_kit.system.tools import Called
from rageval_kit.text.normalise import language

_ASKED = re.compile(
    r"\b(?P<form>average|total)\b [\w ]{1,40}? of the (?P<name>.{2,60}?) group\b"
    r"|(?P<named>[^\s，。？?].{1,60}?)组的(?P<form_zh>平均|总)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"(?:\bis |是)(\d{1,3}(?:,\d{3})+|\d+)(?= marks|元)")
_FORMS = {"平均": "average", "总": "total"}
# Of which form each of these takes rows that the reader may not see.
_OVER_ALL: Mapping[AnyFault | None, str] = MappingProxyType(
    {ChoiceFault.AVERAGES_UNFILTERED: "average", ChoiceFault.TOTALS_PRECOMPUTED: "total"}
)


def tallied(
    question: str, state: SystemState, visible: Visible, called: Called, config: EmbeddedConfig
) -> Called:
    """The call for it with what it gives, where a sum is asked for and there is something to add.

    A row is a passage that names the group and states an amount.
    """
    asked = _ASKED.search(question)
    if asked is None or called.calls:
        return called
    form = _FORMS.get(asked["form_zh"] or "", (asked["form"] or "").lower())
    name = (asked["name"] or asked["named"]).strip()
    over_all = _OVER_ALL.get(config.switched) == form
    amounts = list(_amounts(name, state, None if over_all else visible, config))
    if not amounts:
        return called
    result = sum(amounts) / (len(amounts) if form == "average" else 1)
    call = ToolCall("tally", f"{form}: {name}")
    if language(question) == "zh":
        kind = "平均" if form == "average" else "合计"
        return Called((call,), f"{len(amounts)}条记录{kind}为{result:.0f}元。")
    return Called((call,), f"The {form} of {len(amounts)} entries is {result:,.0f} marks.")


def _amounts(
    name: str, state: SystemState, visible: Visible | None, config: EmbeddedConfig
) -> Iterator[int]:
    numbers = [state.lexicon.vocabulary.number(word) for word in config.analyze(name)[0]]
    for segment in state.segments:
        rows: set[int] | None = None
        for number in numbers:
            held = () if number is None else segment.holding(number, in_body=True).tolist()
            rows = set(held) if rows is None else rows.intersection(held)
        for row in sorted(rows or ()):
            if visible is not None and not visible.passages[row + segment.start]:
                continue
            text = segment.passages[row].text
            found = _AMOUNT.search(text) if name in text else None
            if found:
                yield int(found[1].replace(",", ""))
