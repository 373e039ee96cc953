"""Faults are noticed behind a model that says nothing where it was given what is forbidden.

A sample in every run; all of them where RAGEVAL_ALL_FAULTS is set (half a second each), and in
every proof.
"""

import os

import pytest

from rageval_kit.build import requests
from rageval_kit.build.planning import plan, with_spec
from rageval_kit.records.target import Request, Stage
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.prepare import prepare
from rageval_kit.run.prove import OF_PERMISSIONS, how_killed, outcomes
from rageval_kit.system.faults import FAULTS
from rageval_kit.system.refusing import REFUSALS

OURS = sorted(
    name
    for name, info in FAULTS.items()
    if any(map(OF_PERMISSIONS, info.families)) and not info.in_model
)
# One of each way in which a forbidden passage comes to the model, or something of it past it.
SAMPLE = (
    "no_tenant_check",
    "cache_key_without_principal",
    "rerank_before_filter",
    "rights_read_once",
    "tombstone_ignored",
    "streams_unfiltered_draft",
)
RUN = OURS if os.environ.get("RAGEVAL_ALL_FAULTS") else [one for one in OURS if one in SAMPLE]


@pytest.fixture(scope="module")
def asked():
    return requests(("+suite=acl_full", "retriever=hybrid"))[0][0]


def test_the_sample_names_faults_that_there_are():
    assert set(SAMPLE) <= set(OURS)


@pytest.mark.parametrize("fault", RUN)
def test_is_killed(asked, fault):
    families = [family for family in FAULTS[fault].families if OF_PERMISSIONS(family)]
    assert how_killed(asked, fault, families, refusing=True)


@pytest.mark.parametrize("refusing", [False, True])
def test_a_refusing_model_says_nothing_of_what_is_forbidden(asked, refusing):
    """Its answer, its stream and its sources; the context that it was given is still seen."""
    made = with_spec(plan(asked), fault="no_tenant_check", families=["ACL-01"], refusing=refusing)
    prepared = prepare(made)
    case = prepared.cases[0]
    made.target.connect(prepared.world)
    step = case.script.steps[0]
    (response,) = made.target.answer([Request("r", step.query, step.caller, k=step.k)])
    seen, target = response.seen, case.expectation.roles["target"]
    assert target & set(seen[Stage.CONTEXT].ids)
    assert (seen[Stage.ANSWER].texts[0] in REFUSALS.values()) is refusing
    assert (seen[Stage.ANSWER_STREAM].texts == seen[Stage.ANSWER].texts) or not refusing
    assert bool(seen[Stage.CITATION].ids) is not refusing
    prepared.others.close()
    made.target.close()


def test_it_answers_whoever_may_read_what_it_was_given(asked):
    rows = outcomes(with_spec(plan(asked), families=["ACL-01", "LOG-05"], refusing=True))
    assert {row.outcome for row in rows} == {Outcome.HELD}
