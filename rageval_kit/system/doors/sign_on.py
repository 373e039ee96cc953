"""With which token does the caller go on in a tenant?"""

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.opening import FOUND, NOT_FOUND
from rageval_kit.system.visit import Visit


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    """A tenant that there is not and one where the caller is nobody look the same."""
    sessions = visit.desk.sessions
    token = sessions.sign_on(text, visit.reader_id, visit.session, visit.state, visit.fault)
    links = (token,) if token else ()
    return {Stage.SUGGEST: Seen(status=FOUND if links else NOT_FOUND, links=links)}
