"""Why did a question find what it found: which candidates, by which scores?"""

import json

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB
from rageval_kit.system.visit import Visit


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    """The candidates are those of the caller; no vector is told."""
    search = visit.search(text)
    everything = visit.fault is DoorFault.EXPLAINS_ALL_CANDIDATES
    positions, scores = search.unfiltered() if everything else search.run(10).fused
    lines, ids = [], []
    for position, score in zip(positions.tolist(), scores.tolist(), strict=True):
        passage = visit.state.passage(position)
        line: dict[str, object] = {"id": passage.chunk_id, "score": round(score, 6)}
        if visit.fault is DoorFault.VECTORS_EXPLAINED:
            line["vector"] = visit.state.vector(position).tolist()
        ids.append(passage.chunk_id)
        lines.append(json.dumps(line, ensure_ascii=False))
    if visit.fault is UnseenFaultB.REMOVED_CANDIDATES_COUNTED:
        lines.append(json.dumps({"filtered": len(search.unfiltered()[0]) - len(positions)}))
    return {Stage.LOG: Seen(tuple(ids), tuple(lines), tuple(scores.tolist()))}
