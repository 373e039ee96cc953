"""Expected values come from the data sets' own pages, or were counted apart in the raw files."""

import importlib.util
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rageval_kit.access import Monitor
from rageval_kit.records.world import State

_SPEC = importlib.util.spec_from_file_location(
    "real_importers", Path(__file__).with_name("importers.py")
)
assert _SPEC
assert _SPEC.loader
importers = importlib.util.module_from_spec(_SPEC)
sys.modules["real_importers"] = importers
_SPEC.loader.exec_module(importers)

pytestmark = pytest.mark.real


def document_readers(world) -> dict[str, set[str]]:
    """Who reads at least one passage of each document, by the reference monitor."""
    monitor = Monitor(world)
    owner = {
        chunk.chunk_id: document.document_id
        for document in world.documents.values()
        for version in document.versions
        for chunk in version.chunks
    }
    readers: dict[str, set[str]] = {document_id: set() for document_id in world.documents}
    for principal_id in world.principals:
        bits = monitor.reason_bits(principal_id)
        for chunk_id, reasons in zip(monitor.chunk_ids, bits, strict=True):
            if reasons == 0 and chunk_id in owner:
                readers[owner[chunk_id]].add(principal_id)
    return readers


def test_every_stated_decision_of_the_permission_matrix_is_reached(shared_data):
    folder = shared_data("authzed_rag_acl")
    readers = document_readers(importers.authzed_rag_acl(folder))
    stated = list(importers.expected(folder))
    assert len(stated) == 200
    assert sum(row.allowed for row in stated) == 71
    wrong = [row for row in stated if (row.user in readers[row.document]) is not row.allowed]
    assert wrong == []


def test_the_matrix_world_has_four_users_and_fifty_documents(shared_data):
    world = importers.authzed_rag_acl(shared_data("authzed_rag_acl"))
    assert sorted(world.principals) == ["alice", "bob", "finance_manager", "hr_manager"]
    assert len(world.documents) == 50
    assert sorted(world.units) == ["engineering", "finance", "hr", "sales"]


def test_owners_and_shares_of_the_drive_are_exactly_its_readers(shared_data):
    folder = shared_data("agentdojo")
    readers = document_readers(importers.agentdojo(folder))
    assert readers == {name: set(who) for name, who in importers.readers_of(folder).items()}
    # cloud_drive.yaml, file 13: owner susan.lee, shared with emma.johnson (rw), michael.brown (r)
    assert readers["drive/13"] == {
        f"{who}@bluesparrowtech.com" for who in ("susan.lee", "emma.johnson", "michael.brown")
    }
    assert len([name for name in readers if name.startswith("drive/")]) == 26


def test_injection_points_stay_in_the_text(shared_data):
    world = importers.agentdojo(shared_data("agentdojo"))
    text = "".join(chunk.text for chunk in world.documents["drive/0"].versions[0].chunks)
    assert "{drive_feedback_injection}" in text


@pytest.fixture(scope="module")
def site(shared_data):
    return importers.site_policy(shared_data("site_policy"))


@pytest.fixture(scope="module")
def laws(shared_data):
    return importers.zh_laws(shared_data("zh_laws"))


def test_site_policies_keep_all_957_editions_of_57_documents(site):
    assert len(site.documents) == 57
    assert sum(len(document.versions) for document in site.documents.values()) == 957


def test_editions_of_a_site_policy_follow_each_other_without_gap(site):
    for document in site.documents.values():
        pairs = zip(document.versions, document.versions[1:], strict=False)
        assert all(old.valid_to == new.valid_from for old, new in pairs), document.document_id
        assert document.versions[-1].valid_to is None


def test_an_edition_is_valid_and_known_from_its_commit(site):
    path = "Policies/acceptable-use-policies/github-acceptable-use-policies.md"
    first = site.documents[path].versions[0]
    assert first.valid_from == datetime.fromisoformat("2019-07-01T17:30:31-07:00")
    assert first.recorded_from == first.valid_from
    assert first.valid_to == datetime.fromisoformat("2019-07-02T10:07:24-07:00")
    assert first.title == "GitHub Acceptable Use Policies"


def test_passages_hold_every_paragraph_once_and_merge_small_ones():
    text = "# Head\n\n" + "\n\n".join(f"{n} " + "x" * 200 for n in range(9)) + "\n\n" + "y" * 2000
    chunks = importers.passages("v", text)
    # head + 4 paragraphs = 6+2 + 4*(202+2) = 824; a fifth passes 900; the long one stays whole
    assert [len(chunk.text) for chunk in chunks] == [822, 814, 202, 2000]
    assert "\n\n".join(chunk.text for chunk in chunks) == text
    assert {chunk.location for chunk in chunks} == {"Head"}
    assert len({chunk.chunk_id for chunk in chunks}) == 4


def test_laws_of_one_name_are_editions_of_one_document(laws):
    assert len(laws.documents) == 222
    assert sum(len(document.versions) for document in laws.documents.values()) == 264
    sports = laws.documents["体育法"].versions
    assert [version.valid_from for version in sports] == [
        datetime.fromisoformat("2016-11-07T00:00+08:00"),
        datetime.fromisoformat("2023-01-01T00:00+08:00"),
    ]
    assert sports[0].valid_to == sports[1].valid_from
    assert {state for version in sports for _, state in version.states} == {State.PUBLISHED}


def test_a_law_without_an_effective_date_is_undefined_not_valid_since_ever(laws):
    undefined = [
        version
        for document in laws.documents.values()
        for version in document.versions
        if version.valid_from is None
    ]
    assert len(undefined) == 137


def test_expired_withdraws_only_where_no_later_edition_dates_the_end(laws):
    states = {
        (name, version.valid_from): [state for _, state in version.states]
        for name, document in laws.documents.items()
        for version in document.versions
    }
    repealed = ("契税暂行条例", datetime.fromisoformat("2019-03-02T00:00+08:00"))
    superseded = ("反间谍法", datetime.fromisoformat("2014-11-01T00:00+08:00"))
    assert states[repealed] == [State.PUBLISHED, State.WITHDRAWN]
    assert states[superseded] == [State.PUBLISHED]


def test_the_declared_clock_of_the_laws_is_aware(laws):
    assert laws.clock.astimezone(UTC) == datetime(2023, 6, 1, 1, tzinfo=UTC)
