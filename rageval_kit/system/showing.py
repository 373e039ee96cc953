"""What does a system show of a question that it served, at each of its taps?"""

import time

from rageval_kit.records.target import Request, Response, Seen, Stage
from rageval_kit.system.cache import Served
from rageval_kit.system.ranking import Ranked
from rageval_kit.system.retrieval import Found
from rageval_kit.system.state import SystemState
from rageval_kit.system.streaming import pieces


def shown_to(request: Request, seen: dict[Stage, Seen], started: float) -> Response:
    return Response(request.request_id, seen, latency_s=time.perf_counter() - started)


def stages(found: Found, state: SystemState) -> dict[Stage, Seen]:
    stages: dict[Stage, Ranked | None] = {
        Stage.RETRIEVE_SPARSE: found.sparse,
        Stage.RETRIEVE_DENSE: found.dense,
        Stage.RETRIEVE: found.fused,
        Stage.RERANK_INPUT: found.rerank_input,
        Stage.RERANK: None if found.rerank_input is None else found.final,
    }
    return {
        stage: ranked(ranking, state) for stage, ranking in stages.items() if ranking is not None
    }


def ranked(ranking: Ranked, state: SystemState) -> Seen:
    return Seen(
        ids=tuple(state.passage(position).chunk_id for position in ranking[0].tolist()),
        scores=tuple(ranking[1].tolist()),
    )


def show(
    served: Served, seen: dict[Stage, Seen], links: tuple[str, ...], early: tuple[str, ...] = ()
) -> None:
    """`early`: pieces that went out before the answer and were taken back."""
    seen[Stage.CITATION] = Seen(
        served.cited_ids, served.cited_titles, links=(*links, *served.links)
    )
    seen[Stage.ANSWER] = Seen(texts=(served.answer,))
    seen[Stage.ANSWER_STREAM] = Seen(texts=(*early, *pieces(served.answer)))
    seen[Stage.TOOL] = Seen(calls=served.calls)
