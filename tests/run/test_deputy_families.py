"""Caches, deputies, tokens and links on the demo world: silent when clean, each fault noticed."""

from dataclasses import replace

import pytest

from rageval_kit.build import compose
from rageval_kit.records.verdicts import Outcome
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.run.prepare import prepare
from rageval_kit.run.prove import outcomes, run_cases
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults import FAULTS
from rageval_kit.system.faults_deputies import FAULTS_HERE

FAMILIES = [
    "CAC-02", "CAC-03", "CAC-06", "CAC-07", "CIT-07", "PRN-01", "PRN-03", "PRN-04", "PRN-05",
]  # fmt: skip
# Where each fault shows, in the first family it names.
SHOWS = {
    "semantic_cache_shared": "cache",
    "semantic_cache_by_tenant": "cache",
    "list_cache_without_principal": "retrieve",
    "list_cache_ignores_rights": "retrieve",
    "rerank_cache_by_query": "rerank",
    "pairs_warm_cache": "answer",
    "nothing_found_shared": "citation",
    "claimed_name_believed": "retrieve",
    "claimed_role_believed": "retrieve",
    "claim_remembered": "retrieve",
    "role_read_in_document": "retrieve",
    "last_hop_only": "retrieve",
    "hops_not_asked": "retrieve",
    "long_chain_cut": "retrieve",
    "rights_add_up": "retrieve",
    "token_principal_unchecked": "cache",
    "token_expiry_unchecked": "retrieve",
    "token_audience_unchecked": "retrieve",
    "first_tenant_kept": "retrieve",
    "replaced_token_works": "cache",
    "bad_token_ignored": "retrieve",
    "link_outlives_permission": "citation",
    "link_not_bound": "citation",
}


def plan_of(seed, families=FAMILIES):
    ids = f"suites.acl_full.families.ids=[{','.join(families)}]"
    return compose("+suite=acl_full", ids, "retriever=hybrid", f"seed={seed}")


@pytest.fixture(scope="module")
def prepared():
    return prepare(plan_of(7))


@pytest.fixture
def rows_of(prepared):
    """The rows of some families on the prepared world, before a system with a fault or without."""
    made = []

    def run(*families, fault=None):
        target = Embedded(EmbeddedConfig(fault=fault))
        made.append(target)
        target.connect(prepared.world)
        before = replace(prepared, plan=replace(prepared.plan, target=target))
        ids = [c.case_id for c in prepared.cases if c.coordinates.family in families]
        return run_cases(before, ids)

    yield run
    for target in made:
        target.close()


def not_held(rows):
    return [(r.case_id, r.reason) for r in rows if r.outcome is not Outcome.HELD]


def test_a_clean_system_is_silent(rows_of):
    rows = rows_of(*FAMILIES)
    assert {row.family for row in rows} == set(FAMILIES)
    assert not_held(rows) == []


def test_a_clean_system_is_silent_with_another_seed():
    assert not_held(outcomes(plan_of(8, ["CAC-06", "CAC-07", "CIT-07", "PRN-05"]))) == []


def test_every_fault_of_this_kind_is_tried():
    assert {info.name for info in FAULTS_HERE} == set(SHOWS)


@pytest.mark.parametrize("fault", SHOWS)
def test_each_fault_is_noticed_by_the_family_it_names(fault, rows_of):
    family, *_ = FAULTS[fault].families
    violated = [r for r in rows_of(family, fault=fault) if r.outcome is Outcome.VIOLATED]
    assert SHOWS[fault] in {str(f.stage) for row in violated for f in row.findings}


def test_a_principal_kept_in_shared_state_is_noticed_at_64_in_flight(rows_of):
    rows = rows_of("PRN-01", fault="principal_in_shared_state")
    sizes = {dict(r.variant)["when.together.in_flight"] for r in rows if r.findings}
    assert sizes == {"16", "64"}
