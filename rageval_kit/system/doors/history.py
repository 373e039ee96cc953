"""What was said in the caller's own conversation of this session?"""

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.transcripts import told
from rageval_kit.system.visit import Visit


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    """Found by caller and session; answers whose sources may be read no longer are left out."""
    del text
    talks = visit.desk.talks()
    turns = list(talks.get((visit.reader_id, visit.session), ()))
    if visit.fault is DoorFault.HISTORY_BY_SESSION:
        turns = [t for (_, session), ts in talks.items() if session == visit.session for t in ts]
    trusted = (DoorFault.HISTORY_BY_SESSION, DoorFault.CONVERSATION_NOT_RECHECKED)
    return {Stage.ANSWER: told(turns, visit, checked=visit.fault not in trusted)}
