"""How was the demo corpus made? Run by hand when it is to change; what it wrote is what ships.

    python tests/tools/build_demo.py suites/worlds/demo

Hand-written people and policies stand in demo/*.yaml; around them it generates departmental
documents. Names come from faker, so another version of faker would write another corpus: the files
are the corpus, and no test runs this script to compare.
"""

import itertools
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from demo_ways import WAYS, Plan
from demo_words import HERE, entries, instant, read, version, window
from demo_writer import SEED, Writer

from rageval_kit.corpus.snapshots import write_directory, write_snapshot
from rageval_kit.records.streams import python_stream
from rageval_kit.records.world import (
    AccessPolicy,
    Document,
    Folder,
    Guest,
    Membership,
    Principal,
    PrincipalKind,
    PrincipalStatus,
    ShareLink,
    Tenant,
    Unit,
    UnitKind,
    World,
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

PER_PLACE = 10
# Plain documents where the folder itself decides: a deny above, a break, a compartment, outsiders.
PLAIN = {
    "cn-market-key": ("cn-market", 4),
    "cn-incidents-2026": ("cn-code", 4),
    "cn-runbooks": ("cn-code", 3),
    "cn-books-close": ("cn-books", 2),
    "t-books-tax": ("t-books", 3),
    "c-wards-trial": ("c-wards", 3),
    "cn-audit": ("cn-books", 4),
    "t-visits": ("t-works", 3),
    "t-greenreed": ("t-books", 3),
    "c-patients": ("c-records", 3),
}


def generated(world: World) -> tuple[list[Document], dict[str, ShareLink]]:
    writer, documents = Writer(), []
    links: dict[str, ShareLink] = {}
    places = read("places.yaml")
    ways = itertools.cycle(WAYS)
    planned = [(folder_id, folder_id, PER_PLACE) for folder_id in places]
    planned += [(folder_id, place, count) for folder_id, (place, count) in PLAIN.items()]
    for folder_id, place_id, count in planned:
        place = places[place_id]
        for turn in range(1, count + 1):
            way = next(ways) if folder_id in places else "plain"
            document_id = f"{folder_id}-{turn:02d}"
            draw = python_stream(SEED, "document", document_id)
            language = "zh" if draw.random() < place["zh"] else "en"
            kind = draw.randrange(len(writer.raw[language]))
            editions = writer.editions(document_id, draw, language, kind)
            made = Document(
                document_id,
                world.folders[folder_id].tenant_id,
                (next(editions),),
                folder_id,
                owner_id=place["owner"],
            )
            documents.append(WAYS[way](Plan(made, place, editions, links)))
    return documents, links


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
