"""What does an administrator see who opens a document in an emergency, whatever its rights?

The way in for the day on which nobody else can: it is for those alone whom the system is told of,
and whoever takes it stands on record.
"""

from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.world import PrincipalStatus
from rageval_kit.system.names import exact_id
from rageval_kit.system.opening import FOUND, NOT_FOUND
from rageval_kit.system.people import status_at
from rageval_kit.system.visit import Visit


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    position = visit.state.position(exact_id(text))
    if position is None or not _is_administrator(visit):
        return {Stage.CITATION: Seen(status=NOT_FOUND)}
    passage = visit.state.passage(position)
    return {Stage.CITATION: Seen((passage.chunk_id,), (passage.text,), status=FOUND)}


def _is_administrator(visit: Visit) -> bool:
    person = visit.state.people.principals.get(visit.reader_id)
    if person is None or visit.reader_id not in visit.config.administrators:
        return False
    return status_at(person, visit.state.now) is PrincipalStatus.ACTIVE
