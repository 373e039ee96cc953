"""Which access lists name whom, and how far up the ladder does each reach for one principal?

Equal lists of one tenant are kept once. For a principal, every distinct subject gets the rung that
a live entry naming it would reach; numpy spreads that over the entries, each list takes its best.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from rageval_kit.access.standing import Standing
from rageval_kit.access.times import micros
from rageval_kit.records.faults import Fault
from rageval_kit.records.world import Effect, Entry, SubjectKind

BEGINNING = np.iinfo(np.int64).min
END = np.iinfo(np.int64).max

Subject = tuple[SubjectKind, str]
EntryKey = tuple[bool, Subject, int, int]
ListKey = frozenset[EntryKey]

PUBLIC: Subject = (SubjectKind.PUBLIC, "")


class Rung(IntEnum):
    """How far an allow entry reaches; the ladder's C11 to C14 each ask for one rung more."""

    NOT_NAMED = 0
    NAMED = 1
    LIVE = 2
    THROUGH_LIVE_MEMBERSHIPS = 3
    TOP = 4


@dataclass(frozen=True, slots=True)
class Denied:
    """Per list: whether one of its live denies names the principal, by name or otherwise."""

    by_name: NDArray[np.bool_]
    by_group: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ListsNow:
    """The lists as of one instant, the same for every principal.

    `slot` points each allow entry into the rungs of live subjects, or, for an entry that is not
    live, into the rungs of dead ones, which stand behind them. `unmet`: per subject, how far a live
    entry reaches for someone whom nothing names.
    """

    slot: NDArray[np.intp]
    deny_subject: NDArray[np.intp]
    deny_list: NDArray[np.intp]
    deny_by_name: NDArray[np.bool_]
    is_public: NDArray[np.bool_]
    unmet: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Lists:
    """Distinct access lists as flat arrays of their entries; list 0 is the empty one."""

    subjects: dict[Subject, int]
    keys: dict[ListKey, int]
    allow_subject: NDArray[np.intp]
    allow_start: NDArray[np.int64]
    allow_end: NDArray[np.int64]
    allow_list: NDArray[np.intp]
    deny_subject: NDArray[np.intp]
    deny_start: NDArray[np.int64]
    deny_end: NDArray[np.int64]
    deny_list: NDArray[np.intp]
    deny_by_name: NDArray[np.bool_]

    def with_lists(self, wanted: Sequence[ListKey]) -> tuple["Lists", NDArray[np.intp]]:
        """These lists and the wanted ones, and where each wanted one stands."""
        new = [key for key in dict.fromkeys(wanted) if key not in self.keys]
        lists = self._extended(new) if new else self
        ids = np.fromiter((lists.keys[key] for key in wanted), np.intp, len(wanted))
        return lists, ids

    def _extended(self, new: Sequence[ListKey]) -> "Lists":
        subjects, keys = dict(self.subjects), dict(self.keys)
        allow: list[tuple[int, int, int, int]] = []
        deny: list[tuple[int, int, int, int, bool]] = []
        for key in new:
            keys[key] = len(keys)
            for is_deny, subject, start, end in key:
                subject_id = subjects.setdefault(subject, len(subjects))
                if is_deny:
                    by_name = subject[0] is SubjectKind.USER
                    deny.append((subject_id, start, end, keys[key], by_name))
                else:
                    allow.append((subject_id, start, end, keys[key]))
        more_allow = np.array(allow, np.int64).reshape(-1, 4).T
        more_deny = np.array(deny, np.int64).reshape(-1, 5).T
        return Lists(
            subjects,
            keys,
            np.append(self.allow_subject, more_allow[0]),
            np.append(self.allow_start, more_allow[1]),
            np.append(self.allow_end, more_allow[2]),
            np.append(self.allow_list, more_allow[3]),
            np.append(self.deny_subject, more_deny[0]),
            np.append(self.deny_start, more_deny[1]),
            np.append(self.deny_end, more_deny[2]),
            np.append(self.deny_list, more_deny[3]),
            np.append(self.deny_by_name, more_deny[4].astype(np.bool_)),
        )

    def at(self, now: datetime) -> ListsNow:
        instant = micros(now)
        live = (self.allow_start <= instant) & (instant < self.allow_end)
        denies = (self.deny_start <= instant) & (instant < self.deny_end)
        is_public = np.zeros(len(self.keys), np.bool_)
        is_public[self.allow_list[live & (self.allow_subject == self.subjects[PUBLIC])]] = True
        return ListsNow(
            np.where(live, self.allow_subject, self.allow_subject + len(self.subjects)),
            self.deny_subject[denies],
            self.deny_list[denies],
            self.deny_by_name[denies],
            is_public,
            self._unmet(),
        )

    def rungs(self, now: ListsNow, reach: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Per list, the best rung of its allow entries."""
        dead = np.minimum(reach, np.uint8(Rung.NAMED))
        dead[self.subjects[PUBLIC]] = Rung.NOT_NAMED
        reached = np.concatenate((reach, dead))[now.slot]
        best = np.zeros(len(self.keys), np.uint8)
        # From low to high, so that the best stays.
        for rung in (Rung.NAMED, Rung.LIVE, Rung.THROUGH_LIVE_MEMBERSHIPS, Rung.TOP):
            best[self.allow_list[reached == rung]] = rung
        return best

    def denied(self, now: ListsNow, reach: NDArray[np.uint8]) -> Denied:
        hit = reach[now.deny_subject] == Rung.TOP
        denied = Denied(np.zeros(len(self.keys), np.bool_), np.zeros(len(self.keys), np.bool_))
        denied.by_name[now.deny_list[hit & now.deny_by_name]] = True
        denied.by_group[now.deny_list[hit & ~now.deny_by_name]] = True
        return denied

    def reach(self, now: ListsNow, standing: Standing) -> NDArray[np.uint8]:
        """Per subject, the rung that a live entry naming it reaches for this principal."""
        reach = now.unmet.copy()
        for kind, ids, rung in (
            (SubjectKind.UNIT, standing.units_ever, Rung.LIVE),
            (SubjectKind.UNIT, standing.units_live, Rung.TOP),
            (SubjectKind.EVERYONE, standing.tenants_ever, Rung.LIVE),
            (SubjectKind.EVERYONE, standing.tenants_live, Rung.TOP),
            (SubjectKind.LINK, standing.links_held, Rung.TOP),
            (SubjectKind.USER, (standing.principal_id,), Rung.TOP),
        ):
            for subject_id in ids:
                position = self.subjects.get((kind, subject_id))
                if position is not None:
                    reach[position] = rung
        return reach

    def _unmet(self) -> NDArray[np.uint8]:
        rungs = {SubjectKind.LINK: Rung.THROUGH_LIVE_MEMBERSHIPS, SubjectKind.PUBLIC: Rung.TOP}
        return np.fromiter(
            (rungs.get(kind, Rung.NOT_NAMED) for kind, _ in self.subjects),
            np.uint8,
            len(self.subjects),
        )


def key_of(entries: Iterable[Entry], tenant_id: str, where: str, faults: list[Fault]) -> ListKey:
    """What a list says, apart from its order and its entries' ids."""
    return frozenset(_entry_key(entry, tenant_id, where, faults) for entry in entries)


def _entry_key(entry: Entry, tenant_id: str, where: str, faults: list[Fault]) -> EntryKey:
    is_deny = entry.effect is Effect.DENY
    kind = entry.subject_kind
    if is_deny and kind is SubjectKind.LINK:
        faults.append(
            Fault(
                f"{where}, entry {entry.entry_id}",
                "a deny entry names a link",
                entry.subject_id,
                "revoke the link, or deny the people it must not serve",
            )
        )
    subject = (kind, entry.subject_id)
    if kind is SubjectKind.EVERYONE:
        subject = (kind, tenant_id)
    elif kind is SubjectKind.PUBLIC:
        subject = PUBLIC
    start, end = entry.window.start, entry.window.end
    until = END if end is None else micros(end)
    if entry.revoked_at is not None:
        until = min(until, micros(entry.revoked_at))
    return is_deny, subject, BEGINNING if start is None else micros(start), until


def _none() -> Lists:
    whole, flags = np.empty(0, np.int64), np.empty(0, np.bool_)
    index = np.empty(0, np.intp)
    subjects = {PUBLIC: 0}
    return Lists(subjects, {}, index, whole, whole, index, index, whole, whole, index, flags)


NO_LISTS = _none().with_lists([frozenset()])[0]
