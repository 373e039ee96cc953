"""What a small office's readers see while rights change, parts fail and the index is put back."""

from datetime import UTC, datetime, timedelta

import pytest

from rageval_kit.records import changes as ch
from rageval_kit.records.target import Caller, Request, Stage
from rageval_kit.records.world import (
    AccessPolicy,
    Chunk,
    Document,
    Effect,
    Entry,
    Folder,
    Guest,
    Membership,
    Principal,
    PrincipalKind,
    PrincipalStatus,
    State,
    SubjectKind,
    Tenant,
    Unit,
    Version,
    World,
)
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.system.config import EmbeddedConfig

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PAST = NOW - timedelta(days=300)
PLAN, MEMO, OTHER = "plan-v#1", "memo-v#1", "other-v#1"


def document(name, text, *who, folder="room", tenant="t"):
    entries = tuple(Entry(f"{name}-{w}", Effect.ALLOW, SubjectKind.USER, w) for w in who)
    version = Version(
        f"{name}-v",
        f"The {name}",
        (Chunk(f"{name}-v#1", text),),
        valid_from=PAST,
        states=((PAST, State.PUBLISHED),),
    )
    return Document(name, tenant, (version,), folder_id=folder, entries=entries)


def world():
    documents = (
        document("plan", "The harbour plan costs ninety crowns.", "ann"),
        document("memo", "The harbour memo praises the crane.", "ann", "bob"),
        document("other", "The harbour guide names every pier.", "ann", "bob", "svc"),
    )
    people = [Principal(p, "t", clearance="low") for p in ("ann", "bob")]
    people.append(Principal("svc", "t", PrincipalKind.SERVICE, clearance="high"))
    people.append(Principal("eve", "away", clearance="low"))
    folders = (Folder("room", "t"), Folder("vault", "t", label="high"))
    return World(
        documents={d.document_id: d for d in documents},
        folders={f.folder_id: f for f in folders},
        tenants={"t": Tenant("t"), "away": Tenant("away")},
        principals={p.principal_id: p for p in people},
        units={},
        memberships={},
        guests={},
        links={},
        clock=NOW,
        policy=AccessPolicy(labels=("low", "high")),
    )


@pytest.fixture
def office():
    made = []

    def connect(fault=None):
        target = Embedded(EmbeddedConfig(fault=fault))
        target.connect(world())
        made.append(target)
        return target

    yield connect
    for target in made:
        target.close()


def asked(target, who="ann", query="harbour plan costs crowns", session="", *, answering=True):
    request = Request("r", query, Caller(who), session=session)
    (response,) = (target.answer if answering else target.search)([request])
    return response


def found(target, who="ann", **more):
    """By a search, which no cache answers."""
    return set(asked(target, who, answering=False, **more).seen[Stage.RETRIEVE].ids)


def clock(target, seconds):
    return target.apply(ch.SetClock(NOW + timedelta(seconds=seconds)))


DELETE = ch.SetState("plan", State.DELETED, NOW)
REVOKE = ch.Revoke("plan", "plan-ann", NOW)


# Rights that change while the text stays


@pytest.mark.parametrize(
    ("change", "frozen"),
    [
        (ch.Relabel("plan", "high"), "labels_frozen"),
        (ch.Relabel("plan", None, frozenset({"x"})), "labels_frozen"),
        (ch.Move("plan", "vault"), "moved_keeps_label"),
        (
            ch.Grant("plan", Entry("no", Effect.DENY, SubjectKind.USER, "ann")),
            "entries_copied_at_ingest",
        ),
    ],
)
def test_a_change_of_rights_counts_at_once_and_under_its_fault_never(office, change, frozen):
    for fault, seen in ((None, False), (frozen, True)):
        target = office(fault)
        assert PLAN in found(target)
        assert target.apply(change)
        assert (PLAN in found(target)) is seen


def test_a_relabelled_document_that_is_unknown_is_not_confirmed(office):
    assert office().apply(ch.Relabel("nothing", "high")) is False


# The rights service fails


@pytest.mark.parametrize("how", ["timeout", "error", "stale_token", "of_a_new_kind"])
def test_without_rights_every_call_says_so_and_shows_nothing(office, how):
    target = office()
    assert target.apply(ch.Break("acl_service", how))
    for response in (
        asked(target),
        asked(target, answering=False),
        target.resolve(PLAN, Caller("ann")),
        target.count("harbour", Caller("ann")),
    ):
        assert (response.error, dict(response.seen)) == ("rights_unavailable", {})
        assert how in response.detail
    assert target.apply(ch.Mend("acl_service"))
    assert PLAN in found(target)


def test_an_empty_reply_of_the_rights_service_is_no_right(office):
    target = office()
    target.apply(ch.Break("acl_service", "empty_reply"))
    assert asked(target).error == ""
    assert found(target) == set()
    assert target.count("harbour", Caller("ann")).seen[Stage.SUGGEST].count == 0
    target.restore()
    assert PLAN in found(target)


