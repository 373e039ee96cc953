"""The families of citations, streams, egress and records, alone: silent where all is sound.

That each fault is noticed stands in tests/proofs/test_every_fault.py.
"""

import json

import pytest

from rageval_kit.build import requests
from rageval_kit.build.planning import plan, with_spec
from rageval_kit.records.target import Request, Stage
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.prepare import prepare
from rageval_kit.run.prove import outcomes

FAMILIES = ("CIT-04", "CIT-05", "CIT-06", "LOG-04", "LOG-05", "LOG-07", "PRN-06")


@pytest.fixture(scope="module")
def asked():
    few = "suites.acl_full.size.cases=6"
    return requests(("+suite=acl_full", few, "retriever=hybrid"))[0][0]


def test_a_clean_system_is_held_in_every_case(asked):
    rows = outcomes(with_spec(plan(asked), seed=11, families=FAMILIES))
    assert {row.family for row in rows} == set(FAMILIES)
    assert {row.outcome for row in rows} == {Outcome.HELD}


def test_a_piece_that_was_taken_back_is_seen_in_the_stream_alone(asked):
    """The final answer of the same case is without it."""
    made = with_spec(plan(asked), fault="streams_before_rights", families=["LOG-05"])
    found = [f for row in outcomes(made) for f in row.findings]
    assert Stage.ANSWER_STREAM in {finding.stage for finding in found}
    assert Stage.ANSWER not in {finding.stage for finding in found}


def test_the_trail_tells_of_a_call_what_kept_it_back_without_its_text(asked):
    """C3 of the access rule: the reader is not cleared for the label."""
    made = with_spec(plan(asked), families=["LOG-04"])
    prepared = prepare(made)
    case = next(one for one in prepared.cases if one.denied_by == ("C3",))
    question, opening = case.script.steps[:2]
    made.target.connect(prepared.world)
    made.target.search([Request("r", question.query, question.caller)])
    made.target.resolve(opening.handle, opening.caller)
    asking, opened = map(
        json.loads, made.target.read("audit", opening.caller).seen[Stage.LOG].texts
    )
    assert (asking["action"], opened["action"]) == ("search", "open")
    assert opened["objects"] == [opening.handle]
    assert opened["rules"] == ["label"]
    assert opened["time"] == prepared.world.clock.isoformat()
    assert opening.handle in asking["objects"]
    assert question.query not in str(asking)
    prepared.others.close()
    made.target.close()
