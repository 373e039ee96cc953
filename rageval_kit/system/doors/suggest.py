"""How could what is being typed go on: by words and titles one may see, by own questions?"""

from collections.abc import Hashable

import numpy as np

from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.world import SubjectKind
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB
from rageval_kit.system.rights import Mask
from rageval_kit.system.visit import Visit
from rageval_kit.text.normalise import fold

_MOST = 10


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    prefix = fold(text.strip())
    if not prefix:
        return {Stage.SUGGEST: Seen()}
    key: Hashable = visit.rights
    if visit.fault is DoorFault.SUGGESTIONS_OUTLIVE_RIGHT:
        key = visit.reader_id
    known = visit.desk.kept(("suggest", prefix, key), lambda: _terms(prefix, visit))
    found = (*_questions(prefix, visit)[:_MOST], *known.texts)
    return {Stage.SUGGEST: Seen(texts=tuple(dict.fromkeys(found)))}


def _terms(prefix: str, visit: Visit) -> Seen:
    """Of titles and texts; asked for at every key, so kept for the very rights they are of."""
    terms = visit.desk.terms(visit.state)
    all_words = visit.fault is DoorFault.SUGGESTS_ALL_WORDS
    by_all = visit.fault is UnseenFaultB.SUGGESTIONS_RANKED_BY_ALL
    counted = None if by_all else visit.visible.passages
    titles = terms.titles_from(prefix, _titles(visit), counted)[:_MOST]
    words = terms.words_from(prefix, None if all_words else visit.visible.passages, counted)[:_MOST]
    return Seen(texts=(*titles, *words))


def _questions(prefix: str, visit: Visit) -> list[str]:
    """What the caller, and nobody else, has asked before."""
    everybody = visit.fault is DoorFault.SUGGESTS_OTHERS_QUESTIONS
    return [
        turn.question
        for (asker, _), turns in visit.desk.talks().items()
        if asker == visit.reader_id or everybody
        for turn in turns
        if fold(turn.question).startswith(prefix)
    ]


def _titles(visit: Visit) -> Mask | None:
    if visit.fault is DoorFault.SUGGESTS_ALL_TITLES:
        return None
    if visit.fault is DoorFault.SUGGESTS_LINK_SHARED:
        return visit.visible.titles | _link_shared(visit)
    return visit.visible.titles


def _link_shared(visit: Visit) -> Mask:
    """The passages of documents on whose own list a link stands."""
    shared = np.zeros(visit.state.n_passages, dtype=np.bool_)
    for segment in visit.state.segments:
        for position, passage in enumerate(segment.passages, segment.start):
            document = visit.state.shelf.document(passage.document_id)
            entries = document.entries if document else ()
            shared[position] = any(e.subject_kind is SubjectKind.LINK for e in entries)
    return shared
