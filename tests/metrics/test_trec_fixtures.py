"""What trec_eval itself printed for its own test files is met, digit for digit.

The command behind each file: `trec_eval -m all_trec` with -q (per query), -c (queries absent from
the run count 0), -M100 (the first 100 results only) or -l2 (relevant is grade 2 and above).
out.comment.test is left out: the run it was made of is not among the files.
"""

import re
from dataclasses import dataclass

import pytest
from ranked_lists import judged, ranked

from rageval_kit.metrics.ap import AP
from rageval_kit.metrics.bpref import Bpref
from rageval_kit.metrics.hit_rate import HitRate
from rageval_kit.metrics.mrr import MRR
from rageval_kit.metrics.ndcg_linear import NDCGLinear
from rageval_kit.metrics.precision import Precision
from rageval_kit.metrics.r_precision import RPrecision
from rageval_kit.metrics.recall import Recall
from rageval_kit.metrics.set_f1 import SetF1
from rageval_kit.metrics.set_precision import SetPrecision
from rageval_kit.metrics.unjudged import Unjudged

pytestmark = pytest.mark.real

CUT = {"P": Precision, "recall": Recall, "map_cut": AP, "success": HitRate}
UNCUT = {"Rprec": RPrecision, "bpref": Bpref, "set_P": SetPrecision, "set_F": SetF1}
WHOLE = {"map": AP, "recip_rank": MRR, "set_recall": Recall}
COUNTS = {
    "num_ret": lambda batch, _: batch.returned,
    "num_rel": lambda batch, least: batch.relevant(least),
    "num_rel_ret": lambda batch, least: batch.found(None, least),
}


def metric_of(name, least):
    """Ours for a name of theirs; None: a measure that we do not have."""
    kind, _, k = name.rpartition("_")
    if name in UNCUT:
        return UNCUT[name](least)
    if name in WHOLE:
        return WHOLE[name](None, least)
    if name == "ndcg":
        return NDCGLinear(None)
    if not k.isdigit():
        return None
    if kind in CUT:
        return CUT[kind](int(k), least)
    return {"ndcg_cut": NDCGLinear, "unj": Unjudged}[kind](int(k)) if kind in GRADED else None


GRADED = ("ndcg_cut", "unj")


@dataclass(frozen=True)
class Printed:
    """An output of trec_eval, the files it was made of, and how many of its values are ours."""

    output: str
    qrels: str
    run: str
    compared: int
    least: int = 1
    depth: int | None = None


OUTPUTS = (
    Printed("out.test", "qrels.test", "results.test", 16),
    Printed("out.test", "qrels.test.with-comments", "results.test", 16),
    Printed("out.test.a", "qrels.test", "results.test", 53),
    Printed("out.test.aq", "qrels.test", "results.test", 212),
    Printed("out.test.aqc", "qrels.test", "results.trunc", 212),
    Printed("out.test.aqcM", "qrels.test", "results.trunc", 212, depth=100),
    Printed("out.test.aql", "qrels.rel_level", "results.test", 212, least=2),
    Printed("out.test.meas_params", "qrels.test", "results.test", 44),
)


def lines(file):
    return [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]


def read(folder, printed):
    qrels, runs = {}, {}
    for line in lines(folder / printed.qrels):
        query, _, document, grade = line.split()
        qrels.setdefault(query, {})[document] = int(grade)
    for line in lines(folder / printed.run):
        query, _, document, _, score = line.split()[:5]
        runs.setdefault(query, {})[document] = float(score)
    return qrels, {query: ranked(runs.get(query, {}))[: printed.depth] for query in qrels}


@pytest.mark.parametrize("printed", OUTPUTS, ids=lambda one: f"{one.output}-{one.qrels}")
def test_every_printed_value_of_ours_is_met(printed, shared_data):
    folder = shared_data("trec_eval_fixtures")
    qrels, rankings = read(folder, printed)
    batch = judged(list(rankings.values()), list(qrels.values()), no_relevant="zero")
    compared = 0
    for line in (folder / printed.output).read_text("utf-8").splitlines():
        name, query, text = re.split(r"\s+", line.strip(), maxsplit=2)
        if name in COUNTS:
            values = COUNTS[name](batch, printed.least)
        elif (metric := metric_of(name, printed.least)) is not None:
            values = metric(batch).values
        else:
            continue
        if query == "all":
            value = values.sum() if name in COUNTS else values.mean()
        else:
            value = values[list(qrels).index(query)]
        assert (str(value) if name in COUNTS else f"{value:.4f}") == text, line
        compared += 1
    assert compared == printed.compared
