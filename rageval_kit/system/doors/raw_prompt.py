"""What would whoever answers a question be given, the hidden instructions left out?"""

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.answering import build_context
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.visit import Visit


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    search = visit.search(text)
    everything = visit.fault is DoorFault.PROMPT_SHOWN_UNFILTERED
    ranked = search.unfiltered() if everything else search.run(10).final
    passages = [visit.state.passage(position) for position in ranked[0][:10].tolist()]
    context = build_context(passages, [""] * len(passages), visit.config)
    ids = tuple(passage.chunk_id for passage in context.passages)
    return {Stage.LOG: Seen(ids, tuple(passage.text for passage in context.passages))}
