"""Every seeded fault of the permission families is noticed today by a family that names it.

Where a fault is known to show is written here, as who planted it says: what a family sees of it
elsewhere alone would be noticed by luck.
"""

import pytest

from rageval_kit.build import requests
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run import prove
from rageval_kit.run.prove import OF_PERMISSIONS, how_killed, outcomes
from rageval_kit.system.faults import FAULTS
from rageval_kit.system.faults_deputies import DeputyFault
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.faults_events import EventFault

OURS = sorted(
    name
    for name, info in FAULTS.items()
    if any(OF_PERMISSIONS(family) or family.startswith("CTL-0") for family in info.families)
)
LEAST = 70
# The tap at which each shows in the first family that it names.
SHOWN = {
    "answer": """
        conversation_not_rechecked erasure_leaves_memory export_by_tenant history_by_session
        history_not_rechecked pairs_warm_cache rights_read_once summary_outlives_right
        summary_shared transcript_not_rechecked vectors_exported
    """,
    "answer.stream": """
        streams_before_rights streams_unfiltered_draft
    """,
    "cache": """
        erasure_leaves_cache replaced_token_works semantic_cache_by_tenant
        semantic_cache_shared token_principal_unchecked
    """,
    "citation": """
        batch_checks_first batch_checks_three cited_title_unchecked copy_named_as_first
        link_not_bound link_outlives_permission nothing_found_shared preview_of_first_passage
        preview_title_unchecked quarantined_still_opens see_also_unfiltered
    """,
    "context": """
        hidden_sheet_merged neighbours_unfiltered overlap_copies_neighbour parent_unfiltered
    """,
    "egress": """
        embedder_sent_feedback judge_sent_context reranker_sent_unfiltered
    """,
    "log": """
        erasure_leaves_log explains_all_candidates prompt_shown_unfiltered vectors_explained
        vectors_logged
    """,
    "rerank": """
        rerank_cache_by_query
    """,
    "retrieve": """
        bad_token_ignored claim_remembered claimed_name_believed claimed_role_believed
        compartments_any_of empty_id_is_service entries_copied_at_ingest filtered_at_the_end
        first_tenant_kept groups_truncated guests_stay hops_not_asked
        hypothetical_unfiltered labels_compared_as_text labels_frozen lagging_replica_read
        last_hop_only link_is_public list_cache_ignores_rights list_cache_without_principal
        long_chain_cut moved_keeps_label ocr_takes_parent_label old_versions_not_erased
        open_on_empty_reply open_on_error open_on_stale_token open_on_timeout
        overage_claim_opens passage_compartments_replace quarantine_at_ingest_only
        restore_forgets_deletions resync_resurrects rights_add_up role_read_in_document
        session_keeps_scope short_walk suspended_is_not_deleted suspended_keeps_session
        token_audience_unchecked token_expiry_unchecked unknown_id_is_default_user
    """,
    "suggest": """
        facet_values_of_all facets_unfiltered label_facet_unfiltered spells_from_all
        suggestions_outlive_right suggests_all_titles suggests_all_words
        suggests_link_shared suggests_others_questions
    """,
}
TAP_OF = {name: tap for tap, names in SHOWN.items() for name in names.split()}
LATE = {EventFault.REMOVALS_LATE}  # shows by when: tests/run/test_event_families.py


@pytest.fixture(scope="module")
def asked():
    return requests(("+suite=acl_full", "retriever=hybrid"))[0][0]


@pytest.fixture
def rows(monkeypatch):
    """What the proof's own run of a fault comes to, case by case."""
    kept = []

    def run(made):
        kept.extend(outcomes(made))
        return kept

    monkeypatch.setattr(prove, "outcomes", run)
    return kept


def test_there_are_as_many_as_were_asked_for():
    assert len(OURS) >= LEAST


def test_of_three_kinds_it_is_said_of_each_where_it_shows():
    assert {*EventFault, *DoorFault, *DeputyFault} - LATE <= TAP_OF.keys() <= set(OURS)


@pytest.mark.parametrize("fault", OURS)
def test_is_killed(asked, fault, rows):
    families = [f for f in FAULTS[fault].families if OF_PERMISSIONS(f) or f.startswith("CTL-0")]
    assert how_killed(asked, fault, families)
    violated = [row for row in rows if row.outcome is Outcome.VIOLATED]
    if fault in TAP_OF:
        of_first = [row for row in violated if row.family == families[0]]
        assert TAP_OF[fault] in {str(one.stage) for row in of_first for one in row.findings}
    if fault in set(DoorFault):  # by each that it names: they look at different doors
        assert {row.family for row in violated} == set(families)
