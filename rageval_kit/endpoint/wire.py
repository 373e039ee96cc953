"""How do a world and a change travel to a laboratory as JSON?"""

from typing import Any, get_args

import msgspec

from rageval_kit.records.changes import Change
from rageval_kit.records.world import World

_CHANGES: dict[str, type] = {kind.__name__: kind for kind in get_args(Change)}


class WireError(ValueError):
    """The JSON is no world or no change."""


def world_to_json(world: World) -> bytes:
    return msgspec.json.encode(world)


def world_from_json(body: bytes) -> World:
    try:
        return msgspec.json.decode(body, type=World)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise WireError(f"is no world: {error}") from error


def change_to_json(change: Change) -> bytes:
    """The kind of the change beside its fields: `{"change": "Revoke", "fields": {…}}`."""
    return msgspec.json.encode({"change": type(change).__name__, "fields": change})


def change_from_json(body: bytes) -> Change:
    try:
        tagged: Any = msgspec.json.decode(body, type=dict[str, Any])
        kind = _CHANGES[tagged["change"]]
        change: Change = msgspec.convert(tagged["fields"], type=kind)
    except (msgspec.MsgspecError, KeyError, TypeError, RecursionError) as error:
        raise WireError(f"is no change: {error}") from error
    return change
