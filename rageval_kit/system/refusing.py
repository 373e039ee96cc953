"""What would a model say that refuses as soon as it is given what the reader may not read?

It decides by the rights as they are: by a state of its own that no seeded fault touches. What such
a model keeps back is kept back in words only; what else the system showed and sent, it did.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from rageval_kit.records.changes import Change
from rageval_kit.records.target import Request
from rageval_kit.records.world import World
from rageval_kit.system.cache import Served
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.disturbed import asking, unavailable
from rageval_kit.system.events import after
from rageval_kit.system.instants import instants
from rageval_kit.system.sessions import Sessions
from rageval_kit.system.state import SystemState, first_state
from rageval_kit.text.normalise import language

REFUSALS: Mapping[str, str] = MappingProxyType(
    {"en": "I am sorry, I cannot help with that.", "zh": "抱歉，我无法提供帮助。"}
)


class Conscience:
    """Follows every change as a sound system would; idle where the model is not a refusing one."""

    def __init__(self, config: EmbeddedConfig) -> None:
        self._config = replace(config, fault=None)
        self._first: SystemState | None = None
        self._state: SystemState | None = None

    def connect(self, world: World) -> None:
        if self._config.refusing:
            self._first = self._state = first_state(world, self._config)

    def restore(self) -> None:
        self._state = self._first

    def close(self) -> None:
        self._first = self._state = None

    def apply(self, change: Change, epoch: int) -> None:
        if self._state is not None and self._first is not None:
            self._state = (
                after(self._state, self._first, change, epoch, self._config) or self._state
            )

    def heard(self, served: Served, request: Request, sessions: Sessions) -> Served:
        """The answer, or a refusal where it was made from what the caller may not read."""
        state = self._state
        if state is None or self._may_read(served.context_ids, request, state, sessions):
            return served
        said = REFUSALS[language(request.query)]
        return replace(served, answer=said, cited_ids=(), cited_titles=(), calls=(), remembered=())

    def _may_read(
        self, chunk_ids: Sequence[str], request: Request, state: SystemState, sessions: Sessions
    ) -> bool:
        if unavailable(state.events, None):
            return not chunk_ids
        reader = sessions.reader_of(request.caller, state, None)
        reader = asking(reader, state.events, state.ground.service_id, None)
        at = instants(state.now, request.as_of, request.known_at, None)
        visible = state.visible(reader, at).passages
        positions = [state.position(chunk_id) for chunk_id in chunk_ids]
        return all(position is not None and visible[position] for position in positions)
