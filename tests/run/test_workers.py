"""Several processes come to the rows of one, whatever they share, and say so where they cannot."""

from dataclasses import replace

import pytest

from rageval_kit.build import compose
from rageval_kit.execute.block import BlockResult
from rageval_kit.records.faults import InputError, KitError
from rageval_kit.run.evaluate import blocks
from rageval_kit.run.prepare import prepare
from rageval_kit.run.workers import check_workers, run_blocks

# without PRN-01: of questions in flight at once, each process has its own order
SUITE = (
    "+suite=acl_full",
    "suites.acl_full.families.ids=[ACL-08,CAC-01,SID-02,DEL-06]",
    "suites.acl_full.size.cases=8",
    "engine.block=5",
)


@pytest.fixture(scope="module")
def runs():
    def run(*words):
        plan = compose(*SUITE, *words)
        prepared = prepare(plan)
        plan.target.connect(prepared.world)
        todo = list(blocks(prepared.cases, plan.spec.engine.block))
        try:
            return prepared, [rows for rows, _ in run_blocks(prepared, todo, b"key")]
        finally:
            prepared.others.close()
            plan.target.close()

    return run


def told(made):
    return [
        replace(row, steps=tuple(replace(step, latency_ms=0.0) for step in row.steps))
        for rows in made
        for row in rows
    ]


@pytest.mark.parametrize("fault", ["null", "cache_key_without_principal"])
def test_rows_are_those_of_one_process(runs, fault):
    _, alone = runs(f"fault={fault}")
    _, shared = runs(f"fault={fault}", "engine.workers=3")
    assert told(shared) == told(alone)
    assert len(alone) > 3


def test_what_goes_wrong_in_a_worker_is_told_here(runs, monkeypatch):
    def stumbles(*_):
        raise KitError("no more room")

    monkeypatch.setattr("rageval_kit.run.workers.run_block", stumbles)
    with pytest.raises(KitError, match="no more room"):
        runs("engine.workers=2")


def test_a_worker_that_is_gone_ends_the_run(runs, monkeypatch):
    import os

    monkeypatch.setattr("rageval_kit.run.workers.run_block", lambda *_: os._exit(9))
    with pytest.raises(KitError, match="a worker ended"):
        runs("engine.workers=2")


def test_traces_travel_only_where_texts_are_sealed(runs):
    prepared, _ = runs("engine.workers=2")
    plan = prepared.plan
    plan.target.connect(prepared.world)
    todo = list(blocks(prepared.cases, 5))[:2]
    with_texts = [result for _, result in run_blocks(prepared, todo, b"", texts=True)]
    without = [result for _, result in run_blocks(prepared, todo, b"")]
    assert all(isinstance(one, BlockResult) and one.traces for one in with_texts)
    assert not any(one.traces for one in without)


def test_a_target_that_is_not_held_here_is_not_shared(monkeypatch):
    target = compose(*SUITE).target
    check_workers(target, 4)
    with pytest.raises(InputError, match="only a target held in this process"):
        check_workers(object.__new__(type("Elsewhere", (), {"name": "an endpoint"})), 2)
    monkeypatch.setattr("rageval_kit.run.workers.get_all_start_methods", lambda: ["spawn"])
    with pytest.raises(InputError, match="copies no process"):
        check_workers(target, 2)
