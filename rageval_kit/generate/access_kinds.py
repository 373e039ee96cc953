"""In which ways does a document of a generated organisation come to be readable, or not?"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from rageval_kit.records.world import (
    ALWAYS,
    Document,
    Effect,
    Entry,
    ShareLink,
    SubjectKind,
    Version,
    Window,
)

COMPARTMENTS: Final = ("project-a", "project-b")
LABELLED_SHARE: Final = 0.3
DAY: Final = timedelta(days=1)
# Each department has these three before anyone else, so that every kind of denial has its single
# cause and its allowed twin: one reads everything, one lacks compartments, one lacks clearance.
LEAD, UNCLEARED_FOR_PROJECTS, LOWEST = range(3)


@dataclass(slots=True)
class Staff:
    """One tenant while it is being built: who stands where."""

    tenant_id: str
    departments: list[str] = field(default_factory=list)
    members: dict[str, list[str]] = field(default_factory=dict)
    strangers: list[str] = field(default_factory=list)

    @property
    def company(self) -> str:
        return f"{self.tenant_id}/company"

    @property
    def former(self) -> str:
        return f"{self.tenant_id}/former"

    @property
    def service_id(self) -> str:
        return f"{self.tenant_id}/service"

    @property
    def everyone(self) -> list[str]:
        return [person for unit in self.departments for person in self.members[unit]]


@dataclass(slots=True)
class Draft:
    """One document while it is being given its list."""

    document: Document
    staff: Staff
    department: str
    draw: random.Random
    clock: datetime
    labels: tuple[str, ...]
    links: dict[str, ShareLink]
    entries: list[Entry] = field(default_factory=list)

    def add(
        self,
        kind: SubjectKind,
        subject_id: str = "",
        *,
        effect: Effect = Effect.ALLOW,
        window: Window = ALWAYS,
        revoked_at: datetime | None = None,
    ) -> None:
        entry_id = f"{self.document.document_id}/entry-{len(self.entries) + 1}"
        self.entries.append(Entry(entry_id, effect, kind, subject_id, window, revoked_at))

    def lead(self) -> str:
        return self.staff.members[self.department][LEAD]

    def second(self) -> str:
        return self.staff.members[self.department][UNCLEARED_FOR_PROJECTS]

    def change(self, **fields: object) -> None:
        self.document = replace(self.document, **fields)  # type: ignore[arg-type]

    def only_the_lead(self) -> None:
        """Nothing comes from the folder; the lead alone is named, and is the twin of the others."""
        self.change(inherits=False)
        self.add(SubjectKind.USER, self.lead())

    def may_be_labelled(self) -> None:
        if self.draw.random() < LABELLED_SHARE:
            self.change(label=self.draw.choice(self.labels))


def _plain(draft: Draft) -> None:
    draft.may_be_labelled()


def _everyone(draft: Draft) -> None:
    draft.may_be_labelled()
    draft.add(SubjectKind.EVERYONE)


def _company_group(draft: Draft) -> None:
    draft.change(inherits=False)
    draft.add(SubjectKind.UNIT, draft.staff.company)


def _named_deny(draft: Draft) -> None:
    draft.add(SubjectKind.USER, draft.second(), effect=Effect.DENY)


def _unit_deny(draft: Draft) -> None:
    draft.add(SubjectKind.EVERYONE)
    draft.add(SubjectKind.USER, draft.second())
    draft.add(SubjectKind.UNIT, f"{draft.department}/team", effect=Effect.DENY)


def _folder_deny(draft: Draft) -> None:
    draft.change(folder_id=f"{draft.department}/closed")


def _expired_entry(draft: Draft) -> None:
    draft.only_the_lead()
    past = Window(draft.clock - 200 * DAY, draft.clock - draft.draw.randint(1, 60) * DAY)
    draft.add(SubjectKind.UNIT, draft.department, window=past)


def _revoked_entry(draft: Draft) -> None:
    draft.only_the_lead()
    revoked_at = draft.clock - draft.draw.randint(1, 60) * DAY
    draft.add(SubjectKind.UNIT, draft.department, revoked_at=revoked_at)


def _coming_entry(draft: Draft) -> None:
    draft.only_the_lead()
    ahead = Window(draft.clock + draft.draw.randint(1, 60) * DAY)
    draft.add(SubjectKind.UNIT, draft.department, window=ahead)


def _lapsed_members(draft: Draft) -> None:
    draft.only_the_lead()
    draft.add(SubjectKind.UNIT, draft.staff.former)


def _link(draft: Draft, window: Window = ALWAYS, revoked_at: datetime | None = None) -> None:
    draft.only_the_lead()
    link_id = f"{draft.document.document_id}/link"
    opened = ((draft.second(), draft.clock - 30 * DAY),)
    draft.links[link_id] = ShareLink(link_id, window, revoked_at, opened)
    draft.add(SubjectKind.LINK, link_id)


def _expired_link(draft: Draft) -> None:
    _link(draft, Window(draft.clock - 60 * DAY, draft.clock - DAY))


def _revoked_link(draft: Draft) -> None:
    _link(draft, revoked_at=draft.clock - DAY)


def _strangers_named(draft: Draft) -> None:
    """Entries left behind for people of another tenant: a live guest reads, the others do not."""
    for person in draft.staff.strangers:
        draft.add(SubjectKind.USER, person)


def _labelled(draft: Draft) -> None:
    draft.change(label=draft.draw.choice(draft.labels[1:] or draft.labels))


def _labelled_passage(draft: Draft) -> None:
    """The last passage of every version is secret, the rest of the document is not."""
    draft.change(versions=tuple(_seal_last(v, draft.labels[-1]) for v in draft.document.versions))


def _seal_last(version: Version, label: str) -> Version:
    if not version.chunks:
        return version
    last = replace(version.chunks[-1], label=label)
    return replace(version, chunks=(*version.chunks[:-1], last))


def _compartment(draft: Draft) -> None:
    draft.change(compartments=frozenset({draft.draw.choice(COMPARTMENTS)}))


def _own_list(draft: Draft) -> None:
    draft.only_the_lead()


def _public(draft: Draft) -> None:
    draft.add(SubjectKind.PUBLIC)


def _empty_list(draft: Draft) -> None:
    draft.change(inherits=False)


# Most kinds leave someone of the department denied by one condition alone, while its lead reads.
KINDS: Final[Mapping[str, Callable[[Draft], None]]] = MappingProxyType(
    {
        "plain": _plain,
        "named_deny": _named_deny,
        "strangers_named": _strangers_named,
        "labelled": _labelled,
        "expired_entry": _expired_entry,
        "link": _link,
        "folder_deny": _folder_deny,
        "compartment": _compartment,
        "unit_deny": _unit_deny,
        "lapsed_members": _lapsed_members,
        "everyone": _everyone,
        "own_list": _own_list,
        "labelled_passage": _labelled_passage,
        "company_group": _company_group,
        "revoked_entry": _revoked_entry,
        "expired_link": _expired_link,
        "public": _public,
        "coming_entry": _coming_entry,
        "revoked_link": _revoked_link,
        "empty_list": _empty_list,
    }
)
