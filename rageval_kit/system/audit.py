"""Who asked for what and when, what was kept from them, and by which part of the rule?

Operators alone read it: it names what others may not know to exist. Nobody waits for it: what was
withheld is worked out when the trail is first read, from the state as it was when it was asked.
"""

import hmac
import json
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rageval_kit.system.belonging import Reader
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.delegation import parties
from rageval_kit.system.faults_answers import AnswerFault
from rageval_kit.system.instants import Instants, instant_of
from rageval_kit.system.names import exact_id
from rageval_kit.system.retrieval import search_for
from rageval_kit.system.rights import failing, stand
from rageval_kit.system.state import SystemState

SEARCH, OPEN, BREAK_GLASS = "search", "open", "break_glass"


@dataclass(frozen=True, slots=True)
class Asked:
    """One call: by whom, of what, in which state; `most` is how many results it could have had."""

    action: str
    reader: Reader
    text: str
    state: SystemState
    at: Instants
    most: int = 1


class Trail:
    def __init__(self, config: EmbeddedConfig) -> None:
        self._config = config
        self._key = config.log_key.encode()
        self._asked: deque[Asked] = deque(maxlen=config.log_lines)
        self._lines: deque[str] = deque(maxlen=config.log_lines)
        self._lock, self._reading = threading.Lock(), threading.Lock()

    def note(self, asked: Asked) -> None:
        fault = self._config.switched
        if asked.action == OPEN and fault is AnswerFault.HANDLES_NOT_RECORDED:
            return
        if asked.action == BREAK_GLASS and fault is AnswerFault.BREAK_GLASS_NOT_RECORDED:
            return
        with self._lock:
            self._asked.append(asked)

    def clear(self) -> None:
        with self._reading, self._lock:
            self._asked.clear()
            self._lines.clear()

    def lines(self) -> tuple[str, ...]:
        """One JSON record for each call; the text of what was asked stands in none."""
        with self._reading:
            with self._lock:
                asked = tuple(self._asked)
                self._asked.clear()  # and with it the states that they were asked in
            self._lines.extend(json.dumps(self._record(one), ensure_ascii=False) for one in asked)
            return tuple(self._lines)

    def _record(self, asked: Asked) -> Mapping[str, object]:
        fault = self._config.switched
        withheld = _why(asked, self._concerned(asked))
        if fault is AnswerFault.DENIALS_NOT_RECORDED:
            withheld = {}
        given = [exact_id(asked.text)] if asked.action == BREAK_GLASS else []
        service = asked.state.ground.service_id or "service"
        as_service = fault is AnswerFault.RECORDED_WITHOUT_PRINCIPAL or (
            asked.action == BREAK_GLASS and fault is AnswerFault.BREAK_GLASS_RECORDED_AS_SERVICE
        )
        late = fault is AnswerFault.RECORDED_BY_WALL_CLOCK
        rules = sorted({name for names in withheld.values() for name in names})
        return {
            "time": (datetime.now(UTC) if late else instant_of(asked.at.now)).isoformat(),
            "principal": service if as_service else asked.reader.principal_id,
            "via": list(asked.reader.via),
            "action": asked.action,
            "asked": hmac.new(self._key, asked.text.encode(), "sha256").hexdigest()[:16],
            "withheld": len(withheld),
            "objects": sorted({*given, *withheld}),
            "rules": [] if fault is AnswerFault.RECORDED_WITHOUT_RULE else rules,
        }

    def _concerned(self, asked: Asked) -> list[int]:
        """What was asked for: the passage of a handle, or what matches best of everything."""
        if asked.action != SEARCH:
            position = asked.state.position(exact_id(asked.text))
            return [] if position is None else [position]
        visible = asked.state.visible(asked.reader, asked.at)
        search = search_for(asked.text, asked.state, self._config, visible)
        return search.best_of_all(asked.most)


def _why(asked: Asked, positions: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """Of the passages those that the reader may not see, by id, with what keeps each back."""
    state, reader = asked.state, asked.reader
    if reader.sees_everything:
        return {}
    numbering = state.ground.numbering
    seen = state.visible(reader, asked.at).passages
    changed = state.overlay.block()
    handed_down = state.overlay.placement.table.lists
    again = {int(position): row for row, position in enumerate(changed.positions)}
    kept_back = [position for position in positions if not seen[position]]
    found: dict[str, tuple[str, ...]] = {}
    who = parties(reader, numbering.fault) if reader.via else (reader,)
    for one in who if kept_back else ():
        standing = stand(state.people, one, instant_of(asked.at.now), numbering)
        own = failing(state.ground.block, handed_down, standing, asked.at, numbering)
        later = failing(changed, handed_down, standing, asked.at, numbering)
        for position in kept_back:
            table, row = (later, again[position]) if position in again else (own, position)
            names = tuple(name for name, mask in table.items() if mask[row])
            chunk_id = state.passage(position).chunk_id
            found[chunk_id] = tuple(dict.fromkeys((*found.get(chunk_id, ()), *names)))
    return found
