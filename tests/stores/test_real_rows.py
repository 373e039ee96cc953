"""Real passages of three tenants, one with 2 % of them: no false alarm, and starvation measured."""

import importlib.util
from pathlib import Path

import pytest

from rageval_kit.access.monitor import Monitor
from rageval_kit.build import compose
from rageval_kit.records.target import Caller, Grain, Request, Stage
from rageval_kit.retrievers.pgvector import Config, Loaded
from rageval_kit.run.evaluate import evaluate

_SPEC = importlib.util.spec_from_file_location(
    "three_tenants", Path(__file__).with_name("three_tenants.py")
)
three_tenants = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(three_tenants)

FAMILIES = "suites.acl_negative.families.ids=[ACL-01,ACL-02,ACL-06,ACL-08,CTL-01,CTL-08]"


@pytest.fixture(scope="module")
def world(shared_data):
    return three_tenants.world_of(shared_data("cmrc2018"))


@pytest.fixture(scope="module")
def words(world, tmp_path_factory):
    return three_tenants.written(world, tmp_path_factory.mktemp("cmrc"))


def test_one_tenant_has_two_in_a_hundred_rows(world):
    tenants = [one.tenant_id for one in world.documents.values()]
    assert len(set(tenants)) == 3
    assert tenants.count(three_tenants.SMALL) / len(tenants) == pytest.approx(0.02, abs=0.001)


@pytest.mark.parametrize("seed", [7, 8])
@pytest.mark.parametrize("kind", ["pgvector", "qdrant"])
def test_sound_rights_raise_no_alarm(request, monkeypatch, tmp_path, words, kind, seed):
    more = []
    if kind == "pgvector":
        monkeypatch.setenv("PG_DSN", request.getfixturevalue("postgres"))
        more = ["retriever.dsn=${oc.env:PG_DSN}"]
    plan = compose(
        "+suite=acl_negative",
        FAMILIES,
        "suites.acl_negative.size.cases=12",
        f"retriever={kind}",
        f"seed={seed}",
        f"archive.root={tmp_path}",
        *words,
        *more,
    )
    record = evaluate(plan)
    ran = [one for one in record.families if one.planned]
    assert [one.family for one in ran if one.violated] == []
    assert sum(one.held for one in ran) > 0
    assert record.decision.exit_code == 0, record.decision


def _asked(target, world, exact):
    """Of what the small tenant's people may read: the share of the exact ten that came back."""
    monitor = Monitor(world)
    people = [p for p, one in world.principals.items() if one.tenant_id == three_tenants.SMALL]
    titles = [one.versions[-1].title for one in list(world.documents.values())[:20]]
    for who in people[:6]:
        readable = monitor.permitted(who, Grain.CHUNK)
        most = min(10, sum(chunk in readable for chunk in monitor.chunk_ids))
        for title in titles:
            (response,) = target.search([Request("", title, Caller(who), exact=exact)])
            yield most, response.seen[Stage.RETRIEVE].ids


def test_an_approximate_index_starves_the_small_tenant_until_it_searches_on(postgres, world):
    found = {}
    for scan in ("off", "strict_order"):
        target = Loaded(Config(postgres, index="hnsw", iterative_scan=scan))
        target.connect(world)
        try:
            exact = list(_asked(target, world, exact=True))
            quick = list(_asked(target, world, exact=False))
        finally:
            target.close()
        assert all(len(ids) == most for most, ids in exact)
        wanted = sum(most for most, _ in exact)
        found[scan] = (
            sum(len({*ids} & {*truth}) for (_, ids), (_, truth) in zip(quick, exact, strict=True))
            / wanted
        )
    assert found["off"] < 0.5
    assert found["strict_order"] > 0.95
