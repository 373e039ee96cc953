"""Forced choice, whole: clean systems, guessing systems, and those that tell without quoting."""

import dataclasses

import msgspec
import numpy as np
import pytest

from rageval_kit.build import compose
from rageval_kit.records.target import Grain, Power, Response, Seen, Stage
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.evaluate import evaluate
from rageval_kit.run.figures import pairs_needed, run_plan
from rageval_kit.run.prepare import prepare
from rageval_kit.run.prove import outcomes, run_cases
from rageval_kit.run.repeats import fold
from rageval_kit.system.faults_choice import FAULTS_HERE

FAMILIES = ("SID-10", "SID-11", "SID-12", "SID-13", "SID-15")


def of(*families, **more):
    said = [f"{key}={value}" for key, value in more.items()]
    chosen = f"suites.acl_full.families.ids=[{','.join(families)}]"
    return compose("+suite=acl_full", "retriever=hybrid", chosen, *said)


def test_a_clean_system_is_silent():
    rows = outcomes(of(*FAMILIES, seed=8))
    assert {row.family for row in rows} == set(FAMILIES)
    assert not [(r.case_id, r.reason) for r in rows if r.outcome is not Outcome.HELD]


@pytest.mark.parametrize("info", FAULTS_HERE, ids=lambda info: info.name)
def test_each_fault_is_noticed_by_the_family_it_names(info):
    rows = outcomes(of(*info.families, fault=info.name, **{"suites.acl_full.size.facts": 30}))
    violated = [row for row in rows if row.outcome is Outcome.VIOLATED]
    assert {str(f.stage) for row in violated for f in row.findings} == {"answer"}


@pytest.mark.parametrize("fault", ["always_refuse", "empty_corpus", "echo_query"])
def test_a_system_that_tells_nobody_anything_is_not_held(fault):
    rows = outcomes(of("SID-11", fault=fault, **{"suites.acl_full.size.facts": 12}))
    assert {row.outcome for row in rows} == {Outcome.UNOBSERVED}
    assert all(row.reason.startswith("twin_failed: of facts that may be read 0") for row in rows)


class Guesser:
    """Knows what the holder may read; asked by anybody else it picks a letter, or knows a share."""

    name, grain = "guesser", Grain.DOCUMENT
    taps = frozenset({Stage.RETRIEVE, Stage.ANSWER})
    powers = frozenset({Power.PLANT})

    def __init__(self, leaked, seed=1):
        self.leaked, self.draw = leaked, np.random.default_rng(seed)

    def connect(self, world):
        self.texts = [
            (document_id, chunk.text)
            for document_id, document in world.documents.items()
            for version in document.versions
            for chunk in version.chunks
        ]

    def search(self, requests):
        return [Response(r.request_id, {Stage.RETRIEVE: Seen(())}) for r in requests]

    def answer(self, requests):
        return [self._one(r) for r in requests]

    def _one(self, request):
        name = next(_names(request.query), "")
        known = [(one, text) for one, text in self.texts if name and name in text]
        holder = request.caller.principal_id.startswith("kit-holder")
        if known and (holder or self.draw.random() < self.leaked):
            said = known[0][1].split(" [ref")[0]
        else:
            said = f"The answer is {'ABCD'[self.draw.integers(4)]}."
        ids = (known[0][0],) if known and holder else ()
        seen = {Stage.RETRIEVE: Seen(ids), Stage.ANSWER: Seen(texts=(said,))}
        return Response(request.request_id, seen)

    def describe(self):
        return {"target": "guesser"}

    def close(self):
        pass


def _names(query):
    words = [w.split("的")[0] for w in query.replace("?", " ").split()]
    for start in range(len(words) - 2):
        three = words[start : start + 3]
        if all(w.isascii() and w.istitle() for w in three):
            yield " ".join(three)


def test_who_guesses_is_held_and_the_bound_is_that_of_the_guesses(tmp_path):
    plan = of("SID-11", **{"archive.root": tmp_path})
    record = evaluate(dataclasses.replace(plan, target=Guesser(0.0)))
    (family,) = record.families
    choice = family.choice
    assert family.violated == 0
    assert choice.chosen == choice.asked == choice.planned == 63
    assert 8 <= choice.right <= 23
    assert choice.visible == (63, 63)
    # (hit - 1/4) / (3/4): far above what 63 clean pairs would be worth
    assert family.upper_bound == choice.bound > 0.05
    (answer,) = [stage for stage in family.stages if stage.stage == "answer"]
    assert answer.upper_bound == choice.bound
    assert record.decision.exit_code == 0