@pytest.mark.parametrize(
    ("fault", "how", "shown"),
    [
        ("open_on_timeout", "timeout", {PLAN, MEMO, OTHER}),
        ("open_on_error", "error", {OTHER}),
        ("open_on_empty_reply", "empty_reply", {PLAN, MEMO, OTHER}),
    ],
)
def test_a_system_that_fails_open_shows_what_its_fallback_may_read(office, fault, how, shown):
    target = office(fault)
    assert found(target, "bob") == {MEMO, OTHER}
    target.apply(ch.Break("acl_service", how))
    assert found(target, "bob") == shown
    target.apply(ch.Break("acl_service", "of_another_kind"))
    assert asked(target, "bob").error == "rights_unavailable"


def test_a_stale_token_that_is_accepted_brings_back_the_rights_of_its_issue(office):
    for fault, seen in ((None, set()), ("open_on_stale_token", {PLAN, MEMO, OTHER})):
        target = office(fault)
        target.apply(REVOKE)
        assert found(target) == {MEMO, OTHER}
        target.apply(ch.Break("acl_service", "stale_token"))
        shown = asked(target).seen.get(Stage.RETRIEVE)
        assert set(shown.ids if shown else ()) == seen


# Deleted stays deleted


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (ch.Resync(NOW), "resync_resurrects"),
        (ch.RestoreBackup(NOW), "restore_forgets_deletions"),
        (ch.Break("replica", "lag"), "lagging_replica_read"),
    ],
)
def test_what_was_deleted_comes_back_only_under_the_fault(office, change, fault):
    for name, back in ((None, False), (fault, True)):
        target = office(name)
        assert target.apply(DELETE)
        assert PLAN not in found(target)
        assert target.apply(change)
        assert (PLAN in found(target)) is back
        assert target.resolve(PLAN, Caller("ann")).seen[Stage.CITATION].status == (
            "ok" if back else "not_found"
        )


def test_after_a_backup_everything_that_happened_since_has_happened(office):
    target = office()
    new = document("new", "The harbour crane has a new plan.", "bob")
    for change in (ch.Publish(new), REVOKE, ch.SetStatus("bob", PrincipalStatus.ACTIVE, PAST)):
        assert target.apply(change)
    clock(target, 5)
    before = {who: found(target, who) for who in ("ann", "bob", "svc")}
    assert before == {"ann": {MEMO, OTHER}, "bob": {MEMO, OTHER, "new-v#1"}, "svc": {OTHER}}
    assert target.apply(ch.RestoreBackup(NOW))
    assert {who: found(target, who) for who in before} == before
    target.apply(ch.RestoreBackup(NOW))
    assert {who: found(target, who) for who in before} == before


@pytest.mark.parametrize("fault", [None, "quarantine_at_ingest_only", "quarantined_still_opens"])
def test_quarantine_reaches_the_search_and_the_opening(office, fault):
    target = office(fault)
    target.apply(ch.SetState("plan", State.QUARANTINED, NOW))
    opened = target.resolve(PLAN, Caller("ann")).seen[Stage.CITATION].ids
    assert (PLAN in found(target)) is (fault == "quarantine_at_ingest_only")
    assert bool(opened) is (fault is not None)


# Between retrieval and answer


@pytest.mark.parametrize(("fault", "told"), [(None, False), ("rights_read_once", True)])
def test_a_right_that_ends_before_the_answer_is_seen_by_the_answer(office, fault, told):
    target = office(fault)
    assert PLAN in found(target)
    assert target.apply(ch.BeforeAnswer((REVOKE, ch.SetClock(NOW + timedelta(minutes=5)))))
    response = asked(target)
    assert PLAN in response.seen[Stage.RETRIEVE].ids
    for stage in (Stage.CONTEXT, Stage.CITATION):
        assert (PLAN in response.seen[stage].ids) is told
    assert ("ninety" in response.seen[Stage.ANSWER].texts[0]) is told
    assert PLAN not in found(target)


def test_what_happens_before_an_answer_happens_once(office):
    target = office()
    target.apply(ch.BeforeAnswer((REVOKE,)))
    asked(target)
    assert target.apply(ch.Grant("plan", Entry("again", Effect.ALLOW, SubjectKind.USER, "ann")))
    assert PLAN in found(target)
    assert PLAN in asked(target).seen[Stage.CONTEXT].ids


# Conversations

SUMMARY = ["Please summarise what was said above.", "请总结上面所说的内容。"]


