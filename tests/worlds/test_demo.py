"""The shipped demo world: each reason below was worked by hand from people, folders and lists.

COUNTS says how many (principal, passage) pairs one condition alone denies at the declared clock, as
the reference monitor counts them in the shipped files; each test prints its own line.
"""

import json
from collections import Counter, defaultdict
from datetime import datetime
from pathlib import Path

import pytest

from rageval_kit.access import CONDITIONS, Monitor
from rageval_kit.corpus.snapshots import load_world
from rageval_kit.intake.validate import validate
from rageval_kit.records.world import State, SubjectKind, World

DEMO = Path(__file__).resolve().parents[2] / "suites" / "worlds" / "demo"


@pytest.fixture(scope="module")
def world() -> World:
    return load_world(DEMO / "snapshot", DEMO / "directory.json")


@pytest.fixture(scope="module")
def monitor(world) -> Monitor:
    return Monitor(world)


@pytest.fixture(scope="module")
def passages(world):
    """chunk id -> (document, version, chunk)."""
    return {
        chunk.chunk_id: (document, version, chunk)
        for document in world.documents.values()
        for version in document.versions
        for chunk in version.chunks
    }


@pytest.fixture(scope="module")
def cells(world, monitor, passages):
    """condition -> [(principal, chunk)] denied by it alone; and chunk -> who reads it."""
    alone, readers = defaultdict(list), defaultdict(set)
    for principal_id in world.principals:
        for chunk_id, reasons in zip(
            monitor.chunk_ids, monitor.reason_bits(principal_id), strict=True
        ):
            if chunk_id not in passages:
                continue
            if reasons == 0:
                readers[chunk_id].add(principal_id)
            elif int(reasons).bit_count() == 1:
                condition = CONDITIONS[int(reasons).bit_length() - 1]
                alone[condition].append((principal_id, chunk_id))
    return alone, readers


