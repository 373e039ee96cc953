"""Which scores does a reader see, and does an answer speak of what it does not show?"""

from dataclasses import replace

from rageval_kit.system.cache import Served
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_worlds import WorldFault
from rageval_kit.system.ranking import Ranked, reranked
from rageval_kit.system.retrieval import Search
from rageval_kit.text.normalise import language

_HINTS = {
    "en": "There is more on this that you may not see.",
    "zh": "另有相关内容，您无权查看。",
}


def as_shown(final: Ranked, search: Search, fault: AnyFault | None) -> Ranked:
    """The scores of the results, as they were reckoned from what the reader may see."""
    if fault is not WorldFault.SCORES_SHARE_OF_BEST or not len(final[0]):
        return final
    positions, scores = search.unfiltered()
    offered = positions[: search.config.rerank_depth], scores[: search.config.rerank_depth]
    best = float(reranked(offered, search.covered(offered[0]))[1][0])
    return final[0], final[1] / best


def with_hint(served: Served, search: Search, fault: AnyFault | None) -> Served:
    """The answer, which says nothing of what may not be seen."""
    if fault is not WorldFault.EXISTENCE_TOLD:
        return served
    best = search.best_of_all(1)
    if not best or search.visible.passages[best[0]]:
        return served
    return replace(served, answer=f"{served.answer} {_HINTS[language(search.query.text)]}")
