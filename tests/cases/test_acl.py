"""Cases of the area acl, each run through the whole product or the system it ships.

What a run must say of a fault follows from the case; the worlds are small enough to read.
"""

import json
from datetime import UTC, datetime

import pytest

from rageval_kit.endpoint.calls import Reply
from rageval_kit.endpoint.config import HttpConfig
from rageval_kit.records.changes import Revoke
from rageval_kit.records.target import Caller, Request, Stage
from rageval_kit.records.world import AccessPolicy, Principal, Unit
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.retrievers.http import Http
from rageval_kit.run.prepare import prepare
from rageval_kit.system.config import EmbeddedConfig

CANARY = "ZQ-CANARY-4417"


def connected(world, **config):
    target = Embedded(EmbeddedConfig(**config))
    target.connect(world)
    return target


def ask(target, who, query, **more):
    return target.answer([Request("r", query, Caller(who), **more)])[0]


def documents_at(response, stage):
    return [chunk_id.partition("@")[0] for chunk_id in response.seen[stage].ids]


def shown(response):
    return {i.partition("@")[0] for seen in response.seen.values() for i in seen.ids}


def texts(response):
    return " ".join(text for seen in response.seen.values() for text in seen.texts)


# BUG-046 -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hundred(worlds):
    """d001 to d100: each says the word once, in a text longer than the one before it."""
    documents = [
        worlds.document(
            f"d{n:03d}",
            "beacon" + " filler" * n,
            worlds.user("root"),
            *([worlds.user("few")] if 41 <= n <= 45 else []),
            title="Note",
        )
        for n in range(1, 101)
    ]
    return worlds.world(documents, [Principal("root", "acme"), Principal("few", "acme")])


@pytest.mark.parametrize(
    ("fault", "candidates", "found"),
    [("filter_after_top_k", 40, 0), ("filter_after_top_k", 45, 5), (None, 40, 5)],
    ids=["depth_40_starves", "depth_45_does_not", "filtered_before"],
)
def test_bug_046_a_filter_after_the_candidates_starves_who_may_read_little(
    hundred, fault, candidates, found
):
    every = ask(connected(hundred, arms=("sparse",)), "root", "beacon", k=100)
    assert documents_at(every, Stage.RETRIEVE) == [f"d{n:03d}" for n in range(1, 101)]
    target = connected(hundred, arms=("sparse",), candidates=candidates, fault=fault)
    got = ask(target, "few", "beacon", k=5)
    assert documents_at(got, Stage.RERANK) == [f"d{n:03d}" for n in range(41, 46)][:found]


@pytest.mark.parametrize("fault", [None, "filter_after_top_k"])
def test_bug_046_starvation_fails_availability_and_is_no_violation_of_security(
    bench, worlds, fault
):
    ran = bench.run(worlds.office(), ["RNK-03", "CTL-01"], "retriever.candidates=40", fault=fault)
    starved = fault is not None
    assert ran.exit_code == (1 if starved else 0)
    assert ran.gates["starvation"].met is not starved
    assert ran.gates["security"].met
    if starved:
        assert {finding.family for finding in ran.record.findings} == {"RNK-03"}
        assert all("of 10 readable results came back" in f.evidence for f in ran.record.findings)


# BUG-047 -----------------------------------------------------------------------------------------


def test_bug_047_a_dimension_that_the_target_leaves_unfiltered_is_a_violation(bench, worlds):
    ran = bench.run(worlds.office(), ["CTL-08"], fault="ignore_c3")
    assert ran.exit_code == 3
    level = [f for f in ran.record.findings if f.denied_by == ("C3",)]
    assert {(f.document_id, f.stage) for f in level} == {("vault", "retrieve")}


class Client:
    """Stands where the connection would: what is sent is seen, and nothing goes anywhere."""

    def __init__(self):
        self.sent = []

    def call(self, message, **_):
        self.sent.append(message)
        return Reply(status=200, body=b'{"hits": []}')


