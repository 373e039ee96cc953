"""Which version of each document was in force when, out of the commits of a git repository?"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

from rageval_kit.corpus.times import (
    Side,
    TimeError,
    day_bound,
    format_instant,
    parse_instant,
    zone,
)
from rageval_kit.intake.effective import head_of, read_day
from rageval_kit.intake.files import Row
from rageval_kit.intake.flat import RIGHTS, Mapped, documents_of
from rageval_kit.intake.git_log import MAX_BLOB, GitLog, open_log
from rageval_kit.intake.lineage import Clock, Edition, follow
from rageval_kit.intake.matching import Find, open_matcher
from rageval_kit.intake.pages import SUFFIXES, front_matter
from rageval_kit.intake.report import Collector, shown
from rageval_kit.intake.yaml_text import read_yaml
from rageval_kit.records.faults import InputError

PATTERN = "--effective-pattern"
_ID = 12
_BINARY_WITHIN = 8000  # as git tells text from binary: by a NUL near the beginning


@dataclass(frozen=True, slots=True)
class History:
    """What a person says about a repository.

    Every document belongs to `tenant`, and everyone in it may read: commits state no rights.
    `paths` are patterns of the present names, in which * also matches /; none: the endings of
    pages. `since` leaves out what was already replaced then, `until` what was recorded later.
    """

    tenant: str
    paths: tuple[str, ...] = ()
    effective: str | None = None
    clock: Clock = Clock.COMMITTER
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Spell:
    """When one edition was in force, and while that was held to be so."""

    valid_from: datetime
    valid_to: datetime | None
    recorded_to: datetime | None


def spells(
    editions: Sequence[Edition], stated: Sequence[datetime | None], *, from_the_first: bool
) -> list[Spell]:
    """Compute the windows from dates and succession.

    An edition is in force from its record or from the later date it states, until the next one is.
    One that is replaced before it came into force never is: it ends in recorded, not in valid
    time. Only the very first may state a date before its record, for there the repository knows of
    nothing that was in force instead.
    """
    starts: list[datetime] = []
    valid_to: dict[int, datetime] = {}
    recorded_to: dict[int, datetime] = {}
    held: list[int] = []
    for index, edition in enumerate(editions):
        said = stated[index] or edition.recorded
        is_first = index == 0 and from_the_first
        starts.append(said if is_first else max(said, edition.recorded))
        while held and starts[held[-1]] >= starts[index]:
            recorded_to[held.pop()] = edition.recorded
        if held:
            valid_to[held[-1]] = starts[index]
        if edition.blob:
            held.append(index)
        else:
            held.clear()
    return [Spell(at, valid_to.get(n), recorded_to.get(n)) for n, at in enumerate(starts)]


def read_history(
    source: Path, history: History, mapped: Mapped, faults: Collector
) -> tuple[list[Row], str | None]:
    """Give the documents of a repository, and the instant after which it knows nothing."""
    try:
        zone(mapped.timezone)
    except TimeError as error:
        raise InputError.one("--timezone", error.problem, "", error.way_out) from None
    bounds = [_bound(f"--{n}", getattr(history, n), mapped.timezone) for n in ("since", "until")]
    pattern = history.effective
    matcher = open_matcher(pattern, PATTERN) if pattern is not None else nullcontext(_nothing)
    with open_log(source) as log, matcher as find:
        if log.is_shallow:
            rule = "is a shallow clone: what was before its oldest commit is not known"
            faults.warn(str(source), 0, "", None, rule, "git fetch --unshallow")
        lineages = follow(log.commits(), history.clock)
        for path in lineages.odd:
            rule = "is a link or a submodule, and left out"
            faults.warn(f"{source}: {path}", 0, "", None, rule)
        reader = _Reader(log, history, mapped, faults, find)
        rows: list[Row] = []
        newest = None
        for document_id, lineage in sorted(lineages.documents.items()):
            if not _is_wanted(lineage.path, history.paths):
                continue
            editions, cut = _between(lineage.editions, bounds[0], bounds[1])
            if editions:
                newest = max(newest or editions[-1].recorded, editions[-1].recorded)
                flat = list(reader.rows(document_id, editions, from_the_first=not cut))
                rows.extend(documents_of(flat, mapped, faults))
    if not rows and not faults.faults:
        rule = "holds no version of any page"
        way_out = f"name them with --paths; without it the endings are {', '.join(SUFFIXES)}"
        faults.fault(str(source), 0, "", None, rule, way_out)
    if pattern is not None and rows and not reader.stated:
        raise InputError.one(PATTERN, "matches no version", repr(pattern), "look at one head")
    clock = bounds[1] or newest
    return rows, format_instant(clock) if clock else None


def _nothing(text: str) -> None:  # noqa: ARG001 - one shape with a matcher
    return None


def _bound(option: str, text: str | None, timezone: str) -> datetime | None:
    try:
        side = Side.END if option == "--until" else Side.START
        return None if text is None else parse_instant(text, timezone, side)
    except TimeError as error:
        raise InputError.one(option, error.problem, repr(text), error.way_out) from None


def _is_wanted(path: str, patterns: tuple[str, ...]) -> bool:
    if patterns:
        return any(fnmatchcase(path, pattern) for pattern in patterns)
    return PurePosixPath(path).suffix.lower() in SUFFIXES


def _between(
    editions: Sequence[Edition], since: datetime | None, until: datetime | None
) -> tuple[list[Edition], bool]:
    """Give what was recorded before `until` and not yet replaced at `since`; was any cut off?"""
    known = [e for e in editions if until is None or e.recorded < until]
    later = [e for _, e in pairwise(known) if since is None or e.recorded > since]
    kept = known[len(known) - len(later) - 1 :] if known else []
    was_gone = bool(kept) and not kept[0].blob
    return kept[was_gone:], len(kept) - was_gone < len(known)


@dataclass(slots=True)
class _Reader:
    """`stated` counts the versions in which a date was found."""

    log: GitLog
    history: History
    mapped: Mapped
    faults: Collector
    find: Find
    stated: int = 0

    def rows(
        self, document_id: str, editions: list[Edition], *, from_the_first: bool
    ) -> Iterator[Row]:
        """Give one row a version; a document of which nothing can be read is left out, named."""
        texts = [self._text(document_id, edition) for edition in editions]
        if all(text is None for text in texts):
            return
        days = [self._stated(document_id, *pair) for pair in zip(editions, texts, strict=True)]
        ends = [edition.recorded for edition in editions if not edition.blob]
        windows = spells(editions, days, from_the_first=from_the_first)
        for edition, text, spell in zip(editions, texts, windows, strict=True):
            if not edition.blob:
                continue
            states = [{"at": format_instant(edition.recorded), "state": "published"}]
            gone = next((end for end in ends if end > edition.recorded), None)
            if gone is not None:
                states.append({"at": format_instant(gone), "state": "withdrawn"})
            data = {
                "document_id": document_id,
                "tenant": self.history.tenant,
                "everyone": True,
                "version_id": f"{document_id}@{edition.commit_id[:_ID]}",
                "valid_from": format_instant(spell.valid_from),
                "valid_to": spell.valid_to and format_instant(spell.valid_to),
                "recorded_from": format_instant(edition.recorded),
                "recorded_to": spell.recorded_to and format_instant(spell.recorded_to),
                "state": states,
                **self._content(self._place(document_id, edition), text or ""),
            }
            yield Row(self._place(document_id, edition), 0, data)

    def _place(self, document_id: str, edition: Edition) -> str:
        return f"{self.log.source}: {document_id}@{edition.commit_id[:_ID]}"

    def _text(self, document_id: str, edition: Edition) -> str | None:
        """Read a version; one that is no text keeps its time and loses its content."""
        if not edition.blob:
            return None
        content = self.log.blob(edition.blob)
        rule = f"is larger than {MAX_BLOB} bytes"
        if content is not None:
            rule = "is not UTF-8 text"
            try:
                if b"\0" not in content[:_BINARY_WITHIN]:
                    return content.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
            except UnicodeDecodeError as error:
                rule = f"is not UTF-8 text (byte {error.start})"
        rule = f"{rule}: nothing of this version is read, its time is kept"
        self.faults.warn(self._place(document_id, edition), 0, "", None, rule)
        return None

    def _stated(self, document_id: str, edition: Edition, text: str | None) -> datetime | None:
        found = self.find(head_of(text)) if text else None
        day = read_day(found) if found else None
        if day is not None:
            self.stated += 1
            return day_bound(day, Side.START, self.mapped.timezone)
        if found:
            rule = f"{PATTERN} found {shown(found)}, which is no date; the commit's counts"
            self.faults.warn(self._place(document_id, edition), 0, "", None, rule)
        return None

    def _content(self, place: str, text: str) -> dict[str, Any]:
        """Take the front matter off the text: its title is the title, its rights are refused."""
        front, rest = front_matter(text)
        if front is None:
            return {"text": text}
        # what an old version says badly cannot be mended any more, so it is passed over
        value = read_yaml(front, place, Collector())
        told = value if isinstance(value, dict) else {}
        for column in RIGHTS:
            if column in told:
                rule = "states rights, which a history does not follow"
                way_out = "bring the folder without --tenant, or leave the page out by --paths"
                self.faults.fault(place, 0, column, told[column], rule, way_out)
        title = told.get("title")
        return {"text": rest, **({"title": title} if isinstance(title, str) else {})}