# principal, passage, the failing conditions: worked by hand at the clock, 2026-10-27T09:00+08:00
BY_HAND = [
    # C1: suspended 09-14, deleted 07-31, joins 11-16; all three are in the unit and cleared for it
    ("u-lin", "cn-books-01-v1.1", ("C1",)),
    ("u-tang", "cn-market-01-v1.1", ("C1",)),
    ("u-fang", "cn-platform-standard-v1.1", ("C1", "C11")),
    ("u-fang", "cn-code-01-v1.1", ("C1",)),
    # C2: named through a group, but of another tenant; the guest of that group reads
    ("t-okafor", "cn-audit-joint-v1.1", ("C2",)),
    ("c-ito", "cn-audit-joint-v1.1", ("C2",)),
    ("t-lind", "cn-audit-joint-v1.1", ("C2",)),
    ("t-brandt", "cn-audit-joint-v1.1", ()),
    ("u-ma", "cn-audit-joint-v1.1", ()),
    # C3: a confidential footnote and attachment in a document that everyone reads
    ("U-Li", "cn-travel-policy-v3.6", ("C3",)),
    ("U-Li", "cn-travel-policy-v3.2", ()),
    ("u-li", "cn-travel-policy-v3.6", ()),
    ("u-sun", "cn-travel-exceptions-v1.4", ("C3",)),
    ("anonymous", "cn-handbook-2026.3", ("C3",)),
    ("anonymous", "cn-handbook-2026.1", ()),
    ("t-brandt", "t-inquiry-77-v1.1", ("C3",)),
    ("t-ward", "t-inquiry-77-v1.1", ()),
    # C4: cleared high enough, without the compartment
    ("u-ma", "cn-pay-bands-2026.1", ("C4",)),
    ("u-xu", "cn-pay-bands-2026.1", ()),
    ("u-xu", "cn-hr-case-0417-v1.1", ("C4",)),
    ("u-ma", "cn-merger-plan-v3.1", ("C4",)),
    ("u-zhou", "cn-merger-plan-v3.1", ()),
    ("u-wang", "cn-security-incident-v2.3", ("C4",)),
    ("u-guo", "cn-security-incident-v2.3", ()),
    # C5: withdrawn, quarantined, deleted; a draft is its owner's
    ("u-li", "cn-notice-withdrawn-v1.1", ("C5",)),
    ("u-wang", "cn-hr-case-0588-v1.1", ("C5",)),
    ("u-li", "cn-notice-deleted-v1.1", ("C5",)),
    ("u-li", "cn-travel-policy-v5.1", ("C5",)),
    ("u-chen", "cn-travel-policy-v5.1", ()),
    # C6: superseded, withdrawn as well, in force, not yet in force
    ("u-li", "cn-travel-policy-v1.2", ("C6",)),
    ("u-li", "cn-travel-policy-v2.2", ("C5", "C6")),
    ("u-li", "cn-travel-policy-v3.2", ()),
    ("u-li", "cn-travel-policy-v4.1", ("C6",)),
    # C7: corrected on 10-10; entered on 11-03
    ("u-li", "cn-expense-policy-v6.1", ("C7",)),
    ("u-li", "cn-expense-policy-v6-corrected.1", ()),
    ("u-li", "cn-overtime-meal-v1.1", ("C7",)),
    # C8 to C10: by name over everyone, by a group two deep over one's name, by a folder above
    ("u-sun", "cn-travel-annex-east-v1.1", ("C8",)),
    ("u-zhou", "cn-merger-staffing-v1.1", ("C8",)),
    ("u-li", "cn-travel-annex-northwest-v1.1", ("C9",)),
    ("U-Li", "cn-travel-annex-northwest-v1.1", ()),
    ("u-rao", "cn-staff-bulletin-v1.1", ("C9",)),
    ("u-rao", "cn-incidents-2026-01-v1.1", ("C10",)),
    ("u-sun", "cn-market-key-01-v1.1", ("C10",)),
    ("u-gao", "cn-incidents-2026-01-v1.1", ()),
    # C11: another department, a folder that breaks inheritance
    ("u-gao", "cn-books-01-v1.1", ("C11",)),
    ("u-he", "cn-oncall-guide-v4.1", ("C11",)),
    # C12: until 09-30, revoked 08-12, from 11-15
    ("u-sun", "cn-rd-planning-v1.1", ("C12",)),
    ("u-qian", "cn-rd-planning-v1.1", ("C12",)),
    ("u-qian", "cn-performance-2026.1", ("C12",)),
    ("u-guo", "cn-performance-2026.1", ("C12",)),
    ("t-brandt", "t-supplier-ashlar-v1.1", ("C12",)),
    # C13: left the rota 06-30, the pilot 08-31, revoked 07-15; a whole group left in 2025
    ("u-gao", "cn-oncall-guide-v4.1", ("C13",)),
    ("u-sun", "cn-travel-pilot-report-v1.1", ("C13",)),
    ("U-Li", "cn-travel-pilot-report-v1.1", ("C13",)),
    ("u-qian", "cn-travel-pilot-report-v1.1", ()),
    ("u-wu", "cn-market-01-v1.1", ("C13",)),
    ("t-brandt", "t-harbour-review-v1.1", ("C13",)),
    # C14: opened; never opened; expired; revoked; not yet live; across tenants it does not help
    ("u-gao", "cn-benefits-share-v1.1", ()),
    ("u-li", "cn-benefits-share-v1.1", ("C14",)),
    ("t-okafor", "cn-benefits-share-v1.1", ("C2",)),
    ("u-sun", "cn-supplier-heyan-v1.1", ("C14",)),
    ("u-qian", "cn-roadmap-share-v1.1", ("C14",)),
    ("u-wang", "cn-launch-share-v1.1", ("C14",)),
    ("t-brandt", "t-board-minutes-2026-09.1", ()),
    ("t-brandt", "t-board-pack-2026-04.1", ("C14",)),
    # nested groups, depth 1, 2, 4 and 8
    ("U-Li", "cn-oncall-guide-v4.1", ()),
    ("U-Li", "cn-platform-standard-v1.1", ()),
    ("U-Li", "cn-rd-planning-v1.1", ()),
    ("U-Li", "cn-staff-bulletin-v1.1", ()),
    # a diamond with one dead arm is still a way
    ("u-gao", "cn-platform-standard-v1.1", ()),
    # ids that differ by case only, tenants that begin alike
    ("u-li", "cn-platform-standard-v1.1", ("C11",)),
    ("c-vale", "cn-staff-bulletin-v1.1", ("C2", "C11")),
    ("nobody", "cn-leave-policy-2026.1", ("C1", "C2", "C11")),
]