def over_http(**said):
    return Http(HttpConfig(url="http://127.0.0.1:9/search", **said), Client())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"as_of": datetime(2026, 1, 1, tzinfo=UTC)}, "no template sends $as_of"),
        ({"known_at": datetime(2026, 1, 1, tzinfo=UTC)}, "no template sends $known_at"),
        ({"caller": Caller("ann", {"level": "2"})}, "no free field for level"),
    ],
    ids=["as_of", "known_at", "claim"],
)
def test_bug_047_what_the_adapter_cannot_express_it_refuses_before_anything_is_sent(asked, said):
    target = over_http(body={"q": "$query", "who": "$principal"})
    (response,) = target.search([Request("r", "pay", **{"caller": Caller("ann"), **asked})])
    assert response.error == "unsupported"
    assert said in response.detail
    assert response.seen == {}
    assert target._client.sent == []


# BUG-048 -----------------------------------------------------------------------------------------


def tokenised(own, other, _):
    """As an analysed text field compares: the term is somewhere in the value."""
    return own.casefold() in other.casefold().replace("-", " ").split()


def exact(own, other, _):
    return own == other


def acme_and_others(worlds):
    documents = [
        worlds.document(name, f"{name} lantern rules {name}.", worlds.EVERYONE, tenant=tenant)
        for name, tenant in (("d1", "acme"), ("d2", "acme-eu"), ("d3", "not acme"))
    ]
    people = [Principal("ann", "acme"), Principal("eve", "acme-eu"), Principal("ned", "not acme")]
    return worlds.world(documents, people)


def test_bug_048_an_equal_tenant_is_the_same_text_and_nothing_like_it(worlds):
    target = connected(acme_and_others(worlds))
    assert shown(ask(target, "ann", "lantern rules")) == {"d1"}


def test_bug_048_the_suite_always_holds_near_misses_of_every_tenant(bench, worlds):
    prepared = prepare(bench.plan(acme_and_others(worlds), ["ACL-18"]))
    tenants = set(prepared.world.tenants)
    assert {"ACME", "ａｃｍｅ", "acme ", "acme-archive", "archive-acme"} <= tenants


@pytest.mark.parametrize(("same", "code"), [(tokenised, 3), (exact, 0)])
def test_bug_048_a_tokenised_comparison_is_a_violation(bench, worlds, targets, same, code):
    target = targets.by_tenant(same)
    ran = bench.run(acme_and_others(worlds), ["ACL-18"], target=target)
    assert ran.exit_code == code, ran.record.decision.reasons
    leaked = {f["item_id"] for v in ran.verdicts for f in v["findings"]
              if f["principal_id"] == "ann"}  # fmt: skip
    near = {f"kit-look-alike-{kind}-acme" for kind in ("case", "prefix", "suffix", "space")}
    assert (leaked >= {"d2", "d3", *near}) if code else not leaked


# BUG-049, 050 ------------------------------------------------------------------------------------


def classes(worlds):
    documents = [
        worlds.document(name, f"gazette of the harbour {name}.", worlds.EVERYONE, label=label)
        for name, label in (("d1", "public"), ("d2", "secret"), ("d3", None))
    ]
    documents.append(worlds.document("d4", "private tulip.", worlds.user("sec"), label="public"))
    people = [Principal("pat", "acme", clearance="public"),
              Principal("sec", "acme", clearance="secret"),
              Principal("old", "acme", clearance="secret", statuses=worlds.GONE)]  # fmt: skip
    return worlds.world(documents, people, policy=AccessPolicy(("public", "secret"), True))


def test_bug_049_what_has_no_class_is_found_by_nobody(worlds):
    target = connected(classes(worlds))
    assert shown(ask(target, "pat", "gazette of the harbour")) == {"d1"}
    assert shown(ask(target, "sec", "gazette of the harbour")) == {"d1", "d2"}


def test_bug_049_returning_what_has_no_class_is_a_violation(bench, worlds):
    assert bench.run(classes(worlds), ["CTL-08"]).exit_code == 0
    ran = bench.run(classes(worlds), ["CTL-08"], fault="ignore_c3")
    assert ran.exit_code == 3
    assert "d3@1#1" in {f["item_id"] for v in ran.verdicts for f in v["findings"]}


