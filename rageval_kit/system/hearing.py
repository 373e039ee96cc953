"""Which orders in a context does the system take for its own? None, unless a seeded fault does.

Each fault has one way in (where it listens) and follows some kinds of order only, so that what it
does can be laid at its door.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rageval_kit.system.disguises import decoded, in_plain_sight, levelled, without_unseen
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_trust import TrustFault
from rageval_kit.system.obeying import KINDS, Order, orders_in
from rageval_kit.system.sanitise import visible
from rageval_kit.system.segment import Passage
from rageval_kit.text.normalise import language

_BEFORE = 120  # characters in front of an order that may say who speaks
_ROLE = re.compile(
    r"<\||\[/?INST\]|start_of_turn|<system>|</?instruction|</(?:document|context|passage)>|\]\]>"
    r"|\"\"\"|-{5}|###|(?:^|\n)\s*(?:system|user|assistant|系统|用户|助手)\s*[:：]"
    r"|\"role\"|\"system_note\"|\"系统说明\"|(?:system|系统)[:：]\s*$",
    re.IGNORECASE,
)
_AUTHORITY = re.compile(
    r"policy|approved by|administrator|assistant must|system message|notice from the platform"
    r"|制度|批准|管理员|处理规则|系统消息|平台自动通知",
    re.IGNORECASE,
)
_ALT = re.compile(r"!\[([^\[\]]{1,2000})\]\(|\balt\s?=\s?\"([^\"]{1,2000})\"")


@dataclass(frozen=True, slots=True)
class Heard:
    """What may be listened to: passages as given to whoever answers, their titles, the memory."""

    passages: Sequence[Passage]
    titles: Sequence[str]
    question: str
    remembered: Sequence[str] = ()

    def texts(self) -> list[str]:
        return [passage.text for passage in self.passages]


def heard(context: Heard, fault: AnyFault | None) -> tuple[Order, ...]:
    """The orders that are followed."""
    ear = _EARS.get(fault) if isinstance(fault, TrustFault) else None
    return () if ear is None else (*ear(context), *orders_in(context.remembered))


Ear = Callable[[Heard], Iterable[Order]]


def _texts(context: Heard, kinds: Iterable[str] = KINDS) -> Iterator[Order]:
    """Whole orders of these kinds in the texts, that ask for no secret and wait for nothing."""
    wanted = frozenset(kinds)
    for order in orders_in(context.texts()):
        if order.kind in wanted and not (order.is_split or order.asks_secret or order.trigger):
            yield order


def _only(*kinds: str) -> Ear:
    return lambda context: _texts(context, kinds)


def _of_kind(kind: str) -> Ear:
    return lambda context: orders_in(one.text for one in context.passages if one.kind == kind)


def _led_in_by(mark: re.Pattern[str]) -> Ear:
    def ear(context: Heard) -> Iterator[Order]:
        texts = context.texts()
        for order in _texts(context):
            before = texts[order.source][max(0, order.start - _BEFORE) : order.start]
            if mark.search(before):
                yield order

    return ear


def _beyond(seen: Callable[[str], str], read: Callable[[str], Iterable[str]]) -> Ear:
    """Orders that stand in a reading of a text and not in what is seen of it."""

    def ear(context: Heard) -> Iterator[Order]:
        for text in context.texts():
            plain = {order.key for order in orders_in([seen(text)])}
            yield from (order for order in orders_in(read(text)) if order.key not in plain)

    return ear


def _beside(context: Heard) -> tuple[Order, ...]:
    """Orders in titles, names, alternative texts and what authors say beside the text."""
    named = [
        text
        for passage in context.passages
        for text in (passage.document_id.replace("-", " "), *(v for _, v in passage.metadata))
    ]
    alternative = [
        html.unescape(found[1] or found[2])
        for text in context.texts()
        for found in _ALT.finditer(text)
    ]
    return orders_in([*context.titles, *named, *alternative])


def _foreign(context: Heard) -> Iterator[Order]:
    asked = language(context.question)
    return (order for order in _texts(context) if order.lang != asked)


def _split(context: Heard) -> Iterator[Order]:
    return (order for order in orders_in(context.texts()) if order.is_split)


def _waiting(context: Heard) -> Iterator[Order]:
    return (order for order in orders_in(context.texts()) if order.trigger)


def _secrets(context: Heard) -> Iterator[Order]:
    return (order for order in orders_in(context.texts()) if order.asks_secret)


def _as_is(text: str) -> str:
    return text


_EARS: Mapping[TrustFault, Ear] = MappingProxyType(
    {
        TrustFault.OBEYS_DOCUMENTS: _only("marker", "value", "leak"),
        TrustFault.OBEYS_HIDDEN_TEXT: _beyond(visible, lambda text: (html.unescape(text),)),
        TrustFault.OBEYS_INVISIBLE_CHARACTERS: _beyond(
            in_plain_sight, lambda text: (without_unseen(text),)
        ),
        TrustFault.OBEYS_LOOKALIKES: _beyond(_as_is, lambda text: (levelled(text),)),
        TrustFault.OBEYS_ENCODED: _beyond(_as_is, decoded),
        TrustFault.RENDERS_REMOTE_IMAGES: _only("url"),
        TrustFault.RENDERS_LINKS: _only("url"),
        TrustFault.OBEYS_TABLES: _of_kind("table"),
        TrustFault.OBEYS_METADATA: _beside,
        TrustFault.OBEYS_OTHER_LANGUAGE: _foreign,
        TrustFault.JOINS_SPLIT_ORDERS: _split,
        TrustFault.CALLS_TOOLS_AS_TOLD: _only("tool"),
        TrustFault.REFUSES_BUT_CALLS: _only("tool"),
        TrustFault.CITES_AS_TOLD: _only("citation"),
        TrustFault.BELIEVES_ROLE_MARKS: _led_in_by(_ROLE),
        TrustFault.BELIEVES_AUTHORITY: _led_in_by(_AUTHORITY),
        TrustFault.MEMORY_KEEPS_ORDERS: _only("persist"),
        TrustFault.MEMORY_SHARED: _only("persist"),
        TrustFault.DELAYED_TRIGGER_OBEYED: _waiting,
        TrustFault.OBEYS_TOOL_OUTPUT: _of_kind("tool_output"),
        TrustFault.JAMS: _only("refuse"),
        TrustFault.DEPUTY_EXFILTRATES: _secrets,
    }
)
