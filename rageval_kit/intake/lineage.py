"""Which documents does a repository hold, with which file contents when, renames followed?"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from rageval_kit.corpus.times import INSTANT
from rageval_kit.intake.git_log import Change, Commit
from rageval_kit.text.normalise import nfc

_ID = 12


class Clock(StrEnum):
    """Which of the two dates of a commit counts as the time it was recorded."""

    COMMITTER = "committer"
    AUTHOR = "author"


@dataclass(frozen=True, slots=True)
class Edition:
    """What a commit made of a file; `blob` is empty where it took the file away."""

    commit_id: str
    recorded: datetime
    blob: str


@dataclass(slots=True)
class Lineage:
    """One document through all its names; `path` is the last of them."""

    path: str
    editions: list[Edition] = field(default_factory=list)

    @property
    def is_gone(self) -> bool:
        return not self.editions[-1].blob

    def add(self, commit_id: str, at: datetime, blob: str) -> None:
        """Add what is new. Dates of commits may run backwards; their order is the line's order."""
        if self.editions:
            last = self.editions[-1]
            if last.blob == blob:
                return
            at = max(at, last.recorded + INSTANT)
        self.editions.append(Edition(commit_id, at, blob))


@dataclass(frozen=True, slots=True)
class Lineages:
    """`odd` are paths at which a link or a submodule stood."""

    documents: dict[str, Lineage]
    odd: tuple[str, ...]


def follow(commits: Iterable[Commit], clock: Clock) -> Lineages:
    """Follow every file through all commits; a file that comes back continues its document."""
    live: dict[str, Lineage] = {}
    gone: dict[str, Lineage] = {}
    ended: list[Lineage] = []
    odd: dict[str, None] = {}
    for commit in commits:
        at = commit.authored if clock is Clock.AUTHOR else commit.committed
        # names are given up before they are taken, since files may change names in a circle
        moved = {c.old: live.pop(c.old) for c in commit.changes if c.old and c.old in live}
        for change in commit.changes:
            if change.is_odd:
                odd[change.path] = None
            if change.blob:
                _place(change, moved, live, gone).add(commit.commit_id, at, change.blob)
            elif change.path in live:
                lost = live.pop(change.path)
                lost.add(commit.commit_id, at, "")
                if change.path in gone:
                    ended.append(gone[change.path])
                gone[change.path] = lost
    return Lineages(_named(live, gone, ended), tuple(odd))


def _place(
    change: Change, moved: dict[str, Lineage], live: dict[str, Lineage], gone: dict[str, Lineage]
) -> Lineage:
    lineage = moved.get(change.old) or live.get(change.path) or gone.pop(change.path, None)
    if lineage is None:
        lineage = Lineage(change.path)
    lineage.path = change.path
    live[change.path] = lineage
    return lineage


def _named(
    live: dict[str, Lineage], gone: dict[str, Lineage], ended: list[Lineage]
) -> dict[str, Lineage]:
    """Name each document by its last path; one that is gone yields the path to a later one."""
    named: dict[str, Lineage] = {}
    for lineage in (*live.values(), *gone.values(), *ended):
        name = nfc(lineage.path)
        if name in named:
            name = f"{name}@{lineage.editions[-1].commit_id[:_ID]}"
        named[name] = lineage
    return named