@pytest.mark.parametrize(("fault", "code"), [(None, 0), ("empty_acl_is_public", 3)])
def test_bug_050_a_list_that_lost_its_last_entry_lets_nobody_in(bench, worlds, fault, code):
    ran = bench.run(worlds.office(), ["ACL-11", "CTL-01"], cases=8, fault=fault)
    assert ran.exit_code == code
    empty = [v for v in ran.verdicts if v["family"] == "ACL-11"]
    assert {v["outcome"] for v in empty} == {"violated" if code else "held"}


# BUG-051 -----------------------------------------------------------------------------------------


def quarter(worlds):
    documents = [
        worlds.document("q3", f"Q3 profit was {CANARY}. 三季度利润多少：{CANARY}。",
                        worlds.unit("finance")),
        worlds.document("menu", "canteen menu of the week.", worlds.EVERYONE),
    ]  # fmt: skip
    return worlds.world(
        documents,
        [Principal("alice", "acme"), Principal("bob", "acme")],
        units=[Unit("finance", "acme"), Unit("sales", "acme")],
        members=[("finance", "alice"), ("sales", "bob")],
    )


@pytest.mark.parametrize("second", ["三季度利润多少？", "Q3 利润是多少"])
def test_bug_051_a_cached_answer_is_its_askers_alone(worlds, second):
    target = connected(quarter(worlds))
    assert CANARY in texts(ask(target, "alice", "Q3 利润是多少"))
    other = ask(target, "bob", second)
    assert other.seen[Stage.CACHE].ids == ()
    assert CANARY not in texts(other)
    assert other.seen[Stage.ANSWER].texts == ("没有找到可以回答该问题的内容。",)
    assert ask(target, "alice", "Q3 利润是多少").seen[Stage.CACHE].ids == ("q3@1#1",)


def test_bug_051_a_shared_cache_is_a_violation_that_names_stage_and_owner(bench, worlds):
    ran = bench.run(worlds.office(), ["CAC-01"], cases=8, fault="cache_key_without_principal")
    assert ran.exit_code == 3
    for finding in ran.record.findings:
        assert "cache" in finding.evidence
        first, second = finding.timeline[:2]
        assert (first.role, second.role) == ("twin", "reader")
        assert first.principal_id != finding.principal_id == second.principal_id


# BUG-052 -----------------------------------------------------------------------------------------

TAUTOLOGIES = ['w" || user_id != "k', '" or 2>1 or "', "') or 3==3 or ('"]


@pytest.mark.parametrize("name", TAUTOLOGIES)
def test_bug_052_a_principals_id_is_a_literal(worlds, name):
    document = worlds.document("d1", "diary of alice.", worlds.user("alice"))
    stranger = worlds.world([document], [Principal("alice", "acme")])
    known = worlds.world([document], [Principal("alice", "acme"), Principal(name, "acme")])
    for world in (stranger, known):
        target = connected(world)
        assert shown(ask(target, "alice", "diary of alice")) == {"d1"}
        assert shown(ask(target, name, "diary of alice")) == set()
        assert target.resolve("d1@1#1", Caller(name)).seen[Stage.CITATION].ids == ()
        assert target.count("diary", Caller(name)).seen[Stage.SUGGEST].count == 0


@pytest.mark.parametrize("name", TAUTOLOGIES)
def test_bug_052_an_id_is_bound_as_a_literal_or_not_sent(name):
    bound = over_http(body={"filter": {"user_id": "$principal"}, "q": "$query"})
    bound.search([Request("r", "diary", Caller(name))])
    assert json.loads(bound._client.sent[0].content)["filter"] == {"user_id": name}
    pasted = over_http(body={"filter": 'user_id == "$principal"', "q": "$query"})
    (response,) = pasted.search([Request("r", "diary", Caller(name))])
    assert response.error == "unsendable"
    assert "give $principal a field of its own" in response.detail
    assert pasted._client.sent == []
    pasted.search([Request("r", "diary", Caller("ann"))])
    assert json.loads(pasted._client.sent[0].content)["filter"] == 'user_id == "ann"'


