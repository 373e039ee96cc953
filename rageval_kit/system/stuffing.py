"""What does a passage gain by being stuffed with words that people ask for? Nothing.

Vectors have one length, so that many words do not make a passage near to everything; a title's
words count as words of the passage, saturated and weighed against its length.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_trust import TrustFault
from rageval_kit.system.segment import Scores, Segment
from rageval_kit.system.vocabulary import Vocabulary


def as_stored(segment: Segment, vocabulary: Vocabulary, fault: AnyFault | None) -> Segment:
    """The segment with its vectors as the index keeps them."""
    if fault is not TrustFault.VECTORS_UNNORMALISED or not len(segment):
        return segment
    bag = segment.bag
    weights = (1.0 + np.log(bag.counts)) * vocabulary.weights(bag.numbers)
    lengths = np.sqrt(np.bincount(bag.rows, weights=weights**2, minlength=len(bag)))
    scale = (lengths / np.median(lengths)).astype(np.float32)
    return replace(segment, vectors=segment.vectors * scale[:, np.newaxis])


def titled(
    scores: Scores, segment: Segment, numbers: NDArray[np.int32], fault: AnyFault | None
) -> Scores:
    """The sparse scores with what titles add to them."""
    if fault is not TrustFault.TITLE_STUFFING_COUNTS:
        return scores
    bag = segment.bag
    hit = np.flatnonzero(np.isin(bag.numbers, numbers) & ~bag.in_body)
    rows = np.searchsorted(bag.indptr, hit, side="right") - 1
    added = np.bincount(rows, weights=bag.counts[hit], minlength=len(segment))
    found: Scores = np.where(scores > 0, scores + added, scores).astype(np.float32)
    return found
