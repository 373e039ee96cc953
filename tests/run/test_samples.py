"""Runs over judged questions: five documents, three readers, lists given by hand.

`d1`, `d2`, `d3` may be read by everybody, `secret` by ann alone, `long` has two passages.
"""

import dataclasses
import json
import re
from datetime import UTC, datetime, timedelta

import polars as pl
import pytest

from rageval_kit.access import Monitor
from rageval_kit.archive.encoding import decode_record, encode_record
from rageval_kit.archive.verify import verify
from rageval_kit.build import plan, requests
from rageval_kit.corpus.snapshots import load_world, write_directory, write_snapshot
from rageval_kit.gates.policy import load_policy
from rageval_kit.metrics.dcg import DCG
from rageval_kit.metrics.judged import Judged
from rageval_kit.metrics.mrr import MRR
from rageval_kit.metrics.precision import Precision
from rageval_kit.metrics.recall import Recall
from rageval_kit.metrics.unjudged import Unjudged
from rageval_kit.ranking.unjudged import measured
from rageval_kit.records.decisions import JudgmentNote, RunOutcome, RunRecord
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Grain, Response, Seen, Stage
from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    Principal,
    State,
    SubjectKind,
    Tenant,
    Version,
    World,
)
from rageval_kit.report.phrases import plain
from rageval_kit.report.words import words
from rageval_kit.resources import tree
from rageval_kit.run.evaluate import Silent, evaluate
from rageval_kit.run.judged import read_lists
from rageval_kit.run.questions import read_questions
from rageval_kit.run.rows import AnswerRow
from rageval_kit.schema import SamplesSpec

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PAST = NOW - timedelta(days=300)
EVERYONE = (SubjectKind.EVERYONE, "")


def document(name, *texts, subject=EVERYONE, recorded=None):
    chunks = tuple(Chunk(f"{name}#{n}", text) for n, text in enumerate(texts, 1))
    version = Version(
        f"{name}@1", f"On {name}", chunks, valid_from=PAST, states=((PAST, State.PUBLISHED),),
        recorded_from=recorded,
    )  # fmt: skip
    entries = (Entry(f"{name}/1", Effect.ALLOW, *subject),)
    return Document(name, "acme", (version,), entries=entries)


def a_world(**recorded):
    documents = [
        document("d1", "travel", recorded=recorded.get("d1")),
        document("d2", "lodging"),
        document("d3", "taxi"),
        document("secret", "salary", subject=(SubjectKind.USER, "ann")),
        document("long", "first half", "second half"),
    ]
    people = [Principal(name, "acme") for name in ("ann", "bob", "cat")]
    empty = {"folders": {}, "units": {}, "memberships": {}, "guests": {}, "links": {}}
    return World(
        documents={d.document_id: d for d in documents},
        tenants={"acme": Tenant("acme")},
        principals={p.principal_id: p for p in people},
        clock=NOW,
        name="five",
        **empty,
    )


class Listed:
    """Returns the list written for a question; a text in place of a list is a failure's class."""

    name = "listed"
    taps, powers = frozenset({Stage.RETRIEVE}), frozenset()

    def __init__(self, lists, grain=Grain.DOCUMENT):
        self.lists, self.grain, self.asked, self.worlds = lists, grain, [], []

    def connect(self, world):
        self.worlds.append(world)

    def search(self, asked):
        self.asked += asked
        return [self.reply(request) for request in asked]

    def reply(self, request):
        shown = self.lists[request.query]
        if isinstance(shown, str):
            return Response(request.request_id, error=shown, detail="no reply")
        return Response(request.request_id, {Stage.RETRIEVE: Seen(tuple(shown[: request.k]))})

    def describe(self):
        return {"target": "listed"}

    def close(self):
        pass


@pytest.fixture(scope="module")
def request_of_samples():
    (request,), _ = requests(
        ["corpus=snapshot", "corpus.path=.", "access=directory", "access.path=."]
    )
    return request