def evaluated(own, other, request):
    """As a filter expression built by pasting: a quote in what the client sends ends the text."""
    return own == other or '"' in request.caller.claims.get("filter", "")


def test_bug_052_a_filter_that_obeys_the_client_is_a_violation(bench, worlds, targets):
    target = targets.by_tenant(evaluated)
    ran = bench.run(acme_and_others(worlds), ["ACL-18"], target=target)
    assert ran.exit_code == 3
    asked = {case["case_id"]: case["wording"] for case in ran.lines("cases.jsonl")}
    violated = {asked[v["case_id"]] for v in ran.verdicts if v["outcome"] == "violated"}
    assert violated == {"scope_injection"}


# BUG-053 -----------------------------------------------------------------------------------------


def test_bug_053_one_open_entry_fails_though_the_search_is_clean(bench, worlds):
    ran = bench.run(
        worlds.office(), ["ACL-01", "CIT-01", "SID-02"], cases=8, fault="citation_without_check"
    )
    assert ran.exit_code == 3
    assert ran.families["ACL-01"].violated == ran.families["SID-02"].violated == 0
    assert ran.families["CIT-01"].violated > 0
    for family in ("ACL-01", "CIT-01", "SID-02"):
        assert family in ran.text("report.md")


def test_bug_053_an_entry_that_the_adapter_lacks_is_said_to_be_so_and_not_denied(
    bench, worlds, targets
):
    ran = bench.run(worlds.office(), ["ACL-01", "CIT-01", "SID-02"], cases=8,
                    target=targets.by_tenant(exact))  # fmt: skip
    missing = dict(ran.record.not_run)
    assert missing["CIT-01"] == "the target shows no citation"
    assert missing["SID-02"] == "the target shows no suggest"
    assert ran.families["CIT-01"].held == ran.families["CIT-01"].planned == 0
    assert "| `CIT-01` | the target shows no citation |" in ran.text("report.md")


# BUG-054 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lag_s", "code", "outcome"), [(30, 0, "held"), (90, 3, "violated")], ids=["lag", "leak"]
)
def test_bug_054_a_late_revocation_is_lag_within_the_level_and_a_leak_after_it(
    bench, worlds, targets, lag_s, code, outcome
):
    """The level is 60 s: asked at once, a little after it, and about as long after that."""
    ran = bench.run(worlds.office(), ["ACL-08"], cases=8, target=targets.Late(lag_s))
    assert ran.exit_code == code
    assert {v["outcome"] for v in ran.verdicts} == {outcome}
    assert all(any("0 s after the event, level 60 s" in note for note in v["notes"])
               for v in ran.verdicts)  # fmt: skip
    for finding in ran.record.findings:
        seen = {step.at_s: step.seen for step in finding.timeline if step.role == "reader"}
        at_once, late, later = sorted(seen)
        assert (at_once, 60 <= late < lag_s < later) == (0, True)
        assert finding.document_id in seen[late]
        assert finding.document_id not in seen[later]


def test_bug_054_the_last_reader_of_a_list_is_gone_once_revoked(worlds):
    target = connected(
        worlds.world([worlds.document("d1", "plum recipe.", worlds.user("u1"))],
                     [Principal("u1", "acme")])
    )  # fmt: skip
    assert shown(ask(target, "u1", "plum recipe")) == {"d1"}
    assert target.apply(Revoke("d1", "d1/0", worlds.NOW))
    after = ask(target, "u1", "plum recipe")
    assert shown(after) == set()
    assert after.seen[Stage.CACHE].ids == ()


# BUG-055 -----------------------------------------------------------------------------------------


