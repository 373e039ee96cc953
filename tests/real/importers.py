"""How do public data sets become worlds, without a rule that their own pages do not state?"""

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import yaml

from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    Membership,
    Principal,
    State,
    SubjectKind,
    Tenant,
    Unit,
    UnitKind,
    Version,
    World,
)

LEAST, MOST = 600, 900
CHINA = timezone(timedelta(hours=8))


def passages(version_id: str, text: str, most: int = MOST) -> tuple[Chunk, ...]:
    """Paragraphs merged up to `most` characters; the location is the last heading above.

    A chunk of LEAST characters or more ends at a heading. A longer paragraph stays whole.
    """
    found: list[tuple[str, str]] = []
    held: list[str] = []
    heading = place = ""
    for paragraph in re.split(r"\n\s*\n", text.replace("\r\n", "\n")):
        body = paragraph.strip()
        if not body:
            continue
        is_heading = body.startswith("#")
        length = sum(len(part) + 2 for part in held)
        if held and (length + len(body) > most or (is_heading and length >= LEAST)):
            found.append((place, "\n\n".join(held)))
            held = []
        if is_heading:
            heading = body.splitlines()[0].lstrip("# ").strip()
        if not held:
            place = heading
        held.append(body)
    if held:
        found.append((place, "\n\n".join(held)))
    return tuple(
        Chunk(chunk_id=f"{version_id}#{number}", text=body, location=place)
        for number, (place, body) in enumerate(found, start=1)
    )


def allow(document_id: str, kind: SubjectKind, subject_id: str = "") -> Entry:
    return Entry(f"{document_id}/{kind}/{subject_id}", Effect.ALLOW, kind, subject_id)


def by_id(records: Iterable[Any], key: str) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for record in records:
        name = getattr(record, key)
        if name in named:
            raise ValueError(f"{key} {name!r} stands twice in the data set")
        named[name] = record
    return named


def world(
    name: str,
    clock: datetime,
    documents: Iterable[Document],
    principals: Iterable[Principal] = (),
    units: Iterable[Unit] = (),
    memberships: Iterable[Membership] = (),
    timezone_name: str = "UTC",
) -> World:
    return World(
        documents=by_id(documents, "document_id"),
        folders={},
        tenants={name: Tenant(name)},
        principals=by_id(principals, "principal_id"),
        units=by_id(units, "unit_id"),
        memberships=by_id(memberships, "membership_id"),
        guests={},
        links={},
        clock=clock,
        timezone=timezone_name,
        name=name,
    )


# --- authzed_rag_acl: four users, four departments, the rules of PERMISSIONS.md ---------------

