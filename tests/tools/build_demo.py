"""How was the demo corpus made? Run by hand when it is to change; what it wrote is what ships.

    python tests/tools/build_demo.py suites/worlds/demo

Hand-written people and policies stand in demo/*.yaml; around them it generates departmental
documents. Names come from faker, so another version of faker would write another corpus: the files
are the corpus, and no test runs this script to compare.
"""

import itertools
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from faker import Faker

from rageval_kit.corpus import write_directory, write_snapshot
from rageval_kit.corpus.times import Side, parse_instant
from rageval_kit.generate.organisation import stream
from rageval_kit.records.world import (
    AccessPolicy,
    Chunk,
    Document,
    Effect,
    Entry,
    Folder,
    Guest,
    Membership,
    Principal,
    PrincipalKind,
    PrincipalStatus,
    ShareLink,
    State,
    SubjectKind,
    Tenant,
    Unit,
    UnitKind,
    Version,
    Window,
    World,
)

HERE = Path(__file__).parent / "demo"
ZONE = "Asia/Shanghai"
SEED = 20261027


def read(name: str) -> Any:
    return yaml.load((HERE / name).read_text(encoding="utf-8"), Loader=TextDates)  # noqa: S506


class TextDates(yaml.SafeLoader):
    """YAML without its dates: one reader of times, the corpus's own, sees them all as text."""