class Bench:
    def __init__(self, folder, request):
        self.folder, self.request = folder, request
        self.archive = folder / "archive"

    def plan(self, samples, target, *, world=None, metrics=None, gate=None, **spec):
        home = self.folder / "world"
        if not home.exists():
            home.mkdir()
            write_snapshot(world or a_world(), home / "snapshot")
            write_directory(world or a_world(), home / "directory.json")
        file = self.folder / "samples.jsonl"
        file.write_text("".join(json.dumps(one) + "\n" for one in samples), encoding="utf-8")
        old = self.request.spec
        metrics = metrics or {"recall": Recall(5), "mrr": MRR(5)}
        made = dataclasses.replace(
            old,
            corpus=dataclasses.replace(old.corpus, path=str(home / "snapshot")),
            access=dataclasses.replace(old.access, path=str(home / "directory.json")),
            archive=dataclasses.replace(old.archive, root=str(self.archive)),
            report=dataclasses.replace(old.report, formats=()),
            samples=SamplesSpec(path=str(file), principal="bob", **spec),
            metrics={},
            gate=load_policy(gate or {}),
        )
        built = plan(dataclasses.replace(self.request, spec=made))
        return dataclasses.replace(built, target=target, metrics=metrics)

    def run(self, samples, lists, shown=Grain.DOCUMENT, **more):
        return evaluate(self.plan(samples, Listed(lists, shown), **more))

    def lines(self, record, name):
        text = (self.archive / record.run_id / name).read_text("utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def scores(self, record):
        frame = pl.read_parquet(self.archive / record.run_id / "scores.parquet")
        rows = frame.select("query_id", "metric", "value", "reason").iter_rows()
        return {(q, m.partition("|")[0]): (value, why) for q, m, value, why in rows}


@pytest.fixture
def bench(tmp_path, request_of_samples):
    return Bench(tmp_path, request_of_samples)


def sample(query_id, grades, **more):
    return {"query_id": query_id, "question": f"what of {query_id}?",
            "relevant_passages": grades, **more}  # fmt: skip


def lists(**by_query):
    return {f"what of {query_id}?": ids for query_id, ids in by_query.items()}


def demo():
    folder = tree("suites") / "worlds" / "demo"
    return folder / "snapshot", folder / "directory.json"


def by_name(record):
    return {m.metric.partition("|")[0]: m for m in record.metrics}


def gate(record, name):
    return next(one for one in record.decision.gates if one.gate == name)


def test_a_run_of_samples_alone_asks_measures_decides_and_is_archived_whole(bench):
    """q1 finds d2 of {d1, d2} at rank 2 (recall 1/2, rr 1/2); q2 finds nothing and scores 0."""
    record = bench.run(
        [sample("q1", {"d1": 1, "d2": 2}), sample("q2", {"d3": 1})],
        lists(q1=["d3", "d2"], q2=[]),
    )
    found = by_name(record)
    assert found["recall@5"].value == pytest.approx((1 / 2 + 0) / 2)
    assert found["mrr@5"].value == pytest.approx((1 / 2 + 0) / 2)
    assert (found["recall@5"].n_scored, found["recall@5"].over) == (2, "samples")
    assert (record.decision.outcome, record.decision.exit_code) == (RunOutcome.PASS, 0)
    assert (record.cases_planned, record.families, record.calls) == (0, (), 2)
    assert bench.scores(record) == {
        ("q1", "recall@5"): (0.5, None), ("q2", "recall@5"): (0.0, None),
        ("q1", "mrr@5"): (0.5, None), ("q2", "mrr@5"): (0.0, None),
    }  # fmt: skip
    assert [line["ids"] for line in bench.lines(record, "samples.jsonl")] == [["d3", "d2"], []]
    folder = bench.archive / record.run_id
    assert verify(folder).exit_code == 0
    for path in folder.rglob("*"):
        assert path.is_dir() or b"what of q1?" not in path.read_bytes()
    # q1: one of two results is judged; q2 returned nothing, of which no share can be told
    assert record.samples.judged.value == pytest.approx(1 / 2)
    assert record.samples.judged.reasons == {"undefined: nothing was returned": 1}
    # both decide by nothing, so the first measure's worst are told: q2 before q1
    assert [(w.query_id, w.value) for w in record.samples.worst] == [("q2", 0.0), ("q1", 0.5)]


def test_without_suites_and_without_samples_there_is_no_run(bench):
    made = bench.plan([sample("q1", {"d1": 1})], Listed({}))
    spec = dataclasses.replace(made.spec, samples=SamplesSpec())
    bare = dataclasses.replace(made, request=dataclasses.replace(made.request, spec=spec))
    with pytest.raises(InputError, match="no suite was chosen, and no samples"):
        evaluate(bare)


def test_a_failed_call_is_a_reason_and_never_0(bench):
    record = bench.run(
        [sample("q1", {"d1": 1}), sample("q2", {"d2": 1})],
        lists(q1=["d1"], q2="timeout"),
    )
    found = by_name(record)["recall@5"]
    assert (found.value, found.n_scored, found.n_total) == (1.0, 1, 2)
    assert found.reasons == {"failed: timeout": 1}
    assert found.floor == pytest.approx(1 / 2)  # if the missing one were 0
    assert record.decision.exit_code == 4  # half is below the coverage of 0.9
    assert bench.scores(record)["q2", "recall@5"] == (None, "failed: timeout")


def test_a_target_that_reached_nobody_is_infrastructure(bench):
    record = bench.run([sample("q1", {"d1": 1})], lists(q1="refused"))
    assert record.decision.exit_code == 5


@pytest.mark.parametrize(
    ("ids", "why"),
    [(["d1", "elsewhere"], "failed: a result is not in the snapshot")],
)
def test_a_list_from_another_snapshot_is_not_scored(bench, ids, why):
    record = bench.run([sample("q1", {"d1": 1})], lists(q1=ids))
    assert by_name(record)["recall@5"].reasons == {why: 1}
    assert record.decision.exit_code == 4


def test_passages_are_rolled_up_to_judged_documents_and_the_first_place_counts(bench):
    """long#2, long#1, d1#1 name long, long, d1: long stands first, d1 second, one duplicate."""
    record = bench.run(
        [sample("q1", {"d1": 1})], lists(q1=["long#2", "long#1", "d1#1"]), Grain.CHUNK
    )
    assert by_name(record)["mrr@5"].value == pytest.approx(1 / 2)
    assert (record.samples.rolled_up, record.samples.n_duplicates) == (True, 1)
    assert "rolled_up_from=passage" in record.metrics[0].identity
    assert bench.lines(record, "samples.jsonl")[0]["ids"] == ["long#2", "long#1", "d1#1"]


def test_judged_passages_are_measured_as_passages(bench):
    record = bench.run(
        [sample("q1", {"long#2": 1})], lists(q1=["long#1", "long#2"]), Grain.CHUNK, grain="passage"
    )
    assert by_name(record)["mrr@5"].value == pytest.approx(1 / 2)
    assert "grain=passage" in record.metrics[0].identity


@pytest.mark.parametrize(
    ("grain", "told"),
    [
        ("passage", "need a target that names chunks; this one names documents"),
        ("claim", "a search returns no claims"),
    ],
)
def test_a_grain_that_the_target_does_not_show_is_refused_with_the_way_out(bench, grain, told):
    target = Listed(lists(q1=[]))
    with pytest.raises(InputError, match=told) as refused:
        evaluate(bench.plan([sample("q1", {"d1": 1})], target, grain=grain))
    assert refused.value.faults[0].way_out
    assert target.asked == []


def test_bad_samples_are_refused_all_at_once_before_anything_is_asked(bench):
    target = Listed({})
    samples = [
        sample("q1", {"d1": 1}, principal="zoe"),
        sample("q2", {"d1": 1}, labelling={"date": "2024-13-01"}),
        sample("q3", {"ghost": 1}),
    ]
    with pytest.raises(InputError) as refused:
        evaluate(bench.plan(samples, target))
    told = str(refused.value)
    assert "query q1: its principal is not in the directory (met zoe)" in told
    assert "query q2: labelling.date" in told
    assert "judged document not in snapshot: ghost (query q3)" in told
    assert target.asked == []


def test_who_asks_is_the_samples_own_word_then_the_runs(bench):
    target = Listed(lists(q1=["d1"], q2=["d1"]))
    evaluate(
        bench.plan([sample("q1", {"d1": 1}, principal="cat"), sample("q2", {"d1": 1})], target)
    )
    assert [request.caller.principal_id for request in target.asked] == ["cat", "bob"]
    made = bench.plan([sample("q1", {"d1": 1})], target)
    nobody = dataclasses.replace(made.spec.samples, principal=None)
    spec = dataclasses.replace(made.spec, samples=nobody)
    with pytest.raises(InputError, match="query q1: names no reader"):
        evaluate(dataclasses.replace(made, request=dataclasses.replace(made.request, spec=spec)))


def test_a_sample_s_own_times_go_along_with_its_question_and_decide_what_counts(bench):
    """`d1` was recorded on 20 January: as known on the 10th it could not be found."""
    recorded = datetime(2026, 1, 20, tzinfo=UTC)
    target = Listed(lists(q1=["d2"], q2=["d1"]))
    times = {"as_of": "2026-01-05", "known_at": "2026-01-10"}
    samples = [sample("q1", {"d1": 1, "d2": 1}, **times), sample("q2", {"d1": 1})]
    record = evaluate(bench.plan(samples, target, world=a_world(d1=recorded)))
    asked = [(request.as_of, request.known_at) for request in target.asked]
    then = (datetime(2026, 1, 5, tzinfo=UTC), datetime(2026, 1, 10, tzinfo=UTC))
    assert asked == [then, (None, None)]
    assert record.samples.n_not_permitted == 1


def test_a_question_about_what_will_be_known_is_refused_by_name(bench):
    target = Listed(lists(q1=["d1"]))
    with pytest.raises(InputError, match="query q1: known_at: is later than now"):
        evaluate(bench.plan([sample("q1", {"d1": 1}, known_at="2099-01-01")], target))
    assert target.asked == []


def test_what_the_reader_may_not_read_does_not_lower_the_figure(bench):
    """bob may not read `secret`: q1 has one document left and finds it; q2 has none left."""
    record = bench.run(
        [sample("q1", {"d1": 1, "secret": 2}), sample("q2", {"secret": 1})],
        lists(q1=["d1"], q2=["d2"]),
    )
    found = by_name(record)["recall@5"]
    assert (found.value, found.n_scored) == (1.0, 1)
    assert found.reasons == {"not_applicable: no relevant document is permitted to the reader": 1}
    listed = [(note.query_id, note.document_id) for note in record.samples.not_permitted]
    assert listed == [("q1", "secret"), ("q2", "secret")]
    assert record.decision.exit_code == 0


def test_the_reader_who_may_read_it_is_held_to_it(bench):
    record = bench.run([sample("q1", {"d1": 1, "secret": 2}, principal="ann")], lists(q1=["d1"]))
    assert by_name(record)["recall@5"].value == pytest.approx(1 / 2)
    assert record.samples.not_permitted == ()


def test_a_result_that_the_reader_may_not_read_fails_the_run_whatever_the_average(bench):
    record = bench.run([sample("q1", {"d1": 1})], lists(q1=["d1", "secret"]))
    assert by_name(record)["recall@5"].value == 1.0
    assert record.decision.exit_code == 3
    assert gate(record, "samples_permitted").reasons == ("1 result that the reader may not read",)
    (note,) = record.samples.shown_forbidden
    assert (note.query_id, note.document_id) == ("q1", "secret")


@pytest.mark.parametrize(
    ("grades", "shown", "reason", "looked_at"),
    [
        ({"secret": 1}, ["secret"], "not_applicable: no relevant document is permitted", 1),
        ({"d1": 1}, ["secret", "ghost"], "failed: a result is not in the snapshot", 0),
    ],
    ids=["nothing_else_relevant", "beside_an_unknown_id"],
)
def test_a_forbidden_result_counts_whatever_else_is_wrong(bench, grades, shown, reason, looked_at):
    record = bench.run([sample("q1", grades)], lists(q1=shown))
    (why,) = by_name(record)["recall@5"].reasons
    assert why.startswith(reason)
    assert record.decision.exit_code == 3
    permitted = gate(record, "samples_permitted")
    assert (permitted.value, permitted.shown, permitted.n_scored) == (1.0, "1 violated", looked_at)


def test_an_id_of_another_grain_than_the_targets_accuses_nobody(bench):
    """bob may read d1; a target of passages that names the document has said nothing sure."""
    record = bench.run([sample("q1", {"d1": 1})], lists(q1=["d1"]), Grain.CHUNK)
    assert record.samples.n_shown_forbidden == 0
    assert by_name(record)["recall@5"].reasons == {"failed: a result is not in the snapshot": 1}
    assert gate(record, "samples_permitted").shown == "not measured"


def test_a_forbidden_result_beside_a_failure_counts(bench):
    questions = read_questions(bench.plan([sample("q1", {"d1": 1})], Listed({})), a_world())
    read = read_lists(questions, [AnswerRow("q1", "bob", "", ("d1", "secret"), error="timeout")])
    assert read.forbidden == [JudgmentNote("q1", "secret")]
    assert read.judged.unranked == {0: "failed: timeout"}
    assert (read.answered, read.looked_at) == (0, 1)


def test_where_no_list_came_back_nothing_is_said_of_permissions(bench):
    record = bench.run([sample("q1", {"d1": 1})], lists(q1="http_500"))
    permitted = gate(record, "samples_permitted")
    assert (permitted.value, permitted.shown, permitted.n_scored) == (None, "not measured", 0)


def test_a_forbidden_result_is_a_finding_in_every_report(bench):
    from rageval_kit.report.render import render
    from rageval_kit.report.sarif import sarif

    record = bench.run([sample("q1", {"d1": 1})], lists(q1=["d1", "secret"]))
    (finding,) = record.findings
    assert (finding.family, finding.case_id, finding.item_id) == (
        "samples_permitted", "q1", "secret"
    )  # fmt: skip
    assert (finding.principal_id, finding.stage, finding.severity) == (
        "bob", "retrieve", "critical"
    )  # fmt: skip
    assert finding.denied_by == Monitor(a_world()).decide("bob", "secret", "secret@1", "secret#1")
    assert finding.replay == f"rageval-kit replay {record.run_id} q1"
    (run,) = sarif(record)["runs"]
    assert run["results"][0]["level"] == "error"
    assert "bob was shown secret" in run["results"][0]["message"]["text"]
    assert run["invocations"][0]["executionSuccessful"]
    page = render(record, "md", "en")
    assert "critical 1" in page.lower()
    assert (bench.archive / record.run_id / "findings.jsonl").read_text("utf-8").count("\n") == 1


def test_a_question_with_nothing_to_judge_was_answered_all_the_same(bench):
    """q1 brought a list, though its one relevant document is not bob's to read; q2 failed."""
    record = bench.run(
        [sample("q1", {"secret": 1}), sample("q2", {"d1": 1}), sample("q3", {"d1": 1})],
        lists(q1=["d1"], q2="timeout", q3=["d1"]),
    )
    told = record.samples
    assert (told.n_answered, told.n_scored, told.n_questions, told.n_looked_at) == (2, 1, 3, 2)
    assert gate(record, "completeness").shown == "2 of 3 questions answered"


@pytest.mark.parametrize(("unjudged", "value"), [("lowest", 1 / 2), ("highest", 1.0)])
def test_a_result_judged_below_0_is_bounded_like_one_that_nobody_judged(bench, unjudged, value):
    """d3 stands first with grade -1, d1 second with 1: were d3 relevant, the first counted."""
    judged = [sample("q1", {"d1": 1, "d3": 0})]
    made = bench.plan(judged, Listed({}), metrics={"mrr": MRR(5)}, unjudged=unjudged)
    questions = read_questions(made, a_world())
    (question,) = questions.all
    below = dataclasses.replace(question, grades={"d1": 1, "d3": -1})
    questions = dataclasses.replace(questions, all=(below,))
    read = read_lists(questions, [AnswerRow("q1", "bob", "", ("d3", "d1"))])
    assert measured(MRR(5), read.judged).values.tolist() == [value]


def test_what_a_target_says_of_its_failure_is_not_archived(bench):
    """It may hold anything, also the text of the question: `detail` is "no reply" here."""
    record = bench.run([sample("q1", {"d1": 1})], lists(q1="timeout"))
    assert bench.lines(record, "samples.jsonl")[0]["error"] == "timeout"
    for path in (bench.archive / record.run_id).rglob("*"):
        assert path.is_dir() or b"no reply" not in path.read_bytes(), path


def test_versions_rolled_up_to_documents_say_so(bench):
    shown = lists(q1=["d2@1", "d1@1"])
    record = bench.run([sample("q1", {"d1": 1})], shown, Grain.VERSION)
    assert by_name(record)["mrr@5"].value == pytest.approx(1 / 2)
    assert "grain=document rolled_up_from=version" in record.metrics[0].identity
    assert record.samples.rolled_up


def test_samples_that_change_while_they_are_read_are_refused(bench, monkeypatch):
    from rageval_kit.run import questions

    made, read = bench.plan([sample("q1", {"d1": 1})], Listed({})), questions.read_sample_rows

    def meanwhile(path, collector):
        rows = read(path, collector)
        path.write_text(json.dumps(sample("q1", {"d2": 1})) + "\n", encoding="utf-8")
        return rows

    monkeypatch.setattr(questions, "read_sample_rows", meanwhile)
    with pytest.raises(InputError, match="was changed while it was read"):
        evaluate(made)


def test_the_worst_of_a_measure_whose_best_is_not_1_are_not_told(bench):
    """The lowest share of unjudged results is the best one; of DCG nobody knows the best."""

    class Fewer(Unjudged):
        higher_is_better = False

    judged, shown = [sample("q1", {"d1": 1})], lists(q1=["d1", "d2"])
    low = bench.run(judged, shown, metrics={"u": Fewer(5), "d": DCG(5)})
    assert low.samples.worst == ()
    both = bench.run(judged, shown, metrics={"u": Fewer(5), "p": Precision(5)})
    assert [worst.metric.partition("|")[0] for worst in both.samples.worst] == ["precision@5"]


def test_questions_are_asked_once_each_over_an_interruption(bench):
    samples = [sample(f"q{n}", {"d1": 1}) for n in range(5)]
    answers = lists(**{f"q{n}": ["d1"] for n in range(5)})

    class Stops(Listed):
        def reply(self, request):
            if request.query == "what of q2?":
                raise KeyboardInterrupt
            return super().reply(request)

    def by_ones(target):
        made = bench.plan(samples, target)
        engine = dataclasses.replace(made.spec.engine, block=1)
        spec = dataclasses.replace(made.spec, engine=engine)
        return dataclasses.replace(made, request=dataclasses.replace(made.request, spec=spec))

    first, then = Stops(answers), Listed(answers)
    with pytest.raises(KeyboardInterrupt):
        evaluate(by_ones(first))
    record = evaluate(by_ones(then))
    assert [r.query for r in then.asked] == [f"what of q{n}?" for n in (2, 3, 4)]
    assert len(list(bench.archive.iterdir())) == 1
    assert by_name(record)["recall@5"].n_scored == 5
    assert record.calls == 5


def test_other_samples_are_another_experiment(bench):
    prints = [
        bench.run([sample("q1", {name: 1})], lists(q1=["d1"])).fingerprint for name in ("d1", "d2")
    ]
    assert prints[0] != prints[1]


def test_a_threshold_that_names_the_measure_alone_is_held_against_the_samples(bench):
    policy = {"thresholds": {"q": {"metric": "recall@5", "at_least": 0.8}}}
    record = bench.run([sample("q1", {"d1": 1, "d2": 1})], lists(q1=["d1"]), gate=policy)
    assert gate(record, "q").value == pytest.approx(1 / 2)
    assert record.decision.exit_code == 1


def test_unjudged_results_are_left_out_where_the_run_says_so(bench):
    """d3 is judged by nobody: without it d1 stands first."""
    judged = [sample("q1", {"d1": 1})]
    record = bench.run(judged, lists(q1=["d3", "d1"]), unjudged="condensed")
    assert by_name(record)["mrr@5"].value == 1.0
    assert "unjudged=condensed" in record.metrics[0].identity
    assert [m.metric for m in record.metrics] == [
        "recall@5|unjudged=condensed", "mrr@5|unjudged=condensed"
    ]  # fmt: skip


def test_an_upper_bound_passes_no_floor_that_does_not_name_it(bench):
    """d3 stands first, judged by nobody: mrr is 1/2, at most 1."""
    floors = {"q": {"metric": "mrr@5", "at_least": 0.8},
              "b": {"metric": "mrr@5|unjudged=highest", "at_least": 0.8}}  # fmt: skip
    judged, shown = [sample("q1", {"d1": 1})], lists(q1=["d3", "d1"])
    record = bench.run(judged, shown, unjudged="highest", gate={"thresholds": floors})
    assert (gate(record, "q").value, gate(record, "b").value) == (None, 1.0)
    assert record.decision.exit_code == 4


def test_a_gate_by_bare_name_is_held_against_judged_passages(bench):
    policy = {"thresholds": {"q": {"metric": "mrr@5", "at_least": 0.5}}}
    record = bench.run(
        [sample("q1", {"long#2": 1})], lists(q1=["long#1", "long#2"]), Grain.CHUNK,
        grain="passage", gate=policy,
    )  # fmt: skip
    assert gate(record, "q").value == pytest.approx(1 / 2)
    assert (record.metrics[0].metric, record.decision.exit_code) == ("recall@5", 0)


def test_tiers_stand_for_grades_where_there_are_none(bench):
    judged = {"query_id": "q1", "question": "what of q1?", "evidence_tiers": {"d1": "core"}}
    record = bench.run([judged], lists(q1=["d1"]))
    assert by_name(record)["recall@5"].value == 1.0


def test_the_report_tells_all_of_it_in_both_languages(bench):
    from rageval_kit.report.render import render

    samples = [
        sample("q1", {"d1": 1, "secret": 2}, strata={"kind": "short"}),
        sample("q2", {"d2": 1, "ghost": 1}, strata={"kind": "long"}),
        sample("q3", {"d3": 1}, labelling={"snapshot": "sha256:aaa"}),
    ]
    record = bench.run(
        samples,
        lists(q1=["d1", "secret"], q2=["d3"], q3="timeout"),
        allow_dangling=True,
        strata={"kind": ("short", "long", "none")},
        required={"kind": ("none",)},
    )
    for lang, told in (
        ("en", ("Judged coverage", "Strata: ", "too few", "not measured", "Worst queries",
                "Results shown to a reader who may not read them: 1",
                "may not read, left out of the figures: 1",
                "so never found; the relevant ones lower recall: 1",
                "Judgments name another snapshot", "if every missing score were 0: 0.333",
                "required stratum")),
        ("zh", ("标注覆盖率", "分层：", "样本过少", "未测量", "最差查询", "展示给无权读者的结果：1",
                "若缺失的得分均计 0：0.333", "必需的层")),
    ):  # fmt: skip
        for form in ("md", "html"):
            page = render(record, form, lang)
            for word in told:
                assert word in page.replace("\\", ""), (lang, form, word)


def test_an_archived_run_of_samples_is_repeated_and_a_change_is_told(bench, monkeypatch):
    from rageval_kit.run import replay as again

    made = bench.plan([sample("q1", {"d1": 1}), sample("q2", {"d2": 1})], Listed({}))
    target = Listed(lists(q1=["d1"], q2=["d1"]))
    record = evaluate(dataclasses.replace(made, target=target))
    folder = bench.archive / record.run_id
    monkeypatch.setattr(again, "requests", lambda *_, **__: ([made.request], ()))

    def replayed(case=None, **changed):
        shown = Listed({**target.lists, **lists(**changed)})
        monkeypatch.setattr(again, "plan", lambda _: dataclasses.replace(made, target=shown))
        return again.replay(folder, case, Silent())

    assert replayed() == again.ReplayReport(2, ())
    assert replayed("q2") == again.ReplayReport(1, ())
    assert replayed(q2=["d3"]).differences == ("query q2: other ids were shown",)
    assert replayed(q2="timeout").differences == ("query q2: other ids were shown",)
    with pytest.raises(InputError, match="is not in this run"):
        replayed("q9")
    (bench.folder / "samples.jsonl").write_text(json.dumps(sample("q1", {"d2": 1})) + "\n")
    with pytest.raises(InputError, match="samples: is not the one that the run used"):
        replayed()


def test_beside_a_suite_the_questions_meet_the_snapshot_without_what_the_kit_plants(tmp_path):
    """The embedded system is indexed twice: as read for the questions, planted for the cases."""
    file = tmp_path / "samples.jsonl"
    world = load_world(*demo())
    chosen = next(
        (principal, document)
        for principal in world.principals
        for document in world.documents
        if document in Monitor(world).permitted(principal, Grain.DOCUMENT)
    )
    asked = sample("q1", {chosen[1]: 1}, principal=chosen[0])
    file.write_text(json.dumps(asked) + "\n", encoding="utf-8")
    words = [
        "+suite=acl_negative", "suites.acl_negative.families.ids=[ACL-01,CTL-01]",
        "suites.acl_negative.size.cases=4", f"samples.path={file}", "retriever=bm25",
        "metrics=ranking", f"archive.root={tmp_path / 'archive'}", "samples.depth=100",
    ]  # fmt: skip
    (request,), _ = requests(words)
    made = plan(request)
    worlds, connect = [], made.target.connect
    made.target.connect = lambda world: (worlds.append(world), connect(world))[1]
    record = evaluate(made)
    first, then = worlds
    assert len(first.documents) == record.documents == len(world.documents)
    assert then is not first
    texts = [c.text for d in first.documents.values() for v in d.versions for c in v.chunks]
    assert texts == [c.text for d in world.documents.values() for v in d.versions for c in v.chunks]
    assert {m.over for m in record.metrics} == {"samples", "twins"}
    assert record.metrics[0].over == "samples"
    assert record.cases_executed == record.cases_planned > 0
    over = pl.read_parquet(tmp_path / "archive" / record.run_id / "scores.parquet")["over"]
    assert set(over) == {"samples", "twins"}


def test_a_record_from_before_judged_questions_is_still_read(bench):
    record = bench.run([sample("q1", {"d1": 1})], lists(q1=["d1"]))
    old = json.loads(encode_record(record))
    del old["samples"]
    for metric in old["metrics"]:
        for later in ("over", "floor", "shares", "interval_note", "conventions"):
            del metric[later]
    for one in old["decision"]["gates"]:
        del one["is_advice"]
    read = decode_record(json.dumps(old).encode(), RunRecord)
    assert read.samples is None
    assert read.metrics[0].over == "twins"


def test_the_chinese_page_tells_every_reason_in_chinese(bench):
    """Of what gates record no English word is left but names: ids, measures, conventions."""
    record = bench.run(
        [sample("q1", {"d1": 1}), sample("q2", {"d2": 1}, labelling={"date": "2020-01-01"}),
         sample("q3", {"secret": 1})],
        lists(q1=["d1", "secret"], q2="timeout", q3=["elsewhere"]),
        required={"kind": ("none",)},
        gate={"thresholds": {
            "q": {"metric": "recall@5", "at_least": 1.0, "stratum": "kind=none"},
            "share": {"metric": "mrr@5", "estimate": "share_above", "above": 0.9,
                      "at_least": 1.0, "level": "advice"}}},
    )  # fmt: skip
    for told in record.decision.reasons:
        gate, _, reason = told.partition(": ")
        said = plain(reason if gate != "advice" else told, words("zh"))
        english = re.findall(r"[A-Za-z]{4,}", re.sub(r"\S*[@=|]\S*|share|timeout", "", said))
        assert english == [], (told, said)


def test_what_a_measure_cannot_do_is_refused_before_anything_is_asked(bench):
    """Judged@k has no bounds over what nobody judged: there is nothing to bound."""
    target = Listed({})
    made = bench.plan(
        [sample("q1", {"d1": 1})], target, metrics={"j": Judged(5)}, unjudged="lowest"
    )
    with pytest.raises(InputError, match="has no lowest and highest value"):
        evaluate(made)
    assert target.asked == []


@pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed", "lowest", "highest"])
def test_every_shipped_measure_can_be_taken_of_a_run(bench, unjudged):
    """One question whose one relevant document stands first: no measure fails, none is above 1."""
    kinds = sorted(file.stem for file in (tree("conf") / "metric").glob("*.yaml"))
    (request,), _ = requests([f"+metric@metrics.try_{kind}={kind}" for kind in kinds])
    metrics = {name: part.config for name, part in request.spec.metrics.items()}
    if unjudged in ("lowest", "highest"):  # refused by name, as the test above shows
        metrics = {n: m for n, m in metrics.items() if getattr(m, "bounded", True)}
    judged = [sample("q1", {"d1": 3, "d2": 0})]
    record = bench.run(judged, lists(q1=["d1", "d2", "d3"]), metrics=metrics, unjudged=unjudged)
    assert len(record.metrics) == len(metrics)
    assert [m.metric for m in record.metrics if m.n_scored + sum(m.reasons.values()) != 1] == []
    assert by_name(record)["recall@10"].value == 1.0 if unjudged != "lowest" else True
    share = record.samples.judged
    assert (share.value, share.identity.count("unjudged=nonrelevant")) == (pytest.approx(2 / 3), 1)


def test_the_terminal_tells_the_figures_and_the_advice(bench):
    from rageval_kit.report.terminal import terminal

    low = {"metric": "mrr@5", "at_least": 0.7, "level": "advice"}
    record = bench.run(
        [sample("q1", {"d1": 1})], lists(q1=["d3", "d1"]), gate={"thresholds": {"early": low}}
    )
    told = terminal(record, "en")
    assert "judged questions: 1 of 1 answered, 0.500 of their first results judged" in told
    assert re.search(r"mrr@5 +0\.500 \(no interval\), 1 of 1 queries", told)
    assert "PASS  all gates met" in told
    assert "advice  early - mrr@5 is 0.50, below 0.7" in told
    assert "no case was executed" not in told
    assert "建议  early" in terminal(record, "zh")