AUTHZED_SINCE = datetime(2024, 1, 1, tzinfo=UTC)  # the data set dates no document; declared here
AUTHZED_CLOCK = datetime(2024, 6, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Stated:
    """One decision as the data set states it."""

    user: str
    document: str
    allowed: bool
    via: str | None


def expected(folder: Path) -> Iterator[Stated]:
    with (folder / "expected.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield Stated(row["user"], row["document"], row["allowed"], row.get("via"))


def _table(page: str, heading: str) -> list[list[str]]:
    """Rows of the first Markdown table under `heading`, without its head."""
    section = page.split(heading, 1)[1].split("\n## ", 1)[0].split("\n### ", 1)[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def authzed_rag_acl(folder: Path) -> World:
    """The world is read from PERMISSIONS.md and the documents' heads, never from the decisions."""
    tenant = "authzed"
    page = (folder / "PERMISSIONS.md").read_text(encoding="utf-8")
    staff = [(row[0], row[1]) for row in _table(page, "## Users and Departments")]
    shared = [(row[0], row[2]) for row in _table(page, "### 2. Cross-Department Documents")]
    personal = [
        (row[0].split(" ")[0], row[1]) for row in _table(page, "### 3. Individual User Exceptions")
    ]
    documents = []
    for path in sorted((folder / "documents").glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        head = dict(re.findall(r"^(Title|Department): (.+)$", text, flags=re.MULTILINE))
        document_id, department = path.stem, head["Department"]
        if department == "public":
            entries = [allow(document_id, SubjectKind.EVERYONE)]
        else:
            entries = [allow(document_id, SubjectKind.UNIT, department)]
        entries += [
            allow(document_id, SubjectKind.UNIT, unit) for doc, unit in shared if doc == document_id
        ]
        entries += [
            allow(document_id, SubjectKind.USER, user)
            for user, doc in personal
            if doc == document_id
        ]
        version = Version(
            version_id=f"{document_id}@1",
            title=head["Title"],
            chunks=passages(f"{document_id}@1", text),
            valid_from=AUTHZED_SINCE,
            states=((AUTHZED_SINCE, State.PUBLISHED),),
            language="en",
        )
        documents.append(Document(document_id, tenant, (version,), entries=tuple(entries)))
    return world(
        tenant,
        AUTHZED_CLOCK,
        documents,
        principals=[Principal(user, tenant, name=user) for user, _ in staff],
        units=[Unit(unit, tenant, UnitKind.DEPARTMENT, unit) for _, unit in staff],
        memberships=[Membership(f"{user}/{unit}", unit, user) for user, unit in staff],
    )


# --- site_policy: English policies with their commit history, no access data ------------------

SITE_CLOCK = datetime(2024, 1, 1, tzinfo=UTC)  # some editions lie after it: not yet in force


def _site_title(row: Mapping[str, Any]) -> str:
    head = re.search(r"^title: *['\"]?(.+?)['\"]? *$", row["text"][:600], flags=re.MULTILINE)
    return head.group(1) if head else Path(row["path"]).stem.replace("-", " ")


def site_policy(folder: Path) -> World:
    """One document per path. A commit date is both when it held and when it was known."""
    editions: dict[str, list[Version]] = {}
    with gzip.open(folder / "versions.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            version_id = f"{row['path']}@{row['version']}"
            since = datetime.fromisoformat(row["valid_from"])
            until = datetime.fromisoformat(row["valid_to"]) if row["valid_to"] else None
            editions.setdefault(row["path"], []).append(
                Version(
                    version_id=version_id,
                    title=_site_title(row),
                    chunks=passages(version_id, row["text"]),
                    valid_from=since,
                    valid_to=until,
                    recorded_from=datetime.fromisoformat(row["date"]),
                    states=((since, State.PUBLISHED),),
                    language="en",
                )
            )
    documents = [
        Document(path, "site_policy", tuple(sorted(found, key=_starts)))
        for path, found in sorted(editions.items())
    ]
    return world("site_policy", SITE_CLOCK, documents)


def _starts(version: Version) -> datetime:
    return version.valid_from or datetime.min.replace(tzinfo=UTC)


# --- zh_laws: Chinese laws with editions, no access data --------------------------------------

LAWS_CLOCK = datetime(2023, 6, 1, 9, tzinfo=CHINA)  # after the last effective date the data states


def _day(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).replace(tzinfo=CHINA) if text else None


def zh_laws(folder: Path) -> World:
    """Editions of one name are one document.

    An edition ends where the next one takes effect, or, where the data leave that empty, where the
    next one was published (a law nobody may cite is worse than a gap). `expired` is 0 for many
    superseded texts, so it is read only where no later edition gives a date: then it withdraws.
    """
    rows: dict[str, list[dict[str, Any]]] = {}
    with gzip.open(folder / "laws.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            rows.setdefault(row["name"], []).append(row)
    documents = []
    for name, found in sorted(rows.items()):
        found.sort(key=lambda row: (row["publish"] or "", row["valid_from"] or "", row["id"]))
        versions = []
        for position, row in enumerate(found):
            since, known = _day(row["valid_from"]), _day(row["publish"])
            later = found[position + 1] if position + 1 < len(found) else None
            until = _day(later["valid_from"] or later["publish"]) if later else None
            if since and until and until <= since:
                until = None  # the dates contradict each other; the data do not say which is right
            states = [(known or since or datetime(1949, 10, 1, tzinfo=CHINA), State.PUBLISHED)]
            in_force = since is None or since <= LAWS_CLOCK
            if row["expired"] and later is None and in_force and states[0][0] < LAWS_CLOCK:
                states.append((LAWS_CLOCK, State.WITHDRAWN))
            versions.append(
                Version(
                    version_id=row["id"],
                    title=name,
                    chunks=passages(row["id"], row["text"]),
                    valid_from=since,
                    valid_to=until,
                    recorded_from=known,
                    states=tuple(states),
                    language="zh",
                )
            )
        documents.append(Document(name, "zh_laws", tuple(versions)))
    return world("zh_laws", LAWS_CLOCK, documents, timezone_name="Asia/Shanghai")


# --- agentdojo: an office drive, a mailbox and a calendar with owners and shares ---------------

# The environment says 2024-05-15, yet some files are younger; the clock stands after them all.
DRIVE_CLOCK = datetime(2024, 6, 1, tzinfo=UTC)


def readers_of(folder: Path) -> dict[str, frozenset[str]]:
    """Who is named on each object: owner and shares, sender and receivers, participants."""
    office = {name: _office(folder, name) for name in ("cloud_drive", "inbox", "calendar")}
    named: dict[str, frozenset[str]] = {}
    for file in office["cloud_drive"]["initial_files"]:
        named[f"drive/{file['id_']}"] = frozenset({file["owner"], *(file.get("shared_with") or {})})
    for mail in office["inbox"]["initial_emails"]:
        receivers = [*mail["recipients"], *mail.get("cc", []), *mail.get("bcc", [])]
        named[f"mail/{mail['id_']}"] = frozenset({mail["sender"], *receivers})
    for event in office["calendar"]["initial_events"]:
        named[f"event/{event['id_']}"] = frozenset(event["participants"])
    return named


def _office(folder: Path, name: str) -> dict[str, Any]:
    page = (folder / "workspace" / "include" / f"{name}.yaml").read_text(encoding="utf-8")
    content = yaml.safe_load(page)
    if not isinstance(content, dict):
        raise TypeError(f"{name}.yaml holds no mapping")
    return content


def _utc(instant: str | datetime) -> datetime:
    """The environment's times are naive; they are read as UTC."""
    stated = instant if isinstance(instant, datetime) else datetime.fromisoformat(instant)
    return stated.replace(tzinfo=UTC)


def agentdojo(folder: Path) -> World:
    """One tenant (the drive service): only owners and shares decide. r and rw both read."""
    tenant = "agentdojo"
    objects: list[tuple[str, str, str, datetime]] = []
    for file in _office(folder, "cloud_drive")["initial_files"]:
        since = _utc(file["last_modified"])
        objects.append((f"drive/{file['id_']}", file["filename"], file["content"], since))
    for mail in _office(folder, "inbox")["initial_emails"]:
        since = _utc(mail["timestamp"])
        objects.append((f"mail/{mail['id_']}", mail["subject"], mail["body"], since))
    for event in _office(folder, "calendar")["initial_events"]:
        known = datetime(2024, 1, 1, tzinfo=UTC)  # when an event was entered is not recorded
        text = f"{event['description']}\n{event.get('location') or ''}".strip()
        objects.append((f"event/{event['id_']}", event["title"], text, known))
    named = readers_of(folder)
    owners = {
        f"drive/{file['id_']}": file["owner"]
        for file in _office(folder, "cloud_drive")["initial_files"]
    }
    documents = [
        Document(
            document_id,
            tenant,
            (
                Version(
                    f"{document_id}@1",
                    title,
                    passages(f"{document_id}@1", text),
                    valid_from=since,
                    recorded_from=since,
                    states=((since, State.PUBLISHED),),
                    language="en",
                ),
            ),
            entries=tuple(
                allow(document_id, SubjectKind.USER, who) for who in sorted(named[document_id])
            ),
            owner_id=owners.get(document_id),
        )
        for document_id, title, text, since in objects
    ]
    people = [Principal(who, tenant, name=who) for who in sorted(set().union(*named.values()))]
    return world(tenant, DRIVE_CLOCK, documents, people)
