"""Doors over HTTP: asked where the configuration says, shown at the tap that it names."""

import json
from contextlib import ExitStack

import pytest

from rageval_kit.build import compose
from rageval_kit.corpus.snapshots import load_world
from rageval_kit.endpoint.config import CallConfig, DoorConfig, HttpConfig, StageMap
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Caller, Stage
from rageval_kit.records.verdicts import Outcome
from rageval_kit.resources import tree
from rageval_kit.retrievers.http import Http
from rageval_kit.run.prove import outcomes
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.http_service import Service
from rageval_kit.system.service import System

ANN = Caller("ann")
WHO = {"X-Principal": "$principal"}


@pytest.fixture
def house(stub):
    """A target with one door, whose reply the test writes; and what it was sent."""

    def build(reply, status=200, **door):
        server = opened.enter_context(stub(lambda handler, _: handler.send(status, reply)))
        config = HttpConfig(
            f"{server.url}/search",
            headers=WHO,
            body={"q": "$query"},
            retries=0,
            doors={"hint": DoorConfig("/hint", **door)},
        )
        target = Http(config)
        opened.callback(target.close)
        target.connect(load_world(*demo()))
        server.calls.clear()
        return target, server.calls

    with ExitStack() as opened:
        yield build


def demo():
    folder = tree("suites") / "worlds" / "demo"
    return folder / "snapshot", folder / "directory.json"


def test_a_door_is_asked_as_its_template_says(house):
    target, calls = house(
        {"terms": ["leave", "lease"]},
        body={"prefix": "$text", "chat": "$session", "ticket": "$presented"},
        results=StageMap(texts="terms[*]"),
    )
    seen = target.look("hint", "lea", Caller("ann", token="t1"), "s").seen  # noqa: S106
    assert set(seen) == {Stage.SUGGEST, Stage.REPLY}
    assert seen[Stage.SUGGEST].texts == ("leave", "lease")
    ((path, headers, body),) = calls
    assert (path, headers["X-Principal"]) == ("/hint", "ann")
    assert json.loads(body) == {"prefix": "lea", "chat": "s", "ticket": "t1"}
    assert target.doors == {"hint"}
    assert Stage.SUGGEST in target.taps


def test_what_is_not_said_is_left_out(house):
    target, calls = house(
        {"terms": []}, body={"p": "$text", "t": "$presented"}, results=StageMap(texts="terms[*]")
    )
    assert target.look("hint", "x", ANN).seen[Stage.SUGGEST].texts == ()
    assert json.loads(calls[0][2]) == {"p": "x"}


def test_facets_links_and_a_total_are_read(house):
    target, _ = house(
        {"n": 3, "by": [{"v": "en", "c": 2}, {"v": "zh", "c": 1}], "more": ["/a", "/b"]},
        tap=Stage.CITATION,
        body={"p": "$text"},
        results=StageMap(values="by[*].v", counts="by[*].c", links="more"),
        count="n",
    )
    seen = target.look("hint", "x", ANN).seen[Stage.CITATION]
    assert (seen.count, seen.facets) == (3, (("en", 2), ("zh", 1)))
    assert seen.links == ("/a", "/b")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ({"by": [{"v": "en"}]}, "c"),
        ({"by": [{"v": "en", "c": -1}]}, "a facet is"),
        ({"by": [{"v": "en", "c": True}]}, "a facet is"),
    ],
)
def test_facets_without_sound_counts_are_no_reply(house, reply, said):
    target, _ = house(
        reply, body={"p": "$text"}, results=StageMap(values="by[*].v", counts="by[*].c")
    )
    response = target.look("hint", "x", ANN)
    assert response.error == "unparsable"
    assert said in response.detail


def test_nothing_to_see_is_an_answer_and_an_outage_is_none(house):
    door = {"body": {"p": "$text"}, "results": StageMap(texts="terms[*]")}
    seen = house({}, 404, **door)[0].look("hint", "x", ANN).seen
    assert seen[Stage.SUGGEST].status == "404"
    assert house({}, 500, **door)[0].look("hint", "x", ANN).error == "http_500"


def test_a_token_that_no_template_sends_is_not_dropped_in_silence(house):
    target, calls = house({}, body={"p": "$text"}, results=StageMap(texts="terms[*]"))
    response = target.look("hint", "x", Caller("ann", token="t1"))  # noqa: S106
    assert (response.error, calls) == ("unsupported", [])


def test_a_door_that_is_not_there_is_named(house):
    target, _ = house({}, body={"p": "$text"}, results=StageMap(texts="terms[*]"))
    response = target.look("cellar", "x", ANN)
    assert (response.error, response.detail) == ("unknown_door", "'cellar': there is hint")


@pytest.mark.parametrize(
    ("door", "where"),
    [
        (DoorConfig("/d", body={"q": "$query"}, results=StageMap(texts="t")), "doors.hint.body"),
        (DoorConfig("/d", body={"q": "$text"}), "doors.hint.results"),
        (DoorConfig("/d", results=StageMap(texts="t["), body={}), "doors.hint.results.texts"),
        (DoorConfig("/d", results=StageMap(texts="t"), count="n["), "doors.hint.count"),
    ],
)
def test_a_door_that_cannot_be_asked_is_refused_by_its_place(door, where):
    with pytest.raises(InputError) as refused:
        HttpConfig("http://127.0.0.1/s", headers=WHO, body={"q": "$query"}, doors={"hint": door})
    assert where in str(refused.value)


def test_a_call_is_a_call():
    assert isinstance(DoorConfig("/d"), CallConfig)


@pytest.mark.parametrize(
    ("fault", "families"),
    [
        (None, "SID-03,SID-05,LOG-02,LOG-03,ACL-13,ACL-23"),
        ("spells_from_all", "SID-03"),
        ("transcript_not_rechecked", "LOG-03"),
        ("label_facet_unfiltered", "ACL-13"),
    ],
)
def test_a_service_is_judged_as_the_system_behind_it(fault, families):
    service = Service(System(EmbeddedConfig(fault=fault)), lab=True)
    service.system.connect(load_world(*demo()))
    service.start()
    try:
        rows = outcomes(
            compose(
                "+suite=acl_full",
                f"suites.acl_full.families.ids=[{families}]",
                "suites.acl_full.size.cases=6",
                "retriever=http_example",
                f"retriever.url={service.url}/search",
            )
        )
    finally:
        service.stop()
    assert {row.family for row in rows} == set(families.split(","))
    came_to = {row.outcome for row in rows}
    if fault is None:
        assert came_to == {Outcome.HELD}, [row.reason for row in rows]
    else:
        assert Outcome.VIOLATED in came_to
