"""How many of the documents that one may see hold each word of a text?"""

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.counting import holding_documents
from rageval_kit.system.faults_worlds import WorldFault
from rageval_kit.system.rights import everything
from rageval_kit.system.visit import Visit


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    visible = visit.visible
    if visit.fault is WorldFault.TERM_STATISTICS_UNFILTERED:
        visible = everything(visit.state.n_passages)
    counted = (
        (word, len(holding_documents(word, visit.state, visible, visit.fault)))
        for word in visit.query(text).words
    )
    return {Stage.SUGGEST: Seen(facets=tuple((word, n) for word, n in counted if n))}
