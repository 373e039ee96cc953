"""Who do seeded faults take a caller for, because of what is said about it?

A sound system takes a caller for whom the transport vouches for, and hears none of this.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from rageval_kit.system.belonging import Reader
from rageval_kit.system.cache import PAIRS, AnswerCache, Scope, Served
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_deputies import DeputyFault
from rageval_kit.system.memory import Remembered
from rageval_kit.system.people import People
from rageval_kit.system.retrieval import read_queries
from rageval_kit.system.state import SystemState

_SAID_NAME = re.compile(r"\bI am ([^,.;:\n]{2,80})|我是([^，。；：\n]{2,60})")
_ROLE = re.compile(
    r"chief financial officer|chief executive|\bCFO\b|\bCEO\b|财务总监|首席执行官|董事长",
    re.IGNORECASE,
)
_PAIR = re.compile(r"(?:\bQ|问)[:：]\s*(.+?)\s*(?:\bA|答)[:：]\s*(.+)", re.DOTALL)


def taken_for(
    reader: Reader, query: str, remembered: Remembered, people: People, fault: AnyFault | None
) -> Reader:
    """The reader; under a fault the person named, or one who may see all, where a role is said."""
    if fault is DeputyFault.CLAIMED_NAME_BELIEVED:
        return _named(query, people) or reader
    heard: Mapping[AnyFault | None, tuple[str, ...]] = {
        DeputyFault.CLAIMED_ROLE_BELIEVED: (query,),
        DeputyFault.CLAIM_REMEMBERED: remembered.questions,
        DeputyFault.ROLE_READ_IN_DOCUMENT: remembered.orders,
    }
    if any(_ROLE.search(text) for text in heard.get(fault, ())):
        return Reader(reader.principal_id, sees_everything=True)
    return reader


def _named(text: str, people: People) -> Reader | None:
    said = {(found[1] or found[2]).strip() for found in _SAID_NAME.finditer(text)}
    persons = (p for p in people.principals.values() if {p.name, p.principal_id} & said - {""})
    person = next(persons, None)
    return None if person is None else Reader(person.principal_id)


def roles_read(texts: Iterable[str], fault: AnyFault | None) -> tuple[str, ...]:
    """What of a context a fault remembers about whoever asks; nothing without one."""
    if fault is not DeputyFault.ROLE_READ_IN_DOCUMENT:
        return ()
    return tuple(found[0] for text in texts for found in [_ROLE.search(text)] if found)


def warm(
    cache: AnswerCache, texts: Sequence[str], state: SystemState, config: EmbeddedConfig
) -> None:
    """Questions and answers that stand in passages are kept as if they had been answered."""
    pairs = [found.groups() for text in texts for found in [_PAIR.search(text)] if found]
    queries = read_queries([question for question, _ in pairs], state, config)
    for question, said in pairs:
        cache.keep(Scope(PAIRS, PAIRS, PAIRS), queries[question], Served(said, (), (), (), ()))