@pytest.mark.parametrize(("principal_id", "chunk_id", "reasons"), BY_HAND)
def test_the_reasons_worked_by_hand_are_the_monitors(
    monitor, passages, principal_id, chunk_id, reasons
):
    document, version, _ = passages[chunk_id]
    found = monitor.decide(principal_id, document.document_id, version.version_id, chunk_id)
    assert found == reasons


# condition: (pairs, documents, principals) that are denied by it alone, at least
COUNTS = {
    "C1": (200, 40, 3),
    "C2": (60, 12, 6),
    "C3": (60, 20, 12),
    "C4": (50, 12, 10),
    "C5": (200, 20, 20),
    "C6": (200, 12, 20),
    "C7": (120, 12, 20),
    "C8": (30, 12, 8),
    "C9": (40, 8, 6),
    "C10": (40, 12, 4),
    "C11": (2000, 90, 20),
    "C12": (80, 14, 8),
    "C13": (60, 18, 6),
    "C14": (500, 20, 20),
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_each_condition_alone_denies_many_pairs_in_both_languages(cells, passages, condition):
    alone, _ = cells
    pairs, documents, principals = COUNTS[condition]
    found = alone[condition]
    print(f"{condition}: {len(found)} pairs")
    assert len(found) >= pairs
    assert len({passages[chunk][0].document_id for _, chunk in found}) >= documents
    assert len({principal for principal, _ in found}) >= principals
    languages = Counter(passages[chunk][1].language for _, chunk in found)
    assert min(languages["zh"], languages["en"]) >= 10


@pytest.mark.parametrize(
    "condition", [name for name in CONDITIONS if name not in ("C5", "C6", "C7")]
)
def test_another_person_reads_what_one_condition_hides(cells, condition):
    alone, readers = cells
    with_twin = [pair for pair in alone[condition] if readers[pair[1]] - {pair[0]}]
    assert len(with_twin) >= 0.9 * len(alone[condition])
    # beside the service account, which reads nearly everything of its tenant
    with_person = [pair for pair in with_twin if readers[pair[1]] - {pair[0], "svc-index"}]
    assert len(with_person) >= 0.9 * len(with_twin)


def test_the_same_reader_reads_the_twin_of_a_hidden_edition(monitor, passages):
    """C6 at another as_of, C7 at another known_at, C5 (by now) before the state changed."""

    def at(text: str) -> datetime:
        return datetime.fromisoformat(text)

    def decide(chunk_id: str, **times: datetime) -> tuple[str, ...]:
        document, version, _ = passages[chunk_id]
        return monitor.decide("u-li", document.document_id, version.version_id, chunk_id, **times)

    assert decide("cn-travel-policy-v1.2", as_of=at("2024-12-31T23:59:59+08:00")) == ()
    assert decide("cn-travel-policy-v1.2", as_of=at("2025-01-01T00:00:00+08:00")) == ("C6",)
    assert decide("cn-travel-policy-v2.2", as_of=at("2025-06-15T12:00:00+08:00")) == ("C5",)
    assert decide("cn-travel-policy-v4.1", as_of=at("2027-01-01T00:00:00+08:00")) == ()
    before_correction = at("2026-10-09T23:59:59+08:00")
    assert decide("cn-expense-policy-v6.1", known_at=before_correction) == ()
    assert decide("cn-expense-policy-v6-corrected.1", known_at=before_correction) == ("C7",)
    before_withdrawal = at("2026-09-01T12:00:00+08:00")
    assert (
        decide(
            "cn-notice-withdrawn-v1.1",
            now=before_withdrawal,
            as_of=before_withdrawal,
            known_at=before_withdrawal,
        )
        == ()
    )


def test_the_files_pass_the_validation_that_users_files_pass():
    report = validate(DEMO / "snapshot", DEMO / "directory.json")
    assert report.ok
    assert list(report.faults) == []


def test_the_world_is_small_declared_and_bilingual(world):
    size = sum(path.stat().st_size for path in DEMO.rglob("*") if path.is_file())
    assert size < 2_000_000
    assert world.clock == datetime.fromisoformat("2026-10-27T09:00:00+08:00")
    assert world.timezone == "Asia/Shanghai"
    assert world.policy.labels == ("public", "internal", "confidential", "secret")
    languages = Counter(
        version.language for document in world.documents.values() for version in document.versions
    )
    assert set(languages) == {"zh", "en"}
    assert min(languages.values()) > 80


def test_tenants_and_people_have_near_misses(world):
    first, second, third = sorted(world.tenants, key=len)
    assert second.startswith(first)
    assert third.startswith(second)
    folded = Counter(name.casefold() for name in world.principals)
    assert [name for name, times in folded.items() if times > 1] == ["u-li"]


def test_groups_nest_eight_deep_and_form_a_diamond(world):
    parents = defaultdict(set)
    for edge in world.memberships.values():
        parents[edge.member_id].add(edge.unit_id)

    def depths(member_id: str) -> dict[str, int]:
        found, edge, depth = {}, {member_id}, 0
        while edge := {up for one in edge for up in parents[one]}:
            depth += 1
            found.update({unit: depth for unit in edge if unit not in found})
        return found

    assert depths("U-Li")["cn-staff"] == 8
    assert parents["u-zhao"] >= {"cn-oncall", "cn-sre"}
    assert parents["cn-oncall"] == parents["cn-sre"] == {"cn-platform"}


def test_every_state_kind_of_passage_and_subject_occurs(world, passages):
    documents = world.documents.values()
    ended = {version.states[-1][1] for d in documents for version in d.versions}
    assert ended == set(State)
    assert {chunk.kind for _, _, chunk in passages.values()} == {
        "body",
        "table",
        "footnote",
        "attachment",
    }
    lists = [entry for d in documents for entry in d.entries]
    lists += [entry for folder in world.folders.values() for entry in folder.entries]
    assert {entry.subject_kind for entry in lists} == set(SubjectKind)


def test_a_passage_is_found_in_one_document_only(passages):
    """A quoted sentence finds its document: no text stands in another, whole or in part."""
    texts = [chunk.text for _, _, chunk in passages.values()]
    assert len(set(texts)) == len(texts)
    joined = "\0".join(texts)
    assert [text for text in texts if joined.count(text) > 1] == []


def test_tables_have_headers(passages):
    tables = [chunk for _, _, chunk in passages.values() if chunk.kind == "table"]
    assert len(tables) >= 15
    assert all(chunk.table_header for chunk in tables)


def test_the_service_account_reads_widely_and_only_in_its_tenant(cells, passages):
    _, readers = cells
    read = {chunk for chunk, who in readers.items() if "svc-index" in who}
    most = max(
        sum(name in who for who in readers.values()) for name in ("u-chen", "u-zhao", "t-ward")
    )
    assert len(read) > 1.5 * most
    outside = [chunk for chunk in read if passages[chunk][0].tenant_id != "tavrelle-cn"]
    assert {passages[chunk][0].entries[0].subject_kind for chunk in outside} <= {SubjectKind.PUBLIC}


def test_files_end_their_lines_one_way_and_are_sorted():
    lines = (DEMO / "snapshot" / "documents.jsonl").read_bytes().splitlines()
    ids = [json.loads(line)["document_id"] for line in lines]
    assert ids == sorted(ids)
    assert len(ids) == len(set(ids))
