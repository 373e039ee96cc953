"""What readers and operators see of one small office, stage by stage, and each fault beside it."""

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from rageval_kit.records import changes as ch
from rageval_kit.records.faults import InputError, TargetError
from rageval_kit.records.target import Caller, Request, Stage
from rageval_kit.records.world import (
    AccessPolicy,
    Chunk,
    Document,
    Effect,
    Entry,
    Membership,
    Principal,
    PrincipalKind,
    ShareLink,
    State,
    SubjectKind,
    Tenant,
    Unit,
    Version,
    Window,
    World,
)
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults import FAULTS, Fault

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PAST = NOW - timedelta(days=300)
DAY = timedelta(days=1)


def document(name, tenant, text, *subjects, chunks=None, **more):
    entries = tuple(
        Entry(f"{name}-{n}", Effect.ALLOW, kind, subject)
        for n, (kind, subject) in enumerate(subjects)
    )
    version = Version(
        f"{name}-v",
        f"{name} title",
        chunks or (Chunk(f"{name}-c", text),),
        valid_from=PAST,
        states=((PAST, State.PUBLISHED),),
    )
    return Document(name, tenant, (version,), entries=entries, **more)


USER, UNIT, LINK, EVERYONE = (
    SubjectKind.USER,
    SubjectKind.UNIT,
    SubjectKind.LINK,
    SubjectKind.EVERYONE,
)


def office():
    documents = [
        document(
            "open", "a", "The canteen menu of the week lists rice. 食堂本周菜单。", (EVERYONE, "")
        ),
        document("pay", "a", "The merger bonus is 4821 coins. 并购奖金为4821元。", (USER, "ann")),
        document(
            "far", "b", "The merger plan of tenant bee is PLAN-99.", (USER, "ann"), (USER, "bea")
        ),
        document("trip", "a", "差旅报销标准与流程：住宿每晚500元。", (EVERYONE, "")),
        document("team", "a", "Payroll audit notes of the payroll team.", (UNIT, "team")),
        document("shared", "a", "The shared sketch of the lighthouse.", (LINK, "lk")),
        document(
            "mixed",
            "a",
            "",
            (EVERYONE, ""),
            chunks=(
                Chunk("mixed-c", "A leaflet about umbrellas."),
                Chunk("mixed-a", "Umbrella costs in detail.", kind="attachment", label="secret"),
            ),
        ),
    ]
    people = [
        Principal("ann", "a"),
        Principal("bob", "a"),
        Principal("bea", "b"),
        Principal("svc", "a", PrincipalKind.SERVICE),
    ]
    documents[1] = replace(
        documents[1], entries=(*documents[1].entries, Entry("s", Effect.ALLOW, USER, "svc"))
    )
    return World(
        {d.document_id: d for d in documents},
        {},
        {"a": Tenant("a"), "b": Tenant("b")},
        {p.principal_id: p for p in people},
        {"team": Unit("team", "a")},
        {"m": Membership("m", "team", "ann", window=Window(None, NOW + DAY))},
        {},
        {"lk": ShareLink("lk", Window(None, NOW + DAY), opened=(("bob", PAST),))},
        NOW,
        AccessPolicy(("public", "secret")),
    )


def connected(**config):
    target = Embedded(EmbeddedConfig(**config))
    target.connect(office())
    return target


def ask(target, who, query, **more):
    return target.answer([Request("r", query, Caller(who), **more)])[0]


def shown(response):
    return {item for seen in response.seen.values() for item in seen.ids}


def test_the_allowed_reader_gets_the_passage_at_every_stage_and_a_cited_answer():
    seen = ask(connected(), "ann", "merger bonus").seen
    for stage in (
        Stage.RETRIEVE_SPARSE,
        Stage.RETRIEVE_DENSE,
        Stage.RETRIEVE,
        Stage.RERANK_INPUT,
        Stage.RERANK,
        Stage.CONTEXT,
        Stage.CITATION,
    ):
        assert seen[stage].ids[0] == "pay-c"
    assert "The merger bonus is 4821 coins. [1]" in seen[Stage.ANSWER].texts[0]
    assert seen[Stage.CITATION].texts[0] == "pay title"
    assert seen[Stage.CACHE].ids == ()


