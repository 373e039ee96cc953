"""The proof that travels with a suite is of exactly that suite, whole, and can be repeated."""

import os

import pytest

from rageval_kit.build import compose
from rageval_kit.build.planning import with_spec
from rageval_kit.records.verdicts import Outcome
from rageval_kit.resources import tree
from rageval_kit.run.kit_faults import KIT_FAULTS
from rageval_kit.run.prepare import prepare
from rageval_kit.run.proofs import proof_of, read_proof
from rageval_kit.run.prove import outcomes
from rageval_kit.system.faults import FAULTS

# Of each suite faults of different parts, each quick to meet again.
AGAIN = {
    "acl_full": ["no_tenant_check", "citation_without_check", "count_unfiltered"],
    "staleness": ["superseded_served", "withdrawn_still_cited"],
    "as_of": ["end_inclusive", "known_at_ignored"],
    "injection": ["calls_tools_as_told", "renders_remote_images"],
    "poisoning": ["authority_ignored", "claims_trusted_acl"],
}
SUITES = list(AGAIN)
CONDITIONS = {f"ignore_c{number}" for number in range(1, 15)}


@pytest.fixture(params=SUITES, scope="module")
def suite(request):
    return request.param


@pytest.fixture(scope="module")
def plan(suite):
    return compose(f"+suite={suite}", "retriever=hybrid")


@pytest.fixture(scope="module")
def prepared(plan):
    return prepare(plan)


@pytest.fixture(scope="module")
def ids(prepared):
    return [family.id for family in prepared.families]


@pytest.fixture(scope="module")
def proof(suite):
    path = tree("suites") / "proofs" / f"{suite}.json"
    if not path.is_file():
        way_out = f"no proof of {suite}: make it with rageval-kit prove +suite={suite}"
        if os.environ.get("CI") == "true":
            pytest.fail(way_out)
        pytest.skip(way_out)
    return read_proof(path)


def test_is_of_the_suite_as_it_stands(proof, prepared, tmp_path):
    now = prepared.suite_hash
    assert proof.suite_hash == now, "the families changed since: prove again"
    assert proof_of(now, tmp_path) == proof


def test_is_of_so_many_cases(proof, prepared):
    assert proof.cases == len(prepared.cases)


def test_the_quick_look_is_of_the_same_families_and_has_the_same_proof(tmp_path):
    few, many = (
        prepare(compose(f"+suite={name}", "retriever=hybrid"))
        for name in ("acl_negative", "acl_full")
    )
    assert few.suite_hash == many.suite_hash
    assert len(few.cases) < len(many.cases) == proof_of(few.suite_hash, tmp_path).cases


def test_every_fault_that_a_family_names_was_tried_and_killed(proof, ids):
    named = {name for name, info in FAULTS.items() if set(info.families) & set(ids)}
    named |= {name for name, (family, _) in KIT_FAULTS.items() if family in ids}
    assert {fault for fault, _, _ in proof.matrix} == named
    assert [fault for fault, _, how in proof.matrix if not how] == []
    assert proof.faults_killed == proof.faults_total == len(named) == len(proof.matrix)


def test_every_condition_of_the_access_rule_has_its_fault(proof):
    assert {fault for fault, _, _ in proof.matrix} >= CONDITIONS


def test_clean_systems_stayed_silent_on_twenty_seeds(proof):
    assert proof.clean_silent == proof.clean_seeds >= 20


def test_carries_no_canary_for_every_report_quotes_it(proof, prepared):
    told = "\n".join(" ".join(row) for row in proof.matrix)
    assert not prepared.detector.find(told)


@pytest.mark.parametrize("fault", ["canary_in_a_query", "canary_in_two_passages"])
def test_how_a_fault_of_the_canaries_was_killed_is_told_without_a_canary(prepared, fault):
    how = KIT_FAULTS[fault][1](prepared, ())
    assert how
    assert not prepared.detector.find(how)


def test_is_dated(proof):
    year, month, day = map(int, proof.date.split("-"))
    assert year >= 2025
    assert 1 <= month <= 12
    assert 1 <= day <= 31


def test_a_kill_it_tells_of_happens_again(suite, plan, proof):
    told = {name: families for name, families, how in proof.matrix if how}
    for fault in AGAIN[suite]:
        again = outcomes(with_spec(plan, fault=fault, families=told[fault].split("+")))
        assert Outcome.VIOLATED in {row.outcome for row in again}, fault
