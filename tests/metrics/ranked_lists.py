"""Lists in plain Python: a ranker, the columns the measures read, and each measure as a loop."""

import math

import numpy as np

from rageval_kit.records.conventions import Conventions
from rageval_kit.records.scores import JudgedRankings


def ranked(scores):
    """Documents by score in 64 bits, highest first; ties by id, highest bytes first."""
    return sorted(scores, key=lambda document: (scores[document], document.encode()), reverse=True)


def columns(rows, width):
    made = [np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)]
    return made or [np.array([], dtype=np.int64)] * width


def judged(rankings, qrels, unranked=None, **conventions):
    """`rankings[i]`: document ids in rank order; `qrels[i]`: document -> grade."""
    met, unjudged = [], []
    for query, ranking in enumerate(rankings):
        for rank, document in enumerate(ranking, 1):
            grade = qrels[query].get(document)
            if grade is None:
                unjudged.append((query, rank))
            else:
                met.append((query, rank, grade))
    known = [
        (query, grade)
        for query, grades in enumerate(qrels)
        for grade in sorted(grades.values(), reverse=True)
    ]
    unjudged_query, unjudged_rank = columns(unjudged, 2)
    return JudgedRankings(
        len(rankings),
        *columns(met, 3),
        *columns(known, 2),
        unranked=unranked or {},
        returned=np.array([len(one) for one in rankings], dtype=np.int64),
        unjudged_query=unjudged_query,
        unjudged_rank=unjudged_rank,
        conventions=Conventions(**conventions),
    )


def one(metric, ranking, grades, **conventions):
    """The value of a single list; None where it has none."""
    column = metric(judged([ranking], [grades], **conventions))
    return float(column.values[0]) if column.measured[0] else None


def relevant_in(ranking, grades, k, least):
    return [grades.get(document, 0) >= least for document in ranking[:k]]


def dcg(gains):
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def discounted_share(ranking, grades, k, gain):
    """DCG over ideal DCG; None without any gain to be had."""
    ideal = dcg(sorted((gain(grade) for grade in grades.values()), reverse=True)[:k])
    gained = dcg([gain(grades.get(document, 0)) for document in ranking[:k]])
    return gained / ideal if ideal else None


def linear(grade):
    return max(grade, 0)


def exponential(grade):
    return 2 ** max(grade, 0) - 1


def weight(grade):
    return {3: 1.0, 2: 0.5, 1: 0.1}.get(grade, 0.0)


def loops(ranking, grades, k, least):
    """Every measure of one list, written out; None: it has no value."""
    depth = len(ranking) if k is None else k
    total = sum(grade >= least for grade in grades.values())
    flags = relevant_in(ranking, grades, depth, least)
    found, found_anywhere = sum(flags), sum(relevant_in(ranking, grades, None, least))
    gained = [grades.get(document, 0) for document in ranking[:depth]]
    any_gain = max(grades.values(), default=0) > 0
    held = min(depth, len(ranking))
    known = sum(grades.get(document, -1) >= 0 for document in ranking[:depth])
    core = sum(grade == 3 for grade in grades.values())
    weights = sum(weight(grade) for grade in grades.values())
    found_weight = sum(weight(grade) for grade in gained)
    values = {
        "ndcg": discounted_share(ranking, grades, k, exponential),
        "ndcg_linear": discounted_share(ranking, grades, k, linear),
        "dcg": dcg([exponential(grade) for grade in gained]) if any_gain else None,
        "dcg_linear": dcg([linear(grade) for grade in gained]) if any_gain else None,
        "judged": known / held if held else None,
        "unjudged": (held - known) / depth if depth else None,
        "tier_ndcg": discounted_share(ranking, grades, k, weight),
        "tier_recall": gained.count(3) / core if core else None,
        "tier_recall_weighted": found_weight / weights if weights else None,
        "tier_precision": found_weight / depth if any_gain and depth else None,
    }
    binary = dict.fromkeys(BINARY)
    if total:
        first = flags.index(True) + 1 if found else 0
        p, r = (found / depth if depth else 0.0), found / total
        set_p = found_anywhere / len(ranking) if ranking else 0.0
        set_r = found_anywhere / total
        binary = {
            "recall": r,
            "hit_rate": float(found > 0),
            "mrr": 1 / first if first else 0.0,
            "precision": p,
            "f1": harmonic(p, r),
            "set_precision": set_p,
            "set_f1": harmonic(set_p, set_r),
            "ap": sum(sum(flags[: i + 1]) / (i + 1) for i, hit in enumerate(flags) if hit) / total,
            "r_precision": sum(relevant_in(ranking, grades, total, least)) / total,
            "bpref": bpref(ranking, grades, least, total),
        }
    return values | binary


BINARY = (
    *("recall", "hit_rate", "mrr", "precision", "f1"),
    *("set_precision", "set_f1", "ap", "r_precision", "bpref"),
)


def harmonic(p, r):
    return 2 * p * r / (p + r) if p + r else 0.0


def bpref(ranking, grades, least, total):
    """After the text of trec_eval's manual: results judged below 0 or not at all are skipped."""
    nonrelevant = sum(0 <= grade < least for grade in grades.values())
    above, kept = 0, 0.0
    for document in ranking:
        grade = grades.get(document, -1)
        if grade >= least:
            kept += 1 - min(above, total) / min(nonrelevant, total) if above else 1
        elif grade >= 0:
            above += 1
    return kept / total
