"""What may be seen of a conversation that somebody else shared by a link?"""

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.transcripts import told
from rageval_kit.system.visit import Visit


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    """The link opens the transcript, and each answer is shown by the rights of who looks."""
    talk = visit.desk.shared(visit.token or text)
    turns = () if talk is None else visit.desk.talks().get(talk, ())
    checked = visit.fault is not DoorFault.TRANSCRIPT_NOT_RECHECKED
    return {Stage.ANSWER: told(turns, visit, checked=checked)}
