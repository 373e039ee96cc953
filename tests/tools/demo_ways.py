"""In which one way is a generated document of the demo readable to some and not to others?"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from demo_words import entries, instant, window

from rageval_kit.records.world import Document, ShareLink, State, Version

COMPARTMENT = {"cn": "incident", "t": "merger", "c": "patients"}
WATCHED = {"cn": "cn-freeze", "t": "t-freeze", "c": "c-freeze"}
LAPSED = {"cn": "cn-travel-pilot", "t": "t-former", "c": "c-former"}


@dataclass(frozen=True, slots=True)
class Plan:
    """A document with one plain version, the parts people play, and further editions of it."""

    made: Document
    place: Mapping[str, Any]
    editions: Iterator[Version]
    links: dict[str, ShareLink]

    @property
    def company(self) -> str:
        return self.made.document_id.split("-")[0]

    @property
    def only(self) -> Version:
        return self.made.versions[0]

    def listed(self, *lines: str) -> Document:
        return replace(self.made, entries=entries(self.made.document_id, lines))

    def edition(self, **changed: Any) -> Document:
        return replace(self.made, versions=(replace(self.only, **changed),))

    def state(self, day: str, state: State) -> Document:
        return self.edition(states=(*self.only.states, (instant(day), state)))

    def last_passage(self, **changed: Any) -> Document:
        chunks = self.only.chunks
        return self.edition(chunks=(*chunks[:-1], replace(chunks[-1], **changed)))

    def link(self, said: str, *opened: str) -> Document:
        link_id = f"lk-{self.made.document_id}"
        who = tuple((person, instant("2026-09-05")) for person in opened)
        self.links[link_id] = ShareLink(link_id, *window(said), opened=who)
        return self.listed(f"+link {link_id}")

    def turned(self, day: str, recorded: str) -> Document:
        """Another edition takes effect at `day`, known since `recorded`."""
        turn, known = instant(day), instant(recorded)
        later = replace(
            next(self.editions),
            valid_from=turn,
            recorded_from=known,
            states=((known, State.PUBLISHED),),
        )
        return replace(self.made, versions=(replace(self.only, valid_to=turn), later))

    def corrected(self, day: str) -> Document:
        """The same time, told otherwise since `day`."""
        turn = instant(day)
        later = replace(
            next(self.editions),
            valid_from=self.only.valid_from,
            recorded_from=turn,
            states=((turn, State.PUBLISHED),),
        )
        return replace(self.made, versions=(replace(self.only, recorded_to=turn), later))


def named_deny(plan: Plan) -> Document:
    return plan.listed(f"-user {plan.place['second']}")


def unit_deny(plan: Plan) -> Document:
    deny = f"-unit {WATCHED[plan.company]}"
    return plan.listed("+everyone", f"+user {plan.place['second']}", deny)


def foreign(plan: Plan) -> Document:
    return plan.listed(*(f"+user {person}" for person in plan.place["strangers"]))


def revoked(plan: Plan) -> Document:
    return plan.listed(f"+unit {plan.place['other_unit']} revoked 2026-10-13")


def expired(plan: Plan) -> Document:
    return plan.listed(f"+unit {plan.place['other_unit']} from 2026-01-01 until 2026-09-30")


def coming(plan: Plan) -> Document:
    return plan.listed(f"+user {plan.place['colleague']} from 2026-11-20")


def draft(plan: Plan) -> Document:
    return plan.edition(states=((instant("2026-10-21"), State.DRAFT),))


def compartment(plan: Plan) -> Document:
    return replace(plan.made, compartments=frozenset({COMPARTMENT[plan.company]}))


WAYS: Mapping[str, Callable[[Plan], Document]] = {
    "plain": lambda plan: plan.made,
    "named_deny": named_deny,
    "foreign": foreign,
    "lapsed": lambda plan: plan.listed(f"+unit {LAPSED[plan.company]}"),
    "named_deny_again": named_deny,
    "label": lambda plan: replace(plan.made, label=plan.place["label"]),
    "expired": expired,
    "withdrawn": lambda plan: plan.state("2026-09-28", State.WITHDRAWN),
    "superseded": lambda plan: plan.turned("2026-10-08", "2026-10-02"),
    "link_opened": lambda plan: plan.link("until 2026-12-31", plan.place["colleague"]),
    "revoked": revoked,
    "recorded_later": lambda plan: plan.edition(recorded_from=instant("2026-11-06")),
    "passage": lambda plan: plan.last_passage(label=plan.place["label"]),
    "draft": draft,
    "coming": coming,
    "corrected": lambda plan: plan.corrected("2026-10-14"),
    "link_unopened": lambda plan: plan.link("until 2026-12-31"),
    "compartment": compartment,
    "quarantined": lambda plan: plan.state("2026-10-06", State.QUARANTINED),
    "future": lambda plan: plan.turned("2026-12-01", "2026-10-12"),
    "unit_deny": unit_deny,
    "deleted": lambda plan: plan.state("2026-10-19", State.DELETED),
    "attachment": lambda plan: plan.last_passage(label=plan.place["label"], kind="attachment"),
    "everyone": lambda plan: plan.listed("+everyone"),
    "link_expired": lambda plan: plan.link("until 2026-10-20", plan.place["colleague"]),
    "link_revoked": lambda plan: plan.link("revoked 2026-10-01", plan.place["colleague"]),
}