def test_bug_055_a_citation_of_a_hidden_document_is_a_violation_and_its_title_stays_out(
    bench, worlds, targets
):
    world = worlds.office()
    title = world.documents["merger"].versions[0].title
    target = targets.Citing("merger@1#1", title, readers={"ann", "svc"})
    ran = bench.run(world, ["ACL-01"], cases=8, target=target)
    assert ran.exit_code == 3
    stages = {stage.stage: stage.violated for stage in ran.families["ACL-01"].stages}
    assert stages["citation"] > 0
    assert stages["answer"] == stages["context"] == stages["retrieve"] == 0
    assert {f.stage for f in ran.record.findings} == {"citation"}
    assert ran.holding(title) == ran.holding("lighthouse") == []


# BUG-056 -----------------------------------------------------------------------------------------


def nested(worlds):
    return worlds.world(
        [worlds.document("d1", "manual of pumps.", worlds.unit("all")),
         worlds.document("d2", "manual of sales.", worlds.unit("sales"))],
        [Principal("wei", "acme"), Principal("zoe", "acme")],
        units=[Unit(name, "acme") for name in ("all", "eng", "infra", "sales")],
        members=[("all", "eng"), ("eng", "infra"), ("infra", "wei")],
    )  # fmt: skip


def test_bug_056_a_member_three_groups_deep_reads_and_a_stranger_does_not(worlds):
    target = connected(nested(worlds))
    assert shown(ask(target, "wei", "manual")) == {"d1"}
    assert shown(ask(target, "zoe", "manual")) == set()


def test_bug_056_a_circle_of_groups_is_refused_by_run_and_by_validate(bench, worlds, command):
    home = bench.write(nested(worlds))
    file = home / "directory.json"
    directory = json.loads(file.read_text(encoding="utf-8"))
    edge = next(m for m in directory["memberships"] if m["member"] == "infra")
    directory["memberships"].append({**edge, "membership_id": "x", "unit": "infra",
                                     "member": "all"})  # fmt: skip
    file.write_text(json.dumps(directory), encoding="utf-8")
    for words in (
        bench.words(home, ["ACL-02"]),
        ["validate", "--snapshot", str(home / "snapshot"), "--directory", str(file)],
    ):
        ended = command(*words)
        assert ended.returncode == 2, ended.stderr
        assert "infra" in ended.stderr
    assert not bench.archive.exists()


# BUG-057, 058 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "arm", "told"),
    [
        ("sparse_arm_unfiltered", "retrieve.sparse", "seen at the stage: retrieve, word arm"),
        ("dense_arm_unfiltered", "retrieve.dense", "seen at the stage: retrieve, meaning arm"),
    ],
)
def test_bug_057_one_unfiltered_arm_is_a_violation_though_the_fused_list_is_clean(
    bench, worlds, fault, arm, told
):
    ran = bench.run(worlds.office(), ["ACL-01", "ACL-16"], cases=8, fault=fault)
    assert ran.exit_code == 3
    assert ran.families["ACL-01"].violated == 0
    assert ran.families["ACL-16"].severity == "high"
    assert {f.stage for f in ran.record.findings} == {arm}
    assert told in ran.text("report.md")


@pytest.mark.parametrize(
    ("fault", "family", "stage"),
    [("rerank_before_filter", "RNK-01", "rerank.input"), ("log_candidate_text", "LOG-01", "log")],
)
def test_bug_058_candidates_that_left_before_the_check_are_violations_where_they_went(
    bench, worlds, fault, family, stage
):
    ran = bench.run(worlds.office(), ["ACL-01", "LOG-01", "RNK-01"], cases=8, fault=fault)
    assert ran.exit_code == 3
    assert {(f.family, f.stage) for f in ran.record.findings} == {(family, stage)}
    assert ran.families["ACL-01"].violated == 0


def test_bug_058_a_system_that_authorises_before_anything_leaves_is_not_flagged(bench, worlds):
    ran = bench.run(worlds.office(), ["ACL-01", "LOG-01", "RNK-01"], cases=8)
    assert ran.exit_code == 0, ran.record.decision.reasons
    assert all(family.violated == 0 for family in ran.record.families)