def test_the_denied_reader_sees_nothing_of_it_and_a_refusal_in_his_language():
    english = ask(connected(), "bob", "merger bonus 4821")
    assert not {"pay-c", "far-c"} & shown(english)
    assert english.seen[Stage.ANSWER].texts == ("No content was found that answers this question.",)
    chinese = ask(connected(), "bob", "并购奖金是多少")
    assert chinese.seen[Stage.ANSWER].texts == ("没有找到可以回答该问题的内容。",)


def test_a_chinese_query_finds_its_passage_and_no_other():
    assert ask(connected(), "bob", "报销").seen[Stage.RETRIEVE].ids == ("trip-c",)


@pytest.mark.parametrize("call", ["search", "answer"])
def test_a_query_without_words_is_an_error_not_a_list(call):
    (response,) = getattr(connected(), call)([Request("r", "？！", Caller("bob"))])
    assert response.error == "query_has_no_tokens"


def test_known_at_after_now_and_naive_times_are_refused_for_that_request_alone():
    requests = [
        Request("1", "menu", Caller("bob"), known_at=NOW + DAY),
        Request("2", "menu", Caller("bob")),
        Request("3", "menu", Caller("bob"), as_of=datetime(2026, 1, 1)),  # noqa: DTZ001
    ]
    assert [r.error for r in connected().search(requests)] == ["bad_request", "", "bad_request"]


def test_the_same_reader_and_state_hit_the_cache_and_nobody_else():
    target = connected()
    ask(target, "ann", "merger bonus")
    assert ask(target, "ann", "merger bonus").seen[Stage.CACHE].ids
    assert ask(target, "ann", "Merger bonus?").seen[Stage.CACHE].ids
    assert not ask(target, "bob", "merger bonus").seen[Stage.CACHE].ids

    assert target.apply(ch.Revoke("pay", "pay-0", NOW))
    after = ask(target, "ann", "merger bonus")
    assert not after.seen[Stage.CACHE].ids
    assert "pay-c" not in shown(after)


def test_a_question_that_says_another_word_of_the_index_is_another_question():
    """However near the vectors: here every two texts are near enough."""
    target = connected(semantic_threshold=0.01)
    ask(target, "ann", "what is the merger bonus")
    assert ask(target, "ann", "tell me the merger bonus: what is it").seen[Stage.CACHE].ids
    assert not ask(target, "ann", "what is the merger plan").seen[Stage.CACHE].ids


def test_forbidden_unknown_and_dead_handles_look_the_same():
    target = connected()
    looks = {
        target.resolve(h, Caller("bea")).seen[Stage.CITATION]
        for h in ("pay-c", "no-such", "link:lk", "link:none")
    }
    assert len(looks) == 1
    assert looks.pop().status == "not_found"
    assert target.resolve("pay-c", Caller("ann")).seen[Stage.CITATION].ids == ("pay-c",)


def test_a_link_opens_for_who_opened_it_until_its_end():
    target = connected()
    assert target.resolve("link:lk", Caller("bob")).seen[Stage.CITATION].ids == ("shared-c",)
    assert target.apply(ch.SetClock(NOW + DAY))
    assert target.resolve("link:lk", Caller("bob")).seen[Stage.CITATION].ids == ()


def test_counts_and_logs_tell_of_nothing_hidden():
    target = connected()
    assert target.count("merger", Caller("ann")).seen[Stage.SUGGEST].count == 1
    assert target.count("merger", Caller("bob")).seen[Stage.SUGGEST].count == 0
    ask(target, "bob", "merger bonus")
    lines = "\n".join(target.read("log", Caller("op")).seen[Stage.LOG].texts)
    assert "hits=0" in lines
    assert "merger" not in lines


