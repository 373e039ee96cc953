"""How do the documents one may see that match divide by tenant, label, folder and language?"""

from collections import Counter
from collections.abc import Iterator

from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.world import Document
from rageval_kit.system.counting import documents_holding
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.retrieval import Query
from rageval_kit.system.rights import Visible, everything
from rageval_kit.system.visit import Visit


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    query, state, fault = visit.query(text), visit.state, visit.fault
    unfiltered = everything(state.n_passages)
    counted: Counter[str] = Counter()
    for facet in ("tenant", "label", "folder", "language"):
        is_open = fault is DoorFault.FACETS_UNFILTERED or (
            fault is DoorFault.LABEL_FACET_UNFILTERED and facet == "label"
        )
        visible = unfiltered if is_open else visit.visible
        counted.update(_found(facet, query, visible, visit))
        if fault is DoorFault.FACET_VALUES_OF_ALL:
            hidden = _found(facet, query, unfiltered, visit)
            counted = Counter({**dict.fromkeys(hidden, 0), **counted})
    total = len(documents_holding(query, state, visit.visible, fault))
    return {Stage.SUGGEST: Seen(count=total, facets=tuple(sorted(counted.items())))}


def _found(facet: str, query: Query, visible: Visible, visit: Visit) -> list[str]:
    """The values of the documents that match, as often as they come."""
    ids = documents_holding(query, visit.state, visible, visit.fault)
    documents = [visit.state.shelf.document(one) for one in ids]
    return [
        f"{facet}:{v}" for one in documents if one for v in _values(facet, one, visible, visit) if v
    ]


def _values(facet: str, document: Document, visible: Visible, visit: Visit) -> Iterator[str]:
    if facet == "language":  # of what may be seen of it: another version may be in another one
        yield from {
            version.language
            for version in document.versions
            for position in (visit.state.position(chunk.chunk_id) for chunk in version.chunks)
            if position is not None and visible.passages[position]
        }
    elif facet == "tenant":
        yield document.tenant_id
    else:
        yield (document.label if facet == "label" else document.folder_id) or "none"