@pytest.mark.parametrize("words", SUMMARY)
def test_a_summary_repeats_what_was_said_in_its_own_conversation_alone(office, words):
    target = office()
    asked(target, session="one")
    assert "ninety" in asked(target, query=words, session="one").seen[Stage.ANSWER].texts[0]
    for who, session in (("ann", "two"), ("bob", "one")):
        shown = asked(target, who, query=words, session=session).seen
        assert PLAN not in shown[Stage.CONTEXT].ids


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (REVOKE, "history_not_rechecked"),
        (DELETE, "history_not_rechecked"),
        (DELETE, "erasure_leaves_memory"),
    ],
)
def test_a_summary_is_made_with_the_rights_of_now(office, change, fault):
    for name, told in ((None, False), (fault, True)):
        target = office(name)
        asked(target, session="one")
        target.apply(change)
        shown = asked(target, query=SUMMARY[0], session="one").seen
        assert (PLAN in shown[Stage.CONTEXT].ids) is told
        assert ("ninety" in shown[Stage.ANSWER].texts[0]) is told


# Who asks


def test_strangers_the_suspended_and_former_guests_find_nothing(office):
    target = office()
    assert found(target, "") == found(target, "nobody") == set()
    guest = Guest("g", "eve", "t")
    target.apply(ch.Invite(guest))
    target.apply(ch.Grant("plan", Entry("eve", Effect.ALLOW, SubjectKind.USER, "eve")))
    assert found(target, "eve") == {PLAN}
    target.apply(ch.EndGuest("g", NOW))
    target.apply(ch.SetStatus("ann", PrincipalStatus.SUSPENDED, NOW))
    assert found(target, "eve") == found(target, "ann", session="one") == set()


@pytest.mark.parametrize(
    ("fault", "who", "shown"),
    [
        ("unknown_id_is_default_user", "nobody", {PLAN, MEMO, OTHER}),
        ("empty_id_is_service", "", {OTHER}),
        ("empty_id_is_service", "nobody", set()),
        ("suspended_is_not_deleted", "ann", {PLAN, MEMO, OTHER}),
        ("suspended_keeps_session", "ann", {PLAN, MEMO, OTHER}),
    ],
)
def test_each_fault_lets_in_whom_it_says(office, fault, who, shown):
    target = office(fault)
    asked(target, who, session="one")
    target.apply(ch.SetStatus("ann", PrincipalStatus.SUSPENDED, NOW))
    expected = set() if fault == "unknown_id_is_default_user" else shown  # ann, now suspended
    assert found(target, who, session="one") == expected
    target.restore()
    if who != "ann":
        assert found(target, who) == shown


def test_a_suspended_account_gets_no_new_session(office):
    target = office("suspended_keeps_session")
    target.apply(ch.SetStatus("ann", PrincipalStatus.SUSPENDED, NOW))
    assert found(target, session="one") == set()


@pytest.mark.parametrize(
    ("fault", "n", "denied"),
    [
        (None, 130, True),
        ("groups_truncated", 90, True),
        ("groups_truncated", 130, False),
        ("overage_claim_opens", 130, True),
    ],
)
def test_the_last_of_many_groups_still_denies(office, fault, n, denied):
    target = office(fault)
    for number in range(n):
        target.apply(ch.Enroll(Membership(f"m{number:03d}", f"u{number:03d}", "ann")))
    last = f"u{n - 1:03d}"
    target.apply(ch.Grant("plan", Entry("no", Effect.DENY, SubjectKind.UNIT, last)))
    assert (PLAN not in found(target)) is denied


def test_somebody_in_too_many_groups_is_in_no_other(office):
    for fault, opened in ((None, False), ("overage_claim_opens", True)):
        target = office(fault)
        for number in range(151):
            target.apply(ch.Enroll(Membership(f"m{number}", f"u{number}", "bob")))
        target.apply(ch.Enroll(Membership("ann-in", "inner", "ann")))
        target.apply(ch.Grant("plan", Entry("in", Effect.ALLOW, SubjectKind.UNIT, "inner")))
        assert (PLAN in found(target, "bob")) is opened


# Late


def test_a_late_removal_counts_after_a_minute_and_a_half(office):
    target = office("removals_late")
    assert target.apply(REVOKE)
    for seconds, seen in ((0, True), (89, True), (90, False), (120, False)):
        clock(target, seconds)
        assert (PLAN in found(target)) is seen


def test_a_grant_is_never_late(office):
    target = office("removals_late")
    target.apply(ch.Grant("plan", Entry("bob", Effect.ALLOW, SubjectKind.USER, "bob")))
    assert PLAN in found(target, "bob")


@pytest.mark.parametrize(("fault", "kept"), [(None, False), ("erasure_leaves_log", True)])
def test_the_log_holds_no_text_of_what_was_quoted(office, fault, kept):
    target = office(fault)
    asked(target)
    target.apply(DELETE)
    lines = target.read("log", Caller("op")).seen[Stage.LOG].texts
    assert any("ninety" in line for line in lines) is kept


def test_units_of_a_small_office_need_no_directory_of_them(office):
    """A unit that an entry names and nobody lists is still one that people can be in."""
    target = office()
    target.apply(ch.Enroll(Membership("m", Unit("crew", "t").unit_id, "bob")))
    target.apply(ch.Grant("plan", Entry("crew", Effect.ALLOW, SubjectKind.UNIT, "crew")))
    assert PLAN in found(target, "bob")