def test_a_published_document_is_found_at_once_and_gone_after_restore():
    target = connected()
    before = ask(target, "bob", "canteen menu").seen
    assert target.apply(ch.Publish(document("new", "a", "A zebra arrived.", (EVERYONE, ""))))
    assert not target.apply(ch.Publish(document("new", "a", "again", (EVERYONE, ""))))
    assert ask(target, "bob", "zebra").seen[Stage.RETRIEVE].ids[0] == "new-c"
    target.restore()
    assert "new-c" not in shown(ask(target, "bob", "zebra"))
    assert ask(target, "bob", "canteen menu").seen == before


def test_a_change_that_names_nothing_is_not_confirmed():
    target = connected()
    assert not target.apply(ch.Revoke("pay", "no-entry", NOW))
    assert not target.apply(ch.SetState("no-document", State.DELETED, NOW))
    assert not target.apply(ch.OpenLink("no-link", "ann", NOW))


def test_many_threads_each_see_their_own():
    target = connected()
    wrong = []

    def work(who, allowed):
        for _ in range(5):
            if ("pay-c" in shown(ask(target, who, "merger bonus"))) is not allowed:
                wrong.append(who)

    threads = [
        threading.Thread(target=work, args=("ann" if n % 2 else "bob", bool(n % 2)))
        for n in range(32)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_batch_answers_as_single_requests_do():
    requests = [
        Request(str(n), q, Caller(who))
        for n, (who, q) in enumerate(
            [("ann", "merger bonus"), ("bob", "merger bonus"), ("bob", "报销流程"), ("bea", "plan")]
        )
    ]
    batch, alone = connected(), connected()
    together = batch.search(requests)
    assert [r.seen for r in together] == [alone.search([r])[0].seen for r in requests]


# the faults of the pipeline: (fault, what happens, what a leak is) --------------------------------


def leak_at(stage, item, who="bob", query="merger bonus", claims=None):
    def look(target):
        response = target.answer([Request("r", query, Caller(who, claims or {}))])[0]
        return item in response.seen[stage].ids

    return look


def two_asks(target):
    ask(target, "ann", "merger bonus")
    return "pay-c" in shown(ask(target, "bob", "merger bonus"))


def ask_revoke_ask(target):
    ask(target, "ann", "merger bonus")
    target.apply(ch.Revoke("pay", "pay-0", NOW))
    return "pay-c" in shown(ask(target, "ann", "merger bonus"))


def opens(handle, who="bob"):
    return lambda target: bool(target.resolve(handle, Caller(who)).seen[Stage.CITATION].ids)


def tells_apart(target):
    statuses = {
        target.resolve(h, Caller("bob")).seen[Stage.CITATION].status for h in ("pay-c", "none")
    }
    return len(statuses) > 1


def log_tells(target):
    ask(target, "bob", "merger bonus")
    return any("4821" in line for line in target.read("log", Caller("op")).seen[Stage.LOG].texts)


def counts_hidden(target):
    return target.count("merger", Caller("bob")).seen[Stage.SUGGEST].count > 0


def starves(target):
    return not ask(target, "bob", "the merger bonus menu", k=1).seen[Stage.RERANK].ids


def confuses(target):
    requests = [Request("1", "merger bonus", Caller("bob")), Request("2", "merger", Caller("ann"))]
    return "pay-c" in target.search(requests)[0].seen[Stage.RETRIEVE].ids


def finds_nothing(target):
    return not shown(ask(target, "bob", "canteen menu"))


def echoes(target):
    return ask(target, "bob", "canteen menu").seen[Stage.ANSWER].texts == ("canteen menu",)


def after_tombstone(target):
    target.apply(ch.SetState("open", State.DELETED, NOW))
    return "open-c" in shown(ask(target, "bob", "canteen menu"))


BEHAVIOURS = {
    "sparse_arm_unfiltered": leak_at(Stage.RETRIEVE_SPARSE, "pay-c"),
    "dense_arm_unfiltered": leak_at(Stage.RETRIEVE_DENSE, "pay-c"),
    "client_tenant_trusted": leak_at(Stage.RETRIEVE, "far-c", "ann", "plan", {"tenant": "b"}),
    "scope_syntax_obeyed": leak_at(Stage.RETRIEVE, "far-c", "ann", "plan tenant:b"),
    "principal_in_shared_state": confuses,
    "service_identity": leak_at(Stage.RETRIEVE, "pay-c"),
    "cache_key_without_principal": two_asks,
    "cache_ignores_rights": ask_revoke_ask,
    "rerank_before_filter": leak_at(Stage.RERANK_INPUT, "pay-c"),
    "filter_after_top_k": starves,
    "citation_without_check": opens("pay-c"),
    "attachment_without_check": opens("mixed-a"),
    "forbidden_differs_from_unknown": tells_apart,
    "log_candidate_text": log_tells,
    "count_unfiltered": counts_hidden,
    "tombstone_ignored": after_tombstone,
    "deny_all": finds_nothing,
    "empty_corpus": finds_nothing,
    "always_refuse": finds_nothing,
    "echo_query": echoes,
}
SIZES = {"filter_after_top_k": {"candidates": 1}}


@pytest.mark.parametrize("fault", BEHAVIOURS)
def test_each_pipeline_fault_shows_and_the_clean_system_does_not(fault):
    sizes = SIZES.get(fault, {})
    assert BEHAVIOURS[fault](connected(fault=fault, **sizes))
    assert not BEHAVIOURS[fault](connected(**sizes))


@pytest.mark.parametrize(
    "fault",
    ["sparse_arm_unfiltered", "dense_arm_unfiltered", "rerank_before_filter", "filter_after_top_k"],
)
def test_an_intermediate_fault_leaves_the_fused_list_clean(fault):
    seen = ask(connected(fault=fault), "bob", "merger bonus").seen
    for stage in (Stage.RETRIEVE, Stage.RERANK, Stage.CONTEXT, Stage.CITATION):
        assert "pay-c" not in seen[stage].ids


def test_ids_that_differ_in_case_are_one_only_under_the_fault():
    def found(fault):
        world = office()
        people = {**world.principals, "ANN": Principal("ANN", "A"), "Ann ": Principal("Ann ", "a")}
        target = Embedded(EmbeddedConfig(fault=fault))
        target.connect(replace(world, principals=people))
        return {who: "pay-c" in shown(ask(target, who, "merger bonus")) for who in people}

    clean, folded = found(None), found("ids_case_folded")
    assert [who for who in clean if clean[who]] == ["ann", "svc"]
    assert folded["ANN"]
    assert folded["Ann "]


def test_nested_groups_count_for_allow_unless_the_fault_follows_one_edge_only():
    def found(fault):
        world = office()
        inner = {"inner": Unit("inner", "a"), **world.units}
        edges = {
            "e": Membership("e", "team", "inner", member_is_unit=True),
            "b": Membership("b", "inner", "bob"),
        }
        target = Embedded(EmbeddedConfig(fault=fault))
        target.connect(replace(world, units=inner, memberships=edges))
        return "team-c" in shown(ask(target, "bob", "payroll audit"))

    assert found(None)
    assert not found("nesting_depth_one")


def test_every_fault_is_described_in_both_languages_and_names_its_family():
    kinds = {type(info.switch) for info in FAULTS.values()}
    assert Fault in kinds
    assert set(FAULTS) == {switch for kind in kinds for switch in kind}
    for name, info in FAULTS.items():
        assert info.name == name
        assert set(info.title) == {"en", "zh"}
        assert info.families


def test_a_wrong_choice_is_refused_with_all_its_faults():
    with pytest.raises(InputError) as refused:
        EmbeddedConfig(arms=("sparce",), fault="nope", candidates=0)
    assert len(refused.value.faults) == 3


def test_asking_before_connecting_and_a_passage_id_met_twice_are_target_errors():
    with pytest.raises(TargetError):
        ask(Embedded(), "ann", "menu")
    world = office()
    twice = {**world.documents, "x": replace(world.documents["pay"], document_id="x")}
    with pytest.raises(TargetError, match="pay-c"):
        Embedded().connect(replace(world, documents=twice))