TextDates.yaml_implicit_resolvers = {
    first: [(tag, rule) for tag, rule in rules if tag != "tag:yaml.org,2002:timestamp"]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def instant(text: str, side: Side = Side.START) -> datetime:
    return parse_instant(text, ZONE, side)


def window(text: str) -> tuple[Window, datetime | None]:
    """`from D`, `until D` (includes the day), `revoked D`, in any order."""
    said = dict(re.findall(r"\b(from|until|revoked) (\S+)", text))
    start = instant(said["from"]) if "from" in said else None
    end = instant(said["until"], Side.END) if "until" in said else None
    revoked_at = instant(said["revoked"]) if "revoked" in said else None
    return Window(start, end), revoked_at


def entries(object_id: str, lines: Sequence[str]) -> tuple[Entry, ...]:
    made = []
    for number, line in enumerate(lines, start=1):
        words = line[1:].split(" ")
        kind = SubjectKind(words[0])
        named = kind not in {SubjectKind.EVERYONE, SubjectKind.PUBLIC}
        live, revoked_at = window(line)
        effect = Effect.ALLOW if line[0] == "+" else Effect.DENY
        subject_id = words[1] if named else ""
        made.append(Entry(f"{object_id}.e{number}", effect, kind, subject_id, live, revoked_at))
    return tuple(made)


def chunk(version_id: str, number: int, raw: str | Mapping[str, Any]) -> Chunk:
    given = {"text": raw} if isinstance(raw, str) else raw
    return Chunk(
        chunk_id=f"{version_id}.{number}",
        text=given["text"],
        location=given.get("at", f"¶{number}"),
        table_header=given.get("header"),
        label=given.get("label"),
        compartments=frozenset(given.get("compartments", ())),
        kind=given.get("kind", "body"),
    )


def version(raw: Mapping[str, Any], language: str) -> Version:
    since, until = raw["valid"]
    states = [line.split(" ") for line in raw["states"]]
    recorded_until = raw.get("recorded_until")
    return Version(
        version_id=raw["id"],
        title=raw["title"],
        chunks=tuple(chunk(raw["id"], n, c) for n, c in enumerate(raw["chunks"], start=1)),
        valid_from=instant(since) if since else None,
        valid_to=instant(until) if until else None,
        recorded_from=instant(raw["recorded"]),
        recorded_to=instant(recorded_until, Side.END) if recorded_until else None,
        states=tuple((instant(day), State(state)) for day, state in states),
        language=raw.get("language", language),
    )


def document(raw: Mapping[str, Any], folders: Mapping[str, Folder]) -> Document:
    language = raw.get("language", "zh")
    return Document(
        document_id=raw["id"],
        tenant_id=folders[raw["folder"]].tenant_id,
        versions=tuple(version(v, language) for v in raw["versions"]),
        folder_id=raw["folder"],
        label=raw.get("label"),
        compartments=frozenset(raw.get("compartments", ())),
        entries=entries(raw["id"], raw.get("list", ())),
        inherits=not raw.get("breaks", False),
        owner_id=raw.get("owner"),
    )


def organisation() -> World:
    raw = read("organisation.yaml")
    units = {
        unit_id: Unit(unit_id, tenant, UnitKind(kind), name)
        for unit_id, (tenant, kind, name) in raw["units"].items()
    }
    principals = {}
    for principal_id, (tenant, kind, name, clearance, compartments, *history) in raw[
        "principals"
    ].items():
        statuses = [line.split(" ") for line in (history[0] if history else ())]
        principals[principal_id] = Principal(
            principal_id,
            tenant,
            PrincipalKind(kind),
            name,
            clearance,
            frozenset(compartments),
            tuple((instant(day), PrincipalStatus(status)) for day, status in statuses),
        )
    memberships = {}
    for unit_id, members in raw["memberships"].items():
        for line in members:
            member_id = line.split(" ")[0]
            membership_id = f"m-{unit_id}-{member_id}"
            memberships[membership_id] = Membership(
                membership_id, unit_id, member_id, member_id in units, *window(line)
            )
    guests = {}
    for guest_id, line in raw["guests"].items():
        principal_id, tenant = line.split(" ")[:2]
        guests[guest_id] = Guest(guest_id, principal_id, tenant, *window(line))
    links = {}
    for link_id, given in raw["links"].items():
        opened = [line.split(" ") for line in given["opened"]]
        links[link_id] = ShareLink(
            link_id,
            *window(given["window"]),
            opened=tuple((who, instant(day)) for who, day in opened),
        )
    folders = {
        folder_id: Folder(
            folder_id,
            given["tenant"],
            given.get("in"),
            given["name"],
            given.get("label"),
            frozenset(given.get("compartments", ())),
            entries(folder_id, given.get("list", ())),
            inherits=not given.get("breaks", False),
        )
        for folder_id, given in with_tenants(raw["folders"]).items()
    }
    return World(
        documents={},
        folders=folders,
        tenants={tenant: Tenant(tenant, name) for tenant, name in raw["tenants"].items()},
        principals=principals,
        units=units,
        memberships=memberships,
        guests=guests,
        links=links,
        clock=instant(raw["clock"]),
        policy=AccessPolicy(tuple(raw["labels"])),
        timezone=raw["timezone"],
        name=raw["name"],
    )


def with_tenants(folders: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """A folder without a tenant has its parent's; parents stand before their children."""
    known: dict[str, dict[str, Any]] = {}
    for folder_id, given in folders.items():
        tenant = given["tenant"] if "tenant" in given else known[given["in"]]["tenant"]
        known[folder_id] = {**given, "tenant": tenant}
    return known


# --- the generated part: departments x ways to be readable or not ------------------------------

# folder: (the unit it grants, owner and reader, a second member, a colleague elsewhere in the
# tenant with the same clearance or more, that colleague's unit, people of other tenants, a
# higher label, the share of Chinese texts)
PLACES: dict[str, tuple[str, str, str, str, str, tuple[str, ...], str, float]] = {
    "cn-books": ("cn-finance", "u-ma", "u-li", "u-qian", "cn-sales", ("t-okafor", "c-ito"), "secret", 0.7),
    "cn-code": ("cn-eng", "u-zhao", "u-gao", "u-li", "cn-finance", ("t-okafor", "t-lind"), "confidential", 0.7),
    "cn-people": ("cn-hr", "u-wang", "u-xu", "u-wu", "cn-procurement", ("c-ross", "t-lind"), "secret", 0.8),
    "cn-market": ("cn-sales", "u-qian", "u-sun", "u-li", "cn-finance", ("c-ito", "t-ward"), "confidential", 0.7),
    "cn-law": ("cn-legal", "u-chen", "u-zhou", "u-ma", "cn-finance", ("t-lind", "t-ward"), "secret", 0.8),
    "cn-buying": ("cn-procurement", "u-chen", "u-wu", "u-sun", "cn-sales", ("t-okafor", "c-ito"), "secret", 0.7),
    "cn-guard": ("cn-security", "u-guo", "u-zhao", "u-qian", "cn-sales", ("c-mensah", "t-lind"), "secret", 0.7),
    "t-books": ("t-finance", "t-ward", "t-brandt", "t-okafor", "t-ops", ("u-zhou", "c-ross"), "secret", 0.2),
    "t-law": ("t-legal", "t-lind", "t-lind", "t-brandt", "t-finance", ("u-zhou", "u-li"), "secret", 0.2),
    "t-works": ("t-ops", "t-ward", "t-okafor", "t-brandt", "t-finance", ("c-vale", "u-li"), "secret", 0.2),
    "c-wards": ("c-clinics", "c-ross", "c-vale", "c-mensah", "c-data", ("u-li", "t-okafor"), "confidential", 0.1),
    "c-records": ("c-data", "c-mensah", "c-ross", "c-ito", "c-ward-3", ("t-brandt", "u-wu"), "secret", 0.1),
}  # fmt: skip
WAYS = (
    "plain", "named_deny", "foreign", "lapsed", "named_deny", "label", "expired", "withdrawn", "superseded", "link_other",
    "revoked", "recorded_later", "passage", "draft", "coming", "corrected", "link_unopened",
    "compartment", "quarantined", "future", "unit_deny", "deleted", "attachment", "everyone",
    "link_expired", "link_revoked",
)  # fmt: skip
PER_PLACE = 10
# Where a folder itself decides (a deny above, a break): plain documents, that only it can close.
PLAIN = {
    "cn-market-key": ("cn-market", 4),
    "cn-incidents-2026": ("cn-code", 4),
    "cn-runbooks": ("cn-code", 3),
    "cn-books-close": ("cn-books", 2),
    "t-books-tax": ("t-books", 3),
    "c-wards-trial": ("c-wards", 3),
}
LAPSED = {"cn": "cn-travel-pilot", "t": "t-former", "c": "c-former"}
COMPARTMENT = {"cn": "incident", "t": "merger", "c": "patients"}
WATCH = {"cn": "cn-freeze", "t": "t-freeze", "c": "c-freeze"}


class Writer:
    """Fills templates; every document draws from a stream of its own, codes never repeat."""

    def __init__(self) -> None:
        self.raw = read("templates.yaml")
        self.fakers = {"zh": Faker("zh_CN"), "en": Faker("en_US")}
        self.codes: dict[str, Iterator[str]] = {}
        for language, (first, second) in self.raw["codes"].items():
            pairs = [a + b for a in first for b in second]
            stream(SEED, f"codes/{language}").shuffle(pairs)
            self.codes[language] = iter(pairs)

    def fields(self, draw: random.Random, language: str) -> dict[str, str]:
        faker = self.fakers[language]
        faker.seed_instance(draw.getrandbits(64))
        thousands = f"{draw.randrange(21_000, 980_000, 10):,}"
        return {
            "code": next(self.codes[language]),
            "name": faker.name(),
            "name2": faker.name(),
            "place": draw.choice(self.raw["places"][language]),
            "cause": draw.choice(self.raw["causes"][language]),
            "ref": f"{draw.choice('ABDFGHKMNPRT')}{draw.randrange(10**5, 10**6)}",
            "ref2": f"{draw.choice('CEJLQSUVWXYZ')}{draw.randrange(10**5, 10**6)}",
            "money": thousands,
            "money2": f"{draw.randrange(9_000, 88_000, 10):,}",
            "small": str(draw.randrange(110, 990)),
            "small2": str(draw.randrange(110, 990)),
            "week": str(draw.randrange(2, 43)),
            "month": str(draw.randrange(1, 10)),
            "day": str(draw.randrange(1, 28)),
            "days": str(draw.randrange(3, 29)),
            "minutes": str(draw.randrange(12, 175)),
            "percent": str(draw.randrange(31, 97)),
            "percent2": str(draw.randrange(71, 99)),
        }

    def version(self, version_id: str, draw: random.Random, language: str, kind: int) -> Version:
        template = self.raw[language][kind]
        said = self.fields(draw, language)

        def fill(raw: str | Mapping[str, Any]) -> str | dict[str, Any]:
            if isinstance(raw, str):
                return raw.format(**said)
            return {**raw, "text": raw["text"].format(**said)}

        day = f"2026-{draw.randrange(2, 9):02d}-{draw.randrange(1, 28):02d}"
        return version(
            {
                "id": version_id,
                "title": template["title"].format(**said),
                "valid": [day, None],
                "recorded": day,
                "states": [f"{day} published"],
                "chunks": [fill(raw) for raw in template["chunks"]],
            },
            language,
        )

    def editions(
        self, document_id: str, draw: random.Random, language: str, kind: int
    ) -> Iterator[Version]:
        for number in itertools.count(1):
            yield self.version(f"{document_id}-v{number}", draw, language, kind)


def generated(world: World) -> tuple[list[Document], dict[str, ShareLink]]:
    writer, documents = Writer(), []
    links: dict[str, ShareLink] = {}
    ways = itertools.cycle(WAYS)
    planned = [(folder_id, folder_id, PER_PLACE) for folder_id in PLACES]
    planned += [(folder_id, place, count) for folder_id, (place, count) in PLAIN.items()]
    for folder_id, place_id, count in planned:
        place = PLACES[place_id]
        for turn in range(1, count + 1):
            way = next(ways) if folder_id in PLACES else "plain"
            document_id = f"{folder_id}-{turn:02d}"
            draw = stream(SEED, f"document/{document_id}")
            language = "zh" if draw.random() < place[7] else "en"
            kind = draw.randrange(len(writer.raw[language]))
            editions = writer.editions(document_id, draw, language, kind)
            made = Document(
                document_id,
                world.folders[folder_id].tenant_id,
                (next(editions),),
                folder_id,
                owner_id=place[1],
            )
            documents.append(shape(made, way, place, editions, links))
    return documents, links


def shape(
    made: Document, way: str, place: Any, editions: Iterator[Version], links: dict[str, ShareLink]
) -> Document:
    """Let the document be readable, or not, in the one way that is named."""
    unit, owner, second, colleague, other_unit, strangers, label, _ = place
    short = made.document_id.split("-")[0]
    only = made.versions[0]

    def listed(*lines: str, **changed: Any) -> Document:
        return replace(made, entries=entries(made.document_id, lines), **changed)

    def edition(**changed: Any) -> Document:
        return replace(made, versions=(replace(only, **changed),))

    def state(day: str, name: str) -> Document:
        return edition(states=(*only.states, (instant(day), State(name))))

    def link(window_said: str, *opened: str) -> Document:
        link_id = f"lk-{made.document_id}"
        who = tuple((person, instant("2026-09-05")) for person in opened)
        links[link_id] = ShareLink(link_id, *window(window_said), opened=who)
        return listed(f"+link {link_id}")

    def last(**changed: Any) -> Document:
        return edition(chunks=(*only.chunks[:-1], replace(only.chunks[-1], **changed)))

    match way:
        case "named_deny":
            return listed(f"-user {second}")
        case "unit_deny":
            return listed("+everyone", f"+user {second}", f"-unit {WATCH[short]}")
        case "foreign":
            return listed(*(f"+user {person}" for person in strangers))
        case "lapsed":
            return listed(f"+unit {LAPSED[short]}")
        case "everyone":
            return listed("+everyone", label="public")
        case "label":
            return replace(made, label=label)
        case "compartment":
            return replace(made, compartments=frozenset({COMPARTMENT[short]}))
        case "expired":
            return listed(f"+unit {other_unit} from 2026-01-01 until 2026-09-30")
        case "revoked":
            return listed(f"+unit {other_unit} revoked 2026-10-13", f"+user {owner}")
        case "coming":
            return listed(f"+user {colleague} from 2026-11-20")
        case "withdrawn":
            return state("2026-09-28", "withdrawn")
        case "quarantined":
            return state("2026-10-06", "quarantined")
        case "deleted":
            return state("2026-10-19", "deleted")
        case "draft":
            return edition(states=((instant("2026-10-21"), State.DRAFT),))
        case "superseded":
            turn = instant("2026-10-08")
            later = replace(next(editions), valid_from=turn, recorded_from=instant("2026-10-02"))
            later = replace(later, states=((instant("2026-10-02"), State.PUBLISHED),))
            return replace(made, versions=(replace(only, valid_to=turn), later))
        case "future":
            turn = instant("2026-12-01")
            later = replace(next(editions), valid_from=turn, recorded_from=instant("2026-10-12"))
            later = replace(later, states=((instant("2026-10-12"), State.PUBLISHED),))
            return replace(made, versions=(replace(only, valid_to=turn), later))
        case "recorded_later":
            return edition(recorded_from=instant("2026-11-06"))
        case "corrected":
            turn = instant("2026-10-14")
            later = replace(next(editions), valid_from=only.valid_from, recorded_from=turn)
            later = replace(later, states=((turn, State.PUBLISHED),))
            return replace(made, versions=(replace(only, recorded_to=turn), later))
        case "passage":
            return last(label=label)
        case "attachment":
            return last(label=label, kind="attachment")
        case "link_other":
            return link("until 2026-12-31", colleague)
        case "link_unopened":
            return link("until 2026-12-31")
        case "link_expired":
            return link("until 2026-10-20", colleague)
        case "link_revoked":
            return link("revoked 2026-10-01", colleague)
        case _:
            return made


def build() -> World:
    world = organisation()
    written = [
        document(raw, world.folders) for raw in read("core_cn.yaml") + read("core_group.yaml")
    ]
    made, links = generated(world)
    documents = {}
    for one in [*written, *made]:
        if one.document_id in documents:
            raise ValueError(f"document {one.document_id!r} stands twice")
        documents[one.document_id] = one
    return replace(world, documents=documents, links={**world.links, **links})


def write(world: World, folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder.parent) as beside:
        fresh = Path(beside) / "demo"
        fresh.mkdir()
        write_snapshot(world, fresh / "snapshot")
        write_directory(world, fresh / "directory.json")
        if folder.exists():
            shutil.rmtree(folder)
        fresh.rename(folder)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[2] / "suites/worlds/demo"
    write(build(), target)
    print(f"{target}: written")
