"""Every row of the hand-made vectors, which trec_eval 10.0 printed, is met within 1e-9."""

import csv
import re
from collections import Counter

import pytest
from ranked_lists import judged, ranked

from rageval_kit.metrics.ap import AP
from rageval_kit.metrics.bpref import Bpref
from rageval_kit.metrics.f1 import F1
from rageval_kit.metrics.hit_rate import HitRate
from rageval_kit.metrics.mrr import MRR
from rageval_kit.metrics.ndcg import NDCG
from rageval_kit.metrics.ndcg_linear import NDCGLinear
from rageval_kit.metrics.precision import Precision
from rageval_kit.metrics.r_precision import RPrecision
from rageval_kit.metrics.recall import Recall
from rageval_kit.metrics.set_f1 import SetF1
from rageval_kit.metrics.set_precision import SetPrecision
from rageval_kit.metrics.unjudged import Unjudged
from rageval_kit.ranking.unjudged import measured

pytestmark = pytest.mark.real

ROWS = 2420
CUT = {
    "AP": AP,
    "RR": MRR,
    "Success": HitRate,
    "P": Precision,
    "Recall": Recall,
    "F1": F1,
    "nDCG": NDCGLinear,
    "nDCGexp": NDCG,
    "Unjudged": Unjudged,
}
UNCUT = {"Rprec": RPrecision, "bpref": Bpref, "SetP": SetPrecision, "SetF1": SetF1}
GRADED = {"nDCG", "nDCGexp", "Unjudged"}  # they know no least grade
COUNTS = {
    "num_ret": lambda batch: batch.returned,
    "num_rel": lambda batch: batch.relevant(),
    "num_rel_ret": lambda batch: batch.found(None),
}
NAME = re.compile(r"(?P<kind>\w+?)(@(?P<k>\d+))?(\|(?P<way>.+))?")


def metric_of(kind, k, least):
    if kind == "SetR":
        return Recall(None, least)
    if kind in UNCUT:
        return UNCUT[kind](least)
    return CUT[kind](k) if kind in GRADED else CUT[kind](k, least)


@pytest.fixture(scope="module")
def lists(shared_data):
    folder = shared_data("metrics")
    qrels, runs = {}, {}
    for line in (folder / "hand.qrels").read_text("utf-8").splitlines():
        query, _, document, grade = line.split()
        qrels.setdefault(query, {})[document] = int(grade)
    for line in (folder / "hand.run").read_text("utf-8").splitlines():
        query, _, document, _, score, _ = line.split()
        runs.setdefault(query, {})[document] = float(score)
    return qrels, {query: ranked(runs.get(query, {})) for query in qrels}


def test_every_expected_row_is_met(lists, shared_data):
    qrels, rankings = lists
    asked = list(qrels)
    batches = {
        way: judged(
            list(rankings.values()), list(qrels.values()), no_relevant="zero", unjudged=unjudged
        )
        for way, unjudged in ((None, "nonrelevant"), ("condensed", "condensed"))
    }
    with (shared_data("metrics") / "expected.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    compared, largest, made = Counter(), 0.0, {}
    for row in rows:
        met = NAME.fullmatch(row["metric"])
        kind, k, way = met["kind"], met["k"] and int(met["k"]), met["way"]
        if row["metric"] not in made:
            if kind in COUNTS:
                made[row["metric"]] = COUNTS[kind](batches[None]).astype(float)
            else:
                metric = metric_of(kind, k, 2 if way == "rel>=2" else 1)
                column = measured(metric, batches[None if way == "rel>=2" else way])
                assert column.measured.all()
                made[row["metric"]] = column.values
        values, expected = made[row["metric"]], float(row["value"])
        if row["query_id"] == "all":
            value = values.sum() if kind in COUNTS else values.mean()
        else:
            value = values[asked.index(row["query_id"])]
        assert value == pytest.approx(expected, abs=1e-9, rel=0), row
        largest = max(largest, abs(value - expected))
        compared[row["query_id"]] += 1
    assert sum(compared.values()) == len(rows) == ROWS
    assert set(compared) == {*asked, "all"}
    assert largest < 1e-15
