"""What does somebody get who takes everything home that they may read?"""

import base64
import json

import numpy as np

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.rights import Mask
from rageval_kit.system.visit import Visit


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    """One JSON line a passage, with the title where that may be seen too; no vector."""
    del text
    state = visit.state
    ids, lines = [], []
    for position in np.flatnonzero(_mine(visit)).tolist():
        passage = state.passage(position)
        line = {"id": passage.chunk_id, "document": passage.document_id, "text": passage.text}
        if visit.visible.titles[position]:
            line["title"] = passage.title
        if visit.fault is DoorFault.VECTORS_EXPORTED:
            packed = visit.state.vector(position).tobytes()
            line["embedding"] = base64.b64encode(packed).decode()
        ids.append(passage.chunk_id)
        lines.append(json.dumps(line, ensure_ascii=False))
    return {Stage.ANSWER: Seen(tuple(ids), tuple(lines))}


def _mine(visit: Visit) -> Mask:
    if visit.fault is not DoorFault.EXPORT_BY_TENANT:
        return visit.visible.passages
    person = visit.state.people.principals.get(visit.reader_id)
    own = visit.visible.passages.copy()
    for segment in visit.state.segments:
        for position, passage in enumerate(segment.passages, segment.start):
            document = visit.state.shelf.document(passage.document_id)
            own[position] |= bool(person and document and document.tenant_id == person.tenant_id)
    return own