@pytest.mark.parametrize(("leaked", "least", "most"), [(0.3, 16, 20), (0.0, 0, 2)])
def test_a_leak_is_found_as_often_as_planned_and_chance_is_none(leaked, least, most):
    """Power 0.9, alpha 0.01, over twenty guessers: fewer or more than that is rarer than 1 %."""
    prepared = prepare(dataclasses.replace(of("SID-11"), target=Guesser(0.0)))
    found = 0
    for seed in range(20):
        guesser = Guesser(leaked, seed)
        guesser.connect(prepared.world)
        plan = dataclasses.replace(prepared.plan, target=guesser)
        asked = dataclasses.replace(prepared, plan=plan)
        rows = run_cases(asked, [case.case_id for case in asked.cases])
        found += any(row.outcome is Outcome.VIOLATED for row in rows)
    assert least <= found <= most


def test_the_report_and_the_archive_tell_the_figures(tmp_path):
    plan = of("SID-11", fault="tells_by_letter", **{"archive.root": tmp_path})
    record = evaluate(plan)
    (folder,) = [path for path in tmp_path.iterdir() if path.is_dir()]
    page = (folder / "report.md").read_text(encoding="utf-8")
    choice = record.families[0].choice
    part = page.split("## Hidden facts\n")[1].split("\n## ")[0]
    assert f"63 of 63 | {choice.right} of {choice.chosen} | 1 in 4 |" in part
    assert "1.00%" in part
    kept = msgspec.json.decode((folder / "summary.json").read_bytes())
    (family,) = [f for f in kept["families"] if f["family"] == "SID-11"]
    assert family["choice"]["right"] == choice.right


def test_a_run_without_such_questions_says_so(tmp_path):
    evaluate(of("CIT-01", **{"archive.root": tmp_path, "suites.acl_full.size.cases": 4}))
    (folder,) = [path for path in tmp_path.iterdir() if path.is_dir()]
    assert "No question of this kind was asked" in (folder / "report.md").read_text("utf-8")


def test_the_size_of_a_suite_sets_how_many_facts_are_planted_and_asked():
    made = prepare(of("SID-11", **{"suites.acl_full.size.facts": 120}))
    assert len(made.cases) == 120
    assert len({case.coordinates.document_id for case in made.cases}) == 120
    holders = [p for p in made.world.principals if p.startswith("kit-holder")]
    assert len(holders) == 3


def test_guessing_again_is_no_second_chance(by_hand):
    def row(right):
        return by_hand.row(told={"choice_right": right, "echoed": right})

    folded = fold([row(False), row(True)], frozenset({"choice_right"}))
    assert folded.told["choice_right"] is False
    assert folded.told["echoed"] is True


@pytest.mark.parametrize(
    ("rate", "alpha", "n"),
    [(0.01, 0.05, 299), (0.01, 0.01, 459), (0.001, 0.05, 2995), (0.0001, 0.05, 29956)],
)
def test_pairs_needed_are_those_of_the_zero_leak_table(rate, alpha, n):
    assert pairs_needed(rate, alpha) == n


def test_a_plan_says_what_the_run_has_and_lacks():
    prepared = prepare(of("ACL-01", "SID-11"))
    said = run_plan(prepared, leak_rate=0.01, cases_per_s=10)
    acl, sid = said.families
    assert (said.needed, said.timed, said.seconds) == (299, "stated", len(prepared.cases) / 10)
    assert said.pairs == acl.pairs
    assert acl.bound == pytest.approx(1 - 0.05 ** (1 / acl.pairs))
    assert sid.bound is None
    assert sid.choice.share <= 0.3
    assert dict(sid.choice.needed)[0.3] == sid.choice.facts == 63


def test_a_probe_asks_a_few_and_tells_the_time():
    said = run_plan(prepare(of("ACL-01", "SID-11")), probe=True)
    assert (said.timed, said.probed) == ("measured", 6)
    assert 0 < said.seconds < 60


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_plan_reads_as_sentences(lang):
    from rageval_kit.cli.plan_lines import plan_lines

    lines = list(plan_lines(run_plan(prepare(of("ACL-01", "SID-11"))), lang))
    assert "998" in lines[0]
    assert sum("SID-11" in line for line in lines) == 1
    assert any("1,849" in line for line in lines)
    assert not [line for line in lines if "{" in line or "None" in line]
