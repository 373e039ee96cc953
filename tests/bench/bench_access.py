"""How long do 1,000 principals times 100,000 chunks take, and a script event on 20,000 chunks?

Run by hand: `python tests/bench/bench_access.py`. Targets: under 10 s and 1 GiB; a few ms.
"""

import random
import resource
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from rageval_kit.access import Monitor
from rageval_kit.records.target import Grain
from rageval_kit.records.world import (
    AccessPolicy,
    Chunk,
    Document,
    Effect,
    Entry,
    Folder,
    Membership,
    Principal,
    State,
    SubjectKind,
    Tenant,
    Unit,
    Version,
    Window,
    World,
)

CLOCK = datetime(2025, 1, 1, tzinfo=UTC)
LABELS = ("public", "internal", "confidential", "secret")
N_TENANTS = 4


def entries(rng, name, n_people, n_units):
    found = []
    for number in range(rng.randrange(1, 6)):
        kind = rng.choice((SubjectKind.USER, SubjectKind.UNIT, SubjectKind.UNIT))
        n_ids = n_people if kind is SubjectKind.USER else n_units
        found.append(
            Entry(
                f"{name}-{number}",
                Effect.DENY if rng.random() < 0.1 else Effect.ALLOW,
                kind,
                f"{kind}{rng.randrange(n_ids)}",
                Window(CLOCK - timedelta(days=rng.randrange(400)), None),
            )
        )
    return tuple(found)


def big_world(n_documents, chunks_each, n_people, n_units=300, n_folders=500):
    rng = random.Random(7)
    folders = {}
    for number in range(n_folders):
        parent = number - N_TENANTS * rng.randrange(1, 4)
        folders[f"folder{number}"] = Folder(
            f"folder{number}",
            f"t{number % N_TENANTS}",
            f"folder{parent}" if parent >= 0 else None,
            label=rng.choice((None, None, *LABELS)),
            entries=entries(rng, f"folder{number}", n_people, n_units),
            inherits=rng.random() < 0.9,
        )
    documents = {}
    for number in range(n_documents):
        folder = folders[f"folder{rng.randrange(n_folders)}"]
        name = f"d{number}"
        chunks = tuple(
            Chunk(
                f"{name}.{i}",
                "text",
                label=rng.choice((None, None, None, *LABELS)),
                compartments=frozenset(("hr",)) if rng.random() < 0.05 else frozenset(),
            )
            for i in range(chunks_each)
        )
        version = Version(
            f"{name}.v",
            "title",
            chunks,
            CLOCK - timedelta(days=rng.randrange(900)),
            states=((CLOCK - timedelta(days=900), State.PUBLISHED),),
        )
        documents[name] = Document(
            name,
            folder.tenant_id,
            (version,),
            folder.folder_id,
            entries=entries(rng, name, n_people, n_units),
            owner_id=f"user{rng.randrange(n_people)}",
        )
    memberships = {}
    for number in range(n_people * 6 + n_units):
        is_unit = number < n_units - 1
        member = f"unit{number}" if is_unit else f"user{rng.randrange(n_people)}"
        above = rng.randrange(number + 1, n_units) if is_unit else rng.randrange(n_units)
        memberships[f"m{number}"] = Membership(f"m{number}", f"unit{above}", member, is_unit)
    return World(
        documents,
        folders,
        {f"t{number}": Tenant(f"t{number}") for number in range(N_TENANTS)},
        {
            f"user{number}": Principal(
                f"user{number}",
                f"t{number % N_TENANTS}",
                clearance=rng.choice(LABELS),
                compartments=frozenset(("hr",)) if rng.random() < 0.3 else frozenset(),
            )
            for number in range(n_people)
        },
        {f"unit{number}": Unit(f"unit{number}", "t0") for number in range(n_units)},
        memberships,
        {},
        {},
        CLOCK,
        AccessPolicy(LABELS),
    )


def peak_mib():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def all_pairs(n_documents, chunks_each):
    world = big_world(n_documents, chunks_each, 1000)
    before = peak_mib()
    start = time.perf_counter()
    monitor = Monitor(world)
    made = time.perf_counter()
    n_chunks = len(monitor.chunk_ids)
    read = time.perf_counter()
    n_allowed = 0
    for who in world.principals:
        n_allowed += int((monitor.reason_bits(who) == 0).sum())
    end = time.perf_counter()
    print(
        f"{len(world.principals)} principals x {n_chunks} chunks in {n_documents} documents: "
        f"{end - start:.2f} s (monitor {made - start:.4f}, columns {read - made:.2f}), "
        f"{n_allowed} allowed, peak {peak_mib():.0f} MiB (world alone {before:.0f})"
    )


def events(n_documents, chunks_each, n_events=50):
    world = big_world(n_documents, chunks_each, 1000)
    monitor = Monitor(world)
    monitor.permitted("user1", Grain.CHUNK)
    carried, asked = [], []
    for number in range(n_events):
        document = world.documents[f"d{number * 7}"]
        if number % 2:
            entry = Entry(f"new{number}", Effect.DENY, SubjectKind.USER, "user1")
            document = replace(document, entries=(*document.entries, entry))
        else:
            version = replace(document.versions[0], states=((CLOCK, State.DELETED),))
            document = replace(document, versions=(version,))
        world = replace(world, documents={**world.documents, document.document_id: document})
        start = time.perf_counter()
        monitor = monitor.after(world)
        middle = time.perf_counter()
        monitor.permitted("user1", Grain.CHUNK)
        carried.append(middle - start)
        asked.append(time.perf_counter() - middle)
    start = time.perf_counter()
    Monitor(world).permitted("user1", Grain.CHUNK)
    fresh = time.perf_counter() - start
    print(
        f"events on {n_documents * chunks_each} chunks in {n_documents} documents: "
        f"after() {1000 * sum(carried) / n_events:.1f} ms (worst {1000 * max(carried):.1f}), "
        f"then permitted() {1000 * sum(asked) / n_events:.1f} ms; "
        f"a fresh monitor {1000 * fresh:.0f} ms"
    )


if __name__ == "__main__":
    all_pairs(10_000, 10)
    all_pairs(100_000, 1)
    events(2_000, 10)
    events(20_000, 1)
