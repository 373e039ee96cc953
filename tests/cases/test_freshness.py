"""Cases of the area freshness: which version holds is a question of the time asked about alone."""

import ast
import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

import rageval_kit
from rageval_kit.checks import forbidden_document, one_version, value
from rageval_kit.corpus.reconcile import reconcile, source_index
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.shelf import load
from rageval_kit.generate.walk import Walk
from rageval_kit.generate.wording import Wording
from rageval_kit.records.cases import Expectation, Observation, Trace
from rageval_kit.records.target import Grain, Indexed, Power, Seen, Stage
from rageval_kit.records.verdicts import Aids, Outcome
from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    Principal,
    State,
    SubjectKind,
    Version,
)
from rageval_kit.resources import tree

SHANGHAI = timezone(timedelta(hours=8))
QUERY, OLD, NEW = "年假几天", "leave@1", "leave@2"


def day(year, month, number):
    return datetime(year, month, number, tzinfo=SHANGHAI)


# BUG-059 -----------------------------------------------------------------------------------------


def leave():
    """Ten days of leave up to the end of June 2024, fifteen from 1 July on."""
    states = ((day(2023, 1, 1), State.PUBLISHED),)
    return Document(
        "leave",
        "acme",
        (
            Version(OLD, "年假", (Chunk(f"{OLD}#1", "年假10天"),), day(2023, 1, 1),
                    day(2024, 7, 1), states=states),
            Version(NEW, "年假", (Chunk(f"{NEW}#1", "年假15天"),), day(2024, 7, 1), states=states),
        ),
        entries=(Entry("e", Effect.ALLOW, SubjectKind.EVERYONE),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("as_of", "stale", "right", "is_right"),
    [(day(2024, 8, 1), OLD, NEW, "15"), (day(2024, 5, 1), NEW, OLD, "10")],
    ids=["after_the_change", "before_it"],
)
def test_bug_059_of_two_versions_the_one_that_does_not_hold_is_named_beside_the_right_one(
    worlds, as_of, stale, right, is_right
):
    world = worlds.world([leave()], [Principal("ann", "acme")])
    values = {OLD: "10", NEW: "15"}
    exhibit = Exhibit("leave", {"target": "leave"}, {"topic": QUERY}, values=values, lang="zh")
    scene = Scene(world, Grain.VERSION, frozenset(Power), frozenset(Stage), 7, {})
    (family,) = load(tree("suites") / "families", ["VER-05"])
    pair = Pair("ann", f"{stale}#1", conditions=("C6",), as_of=as_of, exhibit=exhibit)
    wording = Wording(QUERY, as_of=as_of)
    walk = Walk(scene.showing([exhibit]), family, pair, wording)
    walk.ask("reader", "ann", wording)
    assert walk.expected[0, 0].wanted == is_right

    expectation = Expectation(
        "c", walk.expected, walk.roles, 0.0, {"question": (0,)}, values={"10": OLD, "15": NEW}
    )
    both = Seen((OLD, NEW))
    seen = {Stage.RETRIEVE: both, Stage.CONTEXT: both, Stage.ANSWER: Seen(texts=("10到15天",))}
    trace = Trace("c", (Observation(0, 0, "reader", "ann", seen, ""),))
    aids = Aids(frozenset(Stage), (), None, {(0, 0): QUERY}, 10)
    retrieved, mixed, told = (
        module.check({}, expectation, trace, aids)
        for module in (forbidden_document, one_version, value)
    )
    assert {one.outcome for one in (retrieved, mixed, told)} == {Outcome.VIOLATED}
    assert {f.item_id for f in retrieved.findings if f.stage is Stage.RETRIEVE} == {stale}
    (finding,) = told.findings
    assert finding.item_id == stale
    assert f"it is that of {stale}; right is {is_right} of {right}" in finding.evidence


def test_bug_059_the_listing_of_an_index_may_hold_the_version_that_no_search_may_show(worlds):
    world = worlds.world([leave()], [Principal("ann", "acme")])
    held = [Indexed(f"{name}#1", name) for name in (OLD, NEW)]
    assert reconcile(source_index(world), held).agrees


# BUG-063 -----------------------------------------------------------------------------------------


def test_bug_063_a_time_without_an_offset_is_refused_by_its_row(bench, worlds, command):
    home = bench.write(worlds.world([leave()], [Principal("ann", "acme")]))
    table = home / "snapshot" / "documents.jsonl"
    rows = [json.loads(line) for line in table.read_text("utf-8").splitlines()]
    rows[0]["versions"][0]["valid_from"] = "2023-01-01T00:00:00"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    ended = command("validate", "--snapshot", str(home / "snapshot"))
    assert ended.returncode == 2
    assert "documents.jsonl:1: versions[0].valid_from" in ended.stderr
    assert "the time has no offset from UTC" in ended.stderr
    assert "Traceback" not in ended.stderr


# BUG-064 -----------------------------------------------------------------------------------------


def test_bug_064_only_the_beginning_of_a_run_asks_the_machine_what_time_it_is():
    """So that no verdict can depend on it: what is stale is so at the clock of the snapshot."""
    asks = {"now", "today", "utcnow", "time", "time_ns", "localtime", "gmtime"}
    own = Path(rageval_kit.__file__).parent
    found = {
        file.relative_to(own).as_posix()
        for file in own.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in asks
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in {"datetime", "date", "time"}
    }
    # A fault of the system that comes with the kit dates its own trail so: no verdict reads that.
    assert found == {"run/open.py", "system/audit.py"}


def test_bug_064_what_is_dated_after_the_time_asked_about_is_not_valid_yet(worlds):
    from rageval_kit.access import Monitor

    world = worlds.world([leave()], [Principal("ann", "acme")])
    asked = ("ann", "leave", NEW, f"{NEW}#1")
    change = datetime(2024, 6, 30, 16, tzinfo=UTC)
    before = change - timedelta(minutes=5)
    assert Monitor(world).decide(*asked, as_of=before) == ("C6",)
    assert Monitor(world).decide(*asked, as_of=change) == ()
