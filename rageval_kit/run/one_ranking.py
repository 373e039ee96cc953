"""What is one ranked list worth, against what is known to be relevant?"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from rageval_kit.metrics.ap import AP
from rageval_kit.metrics.hit_rate import HitRate
from rageval_kit.metrics.mrr import MRR
from rageval_kit.metrics.ndcg import NDCG
from rageval_kit.metrics.precision import Precision
from rageval_kit.metrics.recall import Recall
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.scores import JudgedRankings


class RankingError(InputError, ValueError):
    """An InputError that whoever expects a ValueError catches, too."""


def evaluate_ranking(
    ranked_ids: Sequence[str],
    relevant_ids: Collection[str],
    grades: Mapping[str, int],
    k: int = 5,
) -> dict[str, float]:
    """Precision, recall, hit rate, reciprocal rank, AP and nDCG of one list, each at `k`.

    Precision divides by `k`; recall and AP divide by all relevant documents; nDCG has gain
    2^grade - 1 and its ideal list from all of `grades`, 0 where no grade is above 0. A document
    that `grades` does not name has grade 0. All six are 0 to 1.

    Raises RankingError (a ValueError): `k` not positive, a result repeated within the first `k`, a
    grade that is no whole number, or nothing relevant, which needs a policy of its own rather than
    a 0 or a 1.
    """
    faults = [*_faults(ranked_ids, relevant_ids, k), *_grade_faults(grades)]
    if faults:
        raise RankingError(faults)
    k, relevant = int(k), set(relevant_ids)
    top = list(ranked_ids[:k])
    binary = _judged(top, dict.fromkeys(relevant, 1))
    graded = _judged(top, grades)
    return {
        "precision_at_k": float(Precision(k)(binary).values[0]),
        "recall_at_k": float(Recall(k)(binary).values[0]),
        "hit_rate_at_k": float(HitRate(k)(binary).values[0]),
        "rr_at_k": float(MRR(k)(binary).values[0]),
        "ap_at_k": float(AP(k)(binary).values[0]),
        "ndcg_at_k": float(NDCG(k)(graded).values[0]),
    }


def _faults(ranked_ids: Sequence[str], relevant_ids: Collection[str], k: int) -> list[Fault]:
    where = "evaluate_ranking"
    faults = []
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k <= 0:
        return [Fault(where, "k must be positive", repr(k), "give a cutoff of 1 or more")]
    for name, ids in (("ranked_ids", ranked_ids), ("relevant_ids", relevant_ids)):
        if isinstance(ids, str):
            problem = f"{name} is one text, not a collection of ids"
            faults.append(Fault(where, problem, repr(ids), "give a list"))
    top = list(ranked_ids[:k])
    twice = sorted(repr(one) for one, n in Counter(top).items() if n > 1)
    if twice and not faults:
        way_out = "drop the later of each"
        faults.append(Fault(where, "duplicate result ids", ", ".join(twice), way_out))
    if not len(relevant_ids):
        way_out = "set such queries apart, or score them by a stated convention"
        faults.append(Fault(where, "nothing is relevant to the query", "", way_out))
    return faults


def _grade_faults(grades: Mapping[str, int]) -> list[Fault]:
    way_out = "grade 0 (not relevant), 1, 2, 3 …"
    return [
        Fault(f"grade of {document!r}", "is not a whole number", repr(grade), way_out)
        for document, grade in grades.items()
        if isinstance(grade, bool) or not isinstance(grade, int | np.integer)
    ]


def _judged(top: Sequence[str], grades: Mapping[str, int]) -> JudgedRankings:
    """One query: its first results, and every judgment, best grade first."""
    found = [(rank, grades[one]) for rank, one in enumerate(top, 1) if one in grades]
    best = sorted(grades.values(), reverse=True)
    return JudgedRankings(
        n_queries=1,
        query=np.zeros(len(found), np.int64),
        rank=np.array([rank for rank, _ in found], np.int64),
        grade=np.array([grade for _, grade in found], np.int64),
        judged_query=np.zeros(len(best), np.int64),
        judged_grade=np.array(best, np.int64),
        returned=np.array([len(top)], np.int64),
    )
