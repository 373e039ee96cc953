"""What is in a folder, or with a tenant, in a line a passage of what the caller may read?"""

from collections.abc import Hashable

import numpy as np

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.visit import Visit
from rageval_kit.text.sentences import sentences

_MOST = 200


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    """Kept for those with the very rights it was made with, while nothing has changed."""
    key: Hashable = visit.rights
    if visit.fault is DoorFault.SUMMARY_SHARED:
        key = visit.state.epoch
    elif visit.fault is DoorFault.SUMMARY_OUTLIVES_RIGHT:
        key = visit.reader_id
    return {Stage.ANSWER: visit.desk.kept(("summary", text, key), lambda: _made(text, visit))}


def _made(place: str, visit: Visit) -> Seen:
    """The most telling sentence of each passage: that with the rarest words in all."""
    state, vocabulary = visit.state, visit.state.lexicon.vocabulary
    ids, lines = [], []
    for position in np.flatnonzero(visit.visible.passages).tolist():
        passage = state.passage(position)
        document = state.shelf.document(passage.document_id)
        if document is None or place not in (document.folder_id, document.tenant_id):
            continue
        ids.append(passage.chunk_id)
        lines.append(
            max(
                sentences(passage.text) or [passage.text],
                key=lambda s: sum(map(vocabulary.weight, set(visit.config.analyze(s)[0]))),
            )
        )
    return Seen(tuple(ids[:_MOST]), tuple(lines[:_MOST]))
