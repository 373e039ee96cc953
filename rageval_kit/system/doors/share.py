"""By which link can others look at the caller's conversation of this session?"""

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.visit import Visit


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    del text
    token = visit.desk.share((visit.reader_id, visit.session))
    return {Stage.ANSWER: Seen(links=(token,))}
