"""How many documents that the caller may see contain every word of a query?"""

from rageval_kit.system.faults import AnyFault, Fault
from rageval_kit.system.retrieval import Query
from rageval_kit.system.rights import Visible
from rageval_kit.system.state import SystemState


def count_documents(
    query: Query, state: SystemState, visible: Visible, fault: AnyFault | None
) -> int:
    """Over the visible passages of a document together: a word may stand in any of them.

    Titles are not counted: a number must not tell what a title says that may not be seen.
    """
    return len(documents_holding(query, state, visible, fault))


def documents_holding(
    query: Query, state: SystemState, visible: Visible, fault: AnyFault | None
) -> set[str]:
    """Those counted, by id."""
    common: set[str] | None = None
    for word in query.words:
        holding = holding_documents(word, state, visible, fault)
        common = holding if common is None else common & holding
        if not common:
            return set()
    return common or set()


def holding_documents(
    word: str, state: SystemState, visible: Visible, fault: AnyFault | None
) -> set[str]:
    """Documents with a visible passage that holds the word."""
    number = state.lexicon.vocabulary.number(word)
    documents: set[str] = set()
    if number is None:
        return documents
    for segment in state.segments:
        rows = segment.holding(number, in_body=True)
        if fault is not Fault.COUNT_UNFILTERED:
            rows = rows[visible.passages[rows + segment.start]]
        documents.update(segment.passages[int(row)].document_id for row in rows)
    return documents
