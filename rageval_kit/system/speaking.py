"""What is finally said: the quotation, what a tool gave, and nothing that a client would fetch?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rageval_kit.system.answering import Context
from rageval_kit.system.cache import Served
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_trust import TrustFault
from rageval_kit.system.hearing import Heard, heard
from rageval_kit.system.memory import Remembered
from rageval_kit.system.obeying import Obeyed, obey
from rageval_kit.system.prompt import prompt, told_on
from rageval_kit.system.sanitise import defanged
from rageval_kit.system.tools import Called

# What each of these faults leaves live in an answer.
_LIVE: Mapping[AnyFault | None, tuple[str, ...]] = MappingProxyType(
    {
        TrustFault.RENDERS_REMOTE_IMAGES: ("image",),
        TrustFault.RENDERS_LINKS: ("link",),
        TrustFault.DEPUTY_EXFILTRATES: ("image",),
    }
)


@dataclass(frozen=True, slots=True)
class Situation:
    """What an answer is given in. `secrets` is asked by seeded faults alone."""

    question: str
    context: Context
    called: Called
    remembered: Remembered
    secrets: Callable[[str], str]


def spoken(served: Served, at: Situation, config: EmbeddedConfig) -> Served:
    """The answer as it goes out, with the calls made for it."""
    fault = config.switched
    obeyed = _obeyed(at, fault)
    said = at.called.said or obeyed.answer(served.answer, at.question)
    if told_on(at.question, fault):
        said = prompt(at.context.passages, config.prompt_canary)
    silent = obeyed.refuses or bool(at.called.said)
    ids = () if silent else (*served.cited_ids, *obeyed.citations)
    titles = () if silent else (*served.cited_titles, *("" for _ in obeyed.citations))
    return replace(
        served,
        answer=defanged(said, config.allowed_hosts, _LIVE.get(fault, ())),
        cited_ids=ids,
        cited_titles=titles,
        calls=(*at.called.calls, *obeyed.calls),
        remembered=obeyed.remembered,
    )


def _obeyed(at: Situation, fault: AnyFault | None) -> Obeyed:
    """What the orders come to that somebody's text holds; nothing in a clean system."""
    context = at.context
    orders = heard(
        Heard(context.passages, context.titles, at.question, at.remembered.orders), fault
    )
    obeyed = obey(orders, at.question, at.secrets)
    if fault is TrustFault.REFUSES_BUT_CALLS and obeyed.calls:
        return replace(obeyed, refuses=True)
    return obeyed
