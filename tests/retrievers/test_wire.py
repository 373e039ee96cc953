"""A world and a change arrive at a laboratory as sent; calls in flight keep their order."""

from datetime import UTC, datetime

import pytest

from rageval_kit.endpoint.flight import in_flight
from rageval_kit.endpoint.wire import (
    WireError,
    change_from_json,
    change_to_json,
    world_from_json,
    world_to_json,
)
from rageval_kit.records.changes import AddPrincipal, Reembed, Revoke, SetClock, SetState
from rageval_kit.records.world import Principal, State, Tenant, World

NOW = datetime(2026, 11, 30, 8, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    "change",
    [
        SetClock(NOW),
        Revoke("d1", "e1", NOW, on_folder=True),
        SetState("d1", State.DELETED, NOW),
        Reembed("model-2", NOW),
        AddPrincipal(Principal("张伟", "t1", compartments=frozenset({"x"}))),
    ],
)
def test_a_change_arrives_as_it_was_sent(change):
    assert change_from_json(change_to_json(change)) == change


def test_a_world_arrives_as_it_was_sent():
    people = {"ann": Principal("ann", "t1", statuses=())}
    sent_world = World({}, {}, {"t1": Tenant("t1")}, people, {}, {}, {}, {}, NOW)
    assert world_from_json(world_to_json(sent_world)) == sent_world


@pytest.mark.parametrize("body", [b"", b"[]", b'{"change": "Format"}', b'{"change": "Revoke"}'])
def test_what_is_no_change_is_refused(body):
    with pytest.raises(WireError):
        change_from_json(body)


def test_what_a_call_raises_is_raised_where_it_was_asked():
    def call(item):
        if item == 3:
            raise ValueError(item)
        return item

    with pytest.raises(ValueError, match="3"):
        in_flight(call, list(range(6)), 3)
    assert in_flight(call, [0, 1, 2], 3) == [0, 1, 2]
